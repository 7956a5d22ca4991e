//! Judged tries and prepared events. The server writes a prepared event to the database before it
//! commits the event to the session.

use krieg_core::{Outcome, PreparedTry, Verdict};
use thiserror::Error;

use super::Event;
use super::messages::ObservationJson;

/// A try that was judged in a certain state of a session.
#[derive(Debug, Clone)]
pub struct JudgedTry {
    pub(super) prepared: PreparedTry,
    /// The number of tries before it.
    pub(super) tries: usize,
}

impl JudgedTry {
    /// Whether the try is a legal move.
    pub fn is_move(&self) -> bool {
        self.prepared.announcement().verdict == Verdict::Moved
    }
}

/// An event that is possible now, with its effect.
/// [`GameSession::commit`](super::GameSession::commit) applies it.
#[derive(Debug, Clone)]
#[must_use = "a prepared event changes nothing until it is committed"]
pub struct PreparedEvent {
    pub(super) event: Event,
    pub(super) number: u32,
    /// The judged try, if the event is a try.
    pub(super) judged: Option<PreparedTry>,
    pub(super) outcome: Option<Outcome>,
}

impl PreparedEvent {
    /// The event.
    pub fn event(&self) -> Event {
        self.event
    }

    /// The number of events before it.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Whether it is a legal move.
    pub fn is_move(&self) -> bool {
        self.judged.as_ref().is_some_and(|judged| judged.announcement().verdict == Verdict::Moved)
    }

    /// The outcome of the game, if the event ends it.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
}

/// The session has changed since the event was prepared. The commit changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the game has changed since the event was prepared")]
pub struct StaleEvent;

/// What an event changed.
#[derive(Debug, Default)]
pub struct Change {
    /// Each player's observation of it.
    pub(super) observations: [Option<ObservationJson>; 2],
    /// The outcome of the game, if the event ended it.
    pub(super) outcome: Option<Outcome>,
}
