//! The score of a match, with its confidence interval.

use std::collections::BTreeMap;
use std::f64::consts::SQRT_2;
use std::fmt;

use crate::{ELO_PER_LOG_ODDS, Z_95};

/// The Elo difference that a score implies. Infinite for the scores 0 and 1.
///
/// ```
/// use krieg_stats::elo_from_score;
/// assert_eq!(elo_from_score(0.75).round(), 191.0);
/// ```
pub fn elo_from_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    ELO_PER_LOG_ODDS * (score / (1.0 - score)).ln()
}

/// The expected score of a player who is stronger by `elo` points.
///
/// ```
/// use krieg_stats::expected_score;
/// assert_eq!(expected_score(0.0), 0.5);
/// ```
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOG_ODDS).exp())
}

/// The score of a match, from the first player's side.
///
/// Games 2k and 2k+1 are a pair: the same opening with reversed colours. The games of a pair are
/// not independent, so all errors are computed from pairs. Counts are updated as games arrive; no
/// method iterates over all games.
///
/// ```
/// use krieg_stats::MatchScore;
/// let mut score = MatchScore::default();
/// for number in 0..40 {
///     score.add(number, if number % 4 == 0 { 1 } else { 2 });
/// }
/// assert_eq!(
///     score.to_string(),
///     "40 games: +30 =10 -0, 87.5% [81.9, 93.1], Elo +338 [+262, +453]"
/// );
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MatchScore {
    /// Half points of each game, by game number.
    points: BTreeMap<u64, u8>,
    /// The number of games with 0, 1 and 2 half points.
    games: [usize; 3],
    /// The number of complete pairs with 0 to 4 half points.
    pairs: [u64; 5],
    /// The number of games whose pair is incomplete, with 0, 1 and 2 half points.
    unpaired: [u64; 3],
}

impl MatchScore {
    /// Adds a game with a number of half points, at most two. A game with the same number is
    /// replaced.
    pub fn add(&mut self, number: u64, half_points: u8) {
        let new = half_points.min(2);
        let partner = self.points.get(&(number ^ 1)).copied().map(usize::from);
        let old = self.points.insert(number, new).map(usize::from);
        let new = usize::from(new);
        if let Some(old) = old {
            self.games[old] -= 1;
        }
        self.games[new] += 1;
        match (partner, old) {
            (None, None) => {}
            (None, Some(old)) => self.unpaired[old] -= 1,
            (Some(partner), None) => self.unpaired[partner] -= 1,
            (Some(partner), Some(old)) => self.pairs[partner + old] -= 1,
        }
        match partner {
            None => self.unpaired[new] += 1,
            Some(partner) => self.pairs[partner + new] += 1,
        }
    }

    /// Whether a game with this number has been added.
    pub fn contains(&self, number: u64) -> bool {
        self.points.contains_key(&number)
    }

    /// Wins, draws and losses.
    pub fn counts(&self) -> [usize; 3] {
        let [lost, drawn, won] = self.games;
        [won, drawn, lost]
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.points.len()
    }

    /// The score: points divided by games, or one half before the first game.
    pub fn score(&self) -> f64 {
        let [won, drawn, _] = self.counts().map(|count| count as f64);
        match self.games() {
            0 => 0.5,
            games => (won + drawn / 2.0) / games as f64,
        }
    }

    /// The pentanomial counts: the number of complete pairs with 0 to 4 half points.
    pub fn pentanomial(&self) -> [u64; 5] {
        self.pairs
    }

    /// The standard error of the score; `None` before the first game.
    ///
    /// The score is a ratio of points to games over clusters: an opening contributes a pair of two
    /// games, or a single game. The error is therefore that of a ratio estimator (W. Cochran,
    /// Sampling Techniques, ch. 6): a cluster's residual is its points minus its games times the
    /// score, and a single game has half the weight of a pair.
    pub fn standard_error(&self) -> Option<f64> {
        if self.points.is_empty() {
            return None;
        }
        let (score, games) = (self.score(), self.games() as f64);
        let squares = |clusters: &[u64], size: f64| -> f64 {
            let residual = |half_points: usize| half_points as f64 / 2.0 - size * score;
            let each = clusters.iter().enumerate();
            each.map(|(half_points, count)| *count as f64 * residual(half_points).powi(2)).sum()
        };
        let clusters = (self.pairs.iter().sum::<u64>() + self.unpaired.iter().sum::<u64>()) as f64;
        let squares = squares(&self.pairs, 2.0) + squares(&self.unpaired, 1.0);
        let variance = squares / games.powi(2) * clusters / (clusters - 1.0).max(1.0);
        Some(variance.max(min_variance(games)).sqrt())
    }

