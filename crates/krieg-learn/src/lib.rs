//! # Fitting parameters to games
//!
//! The runtime crates only evaluate their models; this crate fits the parameters:
//!
//! - [`evaluation`]: the weights and the network of the chess engine's evaluation, from self-play
//!   games of the engine (`krieg tune`).
//! - [`opponents`]: the opponent types of the belief, from recorded Kriegspiel games (`krieg learn
//!   opponent`).
//! - [`value`]: the value model of the player `marshal`, by TD(λ) (`krieg learn value`).
//! - [`learn_densities`]: where pieces stand (`krieg learn densities`).
//!
//! All trainings are deterministic: the same games in the same order, with the same seed, give the
//! same parameters on any number of threads. They share the optimizer (`adam.rs`), and the replay
//! of recorded games and the validation split (`training_set.rs`).
//!
//! ```
//! use krieg_belief::Densities;
//! use krieg_core::{Color, Game, Piece, Setup, Square};
//!
//! let mut game = Game::new(Setup::default());
//! game.judge("e2e4".parse()?)?;
//! game.judge("c7c5".parse()?)?;
//! let densities: Densities = krieg_learn::learn_densities([game.record()]);
//! assert!(densities.probability(Color::White, 1, Piece::Pawn, Square::E4) > 0.9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adam;
mod densities;
pub mod evaluation;
pub mod opponents;
mod training_set;
pub mod value;

pub use densities::learn_densities;
