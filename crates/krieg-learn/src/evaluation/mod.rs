//! Fits the chess engine's evaluation to self-play games of the engine.
//!
//! [`self_play`] plays games with a fixed number of nodes per move. From the quiet positions of
//! these games, [`train_weights`] fits the weights of the classical evaluation (Texel tuning), and
//! [`train_network`] the network. Both minimise the squared difference between the predicted score
//! and a target, which is a mean of the outcome of the game and of the value that the search found.

mod game_line;
mod network;
mod network_sample;
mod self_play;
mod weights;

pub use game_line::{GameLine, GameLineError};
pub use network::{NetworkTraining, train_network};
pub use network_sample::{NetworkSample, network_samples};
pub use self_play::{SelfPlay, self_play};
pub use weights::{TrainedWeights, WeightSample, WeightTraining, train_weights, weight_samples};

/// The error after an epoch of training.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct EpochReport {
    /// Number of epochs done.
    pub epoch: u32,
    /// The mean squared error over the training set. For a network it is measured during the epoch,
    /// while the parameters change.
    pub training_error: f64,
    /// The mean squared error over the validation set.
    pub validation_error: f64,
}

/// The samples of two hundred games, alternately won and lost, that differ only in which side has
/// the rook.
#[cfg(test)]
fn games_with_a_rook<T: Clone>(samples: impl Fn(&GameLine) -> Vec<T>) -> Vec<T> {
    let white = "1-0 q3k3/8/8/8/8/8/8/RQ2K3 w - - 0 1 e1d1 0 e8d8 0";
    let black = "0-1 rq2k3/8/8/8/8/8/8/Q3K3 w - - 0 1 e1d1 0 e8d8 0";
    let games = [white, black].map(|text| samples(&text.parse().unwrap()));
    (0..200).flat_map(|i| games[i % 2].clone()).collect()
}