    /// The margin of error: half the width of the 95% confidence interval of the score.
    pub fn margin(&self) -> f64 {
        self.standard_error().map_or(0.5, |error| Z_95 * error)
    }

    /// The 95% confidence interval of the score, clipped to 0 and 1.
    pub fn score_interval(&self) -> (f64, f64) {
        let (score, margin) = (self.score(), self.margin());
        ((score - margin).max(0.0), (score + margin).min(1.0))
    }

    /// The Elo difference; infinite if all games were won or all lost.
    pub fn elo(&self) -> f64 {
        elo_from_score(self.score())
    }

    /// The 95% confidence interval of the Elo difference. A bound is infinite if that of
    /// [`score_interval`](MatchScore::score_interval) is 0 or 1.
    pub fn elo_interval(&self) -> (f64, f64) {
        let (low, high) = self.score_interval();
        (elo_from_score(low), elo_from_score(high))
    }

    /// The likelihood of superiority (LOS): the probability that the first player is stronger.
    pub fn likelihood_of_superiority(&self) -> f64 {
        self.standard_error().map_or(0.5, |error| {
            let errors = (self.score() - 0.5) / error;
            (1.0 + libm::erf(errors / SQRT_2)) / 2.0
        })
    }
}

/// A lower bound on the variance of a score, so that a few games with equal results do not give
/// certainty: the variance if one more pair differed by half a point per game.
pub(super) fn min_variance(games: f64) -> f64 {
    1.0 / (games * (games + 2.0))
}

