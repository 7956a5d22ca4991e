//! Game files: read game by game, written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use krieg_core::{Color, Record};
use krieg_notation::{Told, json, pgn};
use tempfile::NamedTempFile;

use crate::cli::Notation;

/// The notation a file is in: by its name if that tells, else by how it begins.
fn notation_of(path: &Path, text: &str) -> Notation {
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    match extension.as_ref().and_then(|extension| extension.to_str()) {
        Some("json" | "jsonl") => Notation::Json,
        Some("pgn") => Notation::Pgn,
        _ if text.trim_start().starts_with("{\"krieg\"") => Notation::Json,
        _ => Notation::Pgn,
    }
}

/// The notation to write a file of this name in.
pub fn notation_for(path: &Path) -> Notation {
    notation_of(path, "")
}

/// The text of a file of games.
pub struct GameFile {
    name: String,
    notation: Notation,
    text: String,
}

impl GameFile {
    /// Reads a file; `-` is standard input.
    pub fn read(path: &Path) -> Result<Self> {
        let mut bytes = Vec::new();
        let name;
        if path == Path::new("-") {
            name = "standard input".to_string();
            io::stdin().read_to_end(&mut bytes).with_context(|| name.clone())?;
        } else {
            name = path.display().to_string();
            bytes = fs::read(path).with_context(|| name.clone())?;
        }
        let mut text = String::from_utf8(bytes).map_err(|error| {
            let good = error.utf8_error().valid_up_to();
            let bytes = error.as_bytes();
            let line = 1 + bytes[..good].iter().filter(|&&byte| byte == b'\n').count();
            let whole = bytes.split(|&byte| byte == b'\n').nth(line - 1).unwrap_or_default();
            let begin = krieg_core::excerpt(&String::from_utf8_lossy(whole));
            anyhow::anyhow!("{name}: line {line}: not UTF-8: {begin:?}")
        })?;
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        Ok(GameFile { name, notation: notation_of(path, &text), text })
    }

    /// The games, one after the other. There is at least one, or an error.
    pub fn games(&self) -> impl Iterator<Item = Result<Told>> + '_ {
        let named = |error: &dyn std::error::Error| anyhow::anyhow!("{}: {error}", self.name);
        let mut pgn = (self.notation == Notation::Pgn).then(|| pgn::read(&self.text));
        let mut json = (self.notation == Notation::Json).then(|| json::read(&self.text));
        let mut found = false;
        std::iter::from_fn(move || {
            let game = match (&mut pgn, &mut json) {
                (Some(games), _) => games.next().map(|game| game.map_err(|error| named(&error))),
                (_, Some(games)) => games.next().map(|game| game.map_err(|error| named(&error))),
                (None, None) => None,
            };
            let was_found = std::mem::replace(&mut found, true);
            match game {
                None if !was_found => Some(Err(anyhow::anyhow!("{}: no game in it", self.name))),
                game => game,
            }
        })
    }
}

/// The game as this player knows it, if the file can tell that.
pub fn from_side(told: Told, player: Option<Color>) -> Result<Told> {
    match (told, player) {
        (Told::Record(record), Some(player)) => {
            Ok(Told::Transcript(Box::new(record.transcript(player))))
        }
        (Told::Transcript(transcript), player) if player != Some(transcript.player) => {
            bail!(
                "this is a game as {} tells it; nothing else can be made of it",
                krieg_core::color_name(transcript.player)
            )
        }
        (told, _) => Ok(told),
    }
}

/// A game in a notation, ready to stand in a file.
pub fn write_game(told: &Told, notation: Notation) -> String {
    match (told, notation) {
        (Told::Record(record), _) => write_record(record, notation),
        (Told::Transcript(transcript), Notation::Pgn) => pgn::write_transcript(transcript) + "\n",
        (Told::Transcript(transcript), Notation::Json) => json::write_transcript(transcript) + "\n",
    }
}

/// The umpire's record in a notation, ready to stand in a file.
pub fn write_record(record: &Record, notation: Notation) -> String {
    match notation {
        Notation::Pgn => pgn::write_record(record) + "\n",
        Notation::Json => json::write_record(record) + "\n",
    }
}

/// The lines of a file that a longer run adds to, nothing if there is no such file yet. Half a line at its
/// end, left by a run that was interrupted, is cut off.
pub fn keep_whole_lines(path: &Path) -> Result<Vec<String>> {
    let place = || path.display().to_string();
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.with_context(place)?,
    };
    let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
    let text = std::str::from_utf8(&bytes[..end]).with_context(place)?;
    if end < bytes.len() {
        let file = File::options().write(true).open(path).with_context(place)?;
        file.set_len(end as u64).with_context(place)?;
    }
    Ok(text.lines().map(str::to_string).collect())
}

/// Writes a file under a temporary name beside it and then renames it, so that nobody ever finds
/// half a file. What is no ordinary file, as a pipe or a terminal, is written to as it is.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let place = || format!("cannot write {}", path.display());
    // Through a link, the file it leads to is written, and the link stays.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let there = fs::metadata(&target).ok();
    match &there {
        Some(found) if found.is_dir() => bail!("{}: it is a folder", place()),
        Some(found) if !found.is_file() => {
            let mut file = File::options().write(true).open(&target).with_context(place)?;
            write(&mut file)?;
            return file.flush().with_context(place);
        }
        Some(found) if found.permissions().readonly() => bail!("{}: it is read-only", place()),
        _ => {}
    }
    let mut file = temporary_beside(&target).with_context(place)?;
    if let Some(found) = there {
        file.as_file().set_permissions(found.permissions()).with_context(place)?;
    }
    {
        let mut buffered = io::BufWriter::new(&mut file);
        write(&mut buffered)?;
        buffered.flush().with_context(place)?;
    }
    file.as_file().sync_all().with_context(place)?;
    file.persist(&target).map_err(|failed| failed.error).with_context(place)?;
    Ok(())
}

fn temporary_beside(target: &Path) -> io::Result<NamedTempFile> {
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".krieg-").suffix(".part");
    // Open to others as far as the user lets new files be, not to himself alone.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}
