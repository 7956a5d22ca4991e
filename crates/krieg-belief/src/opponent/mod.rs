//! Opponents learned from games: what a kind of player likes in a move, and several kinds at once, of which one becomes likely.

mod decisions;
mod exp;
mod features;
mod file;
mod fit;
mod learn;
mod mixture;
mod sight;

pub use file::{Kind as OpponentKind, OpponentsError};
pub use fit::Fit;
pub use learn::{Foretold, Learned, Learning};
pub use mixture::{MOST_KINDS, Opponents};
