//! A registered player as the opponent of a person at the terminal.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use krieg_core::{Color, Game, Observer, Record, Verdict};
use krieg_players::{Choice, GameSettings, Player, PlayerError, PlayerSpec, Seat};
use krieg_time::{Clock, TimeControl};

/// The name of the person at the keyboard for players that remember their opponents.
const PERSON: &str = "a person";

/// The opponent of the person at the keyboard.
pub struct Bot {
    pub color: Color,
    pub name: String,
    player: Box<dyn Player>,
    clock: Clock,
    observer: Observer,
    /// Number of entries of the record that the player has observed.
    observed: usize,
}

impl Bot {
    /// Creates the player and brings it to the end of `record`. Its earlier choices are repeated,
    /// so that it continues as it would have without the interruption.
    pub fn new(
        spec: &PlayerSpec,
        color: Color,
        control: TimeControl,
        record: &Record,
    ) -> Result<Self> {
        let mut player = spec.make()?;
        let settings =
            GameSettings { setup: record.setup().clone(), control, ..GameSettings::default() };
        let seat = Seat::new(color, &settings, record.seed().unwrap_or_default());
        player.set_opponent(PERSON);
        player.begin(&seat).with_context(|| spec.to_string())?;
        let mut bot = Bot {
            color,
            name: spec.to_string(),
            player,
            clock: Clock::new(control),
            observer: Observer::new(color),
            observed: 0,
        };
        bot.replay(record).with_context(|| spec.to_string())?;
        Ok(bot)
    }

    fn replay(&mut self, record: &Record) -> Result<(), PlayerError> {
        let mut game = record.replay(0);
        for entry in record.entries() {
            if game.umpire().turn() == self.color {
                self.player.choose(game.umpire().view(self.color), &self.clock)?;
            }
            // Every entry of a record was accepted under the same rules.
            let _ = game.judge_timed(entry.tried, entry.spent_ms);
            self.observe(game.record())?;
        }
        Ok(())
    }

    /// Passes the entries that the player has not observed yet.
    pub fn observe(&mut self, record: &Record) -> Result<(), PlayerError> {
        let entries = record.entries();
        for entry in &entries[self.observed.min(entries.len())..] {
            self.observed += 1;
            if let Some(observation) = self.observer.observe(entry) {
                self.player.observe(&observation)?;
            }
        }
        Ok(())
    }

    /// The player's choice in this position.
    pub fn choose(&mut self, game: &Game) -> Result<Choice, PlayerError> {
        let started = Instant::now();
        let view = game.umpire().view(self.color);
        let choice = self.player.choose(view, &self.clock)?;
        match choice {
            Choice::Try(tried) if !view.is_sensible(tried) => {
                return Err(PlayerError(format!("it tried {tried}, which is not a sensible try")));
            }
            _ => {}
        }
        // The player does not lose on time; the clock only limits its thinking.
        let _ = self.clock.charge(self.color, Duration::ZERO, started.elapsed());
        Ok(choice)
    }

    /// Lets the player ponder while `act` runs.
    pub fn while_pondering<T>(&mut self, act: impl FnOnce() -> T) -> T {
        krieg_players::while_pondering(&mut *self.player, act).0
    }

    /// Presses the clock after a try of the player that was answered with `verdict`.
    pub fn press_clock(&mut self, verdict: Verdict) {
        if verdict == Verdict::Moved {
            self.clock.press(self.color);
        }
    }
}
