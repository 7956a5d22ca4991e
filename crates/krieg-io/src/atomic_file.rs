//! Files that are written completely or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Writes a file under a temporary name in the same folder and then renames it, so that no reader
/// ever sees an incomplete file. A pipe, terminal or device is written to directly.
///
/// ```
/// use krieg_io::write_atomically;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("table");
/// write_atomically(&path, |out| writeln!(out, "complete"))?;
/// assert_eq!(std::fs::read_to_string(&path)?, "complete\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_atomically<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    // A symbolic link is followed: its target is replaced and the link stays.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let existing = fs::metadata(&target).ok();
    match &existing {
        Some(metadata) if metadata.is_dir() => {
            return Err(io::Error::other("the path is a directory").into());
        }
        Some(metadata) if !metadata.is_file() => {
            let mut file = File::options().write(true).open(&target)?;
            write(&mut file)?;
            return Ok(file.flush()?);
        }
        Some(metadata) if metadata.permissions().readonly() => {
            return Err(
                io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only").into()
            );
        }
        _ => {}
    }
    let mut file = temporary_file_beside(&target)?;
    if let Some(metadata) = existing {
        file.as_file().set_permissions(metadata.permissions())?;
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

/// Whether a file of this name is a temporary file of [`write_atomically`]. Such a file is either
/// being written now or was left behind by a run that was killed.
///
/// ```
/// use krieg_io::is_temporary_name;
/// assert!(is_temporary_name(".krieg-a1b2c3.part") && !is_temporary_name("report.html"));
/// ```
#[must_use]
pub fn is_temporary_name(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

fn temporary_file_beside(target: &Path) -> io::Result<NamedTempFile> {
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // The umask decides who may read the file, as for any new file; the default of `tempfile` would
    // be the owner only.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}
