//! The game clock: both players' remaining time.

use std::time::Duration;

use krieg_core::{Color, color_name};
use thiserror::Error;

use crate::{ClockReading, TimeControl};

/// The remaining time of both players.
///
/// The clock does not measure time: the caller passes the duration of each move. Games can
/// therefore be replayed, and clocks tested, without waiting.
///
/// ```
/// use std::time::Duration;
/// use krieg_core::Color;
/// use krieg_time::Clock;
/// let mut clock = Clock::new("60+1".parse()?);
/// clock.record_move(Color::White, Duration::from_secs(10))?;
/// assert_eq!(clock.remaining(Color::White), Some(Duration::from_secs(51)));
/// assert!(clock.record_move(Color::Black, Duration::from_secs(61)).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    remaining: [Duration; 2],
    /// The number of moves each player has made.
    moves: [u32; 2],
}

/// A player's time ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{}'s flag has fallen, {} ms late", color_name(*.player), .overshoot.as_millis())]
pub struct FlagFall {
    /// The player whose time ran out.
    pub player: Color,
    /// How much time the player used beyond the remaining time.
    pub overshoot: Duration,
}

impl Clock {
    /// The clock at the start of a game.
    pub fn new(control: TimeControl) -> Self {
        let first = match control {
            TimeControl::Game { time, .. }
            | TimeControl::Delay { time, .. }
            | TimeControl::Period { time, .. }
            | TimeControl::Move(time) => time,
            TimeControl::Nodes(_) | TimeControl::Unlimited => Duration::MAX,
        };
        Clock { control, remaining: [first; 2], moves: [0; 2] }
    }

    /// The clock in the middle of a game: each player's remaining time and number of moves made.
    ///
    /// ```
    /// use std::time::Duration;
    /// use krieg_core::Color;
    /// use krieg_time::Clock;
    /// let remaining = [Duration::from_secs(9), Duration::from_secs(8)];
    /// let clock = Clock::resume("40/5400".parse()?, remaining, [39, 38]);
    /// assert_eq!(clock.remaining(Color::Black), Some(remaining[1]));
    /// assert_eq!(clock.reading(Color::White).unwrap().moves_to_go, Some(1));
    /// # Ok::<(), krieg_time::TimeControlError>(())
    /// ```
    pub fn resume(control: TimeControl, remaining: [Duration; 2], moves: [u32; 2]) -> Self {
        Clock { control, remaining, moves }
    }

    /// The time control.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// A player's remaining time: for the current move under [`TimeControl::Move`], otherwise for
    /// this and later moves. `None` if no clock runs.
    pub fn remaining(&self, player: Color) -> Option<Duration> {
        self.control.is_timed().then_some(self.remaining[player as usize])
    }

    /// The longest time that a player can spend on the current turn before the flag falls. `None`
    /// if no clock runs.
    pub fn max_turn_time(&self, player: Color) -> Option<Duration> {
        let delay = match self.control {
            TimeControl::Delay { delay, .. } => delay,
            _ => Duration::ZERO,
        };
        self.remaining(player).map(|remaining| remaining + delay)
    }

    /// Charges `time` to a player whose turn continues, for example after a refused try. `before`
    /// is the time already charged in this turn; a delay applies once per turn.
    pub fn charge(
        &mut self,
        player: Color,
        before: Duration,
        time: Duration,
    ) -> Result<(), FlagFall> {
        if self.remaining(player).is_none() {
            return Ok(());
        }
        let counted = match self.control {
            TimeControl::Delay { delay, .. } => time.saturating_sub(delay.saturating_sub(before)),
            _ => time,
        };
        let remaining = &mut self.remaining[player as usize];
        match remaining.checked_sub(counted) {
            Some(rest) => {
                *remaining = rest;
                Ok(())
            }
            None => {
                let overshoot = counted - *remaining;
                *remaining = Duration::ZERO;
                Err(FlagFall { player, overshoot })
            }
        }
    }

