//! A contest from its first game to its report: what is missing is played, kept, and told.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use krieg_players::SpecError;
use thiserror::Error;

use crate::folder::{Folder, FolderError};
use crate::log::LoggedGame;
use crate::plan::{Plan, Shard};
use crate::runner::run;
use crate::statistics::Sprt;
use crate::tally::{Tally, Trial};

/// How a plan is carried out here.
#[derive(Debug, Clone)]
pub struct Contest {
    /// What is played.
    pub plan: Plan,
    /// Which share of it.
    pub shard: Shard,
    /// Games at a time.
    pub jobs: usize,
    /// A test that ends the match when it is decided; for two players.
    pub sprt: Option<Sprt>,
}

/// What went wrong with a contest.
#[derive(Debug, Error)]
pub enum ContestError {
    /// A player cannot be made.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// The folder is not as it should be.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// How far a contest has come.
#[derive(Debug)]
pub struct Progress<'a> {
    /// All games counted so far, those of earlier runs among them.
    pub tally: &'a Tally,
    /// How the test stands.
    pub trial: Option<&'a Trial>,
    /// Games there will be in all, if nothing ends it early.
    pub total: u64,
}

/// What came of it.
#[derive(Debug)]
pub struct Finished {
    /// All games, counted.
    pub tally: Tally,
    /// How the test ended.
    pub trial: Option<Trial>,
    /// Whether nothing is missing.
    pub is_complete: bool,
    /// Once a test has ended the match, the number of the first game that does not count.
    end: Option<u64>,
}

impl Contest {
    /// Plays what is missing, and keeps it in the folder, if there is one. `watch` is told after every game; `stop` lets the games under way come to their end, and no new one
    /// begin.
    pub fn play(
        &self,
        folder: Option<&Folder>,
        stop: &AtomicBool,
        mut watch: impl FnMut(&Progress),
    ) -> Result<Finished, ContestError> {
        let numbers: Vec<u64> =
            self.plan.numbers().filter(|&number| self.shard.has(number)).collect();
        let total = numbers.len() as u64;
        let mut tally = Tally::new(&self.plan);
        let mut trial = self.sprt.map(Trial::new);
        // Of a test it is known only at its end which games count.
        let mut games = Vec::new();
        let mut keeper = None;
        let mut done = HashSet::new();
        let mut count = |game: LoggedGame, tally: &mut Tally, trial: &mut Option<Trial>| {
            let half_points = tally.add(&game);
            if let Some(trial) = trial {
                trial.add(game.number, half_points);
                games.push(game);
            }
        };
        if let Some(folder) = folder {
            let (kept, found) = folder.keeper(&self.plan)?;
            keeper = Some(kept);
            for game in found {
                // Fewer games may be wanted now than once were.
                if self.has(game.number) && done.insert(game.number) {
                    count(game, &mut tally, &mut trial);
                }
            }
        }
        let missing: Vec<u64> =
            numbers.into_iter().filter(|number| !done.contains(number)).collect();
        watch(&Progress { tally: &tally, trial: trial.as_ref(), total });
        let is_decided = |trial: &Option<Trial>| trial.as_ref().is_some_and(|t| t.end().is_some());
        let mut kept = Ok(());
        if !missing.is_empty() && !is_decided(&trial) {
            run(&self.plan, &missing, self.jobs, stop, |game| {
                if let Some(keeper) = &mut keeper {
                    kept = keeper.keep(&game);
                }
                count(game, &mut tally, &mut trial);
                watch(&Progress { tally: &tally, trial: trial.as_ref(), total });
                kept.is_ok() && !is_decided(&trial)
            })?;
        }
        kept?;
        let is_complete = tally.games() >= total || is_decided(&trial);
        let end = trial.as_ref().and_then(Trial::end);
        if let Some(end) = end {
            // What was played ahead of the decision does not count, or the number of threads would.
            tally = Tally::new(&self.plan);
            for game in games.iter().filter(|game| game.number < end) {
                tally.add(game);
            }
        }
        if let Some(keeper) = keeper {
            keeper.close(end)?;
        }
        Ok(Finished { tally, trial, is_complete, end })
    }

    /// Makes the reports of the games that count.
    pub fn write_reports(
        &self,
        folder: &Folder,
        finished: &Finished,
        with_pgn: bool,
    ) -> Result<(), FolderError> {
        let counts = |number| self.has(number) && finished.end.is_none_or(|end| number < end);
        folder.write_reports(counts, finished.trial.as_ref(), with_pgn).map(drop)
    }

    fn has(&self, number: u64) -> bool {
        let fixture = self.plan.fixture(number);
        self.shard.has(number) && fixture.number_in_pairing < self.plan.games
    }
}
