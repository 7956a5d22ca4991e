//! The service: commands, queries, and events that no command causes, such as bots' moves and
//! fallen flags.
//!
//! [`GameService`] keeps one [`GameSession`] in memory for each game in use. It ensures that every
//! event is durable before it is answered.

mod advice;
mod archive;
mod bot_turns;
mod clocks;
mod commands;
mod error;
mod lobby;
mod session_handle;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::time::Duration;

use crate::bots::{Analyzer, BotWorkers, Coach, JobQueue};
use crate::domain::{Event, GameInfo, GameSession, GameSource, GameStatus, StoredEvent};
use crate::metrics::{Gauges, Metrics};
use crate::store::{Store, StoreError, events, games, uptime};
use crate::{lock, now_ms};

use clocks::Downtimes;
pub use error::ServiceError;
pub use lobby::{ColorChoice, NewGame, Opponent};
use session_handle::{CommandGuard, SessionHandle};

/// Maximum number of jobs that wait for a bot thread.
const MAX_JOBS: usize = 10_000;
/// After a failed write: the time between attempts to reload the session, and their number.
const RELOAD_DELAY: Duration = Duration::from_secs(1);
const MAX_RELOADS: usize = 3_600;
/// A session without connections is kept in memory for this long after the last announcement.
const IDLE_TIME: Duration = Duration::from_secs(60);

/// The service. Clones share it.
#[derive(Debug, Clone)]
pub struct GameService {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    store: Store,
    /// The sessions in memory, by the id of the game.
    sessions: std::sync::Mutex<HashMap<String, Arc<SessionHandle>>>,
    /// Held while a session is loaded, so that no session is loaded twice.
    loading: tokio::sync::Mutex<()>,
    queue: JobQueue,
    bots: BotWorkers,
    coach: Coach,
    analyzer: Analyzer,
    metrics: Arc<Metrics>,
    downtimes: Downtimes,
    /// The time of the last heartbeat.
    heartbeat_ms: AtomicI64,
}

impl GameService {
    /// Opens the service, and resumes all running games.
    pub async fn open(
        store: Store,
        bot_threads: usize,
        metrics: Arc<Metrics>,
    ) -> Result<Self, StoreError> {
        let now = now_ms();
        let downtimes = store.write(move |c| uptime::record_downtime(c, now)).await?;
        let queue = JobQueue::start(bot_threads, MAX_JOBS);
        let service = GameService {
            inner: Arc::new(Inner {
                store,
                sessions: Default::default(),
                loading: Default::default(),
                bots: BotWorkers::new(queue.clone()),
                coach: Coach::new(queue.clone()),
                analyzer: Analyzer::default(),
                queue,
                metrics,
                downtimes: Downtimes(downtimes),
                heartbeat_ms: AtomicI64::new(now),
            }),
        };
        service.resume_games().await?;
        Ok(service)
    }

    /// Loads all running games, starts their clocks, and lets bots move.
    async fn resume_games(&self) -> Result<(), StoreError> {
        for id in self.inner.store.read(games::running).await? {
            match self.session(&id).await {
                Ok(handle) => self.schedule_next(&mut handle.session()),
                Err(error) => tracing::error!(game = id, %error, "a game was not resumed"),
            }
        }
        Ok(())
    }

    /// The database.
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    /// Current values for the metrics.
    pub fn gauges(&self) -> Gauges {
        let sessions = lock(&self.inner.sessions).len();
        Gauges { sessions, queued_jobs: self.inner.queue.len() }
    }

    fn loaded_session(&self, id: &str) -> Option<Arc<SessionHandle>> {
        lock(&self.inner.sessions).get(id).cloned()
    }

    /// The session of a game. Loads it if it is not in memory.
    async fn session(&self, id: &str) -> Result<Arc<SessionHandle>, ServiceError> {
        if let Some(handle) = self.loaded_session(id) {
            return Ok(handle);
        }
        let _loading = self.inner.loading.lock().await;
        if let Some(handle) = self.loaded_session(id) {
            return Ok(handle);
        }
        let handle = Arc::new(SessionHandle::new(self.load(id).await?));
        lock(&self.inner.sessions).insert(id.to_string(), handle.clone());
        Ok(handle)
    }

