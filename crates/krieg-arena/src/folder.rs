//! A contest's folder: the log that grows game by game, and the reports that are made of it.

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

/// Whoever keeps a contest's log while games are played.
#[derive(Debug)]
pub struct Keeper {
    path: PathBuf,
    file: File,
}

impl Keeper {
    /// Opens a folder for a plan, new or where an earlier run left off, and hands over the games that are
    /// there.
    pub fn open(folder: &Path, plan: &Plan) -> Result<(Self, Vec<LoggedGame>), FolderError> {
        fs::create_dir_all(folder).map_err(failed(folder))?;
        let path = folder.join(LOG);
        let mut file =
            OpenOptions::new().create(true).append(true).open(&path).map_err(failed(&path))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(FolderError::InUse(folder.display().to_string()));
            }
            // Where there are no locks there is no other run to fear.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        sweep(folder);
        let wanted = write_heading(plan);
        let found = match Log::open(&path)? {
            None => {
                writeln!(file, "{wanted}").map_err(failed(&path))?;
                Vec::new()
            }
            Some(log) => {
                let there = write_heading(&log.plan);
                if there != wanted {
                    let place = folder.display().to_string();
                    return Err(FolderError::Another { place, there, wanted });
                }
                log.games
            }
        };
        Ok((Keeper { path, file }, found))
    }

    /// Keeps a game, with one write: the line is there, or it is not.
    pub fn keep(&mut self, game: &LoggedGame) -> Result<(), FolderError> {
        let line = game.write() + "\n";
        self.file.write_all(line.as_bytes()).map_err(failed(&self.path))
    }

    /// Puts the games in order, and drops those from a number on, if one is given: so the log is the same
    /// however many threads played.
    pub fn close(self, end: Option<u64>) -> Result<(), FolderError> {
        let Some(mut log) = Log::open(&self.path)? else { return Ok(()) };
        let counts = |game: &LoggedGame| end.is_none_or(|end| game.number < end);
        let is_in_order = log.games.is_sorted_by_key(|game| game.number);
        if is_in_order && log.games.iter().all(counts) {
            return Ok(());
        }
        log.games.retain(counts);
        write_whole(&self.path, |out| log.write(out)).map_err(failed(&self.path))
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

/// Joins the logs of several folders into a new one, which then is as if all had been played in it.
pub fn merge(into: &Path, folders: &[PathBuf]) -> Result<(), FolderError> {
    let mut joined: Option<Log> = None;
    for folder in folders {
        let place = || folder.display().to_string();
        let log = Log::open(&folder.join(LOG))?.ok_or_else(|| FolderError::Empty(place()))?;
        let Some(joined) = &mut joined else {
            joined = Some(log);
            continue;
        };
        let (there, wanted) = (write_heading(&log.plan), write_heading(&joined.plan));
        if there != wanted {
            return Err(FolderError::Another { place: place(), there, wanted });
        }
        joined.plan.games = joined.plan.games.max(log.plan.games);
        let known: std::collections::HashMap<u64, usize> =
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
    fs::create_dir_all(into).map_err(failed(into))?;
    let path = into.join(LOG);
    if let Some(there) = Log::open(&path)?
        && write_heading(&there.plan) != write_heading(&joined.plan)
    {
        return Err(FolderError::Another {
            place: into.display().to_string(),
            there: write_heading(&there.plan),
            wanted: write_heading(&joined.plan),
        });
    }
    write_whole(&path, |out| joined.write(out)).map_err(failed(&path))
}

/// Makes the reports of a folder anew from its log: `result.txt`, `result.json`, `report.html` and, if wanted,
/// `games.pgn`. A test is told of only by whoever ran it.
pub fn write_reports(
    folder: &Path,
    trial: Option<&Trial>,
    with_pgn: bool,
) -> Result<Tally, FolderError> {
    let place = || folder.display().to_string();
    let log = Log::open(&folder.join(LOG))?.ok_or_else(|| FolderError::Empty(place()))?;
    let mut games = log.games;
    games.sort_by_key(|game| game.number);
    let mut tally = Tally::new(&log.plan);
    for game in &games {
        tally.add(game);
    }
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        write_whole(&path, |out| out.write_all(text.as_bytes())).map_err(failed(&path))
    };
    write("result.txt", &report::standing_lines(&tally))?;
    write("result.json", &format!("{}\n", report::summary(&tally, trial)))?;
    write("report.html", &report::page(&tally, &games, trial))?;
    if with_pgn {
        let path = folder.join("games.pgn");
        let mut wrong = None;
        write_whole(&path, |out| {
            games.iter().try_for_each(|game| match game.record(&log.plan) {
                Ok(record) => writeln!(out, "{}", pgn::write_record(&record)),
                Err(what) => {
                    let error = io::Error::new(io::ErrorKind::InvalidData, what.clone());
                    wrong = Some(what);
                    Err(error)
                }
            })
        })
        .map_err(|error| match wrong {
            Some(what) => FolderError::Game { place: place(), what },
            None => failed(&path)(error),
        })?;
    }
    Ok(tally)
}
