//! A test that ends a match as soon as it is decided which of two claims about it holds.
//!
//! Wald's sequential test of the likelihood ratio, generalised to results whose distribution is
//! unknown but for its mean: each claim is given the distribution with its mean that suits the
//! results best (M. Van den Bergh's note for Fishtest, Proposition 1.1,
//! <http://hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf>).

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::share_of;

/// Ratings further apart than this are no claims that games could tell apart.
const FURTHEST: f64 = 2_000.0;
/// Added to the count of each result, so that one not seen yet is not held for impossible.
const PRIOR: f64 = 1e-3;
/// What a pair of games may bring, as a share of its points.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// A test whether a player is better by `elo1` points rather than by `elo0`.
///
/// ```
/// use krieg_arena::statistics::{Hypothesis, Sprt};
/// let sprt: Sprt = "0,10".parse()?;
/// let llr = sprt.llr(&[100, 400, 1000, 600, 300]);
/// assert_eq!(sprt.verdict(llr), Some(Hypothesis::H1));
/// # Ok::<(), krieg_arena::statistics::BadSprt>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// One of the two claims of an [`Sprt`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hypothesis {
    /// The player is better by `elo0` points or less.
    H0,
    /// The player is better by `elo1` points or more.
    H1,
}

/// No test can be made of this.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BadSprt {
    /// Not two or four numbers.
    #[error("{0:?} is no test: write 0,10 or 0,10,0.05,0.05 (elo0,elo1,alpha,beta)")]
    Text(String),
    /// The claims are the same, in the wrong order, or beyond all measure.
    #[error(
        "{0},{1} are no claims: the first must be the lower, and none beyond {FURTHEST} points"
    )]
    Claims(f64, f64),
    /// The chances of error make no sense.
    #[error("{0},{1} are no chances of error: each must be above 0 and below 0.5")]
    Chances(f64, f64),
}

