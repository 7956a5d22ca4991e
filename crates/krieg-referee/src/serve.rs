//! The loop from lines to replies, proof against whatever a pipe may carry.

use std::io::{self, BufWriter, Read, Write};

use krieg_lines::{Line, Lines};

use crate::Referee;

/// The longest line, in bytes.
pub const LONGEST_LINE: usize = 1_000_000;

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
    let mut lines = Lines::new(input, LONGEST_LINE);
    let mut output = BufWriter::new(output);
    for number in 1.. {
        let (reply, is_last) = match lines.read()? {
            None => break,
            Some(Line::TooLong(begin)) => {
                let reason = format!("more than {LONGEST_LINE} bytes, beginning with {begin:?}");
                (Referee::refuse(number, &reason), false)
            }
            Some(Line::NotText(begin)) => {
                (Referee::refuse(number, &format!("not UTF-8: {begin:?}")), false)
            }
            Some(Line::Text(line)) if line.trim().is_empty() => continue,
            Some(Line::Text(line)) => {
                let reply = referee.answer(number, line);
                (reply.text, reply.is_last)
            }
        };
        writeln!(output, "{reply}")?;
        // Whoever waits for an answer gets it now; whoever sent many lines at once gets many.
        if is_last || !lines.is_another_ready() {
            output.flush()?;
        }
        if is_last {
            break;
        }
    }
    output.flush()
}
