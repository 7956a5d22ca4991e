//! Opponent policies learned from games: several opponent types, and a posterior over them.

pub mod board_features;
pub mod decision;
mod exp;
pub mod feature_groups;
pub mod file;
pub mod hidden_layer;
mod mixture;
pub mod move_features;
mod quantized;
mod unguarded;

pub use file::{OpponentMixtureError, OpponentType};
pub use hidden_layer::HiddenLayer;
pub(crate) use mixture::Lanes;
pub use mixture::{MAX_OPPONENT_TYPES, OpponentMixture};
