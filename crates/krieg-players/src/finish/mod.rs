//! Finishing: mating a king who has nobody left.
//!
//! Most games between players who imagine boards are drawn with a rook or a queen too many, for a mate in the dark is a matter of knowledge, not of
//! search. A [`Finisher`] lends that knowledge to any player: it listens along, and when the opponent has only his king left it
//! takes over. [`LoneKing`] keeps the squares he may be on; the tables on the [`Shelf`] say what to try if mate is sure from
//! there; and where it is not, or nobody has a table, progress is made by a look ahead.

mod finisher;
pub(crate) mod grip;
mod lone_king;
mod part;
mod progress;
mod shape;
mod shelf;

pub use finisher::Finisher;
pub use lone_king::LoneKing;
pub use shelf::Shelf;
