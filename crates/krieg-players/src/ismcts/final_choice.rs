//! Which try is put to the umpire in the end.

use std::cmp::Ordering;
use std::str::FromStr;

use super::tree::Arm;

/// What a try must be the first in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinalChoice {
    /// How often it was chosen: the rule of the published algorithms.
    Visits,
    /// How often it was chosen of the times it could be. A try that is refused costs nothing, so one that is good
    /// where it is legal should not be held back for being legal seldom.
    VisitRate,
}

impl FromStr for FinalChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "visits" => Ok(FinalChoice::Visits),
            "visit-rate" => Ok(FinalChoice::VisitRate),
            _ => Err("choose one of visits, visit-rate".to_string()),
        }
    }
}

/// So many boards without the try are added to those on which it could be chosen: a try that was legal once proves nothing.
const DOUBT: f64 = 5.0;

impl FinalChoice {
    /// Which of two tries is to be preferred; of equals, the one of which more came.
    pub fn compare(self, one: &Arm, other: &Arm) -> Ordering {
        let share = |arm: &Arm| f64::from(arm.visits) / (f64::from(arm.available) + DOUBT);
        let first = match self {
            FinalChoice::Visits => one.visits.cmp(&other.visits),
            FinalChoice::VisitRate => share(one).total_cmp(&share(other)),
        };
        first.then(one.mean().total_cmp(&other.mean()))
    }
}
