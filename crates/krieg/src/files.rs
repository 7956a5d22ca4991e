//! Game files: read whole, written whole or not at all.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use krieg_core::Color;
use krieg_notation::{Told, json, pgn};

use crate::cli::Notation;

/// The notation a file is in: by its name if that tells, else by how it begins.
fn notation_of(path: &Path, text: &str) -> Notation {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("json" | "jsonl") => Notation::Json,
        Some("pgn") => Notation::Pgn,
        _ if text.trim_start().starts_with("{\"") => Notation::Json,
        _ => Notation::Pgn,
    }
}

/// The notation to write a file of this name in.
pub fn notation_for(path: &Path) -> Notation {
    notation_of(path, "")
}

/// Reads all games of a file. The first that cannot be read is an error.
pub fn read_games(path: &Path) -> Result<Vec<Told>> {
    let name =
        if path == Path::new("-") { "standard input".into() } else { path.display().to_string() };
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().read_to_end(&mut bytes).with_context(|| name.clone())?;
    } else {
        bytes = fs::read(path).with_context(|| name.clone())?;
    }
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&b| b == b'\n').count();
            let begin = bytes.split(|&b| b == b'\n').nth(line - 1).unwrap_or_default();
            let begin = krieg_core::excerpt(&String::from_utf8_lossy(begin));
            bail!("{name}: line {line}: not UTF-8: {begin:?}");
        }
    };
    let games: Vec<Told> = match notation_of(path, text) {
        Notation::Pgn => pgn::read(text).collect::<Result<_, _>>().with_context(|| name.clone())?,
        Notation::Json => {
            json::read(text).collect::<Result<_, _>>().with_context(|| name.clone())?
        }
    };
    if games.is_empty() {
        bail!("{name}: there is no game in it");
    }
    Ok(games)
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
        (Told::Record(record), Notation::Pgn) => pgn::write_record(record) + "\n",
        (Told::Transcript(transcript), Notation::Pgn) => pgn::write_transcript(transcript) + "\n",
        (Told::Record(record), Notation::Json) => json::write_record(record) + "\n",
        (Told::Transcript(transcript), Notation::Json) => json::write_transcript(transcript) + "\n",
    }
}

/// Writes a file under a temporary name beside it and then renames it, so that nobody ever finds
/// half a file.
pub fn write_whole(path: &Path, text: &str) -> Result<()> {
    let name = path.file_name().with_context(|| format!("{} is no file", path.display()))?;
    let temporary =
        path.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    let written = fs::File::create(&temporary).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    let renamed = written.and_then(|()| fs::rename(&temporary, path));
    if renamed.is_err() {
        // The error that matters is the first one.
        let _ = fs::remove_file(&temporary);
    }
    renamed.with_context(|| format!("cannot write {}", path.display()))
}
