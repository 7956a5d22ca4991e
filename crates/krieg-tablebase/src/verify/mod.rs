//! A verifier for tables: forward play on the umpire's own boards.
//!
//! Tables are built backwards with sets of squares. The verifier uses none of that code. It sets up
//! a board for every square of the lone king, asks the umpire about every try and every reply
//! (`umpired_tries`), and derives White's knowledge from the announcements, move by move
//! (`forward_search`). What follows the next move is read from the tables by a linear scan
//! (`linear_tables`), or searched to the end without tables (`exhaustive`). [`verify_table`] checks
//! every entry in this way, and [`verify_by_play`] plays whole games.
//!
//! This goes further than the consistency test of the literature (Favini 2010, section 7.3.3),
//! which does not notice missing entries.
//!
//! ```
//! use krieg_tablebase::Tablebase;
//! use krieg_tablebase::verify::{VerifySettings, verify_table};
//! let folder = tempfile::tempdir()?;
//! let tables = Tablebase::new(folder.path());
//! let kbk = "kbk".parse()?;
//! tables.build(kbk, &false.into(), &mut |_| {})?;
//! let settings = VerifySettings { sample: 10, ..VerifySettings::default() };
//! let report = verify_table(&tables, kbk, &settings, &false.into(), &mut |_, _| {})?;
//! assert!(report.is_clean());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attacker_belief;
mod exhaustive;
mod forward_search;
mod games;
mod linear_tables;
mod placement_checks;
mod playout;
mod report;
mod sampler;
mod umpired_tries;
mod verifier;

pub use games::{PlayReport, PlaySettings, verify_by_play};
pub use playout::{Playout, PlayoutError, playout};
pub use report::{Fault, Faults, Property, VerifyReport};
pub use verifier::{VerifySettings, verify_table};
