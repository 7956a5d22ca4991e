//! The loop that reads request lines from a stream and writes the replies.

use std::io::{self, BufWriter, Read, Write};

use krieg_io::{InputLine, LineReader};

use crate::Referee;

/// Maximum length of a request line in bytes. A longer line is answered with an error.
pub const MAX_LINE_BYTES: usize = 1_000_000;

/// Answers every line of `input` on `output`, until the input ends or a request says `quit`.
///
/// ```
/// use krieg_referee::{Referee, serve};
/// let mut output = Vec::new();
/// serve(&mut Referee::new(10), &b"{\"cmd\":\"games\"}\n"[..], &mut output)?;
/// assert_eq!(output, b"{\"ok\":true,\"games\":[]}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn serve(referee: &mut Referee, input: impl Read, output: impl Write) -> io::Result<()> {
    let mut lines = LineReader::new(input, MAX_LINE_BYTES);
    let mut output = BufWriter::new(output);
    for number in 1.. {
        let (reply, is_last) = match lines.read()? {
            None => break,
            Some(InputLine::TooLong(beginning)) => {
                let reason =
                    format!("more than {MAX_LINE_BYTES} bytes, beginning with {beginning:?}");
                (Referee::refuse(number, &reason), false)
            }
            Some(InputLine::NotText(beginning)) => {
                (Referee::refuse(number, &format!("not UTF-8: {beginning:?}")), false)
            }
            Some(InputLine::Text(line)) if line.trim().is_empty() => continue,
            Some(InputLine::Text(line)) => {
                let reply = referee.answer(number, line);
                (reply.text, reply.is_last)
            }
        };
        writeln!(output, "{reply}")?;
        // A client that waits for each reply gets it at once; the replies to a batch of requests
        // are sent together.
        if is_last || !lines.has_buffered_line() {
            output.flush()?;
        }
        if is_last {
            break;
        }
    }
    output.flush()
}
