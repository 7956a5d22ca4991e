//! Reads files of games: PGN, JSON lines, or the result folder of a match.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use krieg_core::{Color, Record, color_name, excerpt};
use krieg_notation::{SavedGame, json, pgn};
use thiserror::Error;

use crate::game_log::{GAME_LOG_FILE, GameLog, GameLogError, LOG_PREFIX};
use crate::logged_game::LoggedGame;

/// A notation for recorded games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notation {
    /// Extended PGN.
    Pgn,
    /// JSON lines, one game per line.
    Json,
}

impl Notation {
    /// The notation of a new file with this name: JSON for `*.json` and `*.jsonl`, else PGN.
    pub fn for_path(path: &Path) -> Notation {
        Notation::detect(path, "")
    }

    /// The notation of a file: by its name if the extension is known, else by its first characters.
    fn detect(path: &Path, text: &str) -> Notation {
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        match extension.as_ref().and_then(|extension| extension.to_str()) {
            Some("json" | "jsonl") => Notation::Json,
            Some("pgn") => Notation::Pgn,
            _ if text.trim_start().starts_with("{\"krieg\"") => Notation::Json,
            _ => Notation::Pgn,
        }
    }
}

/// Why games cannot be read from a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GameFileError {
    /// The file cannot be opened or read.
    #[error("{0}: {1}")]
    File(String, io::Error),
    /// The file is not text.
    #[error("{place}: line {line}: not UTF-8: {text:?}")]
    NotUtf8 {
        /// The file.
        place: String,
        /// The line, counted from one.
        line: usize,
        /// The beginning of that line.
        text: String,
    },
    /// The folder's game log is invalid.
    #[error(transparent)]
    Log(#[from] GameLogError),
    /// The folder has no game log.
    #[error("{0}: no match or tournament in this folder")]
    NoLog(String),
    /// The file contains no games.
    #[error("{0}: no game in it")]
    Empty(String),
    /// Game numbers start at one.
    #[error("games are counted from 1")]
    NumberZero,
    /// The file has fewer games than that.
    #[error("{place} has no game {number}")]
    NoGame {
        /// The file.
        place: String,
        /// The number that was asked for.
        number: usize,
    },
    /// A game is invalid.
    #[error("{place}: {reason}")]
    Game {
        /// The file.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// A game is one player's transcript where the umpire's record is needed.
    #[error("{0}: one player's transcript of a game is not enough; the full record is needed")]
    Transcript(String),
    /// A transcript cannot be turned into the record or into the other player's transcript.
    #[error("this game is a transcript of what {0} observed; nothing else can be derived from it")]
    OtherSide(&'static str),
}

/// The games of one file or one result folder.
///
/// ```no_run
/// use krieg_arena::GameFile;
/// let file = GameFile::read("games.pgn".as_ref())?;
/// println!("{} games", file.games().count());
/// # Ok::<(), krieg_arena::GameFileError>(())
/// ```
#[derive(Debug)]
pub struct GameFile {
    name: String,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Text(Notation, String),
    Log(Box<GameLog>),
}

/// An iterator over the games of a file.
pub type Games<'a> = Box<dyn Iterator<Item = Result<SavedGame, GameFileError>> + 'a>;

impl GameFile {
    /// Reads a file, or the game log if the path is a result folder. `-` is standard input.
    pub fn read(path: &Path) -> Result<Self, GameFileError> {
        if path.is_dir() {
            return GameFile::from_log(&path.join(GAME_LOG_FILE), path);
        }
        let (name, bytes) = read_bytes(path)?;
        let mut text = String::from_utf8(bytes).map_err(|error| not_utf8(&name, &error))?;
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        if text.starts_with(LOG_PREFIX) && path.is_file() {
            return GameFile::from_log(path, path);
        }
        Ok(GameFile { name, content: Content::Text(Notation::detect(path, &text), text) })
    }

    fn from_log(log: &Path, named: &Path) -> Result<Self, GameFileError> {
        let name = named.display().to_string();
        let mut log = GameLog::open(log)?.ok_or_else(|| GameFileError::NoLog(name.clone()))?;
        log.games.sort_by_key(|game| game.number);
        Ok(GameFile { name, content: Content::Log(Box::new(log)) })
    }

    /// The name of the file, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The game with this number, counted from 1. `on_skipped` is called for invalid games before
    /// it. Games of a match keep their numbers even when some of them have not been played yet.
    pub fn game(
        &self,
        number: usize,
        mut on_skipped: impl FnMut(usize, &GameFileError),
    ) -> Result<SavedGame, GameFileError> {
        let index = number.checked_sub(1).ok_or(GameFileError::NumberZero)?;
        let no_game = || GameFileError::NoGame { place: self.name.clone(), number };
        if let Content::Log(log) = &self.content {
            let game = log.games.iter().find(|game| game.number == index as u64);
            return self.logged(log, game.ok_or_else(no_game)?);
        }
        for (at, game) in self.games().enumerate().take(number) {
            if at == index {
                return game;
            } else if let Err(error) = game {
                on_skipped(at + 1, &error);
            }
        }
        Err(no_game())
    }

    /// All games in order. The first item is an error if there are none.
    pub fn games(&self) -> Games<'_> {
        let mut games: Games = match &self.content {
            Content::Text(Notation::Pgn, text) => {
                Box::new(pgn::read(text).map(|game| game.map_err(|error| self.invalid(&error))))
            }
            Content::Text(Notation::Json, text) => {
                Box::new(json::read(text).map(|game| game.map_err(|error| self.invalid(&error))))
            }
            Content::Log(log) => Box::new(log.games.iter().map(|game| self.logged(log, game))),
        };
        let first = games.next();
        let first = first.unwrap_or_else(|| Err(GameFileError::Empty(self.name.clone())));
        Box::new(std::iter::once(first).chain(games))
    }

    /// The umpire's records of all games; a transcript of one player is an error.
    pub fn records(&self) -> Result<Vec<Record>, GameFileError> {
        self.games()
            .map(|game| match game? {
                SavedGame::Record(record) => Ok(*record),
                SavedGame::Transcript(_) => Err(GameFileError::Transcript(self.name.clone())),
            })
            .collect()
    }

    /// A game of a match, replayed by the umpire.
    fn logged(&self, log: &GameLog, game: &LoggedGame) -> Result<SavedGame, GameFileError> {
        let record = game.record(&log.tournament).map_err(|reason| self.invalid(&reason))?;
        Ok(SavedGame::Record(Box::new(record)))
    }

    fn invalid(&self, reason: &dyn std::fmt::Display) -> GameFileError {
        GameFileError::Game { place: self.name.clone(), reason: reason.to_string() }
    }
}

fn read_bytes(path: &Path) -> Result<(String, Vec<u8>), GameFileError> {
    let is_stdin = path == Path::new("-");
    let name = if is_stdin { "standard input".into() } else { path.display().to_string() };
    let read = || {
        if !is_stdin {
            return fs::read(path);
        }
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    match read() {
        Ok(bytes) => Ok((name, bytes)),
        Err(error) => Err(GameFileError::File(name, error)),
    }
}

fn not_utf8(name: &str, error: &std::string::FromUtf8Error) -> GameFileError {
    let valid = error.utf8_error().valid_up_to();
    let bytes = error.as_bytes();
    let line = 1 + bytes[..valid].iter().filter(|&&byte| byte == b'\n').count();
    let whole = bytes.split(|&byte| byte == b'\n').nth(line - 1).unwrap_or_default();
    let text = excerpt(&String::from_utf8_lossy(whole));
    GameFileError::NotUtf8 { place: name.to_string(), line, text }
}

/// The game as this player observed it; `None` is the umpire's record.
pub fn from_side(game: SavedGame, player: Option<Color>) -> Result<SavedGame, GameFileError> {
    match (game, player) {
        (SavedGame::Record(record), Some(player)) => {
            Ok(SavedGame::Transcript(Box::new(record.transcript(player))))
        }
        (SavedGame::Transcript(transcript), player) if player != Some(transcript.player) => {
            Err(GameFileError::OtherSide(color_name(transcript.player)))
        }
        (game, _) => Ok(game),
    }
}

/// A game in a notation, as it is written to a file.
pub fn write_game(game: &SavedGame, notation: Notation) -> String {
    match (game, notation) {
        (SavedGame::Record(record), _) => write_record(record, notation),
        (SavedGame::Transcript(transcript), Notation::Pgn) => {
            pgn::write_transcript(transcript) + "\n"
        }
        (SavedGame::Transcript(transcript), Notation::Json) => {
            json::write_transcript(transcript) + "\n"
        }
    }
}

/// The umpire's record in a notation, as it is written to a file.
pub fn write_record(record: &Record, notation: Notation) -> String {
    match notation {
        Notation::Pgn => pgn::write_record(record) + "\n",
        Notation::Json => json::write_record(record) + "\n",
    }
}

/// The records of all games in these files and result folders.
pub fn read_records(paths: &[PathBuf]) -> Result<Vec<Record>, GameFileError> {
    let mut records = Vec::new();
    for path in paths {
        records.extend(GameFile::read(path)?.records()?);
    }
    Ok(records)
}

/// Whether the player of this side has this name: the whole name, or the part before `(`.
pub fn is_played_by(record: &Record, color: Color, name: &str) -> bool {
    let whole = record.tags().get(color_name(color)).map_or("?", String::as_str);
    whole == name || whole.split('(').next() == Some(name)
}
