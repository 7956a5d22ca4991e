//! Game files: read game by game, written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use krieg_arena::{LOG, Log, LoggedGame};
use krieg_core::{Color, Record};
use krieg_notation::{Told, json, pgn};

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

/// A file of games, or a contest's folder.
pub struct GameFile {
    name: String,
    games: Games,
}

enum Games {
    Text(Notation, String),
    Contest(Box<Log>),
}

impl GameFile {
    /// Reads a file; `-` is standard input. Of a folder it is the contest in it.
    pub fn read(path: &Path) -> Result<Self> {
        if path.is_dir() {
            return GameFile::of_contest(&path.join(LOG), path);
        }
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
        if text.starts_with("{\"krieg\":\"contest\"") && path.is_file() {
            return GameFile::of_contest(path, path);
        }
        Ok(GameFile { name, games: Games::Text(notation_of(path, &text), text) })
    }

    /// The games of a contest, in the order of their numbers.
    fn of_contest(log: &Path, named: &Path) -> Result<Self> {
        let name = named.display().to_string();
        let found = Log::open(log)?;
        let mut log = found.with_context(|| format!("{name}: there is no contest in it"))?;
        log.games.sort_by_key(|game| game.number);
        Ok(GameFile { name, games: Games::Contest(Box::new(log)) })
    }

    /// The game of this number, counted from 1. A bad game before it does not matter; the wanted one must be good. Games of a contest keep their numbers, though
    /// some may not be played yet.
    pub fn game(&self, number: usize) -> Result<Told> {
        let index = number.checked_sub(1).context("games are counted from 1")?;
        if let Games::Contest(log) = &self.games {
            let game = log.games.iter().find(|game| game.number == index as u64);
            let game = game.with_context(|| format!("{} has no game {number}", self.name))?;
            return told_by(log, game, &self.name);
        }
        for (at, game) in self.games().enumerate().take(number) {
            if at == index {
                return game;
            } else if let Err(error) = game {
                eprintln!("krieg: game {} is passed over: {error}", at + 1);
            }
        }
        bail!("{} has no game {number}", self.name)
    }

    /// The games, one after the other. There is at least one, or an error.
    pub fn games(&self) -> Box<dyn Iterator<Item = Result<Told>> + '_> {
        fn named<T>(game: Result<T, impl std::fmt::Display>, name: &str) -> Result<T> {
            game.map_err(|error| anyhow::anyhow!("{name}: {error}"))
        }
        let mut games: Box<dyn Iterator<Item = Result<Told>> + '_> = match &self.games {
            Games::Text(Notation::Pgn, text) => {
                Box::new(pgn::read(text).map(|game| named(game, &self.name)))
            }
            Games::Text(Notation::Json, text) => {
                Box::new(json::read(text).map(|game| named(game, &self.name)))
            }
            Games::Contest(log) => {
                Box::new(log.games.iter().map(|game| told_by(log, game, &self.name)))
            }
        };
        let first = games.next();
        let first = first.unwrap_or_else(|| Err(anyhow::anyhow!("{}: no game in it", self.name)));
        Box::new(std::iter::once(first).chain(games))
    }
}

/// A game of a contest, umpired again.
fn told_by(log: &Log, game: &LoggedGame, name: &str) -> Result<Told> {
    let record = game.record(&log.plan).map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
    Ok(Told::Record(Box::new(record)))
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

/// The lines of a file that a longer run adds to, nothing if there is no such file yet.
pub fn whole_lines(path: &Path) -> Result<Vec<String>> {
    let text = krieg_lines::whole_lines(path).with_context(|| path.display().to_string())?;
    Ok(text.lines().map(str::to_string).collect())
}

/// Opens a file to add lines to it. What an interrupted run left of a line is cut off.
pub fn open_to_add(path: &Path) -> Result<File> {
    let open = || {
        krieg_lines::cut_torn_line(path)?;
        OpenOptions::new().create(true).append(true).open(path)
    };
    open().with_context(|| path.display().to_string())
}

/// Writes a file so that nobody ever finds half of it.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    krieg_lines::write_whole(path, write)
        .with_context(|| format!("cannot write {}", path.display()))
}