impl fmt::Display for MatchScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [won, drawn, lost] = self.counts();
        let (low, high) = self.score_interval();
        let [score, low, high] = [self.score(), low, high].map(|score| score * 100.0);
        let (elo_low, elo_high) = self.elo_interval();
        // Adding 0.0 turns -0.0 into 0.0, which would otherwise be printed as -0.
        let [elo, elo_low, elo_high] = [self.elo(), elo_low, elo_high].map(|elo| elo.round() + 0.0);
        write!(
            f,
            "{} games: +{won} ={drawn} -{lost}, {score:.1}% [{low:.1}, {high:.1}], \
             Elo {elo:+} [{elo_low:+}, {elo_high:+}]",
            self.games(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_testing::{cases, seeded_rng};
    use proptest::prelude::*;
    use rand::{Rng, RngExt};

    fn match_score(games: impl IntoIterator<Item = (u64, u8)>) -> MatchScore {
        let mut score = MatchScore::default();
        games.into_iter().for_each(|(number, points)| score.add(number, points));
        score
    }

    #[test]
    fn pairs_are_even_if_white_always_wins() {
        let score = match_score((0..100).map(|n| (n, if n % 2 == 0 { 2 } else { 0 })));
        assert_eq!(score.counts(), [50, 0, 50]);
        assert_eq!(score.pentanomial(), [0, 0, 50, 0, 0]);
        assert_eq!(score.score(), 0.5);
        assert!(score.margin() < 0.02, "all pairs are equal");
        assert_eq!(score.likelihood_of_superiority(), 0.5);
    }

    #[test]
    fn margin_is_computed_from_pairs() {
        // Pairs with scores of 1, 1, 0.5 and 0: a variance of 11/48.
        let score = match_score((0..8).zip([2, 2, 2, 2, 1, 1, 0, 0]));
        let error = (11.0 / 48.0 / 4.0_f64).sqrt();
        assert!((score.margin() - 1.96 * error).abs() < 1e-12);
        let errors = 0.125 / error;
        let superiority = (1.0 + libm::erf(errors / SQRT_2)) / 2.0;
        assert!((score.likelihood_of_superiority() - superiority).abs() < 1e-12);
    }

    /// A match of `pairs` pairs with these probabilities of a win and a draw. The opening of a pair
    /// favours one colour.
    fn simulated(pairs: u64, [win, draw]: [f64; 2], rng: &mut impl Rng) -> MatchScore {
        let mut score = MatchScore::default();
        for pair in 0..pairs {
            let favour = rng.random_range(-0.1..0.1);
            for (number, favour) in [(2 * pair, favour), (2 * pair + 1, -favour)] {
                let x: f64 = rng.random_range(0.0..1.0);
                let win = (win + favour).max(0.0);
                score.add(number, if x < win { 2 } else { u8::from(x < win + draw) });
            }
        }
        score
    }

    #[test]
    fn interval_covers_the_true_score_in_95_percent() {
        for (probabilities, true_score) in
            [([0.4, 0.2], 0.5), ([0.3, 0.65], 0.625), ([0.15, 0.8], 0.55)]
        {
            let mut rng = seeded_rng(1908);
            let hits = (0..2_000).filter(|_| {
                let (low, high) = simulated(100, probabilities, &mut rng).score_interval();
                (low..=high).contains(&true_score)
            });
            let hits = hits.count();
            assert!((1_860..=1_940).contains(&hits), "{probabilities:?}: {hits} of 2000");
        }
    }

    #[test]
    fn likelihood_of_superiority_is_calibrated_for_equal_players() {
        let mut rng = seeded_rng(1933);
        let likely: Vec<f64> = (0..4_000)
            .map(|_| simulated(100, [0.35, 0.3], &mut rng).likelihood_of_superiority())
            .collect();
        for level in [0.05, 0.25, 0.5, 0.75, 0.95] {
            let below = likely.iter().filter(|likely| **likely < level).count() as f64 / 4_000.0;
            assert!((below - level).abs() < 0.03, "below {level}: {below}");
        }
    }

    #[test]
    fn unpaired_games_are_independent() {
        // No pair is complete, so the error is that of independent games.
        let score = match_score((0..100).map(|n| (2 * n, if n < 60 { 2 } else { 0 })));
        assert_eq!(score.pentanomial(), [0; 5]);
        assert!((score.margin() - 1.96 * (0.6 * 0.4 / 99.0_f64).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn empty_score_has_the_widest_interval() {
        let score = MatchScore::default();
        assert_eq!(score.score_interval(), (0.0, 1.0));
        assert_eq!(score.likelihood_of_superiority(), 0.5);
        assert_eq!(score.to_string(), "0 games: +0 =0 -0, 50.0% [0.0, 100.0], Elo +0 [-inf, +inf]");
    }

    #[test]
    fn ten_wins_do_not_give_certainty() {
        let score = match_score((0..10).map(|n| (n, 2)));
        let (low, high) = score.score_interval();
        assert!(low < 0.85 && high == 1.0);
        assert_eq!(score.elo(), f64::INFINITY);
        assert_eq!(
            score.to_string(),
            "10 games: +10 =0 -0, 100.0% [82.1, 100.0], Elo +inf [+265, +inf]"
        );
    }

    #[test]
    fn score_of_75_percent_is_191_elo() {
        assert_eq!(elo_from_score(0.75).round(), 191.0);
        assert_eq!(expected_score(0.0), 0.5);
    }

    proptest! {
        #![proptest_config(cases(256))]

        #[test]
        fn order_and_replaced_games_do_not_matter(
            games in proptest::collection::vec((0..30_u64, 0..=3_u8), 0..60),
        ) {
            let replaced = match_score(games.iter().copied());
            let last: BTreeMap<u64, u8> = games.into_iter().collect();
            prop_assert_eq!(&replaced, &match_score(last.iter().rev().map(|(n, p)| (*n, *p))));
            prop_assert_eq!(replaced.games(), last.len());
            let pairs = last.keys().filter(|n| *n % 2 == 0 && last.contains_key(&(*n + 1)));
            prop_assert_eq!(replaced.pentanomial().iter().sum::<u64>(), pairs.count() as u64);
            let (low, high) = replaced.score_interval();
            let score = replaced.score();
            prop_assert!(0.0 <= low && low <= score && score <= high && high <= 1.0);
        }

        #[test]
        fn elo_round_trips_through_score(elo in -2_000.0..2_000.0) {
            prop_assert!((elo_from_score(expected_score(elo)) - elo).abs() < 1e-6);
        }
    }
}
