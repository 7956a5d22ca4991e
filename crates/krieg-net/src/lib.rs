//! # The learned network
//!
//! A network reads what a player has observed, and answers three questions: which try is good,
//! how the game will end, and which piece of the opponent stands on each square. It was trained by
//! playing against itself (`docs/learning.md`).
//!
//! [`Encoder`] turns the observations of one player into the input of the network,
//! [`Network::evaluate`] computes the output, and the probabilities of the tries and of the
//! opponent's pieces follow from that ([`Evaluation`]). The probabilities of the opponent's pieces
//! go back into the encoder: they are the memory of the network. A player therefore keeps both, and
//! before each try does this:
//!
//! ```
//! use krieg_core::{Color, Setup, Umpire};
//! use krieg_net::{Encoder, Network, Workspace};
//!
//! let setup = Setup::default();
//! let umpire = Umpire::new(setup.ruleset, setup.start.clone());
//! let mut encoder = Encoder::new(Color::White, &setup);
//! let network = Network::embedded();
//! let mut workspace = Workspace::default();
//!
//! let evaluation = network.evaluate(&encoder.encode(None), &mut workspace);
//! encoder.remember(&evaluation.belief);
//! let policy = evaluation.policy(umpire.view(Color::White), 1.0);
//! assert_eq!(policy.len(), 20);
//! assert!(policy.iter().map(|(_, probability)| probability).sum::<f32>() > 0.999);
//! ```
//!
//! The same input gives the same bits on every machine, so games without a clock do not depend on
//! it. A pass takes a millisecond or two on one thread.

pub mod encoder;
pub mod input;
pub mod network;
pub mod orientation;

pub use encoder::{Encoder, MASK_WORDS};
pub use input::{Input, OpponentKind, SCALARS, SQUARE_PLANES};
pub use network::{Evaluation, InstructionSet, Network, NetworkError, Shape, Workspace};
pub use orientation::Orientation;
