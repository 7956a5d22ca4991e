//! A table in the hall: a game, and the turn to act at it.

use std::sync::MutexGuard;

use tokio::sync::Mutex;

use super::ServiceError;
use crate::domain::GameSession;

/// A table with its game.
///
/// Whoever acts waits for his turn to do so, and keeps it until what he did is on disk: so everything happens one after the other. Whoever
/// only looks does not wait for that. He would notice by it that somebody acts, and under some rules he must not.
#[derive(Debug)]
pub struct SessionHandle {
    turn: Mutex<()>,
    session: std::sync::Mutex<GameSession>,
}

/// The turn to act at a table.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The table.
    pub table: &'a SessionHandle,
    _held: tokio::sync::MutexGuard<'a, ()>,
}

impl SessionHandle {
    /// Lays a table.
    pub fn new(session: GameSession) -> Self {
        SessionHandle { turn: Mutex::default(), session: std::sync::Mutex::new(session) }
    }

    /// The game as it stands, for a moment.
    pub fn session(&self) -> MutexGuard<'_, GameSession> {
        self.session.lock().expect("nobody panics with it")
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
pub fn seat_of(session: &GameSession, person: i64) -> Result<krieg_core::Color, ServiceError> {
    let seat = session.info.color_of(person);
    seat.ok_or(ServiceError::NotYours("You do not play in this game."))
}
