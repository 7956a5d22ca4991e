//! Fits the value model of the player `marshal` to games between players who did not see the board.

mod fit;
mod samples;

pub use fit::{FitError, FitReport, ForecastLoss, fit_value_model};
pub use samples::{TdTargets, ValueSample, value_samples};
