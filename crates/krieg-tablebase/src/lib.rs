//! # Kriegspiel endgame tablebases
//!
//! When the opponent has only a king left, the attacker knows everything except that king's square.
//! The attacker's knowledge is a [`Metaposition`]: the [`Placement`] of the attacker's own pieces
//! and the set of squares on which the lone king may be. Some metapositions are won: whatever the
//! lone king does, mate follows within a known number of moves, although the attacker observes
//! nothing but the umpire's announcements. This crate computes all of them, for a king with up to
//! three other pieces, by the method of Favini's thesis (2010, chapters 7 and 8).
//!
//! **A table stores only maximal king sets.** A subset of a won king set is won too, because extra
//! knowledge can be ignored. So for each placement and each distance to mate, a table stores an
//! antichain: the won sets that no other set won within that distance contains. A probe finds the
//! entry with the smallest distance that contains the king set in question ([`Tablebase::probe`]).
//!
//! **Tables are built by retrograde analysis on whole sets** ([`RetrogradeAnalysis`]). After a
//! move, the umpire's announcement partitions the squares into classes ([`AttackMap`]). For each
//! won set of a successor placement, one operation on a 64-bit board finds all king squares from
//! which every reply leads into that set. The maximal sets that are won one move deeper are unions
//! of one such set per class.
//!
//! ```no_run
//! use krieg_tablebase::{Endgame, Metaposition, Tablebase};
//! use std::sync::atomic::AtomicBool;
//!
//! let tables = Tablebase::new(Tablebase::default_folder());
//! tables.build("krk".parse::<Endgame>()?, &AtomicBool::new(false), &mut |_| {})?;
//! let asked: Metaposition = "kkkkkk2/7R/kkk5/8/4k3/2K1k3/4k3/3k4".parse()?;
//! if let Some(win) = tables.probe(&asked)? {
//!     println!("mate in {}, beginning with {}", win.distance, win.tries[0]);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where to read on: `attack_map.rs` for the rules as sets of squares, `retrograde/` for the
//! analysis, `build_job.rs` and `checkpoints.rs` for resumable builds, `file/` for the file format,
//! and [`verify`] for a verifier that shares no code with the analysis.

mod attack_map;
mod attacker_tries;
mod build_job;
mod checkpoints;
mod endgame;
mod file;
mod king_squares;
mod known_sizes;
mod metaposition;
mod placement;
mod placement_index;
mod plan;
mod retrograde;
mod statistics;
mod symmetry;
mod tablebase;
mod text;
pub mod verify;

pub use attack_map::{AttackMap, neighbours};
pub use attacker_tries::AttackerTry;
pub use build_job::{BuildError, BuildProgress};
pub use endgame::{Endgame, MAX_NON_KING_PIECES, UnknownEndgame};
pub use file::block::Entry;
pub use file::header::Header;
pub use file::table::{Table, TableError};
pub use king_squares::{KingSquares, attacked_squares};
pub use known_sizes::{KnownSize, known_size};
pub use metaposition::{InvalidMetaposition, Metaposition};
pub use placement::{InvalidPlacement, Placement};
pub use placement_index::PlacementIndex;
pub use plan::{Plan, PlanBranch, PlannedTry};
pub use retrograde::{PassResult, RetrogradeAnalysis, SolvedEndgames, WonSet};
pub use statistics::{BlockSize, Count, KingAnywhere, Statistics};
pub use symmetry::Symmetry;
pub use tablebase::{ProbeError, Tablebase, Win};
pub use text::{ExportError, ExportProgress, ImportError, ImportSummary};
