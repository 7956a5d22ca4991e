//! Glicko-2 ratings, updated after each rating period.
//!
//! Follows M. Glickman, "Example of the Glicko-2 system" (2013). The steps are numbered as there.

use std::f64::consts::PI;

/// Rating points per unit of the internal Glicko-2 scale.
const SCALE: f64 = 173.7178;
/// The rating of a new player.
const INITIAL_RATING: f64 = 1_500.0;

/// A player's rating.
///
/// Every computation first clamps these numbers to valid ranges and replaces NaN by the value of a
/// new player, so that one corrupt record cannot spoil the ratings of other players.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glicko2Rating {
    /// The estimated strength.
    pub rating: f64,
    /// The rating deviation: the standard deviation of the estimate.
    pub deviation: f64,
    /// The volatility: how much the strength fluctuates between rating periods.
    pub volatility: f64,
}

impl Default for Glicko2Rating {
    /// The rating of a new player.
    fn default() -> Self {
        Glicko2Rating { rating: INITIAL_RATING, deviation: 350.0, volatility: 0.06 }
    }
}

/// The rating system, with its constant τ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glicko2System {
    /// The system constant τ, which limits how fast volatility changes. Glickman recommends 0.3 to
    /// 1.2, with smaller values if upsets are frequent.
    pub tau: f64,
}

impl Default for Glicko2System {
    fn default() -> Self {
        Glicko2System { tau: 0.5 }
    }
}

/// `number` clamped to the limits, or `default` if it is NaN.
fn clamp_or(number: f64, low: f64, high: f64, default: f64) -> f64 {
    if number.is_nan() { default } else { number.clamp(low, high) }
}

impl Glicko2Rating {
    /// The rating with all numbers in valid ranges. The deviation is at most that of a new player:
    /// a player who was absent for years is not less well known than a new one.
    fn clamped(self) -> Self {
        let initial = Glicko2Rating::default();
        Glicko2Rating {
            rating: clamp_or(
                self.rating,
                INITIAL_RATING - 1e5,
                INITIAL_RATING + 1e5,
                initial.rating,
            ),
            deviation: clamp_or(self.deviation, 1.0, initial.deviation, initial.deviation),
            volatility: clamp_or(self.volatility, 1e-4, 1.0, initial.volatility),
        }
    }
}

impl Glicko2System {
    /// The rating of a player after a rating period, given the opponents' ratings before the period
    /// and the scores against them, from 0 to 1. Without games only the deviation grows.
    ///
    /// ```
    /// use krieg_stats::glicko2::{Glicko2Rating, Glicko2System};
    /// let new = Glicko2Rating::default();
    /// let after = Glicko2System::default().update(new, &[(new, 1.0)]);
    /// assert!(after.rating > 1500.0 && after.deviation < 350.0);
    /// ```
    pub fn update(&self, player: Glicko2Rating, results: &[(Glicko2Rating, f64)]) -> Glicko2Rating {
        let player = player.clamped();
        // Step 2.
        let mu = (player.rating - INITIAL_RATING) / SCALE;
        let phi = player.deviation / SCALE;
        if results.is_empty() {
            let deviation = SCALE * phi.hypot(player.volatility);
            return Glicko2Rating { deviation, ..player }.clamped();
        }
        // Steps 3 and 4: the Fisher information of the games, and the excess over the expected
        // scores.
        let (mut information, mut excess) = (0.0, 0.0);
        for (opponent, score) in results {
            let opponent = opponent.clamped();
            let opponent_phi = opponent.deviation / SCALE;
            let g = 1.0 / (1.0 + 3.0 * (opponent_phi / PI).powi(2)).sqrt();
            let difference = mu - (opponent.rating - INITIAL_RATING) / SCALE;
            // The clamp keeps the information of every game positive.
            let expected = (1.0 / (1.0 + (-g * difference).exp())).clamp(1e-9, 1.0 - 1e-9);
            information += g * g * expected * (1.0 - expected);
            excess += g * (clamp_or(*score, 0.0, 1.0, 0.5) - expected);
        }
        let variance = 1.0 / information;
        let volatility = self.volatility(player.volatility, phi, variance, variance * excess);
        // Steps 6 to 8.
        let before = phi.hypot(volatility);
        let phi = 1.0 / (1.0 / before.powi(2) + information).sqrt();
        let rating = INITIAL_RATING + SCALE * (mu + phi * phi * excess);
        Glicko2Rating { rating, deviation: SCALE * phi, volatility }.clamped()
    }

