//! The clock on the table.

use std::time::Duration;

use krieg_core::{Color, color_name};
use thiserror::Error;

use super::{OnTheClock, TimeControl};

/// Both players' time. It does not measure time: whoever runs the game tells it how long a move
/// took, so that games can be replayed and tested without waiting.
///
/// ```
/// use std::time::Duration;
/// use krieg_chess::clock::Clock;
/// use krieg_core::Color;
/// let mut clock = Clock::new("60+1".parse()?);
/// clock.moved(Color::White, Duration::from_secs(10))?;
/// assert_eq!(clock.left(Color::White), Some(Duration::from_secs(51)));
/// assert!(clock.moved(Color::Black, Duration::from_secs(61)).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    left: [Duration; 2],
    /// Moves each side has made.
    moves: [u32; 2],
}

/// A player's time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{}'s flag has fallen, {} ms late", color_name(*.who), .late.as_millis())]
pub struct FlagFell {
    /// Whose time it was.
    pub who: Color,
    /// By how much it was too long.
    pub late: Duration,
}

impl Clock {
    /// Both sides at their first move.
    pub fn new(control: TimeControl) -> Self {
        let first = match control {
            TimeControl::Game { time, .. }
            | TimeControl::Delay { time, .. }
            | TimeControl::Period { time, .. }
            | TimeControl::Move(time) => time,
            TimeControl::Nodes(_) | TimeControl::Unlimited => Duration::MAX,
        };
        Clock { control, left: [first; 2], moves: [0; 2] }
    }

    /// A clock taken up in the middle of a game: the time each side has left, and the moves each has made.
    ///
    /// ```
    /// use std::time::Duration;
    /// use krieg_chess::clock::Clock;
    /// use krieg_core::Color;
    /// let left = [Duration::from_secs(9), Duration::from_secs(8)];
    /// let clock = Clock::resume("40/5400".parse()?, left, [39, 38]);
    /// assert_eq!(clock.left(Color::Black), Some(left[1]));
    /// assert_eq!(clock.seen_by(Color::White).unwrap().moves_to_go, Some(1));
    /// # Ok::<(), krieg_chess::clock::ControlError>(())
    /// ```
    pub fn resume(control: TimeControl, left: [Duration; 2], moves: [u32; 2]) -> Self {
        Clock { control, left, moves }
    }

    /// What was agreed.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// The time a player has left for this move and, except with a time per move, for those to come.
    /// `None` if there is no clock.
    pub fn left(&self, who: Color) -> Option<Duration> {
        self.control.is_timed().then_some(self.left[who as usize])
    }

    /// The longest a player may take for the move before him. `None` if there is no clock.
    pub fn longest(&self, who: Color) -> Option<Duration> {
        let free = match self.control {
            TimeControl::Delay { delay, .. } => delay,
            _ => Duration::ZERO,
        };
        self.left(who).map(|left| left + free)
    }

    /// A player has used this much, and it is still his turn: a Kriegspiel try was refused, say.
    /// A delay is for the turn, so `before` says how much of the turn had passed already.
    pub fn used(&mut self, who: Color, before: Duration, time: Duration) -> Result<(), FlagFell> {
        if self.left(who).is_none() {
            return Ok(());
        }
        let counted = match self.control {
            TimeControl::Delay { delay, .. } => time.saturating_sub(delay.saturating_sub(before)),
            _ => time,
        };
        let left = &mut self.left[who as usize];
        match left.checked_sub(counted) {
            Some(rest) => {
                *left = rest;
                Ok(())
            }
            None => {
                let late = counted - *left;
                *left = Duration::ZERO;
                Err(FlagFell { who, late })
            }
        }
    }

    /// A player has moved, after this long.
    pub fn moved(&mut self, who: Color, took: Duration) -> Result<(), FlagFell> {
        self.used(who, Duration::ZERO, took)?;
        self.pressed(who);
        Ok(())
    }

    /// A player presses the clock: his move is made, and what the control adds is added.
    pub fn pressed(&mut self, who: Color) {
        let moves = &mut self.moves[who as usize];
        *moves = moves.saturating_add(1);
        let left = &mut self.left[who as usize];
        match self.control {
            TimeControl::Game { increment, .. } => *left += increment,
            TimeControl::Period { moves: period, time, increment } => {
                *left += increment;
                if moves.is_multiple_of(period.max(1)) {
                    *left += time;
                }
            }
            TimeControl::Move(time) => *left = time,
            TimeControl::Delay { .. } | TimeControl::Nodes(_) | TimeControl::Unlimited => {}
        }
    }

    /// What a player sees of his clock, for planning. `None` if there is no clock, or one move's only.
    pub fn seen_by(&self, who: Color) -> Option<OnTheClock> {
        let left = self.left(who)?;
        let mut seen = OnTheClock { left, ..OnTheClock::default() };
        match self.control {
            TimeControl::Game { increment, .. } => seen.increment = increment,
            TimeControl::Delay { delay, .. } => seen.delay = delay,
            TimeControl::Period { moves, increment, .. } => {
                seen.increment = increment;
                let moves = moves.max(1);
                seen.moves_to_go = Some(moves - self.moves[who as usize] % moves);
            }
            TimeControl::Move(_) | TimeControl::Nodes(_) | TimeControl::Unlimited => return None,
        }
        Some(seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Color = Color::White;

    fn seconds(s: u64) -> Duration {
        Duration::from_secs(s)
    }

    #[test]
    fn a_period_brings_new_time() {
        let mut clock = Clock::new("2/60".parse().unwrap());
        assert_eq!(clock.seen_by(WHITE).unwrap().moves_to_go, Some(2));
        clock.moved(WHITE, seconds(50)).unwrap();
        assert_eq!(clock.seen_by(WHITE).unwrap().moves_to_go, Some(1));
        clock.moved(WHITE, seconds(5)).unwrap();
        assert_eq!(clock.left(WHITE), Some(seconds(65)), "five seconds are carried over");
        assert_eq!(clock.seen_by(WHITE).unwrap().moves_to_go, Some(2));
    }

    #[test]
    fn a_delay_is_free_once_in_a_turn() {
        let mut clock = Clock::new("60d5".parse().unwrap());
        clock.moved(WHITE, seconds(4)).unwrap();
        assert_eq!(clock.left(WHITE), Some(seconds(60)), "nothing is added either");
        // A refused try after 3 seconds, another thought of 4: 7 seconds, 5 of them free.
        clock.used(WHITE, seconds(0), seconds(3)).unwrap();
        clock.used(WHITE, seconds(3), seconds(4)).unwrap();
        assert_eq!(clock.left(WHITE), Some(seconds(58)));
        assert_eq!(clock.longest(WHITE), Some(seconds(63)));
    }

    #[test]
    fn time_per_move_is_not_saved() {
        let mut clock = Clock::new("1/move".parse().unwrap());
        clock.moved(WHITE, Duration::from_millis(100)).unwrap();
        assert_eq!(clock.left(WHITE), Some(seconds(1)));
        let late = clock.moved(WHITE, seconds(3)).unwrap_err();
        assert_eq!(late, FlagFell { who: WHITE, late: seconds(2) });
    }

    #[test]
    fn without_a_clock_nobody_is_late() {
        for control in ["none", "100n"] {
            let mut clock = Clock::new(control.parse().unwrap());
            clock.moved(WHITE, seconds(1_000_000)).unwrap();
            assert_eq!(clock.left(WHITE), None);
        }
    }
}