    /// Records a move that took `time`: charges the time and stops the player's clock.
    pub fn record_move(&mut self, player: Color, time: Duration) -> Result<(), FlagFall> {
        self.charge(player, Duration::ZERO, time)?;
        self.press(player);
        Ok(())
    }

    /// Ends a player's turn: counts the move and adds the increment or the time of a new period.
    pub fn press(&mut self, player: Color) {
        let moves = &mut self.moves[player as usize];
        *moves = moves.saturating_add(1);
        let remaining = &mut self.remaining[player as usize];
        match self.control {
            TimeControl::Game { increment, .. } => *remaining += increment,
            TimeControl::Period { moves: period, time, increment } => {
                *remaining += increment;
                if moves.is_multiple_of(period.max(1)) {
                    *remaining += time;
                }
            }
            TimeControl::Move(time) => *remaining = time,
            TimeControl::Delay { .. } | TimeControl::Nodes(_) | TimeControl::Unlimited => {}
        }
    }

    /// What a player reads from the clock for time management. `None` if no clock runs, or if the
    /// time is fixed per move.
    pub fn reading(&self, player: Color) -> Option<ClockReading> {
        let left = self.remaining(player)?;
        let mut reading = ClockReading { left, ..ClockReading::default() };
        match self.control {
            TimeControl::Game { increment, .. } => reading.increment = increment,
            TimeControl::Delay { delay, .. } => reading.delay = delay,
            TimeControl::Period { moves, increment, .. } => {
                reading.increment = increment;
                let moves = moves.max(1);
                reading.moves_to_go = Some(moves - self.moves[player as usize] % moves);
            }
            TimeControl::Move(_) | TimeControl::Nodes(_) | TimeControl::Unlimited => return None,
        }
        Some(reading)
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
    fn new_period_adds_time() {
        let mut clock = Clock::new("2/60".parse().unwrap());
        assert_eq!(clock.reading(WHITE).unwrap().moves_to_go, Some(2));
        clock.record_move(WHITE, seconds(50)).unwrap();
        assert_eq!(clock.reading(WHITE).unwrap().moves_to_go, Some(1));
        clock.record_move(WHITE, seconds(5)).unwrap();
        assert_eq!(clock.remaining(WHITE), Some(seconds(65)), "five seconds are carried over");
        assert_eq!(clock.reading(WHITE).unwrap().moves_to_go, Some(2));
    }

    #[test]
    fn delay_applies_once_per_turn() {
        let mut clock = Clock::new("60d5".parse().unwrap());
        clock.record_move(WHITE, seconds(4)).unwrap();
        assert_eq!(clock.remaining(WHITE), Some(seconds(60)), "a delay is not an increment");
        // A refused try after 3 seconds and another try after 4 more: 5 of 7 seconds are free.
        clock.charge(WHITE, seconds(0), seconds(3)).unwrap();
        clock.charge(WHITE, seconds(3), seconds(4)).unwrap();
        assert_eq!(clock.remaining(WHITE), Some(seconds(58)));
        assert_eq!(clock.max_turn_time(WHITE), Some(seconds(63)));
    }

    #[test]
    fn time_per_move_is_not_carried_over() {
        let mut clock = Clock::new("1/move".parse().unwrap());
        clock.record_move(WHITE, Duration::from_millis(100)).unwrap();
        assert_eq!(clock.remaining(WHITE), Some(seconds(1)));
        let flag_fall = clock.record_move(WHITE, seconds(3)).unwrap_err();
        assert_eq!(flag_fall, FlagFall { player: WHITE, overshoot: seconds(2) });
    }

    #[test]
    fn flag_never_falls_without_a_clock() {
        for control in ["none", "100n"] {
            let mut clock = Clock::new(control.parse().unwrap());
            clock.record_move(WHITE, seconds(1_000_000)).unwrap();
            assert_eq!(clock.remaining(WHITE), None);
        }
    }
}
