//! The hall where all tables stand: finds games, lets people and bots act in them, and sees to it that everything is on disk before
//! anybody hears of it.

mod act;
mod advice;
mod begin;
mod bots;
mod clocks;
mod look;
mod table;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::time::Duration;

use krieg_core::Color;
use tokio::sync::Mutex;

use crate::metrics::Metrics;
use crate::now_ms;
use crate::refusal::Refusal;
use crate::sitting::{Ghosts, Sitting};
use crate::store::{Event, Facts, Status, Store, StoreError};
use crate::thinking::{Analyst, Bots, Coach, Thinkers};

pub use act::Action;
pub use begin::{Begin, Opponent, Wish};
use table::Table;

/// The hall. Copies are the same hall.
#[derive(Debug, Clone)]
pub struct Hall {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    store: Store,
    tables: std::sync::Mutex<HashMap<String, Arc<Table>>>,
    /// Held while a game is read from the store, so that it is not read twice.
    reading: Mutex<()>,
    thinkers: Thinkers,
    bots: Bots,
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

impl Hall {
    /// Opens the hall. `threads` of bots think at the same time.
    pub async fn open(
        store: Store,
        threads: usize,
        metrics: Arc<Metrics>,
    ) -> Result<Self, StoreError> {
        let now = now_ms();
        let downtimes = store.write(move |c| clocks::note_downtime(c, now)).await?;
        let thinkers = Thinkers::start(threads, 10_000);
        let hall = Hall {
            inner: Arc::new(Inner {
                store,
                tables: Default::default(),
                reading: Mutex::default(),
                bots: Bots::new(thinkers.clone()),
                coach: Coach::new(thinkers.clone()),
                analyst: Analyst::default(),
                thinkers,
                metrics,
                opened: Opened { downtimes },
                alive_ms: AtomicI64::new(now),
            }),
        };
        hall.take_up_games().await?;
        Ok(hall)
    }

    /// Games that were being played go on: clocks run, and bots think.
    async fn take_up_games(&self) -> Result<(), StoreError> {
        for id in self.inner.store.read(Facts::playing).await? {
            match self.table(&id).await {
                Ok(table) => self.see_to_next(&mut table.sitting()),
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
        (self.tables().len(), self.inner.thinkers.waiting())
    }

    fn tables(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Table>>> {
        self.inner.tables.lock().expect("nobody panics with it")
    }

    /// The table of a game, taken from the store if nobody has looked at it lately.
    pub async fn table(&self, id: &str) -> Result<Arc<Table>, Refusal> {
        let known = self.tables().get(id).cloned();
        if let Some(table) = known {
            return Ok(table);
        }
        let _reading = self.inner.reading.lock().await;
        let known = self.tables().get(id).cloned();
        if let Some(table) = known {
            return Ok(table);
        }
        let sitting = self.read(id).await?;
        let table = Arc::new(Table::new(sitting));
        self.tables().insert(id.to_string(), table.clone());
        Ok(table)
    }

    /// Reads a game from the store, and lives through it again.
    async fn read(&self, id: &str) -> Result<Sitting, Refusal> {
        let id = id.to_string();
        let read = self.inner.store.read(move |connection| {
            let Some(facts) = Facts::find(connection, &id)? else { return Ok(None) };
            let events = Event::all(connection, facts.number)?;
            let ghosts = [
                Facts::ghosts(connection, facts.number, Color::White)?,
                Facts::ghosts(connection, facts.number, Color::Black)?,
            ];
            Ok(Some((facts, events, ghosts)))
        });
        let (facts, events, ghosts) =
            read.await?.ok_or(Refusal::Unknown("There is no such game."))?;
        if facts.source == crate::store::Source::Uploaded {
            return Err(Refusal::NotNow("This game was not played here."));
        }
        // What happens beside the board stops no clock.
        let is_try = |(_, text): &&(i64, String)| text.starts_with("try ");
        let asked_ms = events.iter().rfind(is_try).map(|(at, _)| *at).or(facts.started_ms);
        let settled = facts.clone();
        // What comes of the events comes again as they are lived through.
        let begun = Facts { moves: 0, status: Status::Playing, next: None, ..facts };
        let mut sitting = Sitting::new(begun);
        for (_, text) in &events {
            let lived = text.parse::<Event>().ok().and_then(|event| sitting.live(&event).ok());
            if lived.is_none() {
                tracing::error!(game = settled.id, event = text, "this cannot have happened");
                return Err(Refusal::Trouble);
            }
        }
        sitting.facts = settled;
        sitting.ghosts = ghosts.map(|text| Ghosts::of_text(&text));
        sitting.asked_at = self.inner.opened.asked_at(asked_ms.unwrap_or_else(now_ms));
        Ok(sitting)
    }

    /// Something could not be written down: memory and disk may disagree. The table is laid anew from the store, in a while, and whoever
    /// sits there comes again.
    fn lay_anew(&self, sitting: &mut Sitting) {
        sitting.listeners.clear();
        if let Some(alarm) = sitting.alarm.take() {
            alarm.abort();
        }
        let (hall, id) = (self.clone(), sitting.facts.id.clone());
        self.tables().remove(&id);
        tokio::spawn(async move {
            for _ in 0..MOST_ATTEMPTS {
                tokio::time::sleep(AFTER_A_FAULT).await;
                if let Ok(table) = hall.table(&id).await {
                    hall.see_to_next(&mut table.sitting());
                    return;
                }
            }
        });
    }

    /// Tables at which nobody sits and no clock runs are put away; they are in the store.
    pub fn tidy_up(&self) {
        let mut tables = self.tables();
        tables.retain(|_, table| {
            // In the list and nowhere else: nobody is about to act at it.
            Arc::strong_count(table) > 1 || !table.is_quiet() || table.sitting().is_awaited()
        });
    }

    /// The hall closes: nobody thinks any more, everybody is sent home, and the hour is noted.
    pub async fn close(&self) {
        self.inner.analyst.stop();
        self.inner.thinkers.close();
        let tables: Vec<Arc<Table>> = self.tables().values().cloned().collect();
        for table in tables {
            // What was begun is finished.
            let _turn = table.turn().await;
            table.sitting().listeners.clear();
        }
        if let Err(error) = self.beat().await {
            tracing::error!(%error, "the hour could not be noted");
        }
    }
}

/// How long to wait when the disk failed, and how often.
const AFTER_A_FAULT: Duration = Duration::from_secs(1);
const MOST_ATTEMPTS: usize = 3_600;
/// After so long nobody comes back to a table in a hurry.
const IDLE: Duration = Duration::from_secs(60);

impl Sitting {
    /// Whether somebody is there, was there just now, or has to be somewhere: a clock runs, or a bot thinks.
    fn is_awaited(&self) -> bool {
        let runs = self.flag_falls_at().is_some() || self.bot_to_move().is_some();
        runs || !self.listeners.is_empty() || self.asked_at.elapsed() < IDLE
    }
}
