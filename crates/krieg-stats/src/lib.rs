//! Statistics of game results: the score of a match, sequential tests, and ratings.
//!
//! | question | answer |
//! | --- | --- |
//! | What is the score of a match, and how certain is it? | [`MatchScore`] |
//! | Is the result significant, so that the match can stop? | [`Sprt`] |
//! | How strong are players who met each other in a tournament? | [`bradley_terry`] |
//! | How strong are players whose results arrive over time? | [`glicko2`] |
//!
//! Match statistics count game pairs with reversed colours (the pentanomial model), because the two
//! games of a pair start from the same opening and are not independent.
//!
//! ```
//! use krieg_stats::{MatchScore, Sprt};
//! let mut score = MatchScore::default();
//! for game in 0..1_000 {
//!     let half_points = if game % 3 == 0 { 1 } else { 2 };
//!     score.add(game, half_points);
//! }
//! let sprt: Sprt = "0,10".parse()?;
//! assert!(score.elo() > 200.0);
//! assert!(sprt.verdict(sprt.llr(&score.pentanomial())).is_some());
//! # Ok::<(), krieg_stats::SprtError>(())
//! ```

pub mod bradley_terry;
pub mod glicko2;
mod score;
mod sprt;

pub use score::{MatchScore, elo_from_score, expected_score};
pub use sprt::{Hypothesis, Sprt, SprtError};

/// The z-value of a two-sided 95% confidence interval: its half-width in standard errors.
pub const Z_95: f64 = 1.96;

/// Elo points per unit of the natural logarithm of the odds.
const ELO_PER_LOG_ODDS: f64 = 400.0 / std::f64::consts::LN_10;
