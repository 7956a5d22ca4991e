//! Former names of public items, kept while other crates move to the new ones.

use crate::{MatchScore, Sprt};

#[doc(hidden)]
#[deprecated(note = "renamed to `MatchScore`")]
pub type Standing = MatchScore;
#[doc(hidden)]
#[deprecated(note = "renamed to `SprtError`")]
pub type BadSprt = crate::SprtError;
#[doc(hidden)]
#[deprecated(note = "renamed to `Z_95`")]
pub const NINETY_FIVE: f64 = crate::Z_95;

#[doc(hidden)]
#[deprecated(note = "renamed to `elo_from_score`")]
pub fn elo_of(score: f64) -> f64 {
    crate::elo_from_score(score)
}

#[doc(hidden)]
#[deprecated(note = "renamed to `expected_score`")]
pub fn share_of(elo: f64) -> f64 {
    crate::expected_score(elo)
}

#[doc(hidden)]
impl MatchScore {
    #[deprecated(note = "renamed to `score`")]
    pub fn share(&self) -> f64 {
        self.score()
    }

    #[deprecated(note = "renamed to `score_interval`")]
    pub fn interval(&self) -> (f64, f64) {
        self.score_interval()
    }

    #[deprecated(note = "renamed to `contains`")]
    pub fn has(&self, number: u64) -> bool {
        self.contains(number)
    }
}

#[doc(hidden)]
impl Sprt {
    #[deprecated(note = "renamed to `hypotheses`")]
    pub fn claims(&self) -> (f64, f64) {
        self.hypotheses()
    }

    #[deprecated(note = "renamed to `error_rates`")]
    pub fn chances(&self) -> (f64, f64) {
        self.error_rates()
    }
}

pub mod bradley_terry {
    #[doc(hidden)]
    #[deprecated(note = "renamed to `HeadToHead`")]
    pub type Meeting = crate::bradley_terry::HeadToHead;
    #[doc(hidden)]
    #[deprecated(note = "renamed to `HeadToHeadError`")]
    pub type BadMeeting = crate::bradley_terry::HeadToHeadError;
}

pub mod glicko2 {
    #[doc(hidden)]
    #[deprecated(note = "renamed to `Glicko2Rating`")]
    pub type Glicko = crate::glicko2::Glicko2Rating;
    #[doc(hidden)]
    #[deprecated(note = "renamed to `Glicko2System`")]
    pub type System = crate::glicko2::Glicko2System;
}
