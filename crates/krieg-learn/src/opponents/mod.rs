//! Fits the opponent types from recorded games.

mod adam;
mod joint;
mod logit;
mod opponents;
#[cfg(test)]
mod testing;
mod training_set;

pub use joint::JointTraining;
pub use logit::LogitTraining;
pub use opponents::{OpponentTraining, PlayerPrediction, TrainedOpponents};
