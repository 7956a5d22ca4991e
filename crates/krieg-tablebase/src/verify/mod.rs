//! A second opinion on tables: forward play on the umpire's own boards.
//!
//! Tables are built backwards, with sets of squares. Here nothing of that is used: a board is set up for every square of the lone king, the umpire
//! answers every try and every reply on it (`scene`), and what White then knows is worked out from what was said, move by
//! move (`forward`). What comes after the next move is read from the tables, entry by entry (`shelf`), or searched to the end with no table at
//! all (`brute`). [`inspect()`] asks this of every entry, and [`contest()`] plays whole games.
//!
//! This goes further than the consistency test of the literature (Favini 2010, section 7.3.3), which cannot tell that something is missing.

mod attacker;
mod brute;
mod checks;
mod contest;
mod defence;
mod findings;
mod forward;
mod inspect;
mod sample;
mod scene;
mod shelf;

pub use contest::{Contest, Defence, contest};
pub use defence::{PlayError, PlayedOut, play_out};
pub use findings::{Check, Fault, Faults, Findings};
pub use inspect::{Inspection, inspect};
