//! Opponent types learned from games, and the [`OpponentMixture`] with a posterior over them.
//!
//! An opponent type is a conditional logit over legal moves with a small hidden layer: the
//! probability of a move is the softmax of the logits of all legal moves. The inputs are
//! [features of the move](feature_groups) and [features of the board](board_features).
//!
//! The features and the [text format](mod@file) are public because training needs them; a player
//! needs only the mixture.

pub mod board_features;
pub mod decision;
mod exp;
pub mod feature_groups;
pub mod file;
pub mod hidden_layer;
mod mixture;
pub mod move_features;
mod move_probabilities;
mod quantized;
mod type_rule;
mod undefended;

pub use decision::Decision;
pub use file::{GENERAL_TYPE, OpponentMixtureError, OpponentType};
pub use hidden_layer::HiddenLayer;
pub use mixture::{MAX_OPPONENT_TYPES, OpponentMixture, PerType};
pub use type_rule::{PLAIN_TYPES, PlainType, RECAPTURING_SUFFIX};
