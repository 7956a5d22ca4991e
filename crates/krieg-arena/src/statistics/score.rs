//! The score of a match, and how sure it is.

use std::collections::BTreeMap;
use std::f64::consts::SQRT_2;
use std::fmt;

use super::{ELO_PER_LOG, NINETY_FIVE};

/// The difference in rating that a share of the points stands for, infinite for nothing and for
/// everything.
pub fn elo_of(share: f64) -> f64 {
    let share = share.clamp(0.0, 1.0);
    ELO_PER_LOG * (share / (1.0 - share)).ln()
}

/// The share of the points that a difference in rating promises.
pub fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOG).exp())
}

/// The score of a match so far, from the first player's side.
///
/// Games 2k and 2k+1 are a pair: one opening, colours changed. Two such games are not independent,
/// so whatever is said of certainty is counted in pairs. Sums are kept as games come in, and
/// no question looks at all of them again.
///
/// ```
/// use krieg_arena::statistics::Standing;
/// let mut standing = Standing::default();
/// for number in 0..40 {
///     standing.add(number, if number % 4 == 0 { 1 } else { 2 });
/// }
/// assert_eq!(
///     standing.to_string(),
///     "40 games: +30 =10 -0, 87.5% [81.9, 93.1], Elo +338 [+262, +453]"
/// );
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// Half points by number of game.
    points: BTreeMap<u64, u8>,
    /// Games by half points.
    games: [usize; 3],
    /// Complete pairs by half points.
    pairs: [u64; 5],
    /// Games that wait for the other of their pair, by half points.
    lone: [u64; 3],
}

impl Standing {
    /// Counts a game of so many half points, at most two. A game that was counted before is
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
            (None, Some(old)) => self.lone[old] -= 1,
            (Some(partner), None) => self.lone[partner] -= 1,
            (Some(partner), Some(old)) => self.pairs[partner + old] -= 1,
        }
        match partner {
            None => self.lone[new] += 1,
            Some(partner) => self.pairs[partner + new] += 1,
        }
    }

    /// Whether this game has been counted.
    pub fn has(&self, number: u64) -> bool {
        self.points.contains_key(&number)
    }

    /// Wins, draws and losses.
    pub fn counts(&self) -> [usize; 3] {
        let [lost, drawn, won] = self.games;
        [won, drawn, lost]
    }

    /// Games counted.
    pub fn games(&self) -> usize {
        self.points.len()
    }

    /// The share of the points; one half before the first game.
    pub fn share(&self) -> f64 {
        let [won, drawn, _] = self.counts().map(|count| count as f64);
        match self.games() {
            0 => 0.5,
            games => (won + drawn / 2.0) / games as f64,
        }
    }

    /// Complete pairs by the half points made in both games together.
    pub fn pentanomial(&self) -> [u64; 5] {
        self.pairs
    }

    /// The standard error of the share; none before the first game.
    ///
    /// The share is a ratio, points by games, of which each opening brings some: a pair two games,
    /// a lone game one. So this is the error of a ratio over clusters (Cochran, Sampling
    /// Techniques, ch. 6): a cluster counts by what it made beyond its games times the
    /// share, and a lone game has half the weight of a pair.
    pub(crate) fn standard_error(&self) -> Option<f64> {
        if self.points.is_empty() {
            return None;
        }
        let (share, games) = (self.share(), self.games() as f64);
        let squares = |clusters: &[u64], size: f64| -> f64 {
            let beyond = |half_points: usize| half_points as f64 / 2.0 - size * share;
            let each = clusters.iter().enumerate();
            each.map(|(half_points, count)| *count as f64 * beyond(half_points).powi(2)).sum()
        };
        let clusters = (self.pairs.iter().sum::<u64>() + self.lone.iter().sum::<u64>()) as f64;
        let squares = squares(&self.pairs, 2.0) + squares(&self.lone, 1.0);
        let variance = squares / games.powi(2) * clusters / (clusters - 1.0).max(1.0);
        Some(variance.max(least_variance(games)).sqrt())
    }

    /// Half the width of a 95% interval about the share.
    pub fn margin(&self) -> f64 {
        self.standard_error().map_or(0.5, |error| NINETY_FIVE * error)
    }

    /// The 95% interval about the share, within 0 and 1.
    pub fn interval(&self) -> (f64, f64) {
        let (share, margin) = (self.share(), self.margin());
        ((share - margin).max(0.0), (share + margin).min(1.0))
    }

    /// The difference in rating; infinite if all games were won or all lost.
    pub fn elo(&self) -> f64 {
        elo_of(self.share())
    }

    /// The 95% interval of the difference in rating; an end is infinite where that of
    /// [`interval`](Standing::interval) is 0 or 1.
    pub fn elo_interval(&self) -> (f64, f64) {
        let (low, high) = self.interval();
        (elo_of(low), elo_of(high))
    }

    /// How likely it is that the first player is the better one.
    pub fn likelihood_of_superiority(&self) -> f64 {
        self.standard_error().map_or(0.5, |error| {
            let errors = (self.share() - 0.5) / error;
            (1.0 + libm::erf(errors / SQRT_2)) / 2.0
        })
    }
}

