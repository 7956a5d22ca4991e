//! Finishing: mating a king who has nobody left.
//!
//! Most games between players who imagine boards are drawn with a rook or a queen too many, for a mate in the dark is a matter of knowledge, not of
//! search. A [`LoneKingController`] lends that knowledge to any player: it listens along, and when the opponent has only his king left it
//! takes over. [`KingTracker`] keeps the squares he may be on; the tables on the [`TablebaseProvider`] say what to try if mate is sure from
//! there; and where it is not, or nobody has a table, progress is made by a look ahead.

pub(crate) mod containment;
mod controller;
mod evaluation;
mod king_tracker;
mod material_subset;
mod metaposition_search;
mod tablebase_provider;

pub use controller::LoneKingController;
pub use king_tracker::KingTracker;
pub use tablebase_provider::TablebaseProvider;
