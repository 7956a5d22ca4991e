//! # Input and output
//!
//! Programs that talk over pipes must expect any input: binary data, lines without an end, a peer
//! that dies, hangs or never stops writing. Files must survive an interrupted run. This crate
//! holds the code for both:
//!
//! - [`LineReader`] reads lines from an untrusted stream and stores at most a fixed number of bytes
//!   of each.
//! - [`ChildProcess`] runs an external program, described by a [`Program`], and exchanges lines
//!   with it under a timeout.
//! - [`write_atomically`] writes a file completely or not at all.
//! - [`read_complete_lines`] and [`truncate_incomplete_line`] handle files that a run appends to.
//!
//! ```
//! use krieg_io::{InputLine, LineReader};
//! let mut lines = LineReader::new(&b"isready\n\xff\nquit\xc3\xb6quit\n"[..], 8);
//! assert_eq!(lines.read()?, Some(InputLine::Text("isready")));
//! assert!(matches!(lines.read()?, Some(InputLine::NotText(_))));
//! assert!(matches!(lines.read()?, Some(InputLine::TooLong(_))));
//! assert_eq!(lines.read()?, None);
//! # Ok::<(), std::io::Error>(())
//! ```

mod append_file;
mod atomic_file;
mod line_reader;
mod process;
mod program;

pub use append_file::{read_complete_lines, truncate_incomplete_line};
pub use atomic_file::{is_temporary_name, write_atomically};
pub use line_reader::{InputLine, LineReader};
pub use process::{ChildProcess, ProcessError, kill_all};
pub use program::{ParseProgramError, Program};
