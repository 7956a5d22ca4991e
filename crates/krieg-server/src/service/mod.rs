//! The hall where all tables stand: finds games, lets people and bots act in them, and sees to it that everything is on disk before
//! anybody hears of it.

mod advice;
mod bot_moves;
mod clocks;
mod commands;
mod error;
mod lobby;
mod reviews;
mod session_handle;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::time::Duration;

use krieg_core::Color;
use tokio::sync::Mutex;

use crate::bots::{Analyst, BotWorkers, Coach, JobQueue};
use crate::domain::{GameSession, Guesses};
use crate::metrics::Metrics;
use crate::now_ms;
use crate::store::{Event, GameInfo, Status, Store, StoreError};

pub use commands::Action;
pub use error::ServiceError;
pub use lobby::{Begin, Opponent, Wish};
use session_handle::SessionHandle;

/// The hall. Copies are the same hall.
#[derive(Debug, Clone)]
pub struct GameService {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    store: Store,
    tables: std::sync::Mutex<HashMap<String, Arc<SessionHandle>>>,
    /// Held while a game is read from the store, so that it is not read twice.
    reading: Mutex<()>,
    queue: JobQueue,
    bots: BotWorkers,
    coach: Coach,
    analyst: Analyst,
    metrics: Arc<Metrics>,
    opened: Opened,
    /// When something was last written to say that the server runs.
    alive_ms: AtomicI64,
}

/// When there was no server, by the time of day.
#[derive(Debug, Clone)]
struct Opened {
    downtimes: Vec<(i64, i64)>,
}

impl GameService {
    /// Opens the hall. `threads` of bots think at the same time.
    pub async fn open(
        store: Store,
        threads: usize,
        metrics: Arc<Metrics>,
    ) -> Result<Self, StoreError> {
        let now = now_ms();
        let downtimes = store.write(move |c| clocks::note_downtime(c, now)).await?;
        let queue = JobQueue::start(threads, 10_000);
        let hall = GameService {
            inner: Arc::new(Inner {
                store,
                tables: Default::default(),
                reading: Mutex::default(),
                bots: BotWorkers::new(queue.clone()),
                coach: Coach::new(queue.clone()),
                analyst: Analyst::default(),
                queue,
                metrics,
                opened: Opened { downtimes },
                alive_ms: AtomicI64::new(now),
            }),
        };
        hall.resume_games().await?;
        Ok(hall)
    }

    /// Games that were being played go on: clocks run, and bots think.
    async fn resume_games(&self) -> Result<(), StoreError> {
        for id in self.inner.store.read(GameInfo::playing).await? {
            match self.table(&id).await {
                Ok(table) => self.schedule_next(&mut table.session()),
                Err(error) => tracing::error!(game = id, %error, "a game cannot be taken up"),
            }
        }
        Ok(())
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    /// How many games are in memory, and how many thoughts wait.
    pub fn load(&self) -> (usize, usize) {
        (self.tables().len(), self.inner.queue.waiting())
    }

    fn tables(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<SessionHandle>>> {
        self.inner.tables.lock().expect("nobody panics with it")
    }

    /// The table of a game, taken from the store if nobody has looked at it lately.
    pub async fn table(&self, id: &str) -> Result<Arc<SessionHandle>, ServiceError> {
        let known = self.tables().get(id).cloned();
        if let Some(table) = known {
            return Ok(table);
        }
        let _reading = self.inner.reading.lock().await;
        let known = self.tables().get(id).cloned();
        if let Some(table) = known {
            return Ok(table);
        }
        let session = self.read(id).await?;
        let table = Arc::new(SessionHandle::new(session));
        self.tables().insert(id.to_string(), table.clone());
        Ok(table)
    }

    /// Reads a game from the store, and lives through it again.
    async fn read(&self, id: &str) -> Result<GameSession, ServiceError> {
        let id = id.to_string();
        let read = self.inner.store.read(move |connection| {
            let Some(info) = GameInfo::find(connection, &id)? else { return Ok(None) };
            let events = Event::all(connection, info.number)?;
            let guesses = [
                GameInfo::guesses(connection, info.number, Color::White)?,
                GameInfo::guesses(connection, info.number, Color::Black)?,
            ];
            Ok(Some((info, events, guesses)))
        });
        let (info, events, guesses) =
            read.await?.ok_or(ServiceError::Unknown("There is no such game."))?;
        if info.source == crate::store::Source::Uploaded {
            return Err(ServiceError::NotNow("This game was not played here."));
        }
        // What happens beside the board stops no clock.
        let is_try = |(_, text): &&(i64, String)| text.starts_with("try ");
        let asked_ms = events.iter().rfind(is_try).map(|(at, _)| *at).or(info.started_ms);
        let settled = info.clone();
        // What comes of the events comes again as they are lived through.
        let begun = GameInfo { moves: 0, status: Status::Playing, next: None, ..info };
        let mut session = GameSession::new(begun);
        for (_, text) in &events {
            let lived = text.parse::<Event>().ok().and_then(|event| session.apply(&event).ok());
            if lived.is_none() {
                tracing::error!(game = settled.id, event = text, "this cannot have happened");
                return Err(ServiceError::Trouble);
            }
        }
        session.info = settled;
        session.guesses = guesses.map(|text| Guesses::of_text(&text));
        session.thinking_since = self.inner.opened.thinking_since(asked_ms.unwrap_or_else(now_ms));
        Ok(session)
    }

    /// Something could not be written down: memory and disk may disagree. The table is laid anew from the store, in a while, and whoever
    /// sits there comes again.
    fn reload(&self, session: &mut GameSession) {
        session.subscribers.clear();
        if let Some(flag_timer) = session.flag_timer.take() {
            flag_timer.abort();
        }
        let (hall, id) = (self.clone(), session.info.id.clone());
        self.tables().remove(&id);
        tokio::spawn(async move {
            for _ in 0..MOST_ATTEMPTS {
                tokio::time::sleep(AFTER_A_FAULT).await;
                if let Ok(table) = hall.table(&id).await {
                    hall.schedule_next(&mut table.session());
                    return;
                }
            }
        });
    }

    /// Tables at which nobody sits and no clock runs are put away; they are in the store.
    pub fn evict_idle_sessions(&self) {
        let mut tables = self.tables();
        tables.retain(|_, table| {
            // In the list and nowhere else: nobody is about to act at it.
            Arc::strong_count(table) > 1 || !table.is_quiet() || table.session().is_awaited()
        });
    }

    /// The hall closes: nobody thinks any more, everybody is sent home, and the hour is noted.
    pub async fn shut_down(&self) {
        self.inner.analyst.stop();
        self.inner.queue.close();
        let tables: Vec<Arc<SessionHandle>> = self.tables().values().cloned().collect();
        for table in tables {
            // What was begun is finished.
            let _turn = table.turn().await;
            table.session().subscribers.clear();
        }
        if let Err(error) = self.write_heartbeat().await {
            tracing::error!(%error, "the hour could not be noted");
        }
    }
}

/// How long to wait when the disk failed, and how often.
const AFTER_A_FAULT: Duration = Duration::from_secs(1);
const MOST_ATTEMPTS: usize = 3_600;
/// After so long nobody comes back to a table in a hurry.
const IDLE: Duration = Duration::from_secs(60);

impl GameSession {
    /// Whether somebody is there, was there just now, or has to be somewhere: a clock runs, or a bot thinks.
    fn is_awaited(&self) -> bool {
        let runs = self.flag_falls_at().is_some() || self.bot_to_move().is_some();
        runs || !self.subscribers.is_empty() || self.thinking_since.elapsed() < IDLE
    }
}
