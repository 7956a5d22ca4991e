//! A contest's folder: the log that grows game by game, and the reports that are made of it.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use krieg_lines::write_whole;
use krieg_notation::pgn;
use thiserror::Error;

use crate::log::{LOG, Log, LogError, LoggedGame, write_heading};
use crate::plan::Plan;
use crate::report;
use crate::tally::{Tally, Trial};

/// What is wrong with a contest's folder.
#[derive(Debug, Error)]
pub enum FolderError {
    /// The log is not readable.
    #[error(transparent)]
    Log(#[from] LogError),
    /// There is no contest in it.
    #[error("{0}: there is no contest in it")]
    Empty(String),
    /// There is something else where the log should be.
    #[error("{0} is no log of a contest")]
    NoLog(String),
    /// It is another contest's.
    #[error("{place} holds another contest:\n  {there}\nand not\n  {wanted}")]
    Another {
        /// Which folder.
        place: String,
        /// What it holds.
        there: String,
        /// What was wanted.
        wanted: String,
    },
    /// Somebody else plays into it.
    #[error("{0} is in use by another run")]
    InUse(String),
    /// Two folders have a game each of which only one can have been played.
    #[error("{place}: game {number} is another one than in the folders before")]
    TwoGames {
        /// The later folder.
        place: String,
        /// The game.
        number: u64,
    },
    /// A game of the log cannot have been played.
    #[error("{place}: {what}")]
    Game {
        /// Which folder.
        place: String,
        /// What is wrong.
        what: String,
    },
    /// Something cannot be written or read.
    #[error("{0}: {1}")]
    File(String, io::Error),
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let place = path.display().to_string();
    move |error| FolderError::File(place, error)
}

/// A contest's folder, held by one run at a time from its first game to its last report.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The lock is on the folder itself: files in it come and go.
    _lock: Option<File>,
}

