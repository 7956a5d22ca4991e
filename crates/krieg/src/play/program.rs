//! A player of this house at the same table as a person.

use std::time::Instant;

use anyhow::{Context, Result};
use krieg_core::{Color, Game, Observer, Record, Verdict};
use krieg_players::{Choice, GameSettings, Player, PlayerError, PlayerSpec, Seat};
use krieg_time::{Clock, TimeControl};

/// The tag that says how much the player thinks, so that a game taken up again is the same game.
pub const THINKING: &str = "Thinking";

/// What the person at the keyboard is called by players who remember whom they met.
const PERSON: &str = "a person";

/// The player who is no person.
pub struct Program {
    pub color: Color,
    pub name: String,
    player: Box<dyn Player>,
    clock: Clock,
    ear: Observer,
    /// How many entries of the record it has heard.
    heard: usize,
}

impl Program {
    /// Sits down to a game. One that was begun before is lived through again, each choice too, so that the player goes on as it would have.
    pub fn sit(
        spec: &PlayerSpec,
        color: Color,
        control: TimeControl,
        record: &Record,
    ) -> Result<Self> {
        let mut player = spec.make()?;
        let conditions =
            GameSettings { setup: record.setup().clone(), control, ..GameSettings::default() };
        let seat = Seat::new(color, &conditions, record.seed().unwrap_or_default());
        player.set_opponent(PERSON);
        player.begin(&seat).with_context(|| spec.to_string())?;
        let mut program = Program {
            color,
            name: spec.to_string(),
            player,
            clock: Clock::new(control),
            ear: Observer::new(color),
            heard: 0,
        };
        program.catch_up(record).with_context(|| spec.to_string())?;
        Ok(program)
    }

    fn catch_up(&mut self, record: &Record) -> Result<(), PlayerError> {
        let mut game = record.replay(0);
        for entry in record.entries() {
            if game.umpire().turn() == self.color {
                self.player.choose(game.umpire().view(self.color), &self.clock)?;
            }
            // What a record holds was accepted once, by the same rules.
            let _ = game.judge_timed(entry.tried, entry.spent_ms);
            self.observe(game.record())?;
        }
        Ok(())
    }

    /// Hears what it has not heard yet.
    pub fn observe(&mut self, record: &Record) -> Result<(), PlayerError> {
        let entries = record.entries();
        for entry in &entries[self.heard.min(entries.len())..] {
            self.heard += 1;
            if let Some(line) = self.ear.observe(entry) {
                self.player.observe(&line)?;
            }
        }
        Ok(())
    }

    /// What it does now.
    pub fn choose(&mut self, game: &Game) -> Result<Choice, PlayerError> {
        let asked = Instant::now();
        let view = game.umpire().view(self.color);
        let choice = self.player.choose(view, &self.clock)?;
        match choice {
            Choice::Try(tried) if !view.is_sensible(tried) => {
                return Err(PlayerError(format!("it tried {tried}, which makes no sense")));
            }
            _ => {}
        }
        // Among friends a flag does not count; the clock is there to think by.
        let _ = self.clock.charge(self.color, std::time::Duration::ZERO, asked.elapsed());
        Ok(choice)
    }

    /// Thinks while something is done, such as asking the person.
    pub fn while_pondering<T>(&mut self, act: impl FnOnce() -> T) -> T {
        krieg_players::while_pondering(&mut *self.player, act).0
    }

    /// A move was made: what the time control adds is added.
    pub fn answered(&mut self, verdict: Verdict) {
        if verdict == Verdict::Moved {
            self.clock.press(self.color);
        }
    }
}
