//! Opponents learned from games: what a kind of player likes in a move, and several kinds at once, of which one becomes likely.

mod decisions;
mod exp;
mod features;
mod file;
mod fit;
mod guards;
mod impressions;
mod joint;
mod learn;
mod lessons;
mod minds;
mod mixture;
mod sight;
mod steps;
mod surroundings;

pub use file::{Kind as OpponentKind, OpponentsError};
pub use fit::Fit;
pub use impressions::Impressions;
pub use joint::Joint;
pub use learn::{Foretold, Learned, Learning};
pub use mixture::{MOST_KINDS, Opponents};
