//! Plays a match or tournament: loads finished games, plays the missing ones, stops on SPRT.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use krieg_players::SpecError;
use krieg_stats::Sprt;
use thiserror::Error;

use crate::logged_game::LoggedGame;
use crate::result_folder::{ResultFolder, ResultFolderError};
use crate::scoreboard::Scoreboard;
use crate::sequential_test::SequentialTest;
use crate::shard::Shard;
use crate::tournament::Tournament;
use crate::workers::play_games;

/// Plays the games of a tournament.
///
/// ```
/// use krieg_arena::{MatchRunner, Tournament};
/// use std::sync::atomic::AtomicBool;
/// let players = ["semi-random", "random"].map(|name| name.parse().unwrap());
/// let tournament = Tournament { games_per_pairing: 4, ..Tournament::new(players.to_vec()) };
/// let outcome = MatchRunner::new(tournament).play(None, &AtomicBool::new(false), |_| {})?;
/// assert!(outcome.is_complete && outcome.scoreboard.games() == 4);
/// # Ok::<(), krieg_arena::MatchError>(())
/// ```
#[derive(Debug, Clone)]
pub struct MatchRunner {
    /// What is played.
    pub tournament: Tournament,
    /// The share of the games that is played here.
    pub shard: Shard,
    /// Number of games played at the same time.
    pub concurrency: usize,
    /// A sequential test that ends the match when it is decided; only for two players.
    pub sprt: Option<Sprt>,
}

/// Why a match cannot be played.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MatchError {
    /// A player cannot be created.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// The result folder cannot be used.
    #[error(transparent)]
    Folder(#[from] ResultFolderError),
}

/// The state of a match in progress.
#[derive(Debug)]
#[non_exhaustive]
pub struct MatchProgress<'a> {
    /// All games so far, including those of earlier runs.
    pub scoreboard: &'a Scoreboard,
    /// The state of the sequential test.
    pub test: Option<&'a SequentialTest>,
    /// The number of games if the match does not end early.
    pub total_games: u64,
}

/// The result of a match.
#[derive(Debug)]
#[must_use = "the outcome says whether the match is complete"]
#[non_exhaustive]
pub struct MatchOutcome {
    /// All games that count.
    pub scoreboard: Scoreboard,
    /// The final state of the sequential test.
    pub test: Option<SequentialTest>,
    /// Whether no game is missing.
    pub is_complete: bool,
    /// The first game number that does not count because the test was decided before it.
    end: Option<u64>,
}

impl MatchRunner {
    /// A runner that plays all games, one at a time.
    pub fn new(tournament: Tournament) -> Self {
        MatchRunner { tournament, shard: Shard::WHOLE, concurrency: 1, sprt: None }
    }

    /// Plays the missing games and stores them in the folder, if there is one. `on_progress` is
    /// called after every game. When `stop` is set no new game starts, and the games in progress
    /// are finished.
    pub fn play(
        &self,
        folder: Option<&ResultFolder>,
        stop: &AtomicBool,
        mut on_progress: impl FnMut(&MatchProgress),
    ) -> Result<MatchOutcome, MatchError> {
        let numbers: Vec<u64> =
            self.tournament.game_numbers().filter(|&number| self.shard.contains(number)).collect();
        let total_games = numbers.len() as u64;
        let mut scoreboard = Scoreboard::new(&self.tournament);
        let mut test = self.sprt.map(SequentialTest::new);
        // Which games count is known only when the test has ended.
        let mut games = Vec::new();
        let mut writer = None;
        let mut done = HashSet::new();
        let mut count =
            |game: LoggedGame, scoreboard: &mut Scoreboard, test: &mut Option<SequentialTest>| {
                let half_points = scoreboard.add(&game);
                if let Some(test) = test {
                    test.add(game.number, half_points);
                    games.push(game);
                }
            };
        if let Some(folder) = folder {
            let (log_writer, found) = folder.open_log(&self.tournament)?;
            writer = Some(log_writer);
            for game in found {
                // The folder may have more games than are wanted now.
                if self.contains(game.number) && done.insert(game.number) {
                    count(game, &mut scoreboard, &mut test);
                }
            }
        }
        let missing: Vec<u64> =
            numbers.into_iter().filter(|number| !done.contains(number)).collect();
        on_progress(&MatchProgress { scoreboard: &scoreboard, test: test.as_ref(), total_games });
        let is_decided =
            |test: &Option<SequentialTest>| test.as_ref().is_some_and(|test| test.end().is_some());
        let mut written = Ok(());
        if !missing.is_empty() && !is_decided(&test) {
            play_games(&self.tournament, &missing, self.concurrency, stop, |game| {
                if let Some(writer) = &mut writer {
                    written = writer.append(&game);
                }
                count(game, &mut scoreboard, &mut test);
                on_progress(&MatchProgress {
                    scoreboard: &scoreboard,
                    test: test.as_ref(),
                    total_games,
                });
                written.is_ok() && !is_decided(&test)
            })?;
        }
        written?;
        let is_complete = scoreboard.games() >= total_games || is_decided(&test);
        let end = test.as_ref().and_then(SequentialTest::end);
        if let Some(end) = end {
            // Games played ahead of the decision do not count: otherwise the result would depend
            // on the number of threads.
            scoreboard = Scoreboard::new(&self.tournament);
            for game in games.iter().filter(|game| game.number < end) {
                scoreboard.add(game);
            }
        }
        if let Some(writer) = writer {
            writer.close(end)?;
        }
        Ok(MatchOutcome { scoreboard, test, is_complete, end })
    }

    /// Writes the reports of the games that count.
    pub fn write_reports(
        &self,
        folder: &ResultFolder,
        outcome: &MatchOutcome,
        with_pgn: bool,
    ) -> Result<(), ResultFolderError> {
        let counts = |number| self.contains(number) && outcome.end.is_none_or(|end| number < end);
        folder.write_reports(counts, outcome.test.as_ref(), with_pgn).map(drop)
    }

    fn contains(&self, number: u64) -> bool {
        let scheduled = self.tournament.game(number);
        self.shard.contains(number)
            && scheduled.number_in_pairing < self.tournament.games_per_pairing
    }
}
