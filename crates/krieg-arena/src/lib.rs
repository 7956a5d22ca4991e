//! # Matches, tournaments and ratings
//!
//! Playing strength is measured here: players meet in many games, and statistics say how certain
//! the result is.
//!
//! - A [`Tournament`] says who plays whom and under which settings. Everything about a game except
//!   its moves follows from the tournament and the number of the game, so games can be played in
//!   any order, on any number of threads or machines.
//! - [`play_games`] plays games on several threads. A [`MatchRunner`] plays all that are missing
//!   in a [`ResultFolder`] and stops early when a [`SequentialTest`] (SPRT) is decided.
//! - A [`GameLog`] stores every game as one line, a [`Scoreboard`] counts them, and [`report`]
//!   writes the result as text, JSON and a page with plots.
//! - A [`RatingPool`] rates the players of several tournaments together.
//! - [`engine_match`] plays chess engines against each other over UCI.
//! - [`GameFile`] reads games from PGN, JSON lines or a result folder.
//!
//! ```
//! use krieg_arena::{Scoreboard, Tournament, play_games};
//! use std::sync::atomic::AtomicBool;
//!
//! let players = ["semi-random", "random"].map(|name| name.parse().unwrap());
//! let tournament = Tournament { games_per_pairing: 20, ..Tournament::new(players.to_vec()) };
//! let mut scoreboard = Scoreboard::new(&tournament);
//! let numbers: Vec<u64> = tournament.game_numbers().collect();
//! play_games(&tournament, &numbers, 2, &AtomicBool::new(false), |game| {
//!     scoreboard.add(&game);
//!     true
//! })?;
//! assert_eq!(scoreboard.standings()[0].games(), 20);
//! # Ok::<(), krieg_players::SpecError>(())
//! ```

pub mod engine_match;
mod game_file;
mod game_log;
mod logged_game;
mod match_runner;
mod rating_pool;
pub mod report;
mod result_folder;
mod scoreboard;
mod sequential_test;
mod shard;
mod tournament;
mod workers;

pub use game_file::{
    GameFile, GameFileError, Games, Notation, from_side, is_played_by, read_records, write_game,
    write_record,
};
pub use game_log::{GAME_LOG_FILE, GameLog, GameLogError};
pub use logged_game::LoggedGame;
pub use match_runner::{MatchError, MatchOutcome, MatchProgress, MatchRunner};
pub use rating_pool::RatingPool;
pub use result_folder::{ResultFolder, ResultFolderError};
pub use scoreboard::{CrosstableRow, Scoreboard};
pub use sequential_test::SequentialTest;
pub use shard::{Shard, ShardError};
pub use tournament::{Pairing, ScheduledGame, Tournament, TournamentFormat};
pub use workers::play_games;
