//! The sequential probability ratio test (SPRT), which ends a match as soon as the result is
//! significant.
//!
//! This is Wald's test, generalized to a distribution of which only the mean is hypothesized: for
//! each hypothesis, the likelihood is that of the maximum likelihood distribution with the
//! hypothesized mean (M. Van den Bergh's note for Fishtest, Proposition 1.1,
//! <http://hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf>).

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::expected_score;

/// Maximum absolute Elo difference of a hypothesis. Larger differences cannot be measured by games.
const MAX_ELO: f64 = 2_000.0;
/// Regularization: added to the count of each pair outcome, so that an outcome that has not
/// occurred yet has a positive probability.
const PRIOR: f64 = 1e-3;
/// The score of a game pair for each of the five outcomes of the pentanomial model.
const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// A test of the hypothesis H1, that a player is stronger by `elo1` Elo points, against H0, that
/// the difference is `elo0`.
///
/// ```
/// use krieg_stats::{Hypothesis, Sprt};
/// let sprt: Sprt = "0,10".parse()?;
/// let llr = sprt.llr(&[100, 400, 1000, 600, 300]);
/// assert_eq!(sprt.verdict(llr), Some(Hypothesis::H1));
/// # Ok::<(), krieg_stats::SprtError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// One of the two hypotheses of an [`Sprt`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hypothesis {
    /// The player is stronger by `elo0` Elo points or less.
    H0,
    /// The player is stronger by `elo1` Elo points or more.
    H1,
}

/// Why a test is invalid.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SprtError {
    /// The text does not consist of two or four numbers.
    #[error("{0:?} is not an SPRT: write 0,10 or 0,10,0.05,0.05 (elo0,elo1,alpha,beta)")]
    Text(String),
    /// The hypotheses are equal, in the wrong order, or too large.
    #[error("{0},{1} are not hypotheses: elo0 must be below elo1, and both within ±{MAX_ELO}")]
    Hypotheses(f64, f64),
    /// An error rate is out of range.
    #[error("{0},{1} are not error rates: each must be above 0 and below 0.5")]
    ErrorRates(f64, f64),
}

