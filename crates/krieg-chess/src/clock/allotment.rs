//! How much of the time left one move may use.
//!
//! The shape is that of programs such as Gerbil and Glaurung: a time to aim at, and a time
//! never to go beyond. What is added here is a reserve: a busy machine may take the processor
//! away for tens of milliseconds at any moment, so with little time left the first aim is to
//! have some in hand when that happens.

use std::time::Duration;

/// What a player sees of his own clock as his move begins.
///
/// ```
/// use std::time::Duration;
/// use krieg_chess::clock::{Allotment, OnTheClock};
/// let clock = OnTheClock { left: Duration::from_secs(60), ..OnTheClock::default() };
/// let allotment = Allotment::from(clock);
/// assert!(allotment.soft < Duration::from_secs(4));
/// assert!(allotment.hard < Duration::from_secs(20));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnTheClock {
    /// Time left.
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Free at the beginning of each move.
    pub delay: Duration,
    /// Moves until time is added; `None` if never.
    pub moves_to_go: Option<u32>,
    /// Lost between the decision and the clock's being pressed.
    pub overhead: Duration,
}

impl OnTheClock {
    /// What is usually lost on the way to the clock.
    pub const OVERHEAD: Duration = Duration::from_millis(10);
}

impl Default for OnTheClock {
    fn default() -> Self {
        OnTheClock {
            left: Duration::ZERO,
            increment: Duration::ZERO,
            delay: Duration::ZERO,
            moves_to_go: None,
            overhead: OnTheClock::OVERHEAD,
        }
    }
}

/// How long to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allotment {
    /// The time to aim at.
    pub soft: Duration,
    /// The time never to go beyond.
    pub hard: Duration,
}

/// What is kept in hand against a busy machine, if there is that much.
const RESERVE: f64 = 0.120;

impl Allotment {
    /// All of this time and no more.
    pub fn fixed(time: Duration) -> Self {
        Allotment { soft: time, hard: time }
    }

    /// A fixed time per move as told by a clock that also runs while the move is on its way.
    pub fn per_move(time: Duration, overhead: Duration) -> Self {
        let kept = overhead.min(time / 4);
        Allotment::fixed(time - kept)
    }
}

impl From<OnTheClock> for Allotment {
    fn from(clock: OnTheClock) -> Allotment {
        let [left, increment, delay, overhead] =
            [clock.left, clock.increment, clock.delay, clock.overhead].map(|t| t.as_secs_f64());
        let at_hand = (left - overhead).max(0.0);
        let moves = clock.moves_to_go.map_or(28.0, |moves| f64::from(moves.clamp(1, 28)) + 0.5);
        // The last move of a period may use nearly all; else a part of it must always remain.
        let most = if clock.moves_to_go == Some(1) { 0.7 } else { 0.35 };
        let kept = RESERVE.min(at_hand * 0.6);
        let spendable = at_hand - kept;
        // Below the reserve, less than the increment is used, and so it fills up again.
        let steady = match at_hand / RESERVE {
            ..1.0 => 0.25,
            ..2.0 => 0.4,
            _ => 0.75,
        };
        let soft = spendable / moves + increment * steady;
        let mut hard = (soft * 4.0).min(at_hand * most);
        if at_hand < 2.0 * RESERVE && clock.moves_to_go.is_none() {
            hard = hard.min((soft * 1.2).max(increment * (steady + 0.3)));
        }
        let soft = soft.min(hard);
        // A delay is free, if the move is made before it ends.
        let free = (delay - overhead).max(0.0);
        Allotment {
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
        fn nobody_plans_beyond_his_flag(
            left in 0..10_000_000u64, increment in 0..100_000u64, delay in 0..100_000u64,
            moves in proptest::option::of(1..100u32), overhead in 0..1_000u64,
        ) {
            let clock = OnTheClock {
                left: millis(left), increment: millis(increment), delay: millis(delay),
                moves_to_go: moves, overhead: millis(overhead),
            };
            let allotment = Allotment::from(clock);
            prop_assert!(allotment.soft <= allotment.hard);
            let at_hand = millis(left).saturating_sub(millis(overhead))
                + millis(delay).saturating_sub(millis(overhead));
            prop_assert!(allotment.hard <= at_hand);
        }

        #[test]
        fn with_an_increment_nobody_runs_down(
            left in 0..5_000u64, increment in 10..1_000u64, late in 0..5u64,
        ) {
            // Whoever goes to his limit every time, and comes late on top of it, still has time.
            let mut left = millis(left.max(100));
            for _ in 0..500 {
                let clock = OnTheClock { left, increment: millis(increment), ..OnTheClock::default() };
                let used = Allotment::from(clock).hard + millis(late.min(increment / 5));
                prop_assert!(used < left, "{used:?} of {left:?}");
                left = left - used + millis(increment);
            }
            prop_assert!(left >= millis(50), "{left:?}");
        }
    }

    #[test]
    fn with_nothing_left_the_move_is_made_at_once() {
        let allotment = Allotment::from(OnTheClock { left: millis(5), ..OnTheClock::default() });
        assert_eq!(allotment, Allotment::fixed(Duration::ZERO));
    }
}
