//! Files that must outlive an interrupted run: added to line by line, or written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// The whole lines of a file that a longer run adds to, nothing if there is no such file yet. Half a line at its end, left by a run that was
/// interrupted or being written just now, is passed over; the file is not touched.
///
/// ```
/// use krieg_lines::{cut_torn_line, whole_lines};
/// let folder = tempfile::tempdir()?;
/// let log = folder.path().join("log");
/// assert_eq!(whole_lines(&log)?, "");
/// std::fs::write(&log, "one\ntwo\nthr")?;
/// assert_eq!(whole_lines(&log)?, "one\ntwo\n");
/// cut_torn_line(&log)?;
/// assert_eq!(std::fs::read_to_string(&log)?, "one\ntwo\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn whole_lines(path: &Path) -> io::Result<String> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
        // A device might never come to an end.
        Ok(found) if !found.is_file() => return Err(io::Error::other("it is no ordinary file")),
        _ => {}
    }
    let mut bytes = fs::read(path)?;
    bytes.truncate(end_of_last_line(&bytes));
    String::from_utf8(bytes)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

/// Cuts off half a line at the end of a file, before somebody adds to it. Only for whoever knows that the file is his.
pub fn cut_torn_line(path: &Path) -> io::Result<()> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        read => read?,
    };
    let end = end_of_last_line(&bytes);
    if end < bytes.len() {
        File::options().write(true).open(path)?.set_len(end as u64)?;
    }
    Ok(())
}

fn end_of_last_line(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1)
}

/// Writes a file under a temporary name beside it and then renames it, so that nobody ever finds
/// half a file. What is no ordinary file, as a pipe or a terminal, is written to as it is.
///
/// ```
/// use krieg_lines::write_whole;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("table");
/// write_whole(&path, |out| writeln!(out, "whole"))?;
/// assert_eq!(std::fs::read_to_string(&path)?, "whole\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_whole<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    // Through a link, the file it leads to is written, and the link stays.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let there = fs::metadata(&target).ok();
    match &there {
        Some(found) if found.is_dir() => return Err(io::Error::other("it is a folder").into()),
        Some(found) if !found.is_file() => {
            let mut file = File::options().write(true).open(&target)?;
            write(&mut file)?;
            return Ok(file.flush()?);
        }
        Some(found) if found.permissions().readonly() => {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only").into());
        }
        _ => {}
    }
    let mut file = temporary_beside(&target)?;
    if let Some(found) = there {
        file.as_file().set_permissions(found.permissions())?;
    }
    {
        let mut buffered = io::BufWriter::new(&mut file);
        write(&mut buffered)?;
        buffered.flush()?;
    }
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|failed| failed.error)?;
    Ok(())
}

const PREFIX: &str = ".krieg-";
const SUFFIX: &str = ".part";

/// Whether a file of this name was begun by [`write_whole`] and, if nobody is at it now, left by a run that was killed.
///
/// ```
/// use krieg_lines::is_unfinished;
/// assert!(is_unfinished(".krieg-a1b2c3.part") && !is_unfinished("report.html"));
/// ```
pub fn is_unfinished(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

fn temporary_beside(target: &Path) -> io::Result<NamedTempFile> {
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // Open to others as far as the user lets new files be, not to himself alone.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}
