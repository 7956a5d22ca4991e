//! The result folder: a game log that grows game by game, and the reports made from it.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use krieg_io::write_atomically;
use krieg_notation::pgn;
use krieg_players::PlayerRegistry;
use thiserror::Error;

use crate::game_log::{GAME_LOG_FILE, GameLog, GameLogError, write_header};
use crate::logged_game::LoggedGame;
use crate::report;
use crate::scoreboard::Scoreboard;
use crate::sequential_test::SequentialTest;
use crate::tournament::Tournament;

/// Why a result folder cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ResultFolderError {
    /// The game log is invalid.
    #[error(transparent)]
    Log(#[from] GameLogError),
    /// There is no game log.
    #[error("{0}: no match or tournament in this folder")]
    Empty(String),
    /// The file with the name of the game log is something else.
    #[error("{0} is not a game log")]
    NotALog(String),
    /// The folder belongs to another tournament.
    #[error("{place} holds another match:\n  {found}\ninstead of\n  {wanted}")]
    OtherTournament {
        /// The folder.
        place: String,
        /// The header of its log.
        found: String,
        /// The header that was expected.
        wanted: String,
    },
    /// Another process is using the folder.
    #[error("{0} is in use by another run")]
    InUse(String),
    /// Two folders contain different games with the same number.
    #[error("{place}: game {number} differs from the same game in the folders before")]
    ConflictingGames {
        /// The later folder.
        place: String,
        /// The game.
        number: u64,
    },
    /// A game of the log is impossible.
    #[error("{place}: {reason}")]
    InvalidGame {
        /// The folder.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    File(String, io::Error),
}

fn file_error(path: &Path) -> impl FnOnce(io::Error) -> ResultFolderError {
    let place = path.display().to_string();
    move |error| ResultFolderError::File(place, error)
}

/// The folder with the games and reports of one tournament, locked while this value exists.
///
/// ```
/// use krieg_arena::{MatchRunner, ResultFolder, Tournament};
/// use std::sync::atomic::AtomicBool;
/// let path = std::env::temp_dir().join(format!("krieg-example-{}", std::process::id()));
/// let players = ["semi-random", "random"].map(|name| name.parse().unwrap());
/// let tournament = Tournament { games_per_pairing: 4, ..Tournament::new(players.to_vec()) };
///
/// let folder = ResultFolder::open(&path)?;
/// let runner = MatchRunner::new(tournament);
/// let outcome = runner.play(Some(&folder), &AtomicBool::new(false), |_| {})?;
/// runner.write_reports(&folder, &outcome, true)?;
/// assert!(path.join("games.jsonl").exists() && path.join("report.html").exists());
/// assert!(ResultFolder::open(&path).is_err(), "the folder is in use");
/// # drop(folder);
/// # std::fs::remove_dir_all(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ResultFolder {
    path: PathBuf,
    /// The players that the log may name.
    registry: PlayerRegistry,
    /// The lock is on the folder itself, because files in it are replaced.
    _lock: Option<File>,
}

impl ResultFolder {
    /// Locks the folder, and creates it if it does not exist.
    pub fn open(path: &Path) -> Result<Self, ResultFolderError> {
        ResultFolder::open_with(path, PlayerRegistry::default())
    }

    /// The same with the players of a registry.
    pub fn open_with(path: &Path, registry: PlayerRegistry) -> Result<Self, ResultFolderError> {
        fs::create_dir_all(path).map_err(file_error(path))?;
        // Some systems cannot lock folders; there the user must not start two runs.
        let lock = File::open(path).ok();
        if let Some(lock) = &lock
            && matches!(lock.try_lock(), Err(TryLockError::WouldBlock))
        {
            return Err(ResultFolderError::InUse(path.display().to_string()));
        }
        remove_unfinished_files(path);
        Ok(ResultFolder { path: path.to_path_buf(), registry, _lock: lock })
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn log_path(&self) -> PathBuf {
        self.path.join(GAME_LOG_FILE)
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Opens the log of a tournament for appending, new or continued, and returns its games.
    pub(crate) fn open_log(
        &self,
        tournament: &Tournament,
    ) -> Result<(LogWriter, Vec<LoggedGame>), ResultFolderError> {
        let path = self.log_path();
        let wanted = write_header(tournament);
        let log = GameLog::open_with(&path, &self.registry)?;
        let is_new = log.is_none();
        let games = match log {
            None => Vec::new(),
            Some(log) => {
                let found = write_header(&log.tournament);
                if found != wanted {
                    let place = self.name();
                    return Err(ResultFolderError::OtherTournament { place, found, wanted });
                }
                log.games
            }
        };
        if is_new && fs::metadata(&path).is_ok_and(|file| file.len() > 0) {
            return Err(ResultFolderError::NotALog(path.display().to_string()));
        }
        let open = || {
            krieg_io::truncate_incomplete_line(&path)?;
            let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
            if is_new {
                writeln!(file, "{wanted}")?;
            }
            Ok(file)
        };
        let file = open().map_err(file_error(&path))?;
        let earlier = games.iter().map(|game| game.number).collect();
        Ok((LogWriter { path, file, earlier, registry: self.registry.clone() }, games))
    }

    /// Writes `result.txt`, `result.json`, `report.html` and, if wanted, `games.pgn` from those
    /// games of the log for which `counts` is true.
    pub fn write_reports(
        &self,
        counts: impl Fn(u64) -> bool,
        test: Option<&SequentialTest>,
        with_pgn: bool,
    ) -> Result<Scoreboard, ResultFolderError> {
        let GameLog { tournament, mut games } = self.read_log()?;
        games.retain(|game| counts(game.number));
        games.sort_by_key(|game| game.number);
        let mut scoreboard = Scoreboard::new(&tournament);
        for game in &games {
            scoreboard.add(game);
        }
        let write = |name: &str, text: &str| {
            let path = self.path.join(name);
            write_atomically(&path, |out| out.write_all(text.as_bytes())).map_err(file_error(&path))
        };
        self.write_pgn(&tournament, if with_pgn { Some(&games) } else { None })?;
        write("result.txt", &report::result_text(&scoreboard))?;
        write("result.json", &format!("{}\n", report::result_json(&scoreboard, test)))?;
        write("report.html", &report::match_page(&scoreboard, &games, test))?;
        Ok(scoreboard)
    }

    /// Writes the PGN file, or removes one that an earlier run with fewer games left.
    fn write_pgn(
        &self,
        tournament: &Tournament,
        games: Option<&[LoggedGame]>,
    ) -> Result<(), ResultFolderError> {
        let path = self.path.join("games.pgn");
        let Some(games) = games else {
            return match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    Err(file_error(&path)(error))
                }
                _ => Ok(()),
            };
        };
        let mut invalid = None;
        write_atomically(&path, |out| {
            games.iter().try_for_each(|game| match game.record(tournament) {
                Ok(record) => writeln!(out, "{}", pgn::write_record(&record)),
                Err(reason) => {
                    invalid = Some(reason);
                    Err(io::Error::from(io::ErrorKind::InvalidData))
                }
            })
        })
        .map_err(|error| match invalid {
            Some(reason) => ResultFolderError::InvalidGame { place: self.name(), reason },
            None => file_error(&path)(error),
        })
    }

