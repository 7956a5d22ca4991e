//! # The learned network
//!
//! A network reads what a player has observed, and answers three questions: which try is good,
//! how the game will end, and which piece of the opponent stands on each square. It was trained by
//! playing against itself (`docs/learning.md`).
//!
//! [`Encoder`] turns the observations of one player into the input of the network,
//! [`Network::evaluate`] computes the output, and the probabilities of the tries and of the
//! opponent's pieces follow from that ([`Evaluation`]). The probabilities of the opponent's pieces
//! go back into the encoder: they are the memory of the network.

pub mod encoder;
pub mod input;
pub mod network;
pub mod orientation;

pub use encoder::{Encoder, MASK_WORDS};
pub use input::{Input, OpponentKind, SCALARS, SQUARE_PLANES};
pub use network::{Evaluation, Network, NetworkError, Workspace};
pub use orientation::Orientation;
