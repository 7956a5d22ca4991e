//! Text files that a long run appends to line by line, and that may end in an incomplete line.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Reads the complete lines of a file, or the empty string if the file does not exist.
///
/// An incomplete line at the end is ignored: it comes from a run that was interrupted or that is
/// writing at this moment. The file is not changed.
///
/// ```
/// use krieg_io::{read_complete_lines, truncate_incomplete_line};
/// let folder = tempfile::tempdir()?;
/// let log = folder.path().join("log");
/// assert_eq!(read_complete_lines(&log)?, "");
/// std::fs::write(&log, "one\ntwo\nthr")?;
/// assert_eq!(read_complete_lines(&log)?, "one\ntwo\n");
/// truncate_incomplete_line(&log)?;
/// assert_eq!(std::fs::read_to_string(&log)?, "one\ntwo\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_complete_lines(path: &Path) -> io::Result<String> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
        // Reading a device might never end.
        Ok(metadata) if !metadata.is_file() => {
            return Err(io::Error::other("not a regular file"));
        }
        _ => {}
    }
    let mut bytes = fs::read(path)?;
    bytes.truncate(complete_length(&bytes));
    String::from_utf8(bytes)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

/// Removes an incomplete line from the end of a file, so that new lines can be appended.
///
/// No other process may be writing to the file.
pub fn truncate_incomplete_line(path: &Path) -> io::Result<()> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        read => read?,
    };
    let length = complete_length(&bytes);
    if length < bytes.len() {
        File::options().write(true).open(path)?.set_len(length as u64)?;
    }
    Ok(())
}

/// Length of the complete lines at the beginning, in bytes.
fn complete_length(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1)
}
