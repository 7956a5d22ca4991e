//! Access to a session: one command at a time, and reads at any time.

use std::sync::MutexGuard;

use crate::domain::GameSession;
use crate::lock;

/// A session with its locks.
///
/// A command holds the command lock from judging until its event is durable and applied, so
/// commands of one game run one after the other. The session itself is locked only for moments.
/// Reads do not wait for commands: a player who had to wait could notice that the opponent tries
/// something, which some rulesets hide.
#[derive(Debug)]
pub struct SessionHandle {
    commands: tokio::sync::Mutex<()>,
    session: std::sync::Mutex<GameSession>,
}

/// The command lock of a session.
#[derive(Debug)]
pub struct CommandGuard<'a> {
    handle: &'a SessionHandle,
    _lock: tokio::sync::MutexGuard<'a, ()>,
}

impl SessionHandle {
    /// A handle to this session.
    pub fn new(session: GameSession) -> Self {
        SessionHandle { commands: Default::default(), session: std::sync::Mutex::new(session) }
    }

    /// Locks the session for a moment. The guard must not be held across an `await`.
    pub fn session(&self) -> MutexGuard<'_, GameSession> {
        lock(&self.session)
    }

    /// Waits until no other command runs.
    pub async fn lock_commands(&self) -> CommandGuard<'_> {
        CommandGuard { handle: self, _lock: self.commands.lock().await }
    }

    /// Whether a command runs.
    pub fn has_running_command(&self) -> bool {
        self.commands.try_lock().is_err()
    }
}

impl CommandGuard<'_> {
    /// Locks the session for a moment.
    pub fn session(&self) -> MutexGuard<'_, GameSession> {
        self.handle.session()
    }
}
