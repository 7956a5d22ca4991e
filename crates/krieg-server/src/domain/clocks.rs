//! The clocks of a session: remaining time, flags, and the time a bot takes for a move.

use std::time::{Duration, Instant};

use krieg_core::Color;
use krieg_notation::json::ColorJson;
use krieg_time::{TimeBudget, TimeControl};
use serde::Serialize;

use super::GameSession;

/// The clocks of a game as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ClockJson {
    white_ms: u64,
    black_ms: u64,
    /// The side whose clock is running.
    running: Option<ColorJson>,
}

impl GameSession {
    /// When the flag of the side to move will fall.
    pub fn flag_falls_at(&self) -> Option<Instant> {
        let remaining = self.clock.remaining(self.turn()?)?;
        let free = match self.info.control {
            TimeControl::Delay { delay, .. } => delay.saturating_sub(self.turn_spent),
            _ => Duration::ZERO,
        };
        Some(self.thinking_since + remaining + free)
    }

    /// The time that the side to move has been thinking, in whole milliseconds.
    pub fn thinking_ms(&self, now: Instant) -> u32 {
        let thinking = now.saturating_duration_since(self.thinking_since);
        thinking.as_millis().try_into().unwrap_or(u32::MAX)
    }

    /// The clocks at `now`; `None` without a time control.
    pub fn clock_json(&self, now: Instant) -> Option<ClockJson> {
        let turn = self.turn();
        let remaining = |color: Color| {
            let mut clock = self.clock.clone();
            if turn == Some(color) {
                let thinking = Duration::from_millis(self.thinking_ms(now).into());
                // The umpire announces a fallen flag.
                let _ = clock.charge(color, self.turn_spent, thinking);
            }
            clock.remaining(color).map(|remaining| remaining.as_millis() as u64)
        };
        Some(ClockJson {
            white_ms: remaining(Color::White)?,
            black_ms: remaining(Color::Black)?,
            running: turn.map(ColorJson::from),
        })
    }

    /// The time that a bot takes for this turn, at most `preferred`. It follows from public facts,
    /// and the bot announces its move at the end of it: so its timing does not reveal how many of
    /// its tries were refused.
    pub fn bot_turn_time(&self, bot: Color, preferred: Duration) -> Duration {
        // The calculation uses the clock as it was when the turn began.
        let charged = match self.info.control {
            TimeControl::Delay { delay, .. } => self.turn_spent.saturating_sub(delay),
            _ => self.turn_spent,
        };
        if let Some(mut reading) = self.clock.reading(bot) {
            reading.left += charged;
            return TimeBudget::from(reading).soft.min(preferred);
        }
        let remaining = self.clock.remaining(bot);
        remaining.map_or(preferred, |remaining| ((remaining + charged) / 2).min(preferred))
    }

    /// The time since this turn began.
    pub fn turn_elapsed(&self, now: Instant) -> Duration {
        self.turn_spent + now.saturating_duration_since(self.thinking_since)
    }
}
