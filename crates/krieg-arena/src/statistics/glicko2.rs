//! Ratings that follow players who come, go and change, period by period.
//!
//! As in M. Glickman, "Example of the Glicko-2 system" (2013); the steps are numbered as there.

use std::f64::consts::PI;

/// Points of rating in one unit of the scale that is computed with.
const SCALE: f64 = 173.7178;
/// The rating a newcomer has.
const NEWCOMER: f64 = 1_500.0;

/// What is known of a player.
///
/// Numbers that make no sense are taken for the nearest that do, and what is no number for a
/// newcomer's, so that one bad line in a file does not spoil everybody's rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glicko {
    /// How strong he is.
    pub rating: f64,
    /// The standard deviation of that.
    pub deviation: f64,
    /// How erratic his strength is from period to period.
    pub volatility: f64,
}

impl Default for Glicko {
    /// A newcomer.
    fn default() -> Self {
        Glicko { rating: NEWCOMER, deviation: 350.0, volatility: 0.06 }
    }
}

/// How ratings change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct System {
    /// How fast volatility may change: Glickman recommends 0.3 to 1.2, and less where upsets are
    /// frequent.
    pub tau: f64,
}

impl Default for System {
    fn default() -> Self {
        System { tau: 0.5 }
    }
}

/// A number held within limits, or another in its place if it is none.
fn held(number: f64, low: f64, high: f64, otherwise: f64) -> f64 {
    if number.is_nan() { otherwise } else { number.clamp(low, high) }
}

impl Glicko {
    /// With all numbers in their places. A deviation is never larger than a newcomer's: whoever
    /// stayed away for years is not less known than somebody nobody ever saw.
    fn sensible(self) -> Self {
        let newcomer = Glicko::default();
        Glicko {
            rating: held(self.rating, NEWCOMER - 1e5, NEWCOMER + 1e5, newcomer.rating),
            deviation: held(self.deviation, 1.0, newcomer.deviation, newcomer.deviation),
            volatility: held(self.volatility, 1e-4, 1.0, newcomer.volatility),
        }
    }
}

impl System {
    /// The player after a period in which he made these scores, from 0 to 1, against opponents
    /// as they were before it. Without games he only becomes less certain.
    ///
    /// ```
    /// use krieg_arena::statistics::glicko2::{Glicko, System};
    /// let newcomer = Glicko::default();
    /// let after = System::default().update(newcomer, &[(newcomer, 1.0)]);
    /// assert!(after.rating > 1500.0 && after.deviation < 350.0);
    /// ```
    pub fn update(&self, player: Glicko, results: &[(Glicko, f64)]) -> Glicko {
        let player = player.sensible();
        // Step 2.
        let mu = (player.rating - NEWCOMER) / SCALE;
        let phi = player.deviation / SCALE;
        if results.is_empty() {
            let deviation = SCALE * phi.hypot(player.volatility);
            return Glicko { deviation, ..player }.sensible();
        }
        // Steps 3 and 4: how much the games say, and by how much they were better than expected.
        let (mut information, mut excess) = (0.0, 0.0);
        for (opponent, score) in results {
            let opponent = opponent.sensible();
            let their_phi = opponent.deviation / SCALE;
            let g = 1.0 / (1.0 + 3.0 * (their_phi / PI).powi(2)).sqrt();
            let ahead = mu - (opponent.rating - NEWCOMER) / SCALE;
            // No game is so certain that it says nothing at all.
            let expected = (1.0 / (1.0 + (-g * ahead).exp())).clamp(1e-9, 1.0 - 1e-9);
            information += g * g * expected * (1.0 - expected);
            excess += g * (held(*score, 0.0, 1.0, 0.5) - expected);
        }
        let variance = 1.0 / information;
        let volatility = self.volatility(player.volatility, phi, variance, variance * excess);
        // Steps 6 to 8.
        let before = phi.hypot(volatility);
        let phi = 1.0 / (1.0 / before.powi(2) + information).sqrt();
        let rating = NEWCOMER + SCALE * (mu + phi * phi * excess);
        Glicko { rating, deviation: SCALE * phi, volatility }.sensible()
    }

    /// Step 5: the volatility that best explains results this far from what was expected, by the
    /// Illinois variant of regula falsi.
    fn volatility(&self, volatility: f64, phi: f64, variance: f64, delta: f64) -> f64 {
        let tau = held(self.tau, 0.01, 10.0, System::default().tau);
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
            // The fraction in f is never below -1/2 here and the rest grows by 1/tau a step.
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

    fn player(rating: f64, deviation: f64) -> Glicko {
        Glicko { rating, deviation, ..Glicko::default() }
    }

    #[test]
    fn glickmans_example_comes_out_as_published() {
        let results = [
            (player(1400.0, 30.0), 1.0),
            (player(1550.0, 100.0), 0.0),
            (player(1700.0, 300.0), 0.0),
        ];
        let after = System::default().update(player(1500.0, 200.0), &results);
        assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 0.00001, "{after:?}");
    }

    #[test]
    fn whoever_stays_away_is_less_certain_and_no_weaker() {
        let system = System::default();
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
    fn a_draw_between_equals_moves_nobody() {
        let after = System::default().update(player(1500.0, 80.0), &[(player(1500.0, 80.0), 0.5)]);
        assert!((after.rating - 1500.0).abs() < 1e-9 && after.deviation < 80.0);
    }

    #[test]
    fn upsets_make_a_player_erratic() {
        let results = [(player(2200.0, 50.0), 1.0); 10];
        let after = System::default().update(player(1500.0, 60.0), &results);
        assert!(after.volatility > 0.06 && after.rating > 1600.0, "{after:?}");
    }

    prop_compose! {
        fn glicko()(rating in ANY, deviation in ANY, volatility in ANY) -> Glicko {
            Glicko { rating, deviation, volatility }
        }
    }
    prop_compose! {
        fn likely()(rating in 0.0..4_000.0, deviation in 1.0..350.0, volatility in 0.01..0.2)
            -> Glicko {
            Glicko { rating, deviation, volatility }
        }
    }

    proptest! {
        #![proptest_config(cases(1_000))]

        #[test]
        fn every_number_is_one(
            player in prop_oneof![glicko(), likely()],
            results in proptest::collection::vec((prop_oneof![glicko(), likely()], ANY), 0..20),
            tau in ANY,
        ) {
            let after = System { tau }.update(player, &results);
            prop_assert!(after.rating.is_finite());
            prop_assert!(after.deviation > 0.0 && after.deviation <= 350.0);
            prop_assert!(after.volatility > 0.0 && after.volatility <= 1.0);
        }

        #[test]
        fn a_win_is_never_worse_than_a_loss(player in likely(), opponent in likely()) {
            let after = |score| System::default().update(player, &[(opponent, score)]).rating;
            prop_assert!(after(0.0) < player.rating && player.rating < after(1.0));
        }
    }
}
