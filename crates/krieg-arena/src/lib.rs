//! # Where players meet
//!
//! No claim about strength counts unless it was measured here. A [`Plan`] says who plays whom; everything about
//! a game but its moves follows from the plan and the game's number, so that games can be played in any
//! order, on any number of threads or machines, and an interrupt never costs more than the games under way.
//! [`run`] plays what is missing, the [`Log`] keeps it, the [`Tally`] counts it, and [`report`] tells
//! it as text, JSON, PGN and a page with plots. [`statistics`] says what the results are worth: whether one player is
//! better than another, by how much, and how sure that is.
//!
//! ```
//! use krieg_arena::{Plan, Shard, Tally, run};
//! use std::sync::atomic::AtomicBool;
//!
//! let players = ["semi-random", "random"].map(|name| name.parse().unwrap());
//! let plan = Plan { games: 20, ..Plan::new(players.to_vec()) };
//! let mut tally = Tally::new(&plan);
//! let missing: Vec<u64> = plan.numbers().collect();
//! run(&plan, &missing, 2, &AtomicBool::new(false), |game| {
//!     tally.add(&game);
//!     true
//! })?;
//! assert_eq!(tally.standings()[0].games(), 20);
//! # Ok::<(), krieg_players::SpecError>(())
//! ```

mod contest;
mod folder;
mod log;
mod plan;
mod pool;
pub mod report;
mod runner;
pub mod statistics;
mod tally;

pub use contest::{Contest, ContestError, Finished, Progress};
pub use folder::{Folder, FolderError};
pub use log::{LOG, Log, LogError, LoggedGame};
pub use plan::{BadShard, Fixture, Form, Pairing, Plan, Shard};
pub use pool::Pool;
pub use runner::run;
pub use tally::{Tally, Trial};