impl Sprt {
    /// A test of `elo0` against `elo1` with type I error rate `alpha` (H1 is accepted although H0
    /// is true) and type II error rate `beta` (H0 is accepted although H1 is true).
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        let measurable = -MAX_ELO..=MAX_ELO;
        if !(elo0 < elo1 && measurable.contains(&elo0) && measurable.contains(&elo1)) {
            return Err(SprtError::Hypotheses(elo0, elo1));
        }
        if ![alpha, beta].iter().all(|rate| 0.0 < *rate && *rate < 0.5) {
            return Err(SprtError::ErrorRates(alpha, beta));
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// The two hypotheses, `elo0` and `elo1`.
    pub fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The error rates, `alpha` and `beta`.
    pub fn error_rates(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// The log-likelihood ratio of H1 to H0, given the counts of pair outcomes from
    /// [`MatchScore::pentanomial`](super::MatchScore::pentanomial).
    pub fn llr(&self, pairs: &[u64; 5]) -> f64 {
        if pairs.iter().all(|count| *count == 0) {
            return 0.0;
        }
        let counts = pairs.map(|count| count as f64 + PRIOR);
        let [under0, under1] =
            [self.elo0, self.elo1].map(|elo| divisors(&counts, expected_score(elo)));
        (0..5).map(|i| counts[i] * (under0[i] / under1[i]).ln()).sum()
    }

    /// The bounds of the log-likelihood ratio: at or below the first, H0 is accepted; at or above
    /// the second, H1 is.
    pub fn bounds(&self) -> (f64, f64) {
        let Sprt { alpha, beta, .. } = self;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// The accepted hypothesis, or `None` if the log-likelihood ratio is between the bounds.
    pub fn verdict(&self, llr: f64) -> Option<Hypothesis> {
        let (low, high) = self.bounds();
        if llr <= low {
            Some(Hypothesis::H0)
        } else if llr >= high {
            Some(Hypothesis::H1)
        } else {
            None
        }
    }
}

/// The divisors 1 + θ(aᵢ - mean) that turn the frequency of each outcome into its probability under
/// the maximum likelihood distribution with this mean. θ is found by bisection.
fn divisors(counts: &[f64; 5], mean: f64) -> [f64; 5] {
    let divisors =
        |theta: f64| PAIR_SCORES.map(|a| (1.0 + theta * (a - mean)).max(f64::MIN_POSITIVE));
    // Between these limits all divisors are positive, and the mean decreases in θ.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    // Enough halvings to exhaust the precision of a double.
    for _ in 0..64 {
        let theta = (low + high) / 2.0;
        let by = divisors(theta);
        let excess: f64 = (0..5).map(|i| counts[i] * (PAIR_SCORES[i] - mean) / by[i]).sum();
        if excess > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    divisors((low + high) / 2.0)
}

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|n| n.trim().parse()).collect();
        match numbers.as_deref() {
            Ok(&[elo0, elo1]) => Sprt::new(elo0, elo1, 0.05, 0.05),
            Ok(&[elo0, elo1, alpha, beta]) => Sprt::new(elo0, elo1, alpha, beta),
            _ => Err(SprtError::Text(text.to_string())),
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

impl fmt::Display for Hypothesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Hypothesis::H0 => "H0",
            Hypothesis::H1 => "H1",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_testing::{cases, seeded_rng};
    use proptest::prelude::*;
    use rand::{Rng, RngExt};

    fn sprt(text: &str) -> Sprt {
        text.parse().unwrap()
    }

    #[test]
    fn without_draws_it_equals_walds_test() {
        // Both games of a pair have the same result, so a pair is one Bernoulli trial.
        let [s0, s1] = [0.0, 50.0].map(expected_score);
        let wald = 60.0 * (s1 / s0).ln() + 40.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        assert!((sprt("0,50").llr(&[40, 0, 0, 0, 60]) - wald).abs() < 0.01);
    }

    #[test]
    fn many_pairs_follow_the_normal_approximation() {
        let pairs = [5_000, 20_000, 50_000, 20_600, 5_100];
        let n: f64 = pairs.iter().map(|count| *count as f64).sum();
        let mean = |power| -> f64 {
            (0..5).map(|i| pairs[i] as f64 * PAIR_SCORES[i].powi(power)).sum::<f64>() / n
        };
        let variance = mean(2) - mean(1).powi(2);
        let [s0, s1] = [0.0, 2.0].map(expected_score);
        let normal = n * (s1 - s0) * (2.0 * mean(1) - s0 - s1) / (2.0 * variance);
        let llr = sprt("0,2").llr(&pairs);
        assert!((llr - normal).abs() < 0.01 * normal.abs(), "{llr} {normal}");
    }

    /// One game pair of a player stronger by `elo`, with openings that favour one colour and a
    /// third of all games drawn.
    fn play_pair(elo: f64, rng: &mut impl Rng) -> usize {
        let mut game = |score: f64| match rng.random_range(0.0..1.0) {
            x if x < score - 1.0 / 6.0 => 2,
            x if x < score + 1.0 / 6.0 => 1,
            _ => 0,
        };
        game(expected_score(elo) + 0.1) + game(expected_score(elo) - 0.1)
    }

    #[test]
    fn error_rates_are_kept() {
        let sprt = sprt("0,40");
        for (elo, wrong) in [(0.0, Hypothesis::H1), (40.0, Hypothesis::H0)] {
            let mut rng = seeded_rng(1947);
            let mut errors = 0;
            for _ in 0..1_000 {
                let mut pairs = [0; 5];
                let verdict = loop {
                    pairs[play_pair(elo, &mut rng)] += 1;
                    if let Some(verdict) = sprt.verdict(sprt.llr(&pairs)) {
                        break verdict;
                    }
                };
                errors += usize::from(verdict == wrong);
            }
            // The error rate allows 50 of 1,000; two standard errors are added.
            assert!((10..=64).contains(&errors), "{wrong} accepted {errors} times");
        }
    }

    #[test]
    fn no_games_give_no_verdict() {
        assert_eq!(sprt("0,10").llr(&[0; 5]), 0.0);
        assert_eq!(sprt("0,10").verdict(0.0), None);
    }

    #[test]
    fn bounds_are_walds() {
        let (low, high) = sprt("0,10").bounds();
        assert!((low + 19.0_f64.ln()).abs() < 1e-12 && (high - 19.0_f64.ln()).abs() < 1e-12);
        assert_eq!(sprt("0,10").verdict(2.95), Some(Hypothesis::H1));
        assert_eq!(sprt("0,10").verdict(-2.95), Some(Hypothesis::H0));
    }

    #[test]
    fn invalid_tests_are_rejected() {
        for text in ["", "0", "0,10,0.05", "0,10,0.05,0.05,1", "a,b", "0 10"] {
            assert_eq!(text.parse::<Sprt>(), Err(SprtError::Text(text.to_string())));
        }
        for text in ["10,0", "5,5", "nan,5", "0,inf", "0,9999"] {
            assert!(matches!(text.parse::<Sprt>(), Err(SprtError::Hypotheses(..))), "{text}");
        }
        for text in ["0,10,0,0.05", "0,10,0.05,0.5", "0,10,nan,0.05", "0,10,-1,0.05"] {
            assert!(matches!(text.parse::<Sprt>(), Err(SprtError::ErrorRates(..))), "{text}");
        }
        assert_eq!(sprt(" -3, 2.5").to_string(), "-3,2.5,0.05,0.05");
    }

    proptest! {
        #![proptest_config(cases(256))]

        #[test]
        fn better_results_increase_the_likelihood_ratio(
            pairs in proptest::array::uniform5(0_u64..10_000),
            at in 0..4_usize,
            elo0 in -200.0..200.0,
            more in 1.0..100.0,
        ) {
            let sprt = Sprt::new(elo0, elo0 + more, 0.05, 0.05).unwrap();
            let (mut worse, mut better) = (pairs, pairs);
            worse[at] += 1;
            better[at + 1] += 1;
            prop_assert!(sprt.llr(&worse) < sprt.llr(&better));
        }

        #[test]
        fn exchanging_the_players_negates_the_likelihood_ratio(
            pairs in proptest::array::uniform5(0..u64::MAX / 5),
            elo0 in -2_000.0..1_000.0,
            more in 0.1..1_000.0,
        ) {
            let elo1 = elo0 + more;
            let llr = Sprt::new(elo0, elo1, 0.05, 0.05).unwrap().llr(&pairs);
            let mut reversed = pairs;
            reversed.reverse();
            let other = Sprt::new(-elo1, -elo0, 0.05, 0.05).unwrap().llr(&reversed);
            prop_assert!((llr + other).abs() <= 1e-6 * llr.abs().max(1.0), "{llr} {other}");
        }
    }
}
