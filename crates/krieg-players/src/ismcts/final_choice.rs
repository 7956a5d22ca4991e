//! The choice of a try after the search.

use std::cmp::Ordering;
use std::str::FromStr;

use super::tree::TryStats;

/// By what the tries at the root are compared after the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FinalChoice {
    /// The number of visits: the rule of the published algorithms.
    Visits,
    /// Visits per availability. A refused try costs nothing, so a try that is good where it is
    /// legal should not be held back because it is seldom legal.
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

/// Added to the availability of a try before its visit rate is computed, so that a try that was
/// available only once or twice does not have a high rate by chance.
const PRIOR_AVAILABILITY: f64 = 5.0;

impl FinalChoice {
    /// Compares two tries; the better one is greater. Ties are decided by the mean value.
    pub fn compare(self, one: &TryStats, other: &TryStats) -> Ordering {
        let rate = |stats: &TryStats| {
            f64::from(stats.visits) / (f64::from(stats.available) + PRIOR_AVAILABILITY)
        };
        let first = match self {
            FinalChoice::Visits => one.visits.cmp(&other.visits),
            FinalChoice::VisitRate => rate(one).total_cmp(&rate(other)),
        };
        first.then(one.mean().total_cmp(&other.mean()))
    }
}
