//! Former names of public items, kept while other crates are converted.
#![allow(missing_docs)]

use std::io::{self, Write};
use std::path::Path;

#[deprecated(note = "renamed to InputLine")]
pub type Line<'a> = crate::InputLine<'a>;
#[deprecated(note = "renamed to LineReader")]
pub type Lines<R> = crate::LineReader<R>;
#[deprecated(note = "renamed to ChildProcess")]
pub type Process = crate::ChildProcess;
#[deprecated(note = "renamed to ProcessError")]
pub type Silence = crate::ProcessError;
#[deprecated(note = "renamed to ParseProgramError")]
pub type NoProgram = crate::ParseProgramError;

#[doc(hidden)]
#[deprecated(note = "renamed to read_complete_lines")]
pub fn whole_lines(path: &Path) -> io::Result<String> {
    crate::read_complete_lines(path)
}

#[doc(hidden)]
#[deprecated(note = "renamed to truncate_incomplete_line")]
pub fn cut_torn_line(path: &Path) -> io::Result<()> {
    crate::truncate_incomplete_line(path)
}

#[doc(hidden)]
#[deprecated(note = "renamed to write_atomically")]
pub fn write_whole<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    crate::write_atomically(path, write)
}

#[doc(hidden)]
#[deprecated(note = "renamed to is_temporary_name")]
pub fn is_unfinished(name: &str) -> bool {
    crate::is_temporary_name(name)
}

#[doc(hidden)]
#[deprecated(note = "renamed to kill_all")]
pub fn end_all() {
    crate::kill_all();
}

impl crate::ChildProcess {
    #[doc(hidden)]
    #[deprecated(note = "renamed to send_line")]
    pub fn tell(&self, line: &str) -> Result<(), crate::ProcessError> {
        self.send_line(line)
    }

    #[doc(hidden)]
    #[deprecated(note = "renamed to receive_line")]
    pub fn hear(
        &self,
        start: std::time::Instant,
        timeout: std::time::Duration,
    ) -> Result<String, crate::ProcessError> {
        self.receive_line(start, timeout)
    }

    #[doc(hidden)]
    #[deprecated(note = "renamed to discard_pending_lines")]
    pub fn skip_unasked(&self) {
        self.discard_pending_lines();
    }
}

impl<R: std::io::Read> crate::LineReader<R> {
    #[doc(hidden)]
    #[deprecated(note = "renamed to has_buffered_line")]
    pub fn is_another_ready(&self) -> bool {
        self.has_buffered_line()
    }
}
