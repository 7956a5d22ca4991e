//! The loop from lines to replies, proof against whatever a pipe may carry.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use crate::Referee;

/// The longest line, in bytes.
pub const LONGEST_LINE: usize = 1_000_000;

/// A line as it came.
enum Line {
    Bytes,
    TooLong,
    End,
}

/// Answers every line of `input` on `output`, until the input ends or a line says `quit`.
///
/// ```
/// use krieg_referee::{Referee, serve};
/// let mut output = Vec::new();
/// serve(&mut Referee::new(10), &b"{\"cmd\":\"games\"}\n"[..], &mut output)?;
/// assert_eq!(output, b"{\"ok\":true,\"games\":[]}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn serve(referee: &mut Referee, input: impl Read, output: impl Write) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let mut output = BufWriter::new(output);
    let mut bytes = Vec::new();
    for number in 1.. {
        let (reply, is_last) = match read_line(&mut input, &mut bytes)? {
            Line::End => break,
            Line::TooLong => {
                let begin = krieg_core::excerpt(&String::from_utf8_lossy(&bytes[..200]));
                let reason = format!("more than {LONGEST_LINE} bytes, beginning with {begin:?}");
                (Referee::refuse(number, &reason), false)
            }
            Line::Bytes => match std::str::from_utf8(&bytes) {
                Ok(line) if line.trim().is_empty() => continue,
                Ok(line) => {
                    let reply = referee.answer(number, line);
                    (reply.text, reply.is_last)
                }
                Err(_) => {
                    let begin = krieg_core::excerpt(&String::from_utf8_lossy(&bytes));
                    (Referee::refuse(number, &format!("not UTF-8: {begin:?}")), false)
                }
            },
        };
        writeln!(output, "{reply}")?;
        // Whoever waits for an answer gets it now; whoever sent many lines at once gets many.
        if is_last || !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
        if is_last {
            break;
        }
    }
    output.flush()
}

/// Reads one line into `bytes`, without its break. Of a line that is too long, the beginning is
/// kept and the rest is passed over without being stored.
fn read_line(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<Line> {
    bytes.clear();
    let mut is_too_long = false;
    let mut is_empty = true;
    loop {
        let chunk = match input.fill_buf() {
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
        let room = LONGEST_LINE - bytes.len();
        is_too_long |= part.len() > room;
        bytes.extend_from_slice(&part[..part.len().min(room)]);
        let used = line_end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if line_end.is_some() {
            break;
        }
    }
    Ok(match (is_empty, is_too_long) {
        (true, _) => Line::End,
        (false, true) => Line::TooLong,
        (false, false) => Line::Bytes,
    })
}
