//! Endgames against a lone king.
//!
//! A player that samples boards from a belief rarely mates a lone king, even with a queen or rook
//! to spare: the mate must work against every square on which the king may be. Most such games are
//! drawn. A [`LoneKingController`] wraps any player and takes over when the opponent has only a
//! king left:
//!
//! - [`KingTracker`] keeps the exact set of squares on which the king may be.
//! - [`TablebaseProvider`] looks the metaposition up in a tablebase, and builds missing tables. If
//!   mate is certain, the controller plays the moves of the table.
//! - If mate is not certain yet, or there is no table, a shallow search over metapositions chooses
//!   the try (`metaposition_search`, with the heuristics of `evaluation`).
//!
//! `containment` divides the squares that the attacker's pieces leave to the lone king
//! ([`KingSquares`](krieg_tablebase::KingSquares)) by the umpire's announcements. `attacker` has
//! the effects of the attacker's moves. `material_subset` finds smaller endgames for which there
//! are tables.

pub(crate) mod attacker;
mod containment;
mod controller;
mod evaluation;
mod king_tracker;
mod material_subset;
mod metaposition_search;
mod tablebase_provider;

pub use controller::LoneKingController;
pub use king_tracker::KingTracker;
pub use tablebase_provider::TablebaseProvider;
