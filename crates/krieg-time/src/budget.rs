//! Time management: how much of the remaining time one move may use.
//!
//! As in chess programs such as Gerbil and Glaurung, a move has a soft limit to aim at and a hard
//! limit that it never exceeds. In addition a reserve is kept: a busy machine may take the
//! processor away for tens of milliseconds at any moment, so a player with little time left first
//! saves enough time to survive such a pause.

use std::time::Duration;

/// A player's clock at the start of a move: the input of time management.
///
/// ```
/// use std::time::Duration;
/// use krieg_time::{ClockReading, TimeBudget};
/// let reading = ClockReading { left: Duration::from_secs(60), ..ClockReading::default() };
/// let budget = TimeBudget::from(reading);
/// assert!(budget.soft < Duration::from_secs(4));
/// assert!(budget.hard < Duration::from_secs(20));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockReading {
    /// The remaining time.
    pub left: Duration,
    /// The increment added after each move.
    pub increment: Duration,
    /// The delay at the start of each move during which the clock does not run.
    pub delay: Duration,
    /// The number of moves until more time is added; `None` if that never happens.
    pub moves_to_go: Option<u32>,
    /// The time lost between the decision and the stop of the clock.
    pub overhead: Duration,
}

impl ClockReading {
    /// Default of `overhead`: typical time lost between the decision and the stop of the clock.
    pub const OVERHEAD: Duration = Duration::from_millis(10);
}

impl Default for ClockReading {
    fn default() -> Self {
        ClockReading {
            left: Duration::ZERO,
            increment: Duration::ZERO,
            delay: Duration::ZERO,
            moves_to_go: None,
            overhead: ClockReading::OVERHEAD,
        }
    }
}

/// The time limits of one move.
///
/// ```
/// use std::time::Duration;
/// use krieg_time::TimeBudget;
/// let budget = TimeBudget::fixed(Duration::from_millis(100));
/// assert_eq!(budget.soft, budget.hard);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeBudget {
    /// The soft limit: the time to aim at.
    pub soft: Duration,
    /// The hard limit: the time never to exceed.
    pub hard: Duration,
}

/// Reserve against pauses of a busy machine, in seconds.
const RESERVE: f64 = 0.120;

impl TimeBudget {
    /// Exactly this time, as soft and as hard limit.
    pub fn fixed(time: Duration) -> Self {
        TimeBudget { soft: time, hard: time }
    }

    /// A fixed time per move, less the overhead or a quarter of the time, whichever is smaller.
    /// For a clock that keeps running until the move has been transmitted.
    pub fn per_move(time: Duration, overhead: Duration) -> Self {
        TimeBudget::fixed(time - overhead.min(time / 4))
    }
}

impl From<ClockReading> for TimeBudget {
    fn from(reading: ClockReading) -> TimeBudget {
        let [left, increment, delay, overhead] =
            [reading.left, reading.increment, reading.delay, reading.overhead]
                .map(|t| t.as_secs_f64());
        let available = (left - overhead).max(0.0);
        let moves = reading.moves_to_go.map_or(28.0, |moves| f64::from(moves.clamp(1, 28)) + 0.5);
        // The last move of a period may use most of the time; any other move must leave enough.
        let max_share = if reading.moves_to_go == Some(1) { 0.7 } else { 0.35 };
        let reserve = RESERVE.min(available * 0.6);
        let spendable = available - reserve;
        // Below the reserve a move uses less than the increment, so that the reserve refills.
        let increment_share = match available / RESERVE {
            ..1.0 => 0.25,
            ..2.0 => 0.4,
            _ => 0.75,
        };
        let soft = spendable / moves + increment * increment_share;
        let mut hard = (soft * 4.0).min(available * max_share);
        if available < 2.0 * RESERVE && reading.moves_to_go.is_none() {
            hard = hard.min((soft * 1.2).max(increment * (increment_share + 0.3)));
        }
        let soft = soft.min(hard);
        // The clock does not run during the delay, if the move is made before the delay ends.
        let free = (delay - overhead).max(0.0);
        TimeBudget {
            soft: Duration::from_secs_f64(soft + free),
            hard: Duration::from_secs_f64(hard + free),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn millis(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    proptest! {
        #[test]
        fn hard_limit_is_within_the_remaining_time(
            left in 0..10_000_000u64, increment in 0..100_000u64, delay in 0..100_000u64,
            moves in proptest::option::of(1..100u32), overhead in 0..1_000u64,
        ) {
            let reading = ClockReading {
                left: millis(left), increment: millis(increment), delay: millis(delay),
                moves_to_go: moves, overhead: millis(overhead),
            };
            let budget = TimeBudget::from(reading);
            prop_assert!(budget.soft <= budget.hard);
            let available = millis(left).saturating_sub(millis(overhead))
                + millis(delay).saturating_sub(millis(overhead));
            prop_assert!(budget.hard <= available);
        }

        #[test]
        fn player_with_an_increment_does_not_run_out_of_time(
            left in 0..5_000u64, increment in 10..1_000u64, late in 0..5u64,
        ) {
            // Even a player who uses the hard limit for every move and is late has time left.
            let mut left = millis(left.max(100));
            for _ in 0..500 {
                let increment = millis(increment);
                let reading = ClockReading { left, increment, ..ClockReading::default() };
                let late = Duration::from_millis(late.min(increment.as_millis() as u64 / 5));
                let used = TimeBudget::from(reading).hard + late;
                prop_assert!(used < left, "{used:?} of {left:?}");
                left = left - used + increment;
            }
            prop_assert!(left >= millis(50), "{left:?}");
        }
    }

    #[test]
    fn budget_is_zero_without_remaining_time() {
        let budget = TimeBudget::from(ClockReading { left: millis(5), ..ClockReading::default() });
        assert_eq!(budget, TimeBudget::fixed(Duration::ZERO));
    }
}
