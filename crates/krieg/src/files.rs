//! Files that commands write: appended to line by line, or written completely or not at all.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use krieg_arena::{GameFile, GameFileError};
use krieg_notation::SavedGame;

pub use krieg_arena::from_side;

/// One game of a file, by its number. Invalid games before it are reported on standard error.
pub fn read_game(path: &Path, number: usize) -> Result<SavedGame, GameFileError> {
    GameFile::read(path)?.game(number, |skipped, error| {
        eprintln!("krieg: game {skipped} is skipped: {error}");
    })
}

/// The complete lines of a file that a long run appends to; none if the file does not exist yet.
pub fn whole_lines(path: &Path) -> Result<Vec<String>> {
    let text = krieg_io::read_complete_lines(path).with_context(|| path.display().to_string())?;
    Ok(text.lines().map(str::to_string).collect())
}

/// Opens a file for appending and removes an incomplete last line left by an interrupted run.
pub fn open_to_add(path: &Path) -> Result<File> {
    let open = || {
        krieg_io::truncate_incomplete_line(path)?;
        OpenOptions::new().create(true).append(true).open(path)
    };
    open().with_context(|| path.display().to_string())
}

/// Writes a file atomically: readers find the old content or all of the new content.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    krieg_io::write_atomically(path, write)
        .with_context(|| format!("cannot write {}", path.display()))
}
