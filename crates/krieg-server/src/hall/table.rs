//! A table in the hall: a game, and the turn to act at it.

use std::sync::MutexGuard;

use tokio::sync::Mutex;

use crate::refusal::Refusal;
use crate::sitting::Sitting;

/// A table with its game.
///
/// Whoever acts waits for his turn to do so, and keeps it until what he did is on disk: so everything happens one after the other. Whoever
/// only looks does not wait for that. He would notice by it that somebody acts, and under some rules he must not.
#[derive(Debug)]
pub struct Table {
    turn: Mutex<()>,
    sitting: std::sync::Mutex<Sitting>,
}

/// The turn to act at a table.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The table.
    pub table: &'a Table,
    _held: tokio::sync::MutexGuard<'a, ()>,
}

impl Table {
    /// Lays a table.
    pub fn new(sitting: Sitting) -> Self {
        Table { turn: Mutex::default(), sitting: std::sync::Mutex::new(sitting) }
    }

    /// The game as it stands, for a moment.
    pub fn sitting(&self) -> MutexGuard<'_, Sitting> {
        self.sitting.lock().expect("nobody panics with it")
    }

    /// Waits for one's turn to act.
    pub async fn turn(&self) -> Turn<'_> {
        Turn { table: self, _held: self.turn.lock().await }
    }

    /// Whether nobody is acting.
    pub fn is_quiet(&self) -> bool {
        self.turn.try_lock().is_ok()
    }
}

/// Where this person sits.
pub fn seat_of(sitting: &Sitting, person: i64) -> Result<krieg_core::Color, Refusal> {
    let seat = sitting.facts.color_of(person);
    seat.ok_or(Refusal::NotYours("You do not play in this game."))
}