impl Folder {
    /// Takes hold of a folder, and makes it if there is none.
    pub fn claim(path: &Path) -> Result<Self, FolderError> {
        fs::create_dir_all(path).map_err(failed(path))?;
        // Some systems lock no folders; there, it is for the user not to start two runs.
        let lock = File::open(path).ok();
        if let Some(lock) = &lock
            && matches!(lock.try_lock(), Err(TryLockError::WouldBlock))
        {
            return Err(FolderError::InUse(path.display().to_string()));
        }
        sweep(path);
        Ok(Folder { path: path.to_path_buf(), _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn log(&self) -> PathBuf {
        self.path.join(LOG)
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Opens the log for a plan, new or where an earlier run left off, and hands over the games that are
    /// there.
    pub(crate) fn keeper(&self, plan: &Plan) -> Result<(Keeper, Vec<LoggedGame>), FolderError> {
        let path = self.log();
        let wanted = write_heading(plan);
        let log = Log::open(&path)?;
        let is_new = log.is_none();
        let found = match log {
            None => Vec::new(),
            Some(log) => {
                let there = write_heading(&log.plan);
                if there != wanted {
                    return Err(FolderError::Another { place: self.name(), there, wanted });
                }
                log.games
            }
        };
        if is_new && fs::metadata(&path).is_ok_and(|found| found.len() > 0) {
            return Err(FolderError::NoLog(path.display().to_string()));
        }
        let open = || {
            krieg_lines::cut_torn_line(&path)?;
            let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
            if is_new {
                writeln!(file, "{wanted}")?;
            }
            Ok(file)
        };
        let file = open().map_err(failed(&path))?;
        let numbers = found.iter().map(|game| game.number).collect();
        Ok((Keeper { path, file, found: numbers }, found))
    }

    /// Makes the reports anew from the log: `result.txt`, `result.json`, `report.html` and, if wanted, `games.pgn`. Of the games in the log those
    /// are told of that `counts` says yes to.
    pub fn write_reports(
        &self,
        counts: impl Fn(u64) -> bool,
        trial: Option<&Trial>,
        with_pgn: bool,
    ) -> Result<Tally, FolderError> {
        let log = Log::open(&self.log())?.ok_or_else(|| FolderError::Empty(self.name()))?;
        let mut games = log.games;
        games.retain(|game| counts(game.number));
        games.sort_by_key(|game| game.number);
        let mut tally = Tally::new(&log.plan);
        for game in &games {
            tally.add(game);
        }
        let write = |name: &str, text: &str| {
            let path = self.path.join(name);
            write_whole(&path, |out| out.write_all(text.as_bytes())).map_err(failed(&path))
        };
        self.write_pgn(&log.plan, if with_pgn { Some(&games) } else { None })?;
        write("result.txt", &report::standing_lines(&tally))?;
        write("result.json", &format!("{}\n", report::summary(&tally, trial)))?;
        write("report.html", &report::page(&tally, &games, trial))?;
        Ok(tally)
    }

    /// Writes the games, or takes away a file of fewer games that an earlier run has left.
    fn write_pgn(&self, plan: &Plan, games: Option<&[LoggedGame]>) -> Result<(), FolderError> {
        let path = self.path.join("games.pgn");
        let Some(games) = games else {
            return match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(&path)(error)),
                _ => Ok(()),
            };
        };
        let mut wrong = None;
        write_whole(&path, |out| {
            games.iter().try_for_each(|game| match game.record(plan) {
                Ok(record) => writeln!(out, "{}", pgn::write_record(&record)),
                Err(what) => {
                    wrong = Some(what);
                    Err(io::Error::from(io::ErrorKind::InvalidData))
                }
            })
        })
        .map_err(|error| match wrong {
            Some(what) => FolderError::Game { place: self.name(), what },
            None => failed(&path)(error),
        })
    }

    /// The log, after every game in it was umpired again.
    pub fn checked_log(&self) -> Result<Log, FolderError> {
        let log = Log::open(&self.log())?.ok_or_else(|| FolderError::Empty(self.name()))?;
        log.check().map_err(|what| FolderError::Game { place: self.name(), what })?;
        Ok(log)
    }

    /// Joins the logs of other folders into this one's, which then is as if all had been played in it.
    pub fn join(&self, folders: &[PathBuf]) -> Result<(), FolderError> {
        let mut joined = Log::open(&self.log())?;
        for folder in folders {
            let place = || folder.display().to_string();
            let log = Log::open(&folder.join(LOG))?.ok_or_else(|| FolderError::Empty(place()))?;
            log.check().map_err(|what| FolderError::Game { place: place(), what })?;
            let Some(joined) = &mut joined else {
                joined = Some(log);
                continue;
            };
            let (there, wanted) = (write_heading(&log.plan), write_heading(&joined.plan));
            if there != wanted {
                return Err(FolderError::Another { place: place(), there, wanted });
            }
            joined.plan.games = joined.plan.games.max(log.plan.games);
            let known: HashMap<u64, usize> =
                joined.games.iter().enumerate().map(|(at, game)| (game.number, at)).collect();
            for game in log.games {
                match known.get(&game.number) {
                    Some(&at) if joined.games[at] == game => {}
                    Some(_) => {
                        return Err(FolderError::TwoGames { place: place(), number: game.number });
                    }
                    None => joined.games.push(game),
                }
            }
        }
        let Some(joined) = joined else { return Ok(()) };
        let path = self.log();
        write_whole(&path, |out| joined.write(out)).map_err(failed(&path))
    }
}

/// Takes away what runs that were killed while they wrote their reports have left.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_str().is_some_and(krieg_lines::is_unfinished) {
            // If it cannot be removed, it is in nobody's way.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whoever keeps a contest's log while games are played.
#[derive(Debug)]
pub(crate) struct Keeper {
    path: PathBuf,
    file: File,
    /// The games that were there before.
    found: HashSet<u64>,
}

impl Keeper {
    /// Keeps a game, with one write: the line is there, or it is not.
    pub fn keep(&mut self, game: &LoggedGame) -> Result<(), FolderError> {
        let line = game.write() + "\n";
        self.file.write_all(line.as_bytes()).map_err(failed(&self.path))
    }

    /// Puts the games in order. Where a test has ended the match, what this run has played ahead of its decision is dropped, so that the log is the
    /// same however many threads played; what was there before stays.
    pub fn close(self, end: Option<u64>) -> Result<(), FolderError> {
        let Some(mut log) = Log::open(&self.path)? else { return Ok(()) };
        let stays = |game: &LoggedGame| {
            end.is_none_or(|end| game.number < end) || self.found.contains(&game.number)
        };
        let is_in_order = log.games.is_sorted_by_key(|game| game.number);
        if is_in_order && log.games.iter().all(stays) {
            return Ok(());
        }
        log.games.retain(stays);
        write_whole(&self.path, |out| log.write(out)).map_err(failed(&self.path))
    }
}
