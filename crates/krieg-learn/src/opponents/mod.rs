//! Fits the opponent types of the belief to recorded games.
//!
//! First each type gets a conditional logit over the legal moves, fitted to the decisions of its
//! players. Then all types are trained together with the hidden layer that they share. The models
//! are described in [`krieg_belief::opponent`].

mod decision_set;
mod joint;
mod logit;
#[cfg(test)]
mod testing;
mod training;

pub use joint::JointTraining;
pub use logit::LogitTraining;
pub use training::{OpponentTraining, PlayerPrediction, TrainedOpponents};

/// The constant in Adam's denominator: rare features have tiny gradients, which should not be
/// scaled up to full steps.
const EPSILON: f32 = 1e-7;

/// The learning rates of this number of steps, which decrease linearly to 0.
fn linear_decay(learning_rate: f32, steps: usize) -> impl Iterator<Item = f32> {
    (0..steps).map(move |step| learning_rate * (1.0 - step as f32 / steps as f32))
}