    fn read_log(&self) -> Result<GameLog, ResultFolderError> {
        GameLog::open_with(&self.log_path(), &self.registry)?
            .ok_or_else(|| ResultFolderError::Empty(self.name()))
    }

    /// The log, after replaying every game in it.
    pub fn checked_log(&self) -> Result<GameLog, ResultFolderError> {
        let log = self.read_log()?;
        log.check()
            .map_err(|reason| ResultFolderError::InvalidGame { place: self.name(), reason })?;
        Ok(log)
    }

    /// Merges the logs of other folders into this one. The result is the same as if all games had
    /// been played here.
    pub fn merge(&self, folders: &[PathBuf]) -> Result<(), ResultFolderError> {
        let mut merged = GameLog::open_with(&self.log_path(), &self.registry)?;
        for folder in folders {
            let place = || folder.display().to_string();
            let log = GameLog::open_with(&folder.join(GAME_LOG_FILE), &self.registry)?
                .ok_or_else(|| ResultFolderError::Empty(place()))?;
            log.check()
                .map_err(|reason| ResultFolderError::InvalidGame { place: place(), reason })?;
            match &mut merged {
                None => merged = Some(log),
                Some(merged) => merge_log(merged, log, place)?,
            }
        }
        let Some(merged) = merged else { return Ok(()) };
        let path = self.log_path();
        write_atomically(&path, |out| merged.write(out)).map_err(file_error(&path))
    }
}

fn merge_log(
    merged: &mut GameLog,
    log: GameLog,
    place: impl Fn() -> String,
) -> Result<(), ResultFolderError> {
    let (found, wanted) = (write_header(&log.tournament), write_header(&merged.tournament));
    if found != wanted {
        return Err(ResultFolderError::OtherTournament { place: place(), found, wanted });
    }
    let games = &mut merged.tournament.games_per_pairing;
    *games = (*games).max(log.tournament.games_per_pairing);
    let known: HashMap<u64, usize> =
        merged.games.iter().enumerate().map(|(index, game)| (game.number, index)).collect();
    for game in log.games {
        match known.get(&game.number) {
            Some(&index) if merged.games[index] == game => {}
            Some(_) => {
                let number = game.number;
                return Err(ResultFolderError::ConflictingGames { place: place(), number });
            }
            None => merged.games.push(game),
        }
    }
    Ok(())
}

/// Removes temporary files of runs that were killed while writing reports.
fn remove_unfinished_files(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_str().is_some_and(krieg_io::is_temporary_name) {
            // A file that cannot be removed does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Appends finished games to the log.
#[derive(Debug)]
pub(crate) struct LogWriter {
    path: PathBuf,
    file: File,
    /// The games of earlier runs.
    earlier: HashSet<u64>,
    registry: PlayerRegistry,
}

impl LogWriter {
    /// Appends a game with a single write: the line is written completely or not at all.
    pub fn append(&mut self, game: &LoggedGame) -> Result<(), ResultFolderError> {
        let line = game.write() + "\n";
        self.file.write_all(line.as_bytes()).map_err(file_error(&self.path))
    }

    /// Sorts the games. If a sequential test ended the match before game `end`, games of this run
    /// from there on are dropped, so that the log does not depend on the number of threads. Games
    /// of earlier runs stay.
    pub fn close(self, end: Option<u64>) -> Result<(), ResultFolderError> {
        let Some(mut log) = GameLog::open_with(&self.path, &self.registry)? else { return Ok(()) };
        let stays = |game: &LoggedGame| {
            end.is_none_or(|end| game.number < end) || self.earlier.contains(&game.number)
        };
        let is_sorted = log.games.is_sorted_by_key(|game| game.number);
        if is_sorted && log.games.iter().all(stays) {
            return Ok(());
        }
        log.games.retain(stays);
        write_atomically(&self.path, |out| log.write(out)).map_err(file_error(&self.path))
    }
}
