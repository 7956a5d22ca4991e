//! What results say about players: the score of a match, a test that ends it early, and ratings.
//!
//! | question | answer |
//! | --- | --- |
//! | how does this match stand? | [`Standing`] |
//! | may it stop already? | [`Sprt`] |
//! | who is how strong, of many who met? | [`bradley_terry`] |
//! | and of players who come and go? | [`glicko2`] |

pub mod bradley_terry;
pub mod glicko2;
mod score;
mod sprt;

pub use score::{Standing, elo_of, share_of};
pub use sprt::{BadSprt, Hypothesis, Sprt};

/// So many standard errors to each side hold 95% of a normal distribution.
pub const NINETY_FIVE: f64 = 1.96;

/// Points of rating in one unit of the natural logarithm of the odds.
const ELO_PER_LOG: f64 = 400.0 / std::f64::consts::LN_10;