    /// Step 5: the new volatility, found with the Illinois variant of regula falsi.
    fn volatility(&self, volatility: f64, phi: f64, variance: f64, delta: f64) -> f64 {
        let tau = clamp_or(self.tau, 0.01, 10.0, Glicko2System::default().tau);
        let start = 2.0 * volatility.ln();
        let spread = phi * phi + variance;
        let f = |x: f64| {
            let e = x.exp();
            e * (delta * delta - spread - e) / (2.0 * (spread + e).powi(2))
                - (x - start) / (tau * tau)
        };
        let mut a = start;
        let mut b = if delta * delta > spread {
            (delta * delta - spread).ln()
        } else {
            // The fraction in f is at least -1/2 here, and the other term grows by 1/τ per step, so
            // six steps are enough.
            (1..=6).map(|k| start - f64::from(k) * tau).find(|x| f(*x) >= 0.0).unwrap_or(start)
        };
        let (mut fa, mut fb) = (f(a), f(b));
        for _ in 0..100 {
            if (b - a).abs() <= 1e-6 || fa == fb {
                break;
            }
            let c = a + (a - b) * fa / (fb - fa);
            let fc = f(c);
            if fc * fb <= 0.0 {
                (a, fa) = (b, fb);
            } else {
                fa /= 2.0;
            }
            (b, fb) = (c, fc);
        }
        (a / 2.0).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_testing::cases;
    use proptest::num::f64::ANY;
    use proptest::prelude::*;

    fn player(rating: f64, deviation: f64) -> Glicko2Rating {
        Glicko2Rating { rating, deviation, ..Glicko2Rating::default() }
    }

    #[test]
    fn glickmans_example_is_reproduced() {
        let results = [
            (player(1400.0, 30.0), 1.0),
            (player(1550.0, 100.0), 0.0),
            (player(1700.0, 300.0), 0.0),
        ];
        let after = Glicko2System::default().update(player(1500.0, 200.0), &results);
        assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 0.00001, "{after:?}");
    }

    #[test]
    fn absence_increases_the_deviation_only() {
        let system = Glicko2System::default();
        let mut absent = player(1700.0, 50.0);
        let after = system.update(absent, &[]);
        assert!(
            (after.deviation - (50.0_f64.powi(2) + (0.06 * SCALE).powi(2)).sqrt()).abs() < 1e-9
        );
        assert_eq!((after.rating, after.volatility), (1700.0, 0.06));
        for _ in 0..10_000 {
            absent = system.update(absent, &[]);
        }
        assert_eq!(absent.deviation, 350.0);
    }

    #[test]
    fn draw_between_equal_players_keeps_the_rating() {
        let after =
            Glicko2System::default().update(player(1500.0, 80.0), &[(player(1500.0, 80.0), 0.5)]);
        assert!((after.rating - 1500.0).abs() < 1e-9 && after.deviation < 80.0);
    }

    #[test]
    fn upsets_increase_volatility() {
        let results = [(player(2200.0, 50.0), 1.0); 10];
        let after = Glicko2System::default().update(player(1500.0, 60.0), &results);
        assert!(after.volatility > 0.06 && after.rating > 1600.0, "{after:?}");
    }

    prop_compose! {
        fn any_rating()(rating in ANY, deviation in ANY, volatility in ANY) -> Glicko2Rating {
            Glicko2Rating { rating, deviation, volatility }
        }
    }
    prop_compose! {
        fn typical_rating()(
            rating in 0.0..4_000.0, deviation in 1.0..350.0, volatility in 0.01..0.2,
        ) -> Glicko2Rating {
            Glicko2Rating { rating, deviation, volatility }
        }
    }

    proptest! {
        #![proptest_config(cases(1_000))]

        #[test]
        fn update_gives_valid_numbers(
            player in prop_oneof![any_rating(), typical_rating()],
            results in proptest::collection::vec(
                (prop_oneof![any_rating(), typical_rating()], ANY), 0..20),
            tau in ANY,
        ) {
            let after = Glicko2System { tau }.update(player, &results);
            prop_assert!(after.rating.is_finite());
            prop_assert!(after.deviation > 0.0 && after.deviation <= 350.0);
            prop_assert!(after.volatility > 0.0 && after.volatility <= 1.0);
        }

        #[test]
        fn win_raises_and_loss_lowers_the_rating(
            player in typical_rating(), opponent in typical_rating(),
        ) {
            let system = Glicko2System::default();
            let after = |score| system.update(player, &[(opponent, score)]).rating;
            prop_assert!(after(0.0) < player.rating && player.rating < after(1.0));
        }
    }
}
