//! Time at the table: how much a player has left now.

use std::time::{Duration, Instant};

use krieg_core::Color;
use krieg_time::{TimeBudget, TimeControl};
use serde_json::{Value, json};

use super::GameSession;

impl GameSession {
    /// When the flag of the side to move will fall.
    pub fn flag_falls_at(&self) -> Option<Instant> {
        let left = self.clock.remaining(self.turn()?)?;
        let free = match self.info.control {
            TimeControl::Delay { delay, .. } => delay.saturating_sub(self.turn_spent),
            _ => Duration::ZERO,
        };
        Some(self.thinking_since + left + free)
    }

    /// How long ago the umpire spoke, in whole milliseconds.
    pub fn thinking_ms(&self, now: Instant) -> u32 {
        now.saturating_duration_since(self.thinking_since)
            .as_millis()
            .try_into()
            .unwrap_or(u32::MAX)
    }

    /// The clock as it stands now.
    pub fn clock_value(&self, now: Instant) -> Value {
        let turn = self.turn();
        let left = |color: Color| {
            let mut clock = self.clock.clone();
            if turn == Some(color) {
                let since = Duration::from_millis(self.thinking_ms(now).into());
                // A flag that has just fallen is told by the umpire, not here.
                let _ = clock.charge(color, self.turn_spent, since);
            }
            clock.remaining(color).map(|left| left.as_millis() as u64)
        };
        match (left(Color::White), left(Color::Black)) {
            (Some(white), Some(black)) => {
                json!({ "white_ms": white, "black_ms": black, "running": turn.map(super::messages::side) })
            }
            _ => Value::Null,
        }
    }

    /// How long a bot that would like to think so long has for this turn, by what everybody can see. It announces its move no sooner:
    /// so the time it takes tells nothing of how many tries were refused.
    pub fn pace(&self, bot: Color, likes: Duration) -> Duration {
        // By the clock as it was when the turn began.
        let counted = match self.info.control {
            TimeControl::Delay { delay, .. } => self.turn_spent.saturating_sub(delay),
            _ => self.turn_spent,
        };
        if let Some(mut seen) = self.clock.reading(bot) {
            seen.left += counted;
            return TimeBudget::from(seen).soft.min(likes);
        }
        self.clock.remaining(bot).map_or(likes, |left| ((left + counted) / 2).min(likes))
    }

    /// How much of this turn has passed.
    pub fn turn_passed(&self, now: Instant) -> Duration {
        self.turn_spent + now.saturating_duration_since(self.thinking_since)
    }
}