impl Sprt {
    /// A test of `elo0` against `elo1` that takes the second for true where the first is with
    /// chance `alpha`, and the first where the second is with chance `beta`.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, BadSprt> {
        let measurable = -FURTHEST..=FURTHEST;
        if !(elo0 < elo1 && measurable.contains(&elo0) && measurable.contains(&elo1)) {
            return Err(BadSprt::Claims(elo0, elo1));
        }
        if ![alpha, beta].iter().all(|chance| 0.0 < *chance && *chance < 0.5) {
            return Err(BadSprt::Chances(alpha, beta));
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// The two claims, `elo0` and `elo1`.
    pub fn claims(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The chances of error, `alpha` and `beta`.
    pub fn chances(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// The logarithm of how much better `elo1` explains these pairs than `elo0` does; the pairs
    /// as [`Standing::pentanomial`](super::Standing::pentanomial) counts them.
    pub fn llr(&self, pairs: &[u64; 5]) -> f64 {
        if pairs.iter().all(|count| *count == 0) {
            return 0.0;
        }
        let counts = pairs.map(|count| count as f64 + PRIOR);
        let [under0, under1] = [self.elo0, self.elo1].map(|elo| divisors(&counts, share_of(elo)));
        (0..5).map(|i| counts[i] * (under0[i] / under1[i]).ln()).sum()
    }

    /// The ratio's logarithm at or below which `elo0` is accepted, and that at or above which
    /// `elo1` is.
    pub fn bounds(&self) -> (f64, f64) {
        let Sprt { alpha, beta, .. } = self;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// The claim that such a ratio decides for, once it does.
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

/// By what the frequency of each result is divided to get its probability in the likeliest
/// distribution of this mean: 1 + θ(aᵢ - mean), where θ makes the mean right.
fn divisors(counts: &[f64; 5], mean: f64) -> [f64; 5] {
    let divisors = |theta: f64| SHARES.map(|a| (1.0 + theta * (a - mean)).max(f64::MIN_POSITIVE));
    // All divisors are positive between these, and the mean falls as θ grows.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    // As often as halving tells two numbers apart.
    for _ in 0..64 {
        let theta = (low + high) / 2.0;
        let by = divisors(theta);
        let beyond: f64 = (0..5).map(|i| counts[i] * (SHARES[i] - mean) / by[i]).sum();
        if beyond > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    divisors((low + high) / 2.0)
}

impl FromStr for Sprt {
    type Err = BadSprt;

    fn from_str(text: &str) -> Result<Self, BadSprt> {
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|n| n.trim().parse()).collect();
        match numbers.as_deref() {
            Ok(&[elo0, elo1]) => Sprt::new(elo0, elo1, 0.05, 0.05),
            Ok(&[elo0, elo1, alpha, beta]) => Sprt::new(elo0, elo1, alpha, beta),
            _ => Err(BadSprt::Text(text.to_string())),
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
    use krieg_testing::{cases, hat};
    use proptest::prelude::*;
    use rand::{Rng, RngExt};

    fn sprt(text: &str) -> Sprt {
        text.parse().unwrap()
    }

    #[test]
    fn without_draws_it_is_walds_own_test() {
        // Both games of a pair end alike, so a pair is one toss of a coin.
        let [s0, s1] = [0.0, 50.0].map(share_of);
        let wald = 60.0 * (s1 / s0).ln() + 40.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        assert!((sprt("0,50").llr(&[40, 0, 0, 0, 60]) - wald).abs() < 0.01);
    }

    #[test]
    fn many_pairs_follow_the_normal_approximation() {
        let pairs = [5_000, 20_000, 50_000, 20_600, 5_100];
        let n: f64 = pairs.iter().map(|count| *count as f64).sum();
        let mean = |power| -> f64 {
            (0..5).map(|i| pairs[i] as f64 * SHARES[i].powi(power)).sum::<f64>() / n
        };
        let variance = mean(2) - mean(1).powi(2);
        let [s0, s1] = [0.0, 2.0].map(share_of);
        let normal = n * (s1 - s0) * (2.0 * mean(1) - s0 - s1) / (2.0 * variance);
        let llr = sprt("0,2").llr(&pairs);
        assert!((llr - normal).abs() < 0.01 * normal.abs(), "{llr} {normal}");
    }

    /// One pair of a player better by `elo`, from openings that favour one colour and with a
    /// third of all games drawn.
    fn play_pair(elo: f64, rng: &mut impl Rng) -> usize {
        let mut game = |share: f64| match rng.random_range(0.0..1.0) {
            x if x < share - 1.0 / 6.0 => 2,
            x if x < share + 1.0 / 6.0 => 1,
            _ => 0,
        };
        game(share_of(elo) + 0.1) + game(share_of(elo) - 0.1)
    }

    #[test]
    fn it_errs_no_more_often_than_it_was_told() {
        let sprt = sprt("0,40");
        for (elo, wrong) in [(0.0, Hypothesis::H1), (40.0, Hypothesis::H0)] {
            let mut rng = hat(1947);
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
            // 50 of 1,000 are allowed, and two standard errors of luck.
            assert!((10..=64).contains(&errors), "{wrong} accepted {errors} times");
        }
    }

    #[test]
    fn no_games_decide_nothing() {
        assert_eq!(sprt("0,10").llr(&[0; 5]), 0.0);
        assert_eq!(sprt("0,10").verdict(0.0), None);
    }

    #[test]
    fn the_bounds_are_walds() {
        let (low, high) = sprt("0,10").bounds();
        assert!((low + 19.0_f64.ln()).abs() < 1e-12 && (high - 19.0_f64.ln()).abs() < 1e-12);
        assert_eq!(sprt("0,10").verdict(2.95), Some(Hypothesis::H1));
        assert_eq!(sprt("0,10").verdict(-2.95), Some(Hypothesis::H0));
    }

    #[test]
    fn what_is_no_test_is_not_read_as_one() {
        for text in ["", "0", "0,10,0.05", "0,10,0.05,0.05,1", "a,b", "0 10"] {
            assert_eq!(text.parse::<Sprt>(), Err(BadSprt::Text(text.to_string())));
        }
        for text in ["10,0", "5,5", "nan,5", "0,inf", "0,9999"] {
            assert!(matches!(text.parse::<Sprt>(), Err(BadSprt::Claims(..))), "{text}");
        }
        for text in ["0,10,0,0.05", "0,10,0.05,0.5", "0,10,nan,0.05", "0,10,-1,0.05"] {
            assert!(matches!(text.parse::<Sprt>(), Err(BadSprt::Chances(..))), "{text}");
        }
        assert_eq!(sprt(" -3, 2.5").to_string(), "-3,2.5,0.05,0.05");
    }

    proptest! {
        #![proptest_config(cases(256))]

        #[test]
        fn a_better_pair_never_speaks_for_the_weaker_claim(
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
        fn seen_from_the_other_side_the_ratio_is_turned_about(
            pairs in proptest::array::uniform5(0..u64::MAX / 5),
            elo0 in -2_000.0..1_000.0,
            more in 0.1..1_000.0,
        ) {
            let elo1 = elo0 + more;
            let llr = Sprt::new(elo0, elo1, 0.05, 0.05).unwrap().llr(&pairs);
            let mut turned = pairs;
            turned.reverse();
            let other = Sprt::new(-elo1, -elo0, 0.05, 0.05).unwrap().llr(&turned);
            prop_assert!((llr + other).abs() <= 1e-6 * llr.abs().max(1.0), "{llr} {other}");
        }
    }
}