/// A few games that all ended alike are not certainty: one more pair might have gone half a point a game the other way.
pub(super) fn least_variance(games: f64) -> f64 {
    1.0 / (games * (games + 2.0))
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [won, drawn, lost] = self.counts();
        let (low, high) = self.interval();
        let [share, low, high] = [self.share(), low, high].map(|share| share * 100.0);
        let (elo_low, elo_high) = self.elo_interval();
        // Adding nothing makes 0 of what would be printed as -0.
        let [elo, elo_low, elo_high] = [self.elo(), elo_low, elo_high].map(|elo| elo.round() + 0.0);
        write!(
            f,
            "{} games: +{won} ={drawn} -{lost}, {share:.1}% [{low:.1}, {high:.1}], \
             Elo {elo:+} [{elo_low:+}, {elo_high:+}]",
            self.games(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_testing::{cases, hat};
    use proptest::prelude::*;
    use rand::{Rng, RngExt};

    fn standing(games: impl IntoIterator<Item = (u64, u8)>) -> Standing {
        let mut standing = Standing::default();
        games.into_iter().for_each(|(number, points)| standing.add(number, points));
        standing
    }

    #[test]
    fn where_white_always_wins_every_pair_is_even() {
        let standing = standing((0..100).map(|n| (n, if n % 2 == 0 { 2 } else { 0 })));
        assert_eq!(standing.counts(), [50, 0, 50]);
        assert_eq!(standing.pentanomial(), [0, 0, 50, 0, 0]);
        assert_eq!(standing.share(), 0.5);
        assert!(standing.margin() < 0.02, "as good as certain");
        assert_eq!(standing.likelihood_of_superiority(), 0.5);
    }

    #[test]
    fn the_margin_is_that_of_the_pairs() {
        // Pairs of 1, 1, 0.5 and 0 of the points: a variance of 11/48.
        let standing = standing((0..8).zip([2, 2, 2, 2, 1, 1, 0, 0]));
        let error = (11.0 / 48.0 / 4.0_f64).sqrt();
        assert!((standing.margin() - 1.96 * error).abs() < 1e-12);
        let errors = 0.125 / error;
        let superiority = (1.0 + libm::erf(errors / SQRT_2)) / 2.0;
        assert!((standing.likelihood_of_superiority() - superiority).abs() < 1e-12);
    }

    /// A match of so many pairs: a game is won, drawn or lost with these chances, and the same opening favours one colour in both.
    fn simulated(pairs: u64, [win, draw]: [f64; 2], rng: &mut impl Rng) -> Standing {
        let mut standing = Standing::default();
        for pair in 0..pairs {
            let favour = rng.random_range(-0.1..0.1);
            for (number, favour) in [(2 * pair, favour), (2 * pair + 1, -favour)] {
                let x: f64 = rng.random_range(0.0..1.0);
                let win = (win + favour).max(0.0);
                standing.add(number, if x < win { 2 } else { u8::from(x < win + draw) });
            }
        }
        standing
    }

    #[test]
    fn the_true_share_is_in_the_interval_nineteen_times_in_twenty() {
        for (chances, share) in [([0.4, 0.2], 0.5), ([0.3, 0.65], 0.625), ([0.15, 0.8], 0.55)] {
            let mut rng = hat(1908);
            let hits = (0..2_000).filter(|_| {
                let (low, high) = simulated(100, chances, &mut rng).interval();
                (low..=high).contains(&share)
            });
            let hits = hits.count();
            assert!((1_860..=1_940).contains(&hits), "{chances:?}: {hits} of 2000");
        }
    }

    #[test]
    fn equals_are_held_for_unequal_as_often_as_is_said() {
        let mut rng = hat(1933);
        let likely: Vec<f64> = (0..4_000)
            .map(|_| simulated(100, [0.35, 0.3], &mut rng).likelihood_of_superiority())
            .collect();
        for level in [0.05, 0.25, 0.5, 0.75, 0.95] {
            let below = likely.iter().filter(|likely| **likely < level).count() as f64 / 4_000.0;
            assert!((below - level).abs() < 0.03, "below {level}: {below}");
        }
    }

    #[test]
    fn lone_games_are_judged_as_games() {
        // No pair is complete, so the error is that of independent games.
        let standing = standing((0..100).map(|n| (2 * n, if n < 60 { 2 } else { 0 })));
        assert_eq!(standing.pentanomial(), [0; 5]);
        assert!((standing.margin() - 1.96 * (0.6 * 0.4 / 99.0_f64).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn before_the_first_game_nothing_is_known() {
        let standing = Standing::default();
        assert_eq!(standing.interval(), (0.0, 1.0));
        assert_eq!(standing.likelihood_of_superiority(), 0.5);
        assert_eq!(
            standing.to_string(),
            "0 games: +0 =0 -0, 50.0% [0.0, 100.0], Elo +0 [-inf, +inf]"
        );
    }

    #[test]
    fn ten_games_won_are_not_certainty() {
        let standing = standing((0..10).map(|n| (n, 2)));
        let (low, high) = standing.interval();
        assert!(low < 0.85 && high == 1.0);
        assert_eq!(standing.elo(), f64::INFINITY);
        assert_eq!(
            standing.to_string(),
            "10 games: +10 =0 -0, 100.0% [82.1, 100.0], Elo +inf [+265, +inf]"
        );
    }

    #[test]
    fn three_quarters_are_191_points() {
        assert_eq!(elo_of(0.75).round(), 191.0);
        assert_eq!(share_of(0.0), 0.5);
    }

    proptest! {
        #![proptest_config(cases(256))]

        #[test]
        fn the_order_of_games_and_what_was_replaced_leave_no_trace(
            games in proptest::collection::vec((0..30_u64, 0..=3_u8), 0..60),
        ) {
            let replaced = standing(games.iter().copied());
            let last: BTreeMap<u64, u8> = games.into_iter().collect();
            prop_assert_eq!(&replaced, &standing(last.iter().rev().map(|(n, p)| (*n, *p))));
            prop_assert_eq!(replaced.games(), last.len());
            let pairs = last.keys().filter(|n| *n % 2 == 0 && last.contains_key(&(*n + 1)));
            prop_assert_eq!(replaced.pentanomial().iter().sum::<u64>(), pairs.count() as u64);
            let (low, high) = replaced.interval();
            let share = replaced.share();
            prop_assert!(0.0 <= low && low <= share && share <= high && high <= 1.0);
        }

        #[test]
        fn ratings_and_shares_are_two_words_for_one_thing(elo in -2_000.0..2_000.0) {
            prop_assert!((elo_of(share_of(elo)) - elo).abs() < 1e-6);
        }
    }
}
