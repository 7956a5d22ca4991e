//! # Lines from anybody
//!
//! A program that answers lines on a pipe gets whatever is sent: binary files, or a line that
//! never ends. [`Lines`] reads them one at a time and stores no more of each than was agreed.
//!
//! ```
//! use krieg_lines::{Line, Lines};
//! let mut lines = Lines::new(&b"isready\n\xff\nquit\xc3\xb6quit\n"[..], 8);
//! assert_eq!(lines.read()?, Some(Line::Text("isready")));
//! assert!(matches!(lines.read()?, Some(Line::NotText(_))));
//! assert!(matches!(lines.read()?, Some(Line::TooLong(_))));
//! assert_eq!(lines.read()?, None);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! [`Process`] is the other end of the pipe: a program of somebody else's, which may die, hang or talk without
//! end. And [`whole_lines`] and [`write_whole`] are for files that must outlive an interrupted run.

mod files;
mod program;

pub use files::{cut_torn_line, is_unfinished, whole_lines, write_whole};
pub use program::{NoProgram, Process, Program, Silence, end_all};

use std::io::{self, BufRead, BufReader, Read};

use krieg_core::excerpt;

/// A line as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line<'a> {
    /// The line, without its break.
    Text(&'a str),
    /// Longer than agreed; this is how it begins.
    TooLong(String),
    /// Not UTF-8; this is how it begins.
    NotText(String),
}

/// Reads lines of bounded length.
#[derive(Debug)]
pub struct Lines<R> {
    input: BufReader<R>,
    bytes: Vec<u8>,
    longest: usize,
}

impl<R: Read> Lines<R> {
    /// Lines of at most `longest` bytes.
    pub fn new(input: R, longest: usize) -> Self {
        Lines { input: BufReader::new(input), bytes: Vec::new(), longest }
    }

    /// The next line, or nothing at the end.
    pub fn read(&mut self) -> io::Result<Option<Line<'_>>> {
        let Some(is_too_long) = self.fill()? else { return Ok(None) };
        let begin =
            |bytes: &[u8]| excerpt(&String::from_utf8_lossy(&bytes[..bytes.len().min(400)]));
        if is_too_long {
            return Ok(Some(Line::TooLong(begin(&self.bytes))));
        }
        Ok(Some(match std::str::from_utf8(&self.bytes) {
            Ok(text) => Line::Text(text.strip_suffix('\r').unwrap_or(text)),
            Err(_) => Line::NotText(begin(&self.bytes)),
        }))
    }

    /// Whether another line lies ready, so that answers may be sent together.
    pub fn is_another_ready(&self) -> bool {
        self.input.buffer().contains(&b'\n')
    }

    /// Reads one line, without its break, and says whether it was too long. Of such a line the
    /// beginning is kept, and the rest is passed over without being stored.
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
            let room = self.longest - self.bytes.len();
            is_too_long |= part.len() > room;
            self.bytes.extend_from_slice(&part[..part.len().min(room)]);
            let used = line_end.map_or(chunk.len(), |end| end + 1);
            self.input.consume(used);
            if line_end.is_some() {
                break;
            }
        }
        Ok((!is_empty).then_some(is_too_long))
    }
}
