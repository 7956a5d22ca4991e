//! # Perfect endgames
//!
//! When one side has only a king left, the other knows where its own men stand and *not* where that king is. All it knows is a set of
//! squares: a [`Metaposition`] is the attacker's [`Disposition`] and that set. Some are won: whatever the king does, wherever he is, mate
//! follows within so many moves, though the attacker hears nothing but the umpire. This crate finds all of them, for a king with up to three helpers, after Favini's thesis
//! (Favini 2010, chapters 7 and 8).
//!
//! **A table needs only the largest sets.** A set within a won set is won, by pretending to know less. So a table holds, for every
//! disposition and distance, the sets that are won within that distance and lie within no other. To look up a set is to find the
//! nearest entry that holds all of it ([`Tablebase::probe`]).
//!
//! **They are found backwards, by operations on whole sets** ([`Builder`]). After a move, what the umpire says divides the squares into classes ([`Ground`]). For each won set of the next
//! disposition, one operation on 64 bits finds all kings that must step into it. The largest sets won one move deeper are the unions of one
//! such part for each class.
//!
//! ```no_run
//! use krieg_tablebase::{Endgame, Metaposition, Tablebase};
//! use std::sync::atomic::AtomicBool;
//!
//! let tables = Tablebase::new(Tablebase::usual_folder());
//! tables.build("krk".parse::<Endgame>()?, &AtomicBool::new(false), &mut |_| {})?;
//! let asked: Metaposition = "kkkkkk2/7R/kkk5/8/4k3/2K1k3/4k3/3k4".parse()?;
//! if let Some(win) = tables.probe(&asked)? {
//!     println!("mate in {}, beginning with {}", win.distance, win.tries[0]);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where to read on: `ground.rs` for the rules as sets of squares, `build/` for the analysis, `file/` for tables on disk, `workshop.rs` for building
//! that survives an interrupt, `verify/` for the proof that does without all of these.

mod build;
mod disposition;
mod endgame;
mod file;
mod ground;
mod metaposition;
mod plan;
mod sizes;
mod statistics;
mod steps;
mod symmetry;
mod tablebase;
mod text;
pub mod verify;
mod workshop;

pub use build::{Builder, Depth, Found, Known};
pub use disposition::{Catalogue, Disposition, UnknownDisposition};
pub use endgame::{Endgame, MOST_HELPERS, UnknownEndgame};
pub use file::block::Entry;
pub use file::table::{Table, TableError};
pub use file::write::Heading;
pub use ground::{Ground, neighbours};
pub use metaposition::{ImpossibleMetaposition, Metaposition};
pub use plan::{Heard, Plan, Turn};
pub use sizes::{Size, known_size};
pub use statistics::{Block, Count, KnowingNothing, Statistics};
pub use steps::Step;
pub use symmetry::Symmetry;
pub use tablebase::{ProbeError, Tablebase, Win};
pub use text::{ExportError, Exported, ImportError, Imported};
pub use workshop::{BuildError, Progress};
