//! Reading lines of bounded length from an untrusted stream.

use std::io::{self, BufRead, BufReader, Read};

use krieg_core::excerpt;

/// Number of bytes of a rejected line that its excerpt is made from.
const EXCERPT_BYTES: usize = 400;

/// One line of input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputLine<'a> {
    /// The line, without its line break.
    Text(&'a str),
    /// The line is longer than the limit; this is an excerpt of its beginning.
    TooLong(String),
    /// The line is not UTF-8; this is an excerpt of its beginning.
    NotText(String),
}

/// Reads lines and stores at most a fixed number of bytes of each.
///
/// ```
/// use krieg_io::{InputLine, LineReader};
/// let mut lines = LineReader::new(&b"short\r\nmuch too long\n"[..], 8);
/// assert_eq!(lines.read()?, Some(InputLine::Text("short")));
/// assert_eq!(lines.read()?, Some(InputLine::TooLong("much too".to_string())));
/// assert_eq!(lines.read()?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct LineReader<R> {
    input: BufReader<R>,
    bytes: Vec<u8>,
    max_bytes: usize,
}

impl<R: Read> LineReader<R> {
    /// A reader that accepts lines of at most `max_bytes` bytes, line break not counted.
    pub fn new(input: R, max_bytes: usize) -> Self {
        LineReader { input: BufReader::new(input), bytes: Vec::new(), max_bytes }
    }

    /// The next line, or `None` at the end of the input.
    pub fn read(&mut self) -> io::Result<Option<InputLine<'_>>> {
        let Some(is_too_long) = self.fill()? else { return Ok(None) };
        let beginning = |bytes: &[u8]| {
            excerpt(&String::from_utf8_lossy(&bytes[..bytes.len().min(EXCERPT_BYTES)]))
        };
        if is_too_long {
            return Ok(Some(InputLine::TooLong(beginning(&self.bytes))));
        }
        Ok(Some(match std::str::from_utf8(&self.bytes) {
            Ok(text) => InputLine::Text(text.strip_suffix('\r').unwrap_or(text)),
            Err(_) => InputLine::NotText(beginning(&self.bytes)),
        }))
    }

    /// Whether another complete line is already buffered. A caller can use this to send several
    /// replies in one write.
    pub fn has_buffered_line(&self) -> bool {
        self.input.buffer().contains(&b'\n')
    }

    /// Reads one line into `bytes`, without its line break, and returns whether it was too long
    /// (`None` at the end of the input). Of a line that is too long the first `max_bytes` bytes are
    /// kept and the rest is consumed without being stored.
    fn fill(&mut self) -> io::Result<Option<bool>> {
        self.bytes.clear();
        let mut is_too_long = false;
        let mut is_empty = true;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                break;
            }
            is_empty = false;
            let line_end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..line_end.unwrap_or(chunk.len())];
            let capacity = self.max_bytes - self.bytes.len();
            is_too_long |= part.len() > capacity;
            self.bytes.extend_from_slice(&part[..part.len().min(capacity)]);
            let consumed = line_end.map_or(chunk.len(), |end| end + 1);
            self.input.consume(consumed);
            if line_end.is_some() {
                break;
            }
        }
        Ok((!is_empty).then_some(is_too_long))
    }
}