    /// Waits until no other command runs on this session. Fails if the session was dropped in the
    /// meantime, because the database then has a newer state.
    async fn lock_commands<'a>(
        &self,
        handle: &'a Arc<SessionHandle>,
    ) -> Result<CommandGuard<'a>, ServiceError> {
        let guard = handle.lock_commands().await;
        let is_current = self.is_current(handle, &guard.session());
        if is_current { Ok(guard) } else { Err(ServiceError::Internal) }
    }

    /// Whether this session is still the one in memory. [`GameService::reload`] drops a session
    /// while it is locked, so the answer stays right as long as the caller holds its lock.
    fn is_current(&self, handle: &Arc<SessionHandle>, session: &GameSession) -> bool {
        let sessions = lock(&self.inner.sessions);
        sessions.get(&session.info.id).is_some_and(|current| Arc::ptr_eq(current, handle))
    }

    /// Loads a session from the database, by replaying its events.
    async fn load(&self, id: &str) -> Result<GameSession, ServiceError> {
        let id = id.to_string();
        let stored = self.inner.store.read(move |connection| {
            let Some(info) = games::find(connection, &id)? else { return Ok(None) };
            let events = events::of_game(connection, info.number)?;
            let guesses = games::guesses(connection, info.number)?;
            Ok(Some((info, events, guesses)))
        });
        let (info, events, guesses) =
            stored.await?.ok_or(ServiceError::NotFound("There is no such game."))?;
        if info.source == GameSource::Uploaded {
            return Err(ServiceError::NotNow("This game was not played on this server."));
        }
        let asked_ms = thinking_since_ms(&info, &events);
        // The events set these fields again.
        let start =
            GameInfo { moves: 0, status: GameStatus::Playing, rematch: None, ..info.clone() };
        let mut session = GameSession::new(start);
        for StoredEvent { event, .. } in events {
            session.replay(event).map_err(|error| {
                let (game, event) = (&info.id, event.to_string());
                tracing::error!(game, event, %error, "a stored event is impossible");
                ServiceError::Internal
            })?;
        }
        session.info = info;
        session.guesses = guesses;
        session.thinking_since = self.inner.downtimes.thinking_since(asked_ms, now_ms());
        Ok(session)
    }

    /// Drops a session whose memory and database may differ, and loads it again later. Clients are
    /// disconnected; they receive the state when they reconnect.
    fn reload(&self, session: &mut GameSession) {
        session.subscribers.clear();
        if let Some(timer) = session.flag_timer.take() {
            timer.abort();
        }
        let (service, id) = (self.clone(), session.info.id.clone());
        lock(&self.inner.sessions).remove(&id);
        tokio::spawn(async move {
            for _ in 0..MAX_RELOADS {
                tokio::time::sleep(RELOAD_DELAY).await;
                if let Ok(handle) = service.session(&id).await {
                    service.schedule_next(&mut handle.session());
                    return;
                }
            }
            tracing::error!(game = id, "a game could not be reloaded");
        });
    }

    /// Removes sessions without connections and without a running clock from memory.
    pub fn evict_idle_sessions(&self) {
        lock(&self.inner.sessions).retain(|_, handle| {
            // Another reference belongs to a request or a bot that is about to use the session.
            let is_in_use = Arc::strong_count(handle) > 1 || handle.has_running_command();
            is_in_use || handle.session().is_active()
        });
    }

    /// Stops all jobs, waits for running commands, disconnects all clients, and writes the last
    /// heartbeat.
    pub async fn shut_down(&self) {
        self.inner.analyzer.stop();
        self.inner.queue.close();
        let handles: Vec<Arc<SessionHandle>> =
            lock(&self.inner.sessions).values().cloned().collect();
        for handle in handles {
            let _running_command_has_finished = handle.lock_commands().await;
            handle.session().subscribers.clear();
        }
        if let Err(error) = self.write_heartbeat().await {
            tracing::error!(%error, "the last heartbeat was not written");
        }
    }
}

/// The time of day since which the side to move has been thinking. Only tries restart its clock.
fn thinking_since_ms(info: &GameInfo, events: &[StoredEvent]) -> i64 {
    let last_try = events.iter().rfind(|stored| matches!(stored.event, Event::Try { .. }));
    last_try.map(|stored| stored.at_ms).or(info.started_ms).unwrap_or_else(now_ms)
}

impl GameSession {
    /// Whether the session has connections, had one until recently, or waits for a flag or a bot.
    fn is_active(&self) -> bool {
        let is_waiting = self.flag_falls_at().is_some() || self.bot_to_move().is_some();
        is_waiting || !self.subscribers.is_empty() || self.thinking_since.elapsed() < IDLE_TIME
    }
}

/// Runs work to its end even if the request that started it is cancelled, so that a stored change
/// is always applied in memory.
async fn run_to_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, ServiceError>> + Send + 'static,
) -> Result<T, ServiceError> {
    tokio::spawn(work).await.unwrap_or(Err(ServiceError::Internal))
}
