//! Time in the hall: flags that fall, and the hours during which there was no server.

use std::time::{Duration, Instant};

use krieg_core::Ending;
use rusqlite::{Connection, OptionalExtension};

use super::{Hall, Opened};
use crate::now_ms;
use crate::sitting::Sitting;
use crate::store::Event;

/// When a server was last known to run.
pub(super) fn last_alive(connection: &Connection) -> rusqlite::Result<i64> {
    let found = connection.query_row("SELECT at_ms FROM alive", [], |row| row.get(0)).optional()?;
    Ok(found.unwrap_or_else(now_ms))
}

impl Opened {
    /// The moment since which a player has been thinking who was asked at this time of day. What passed while there was no server is
    /// not on his clock.
    pub(super) fn asked_at(&self, asked_ms: i64) -> Instant {
        let ago = |at: Instant, ms: i64| {
            at.checked_sub(Duration::from_millis(ms.max(0) as u64)).unwrap_or(at)
        };
        if asked_ms >= self.at_ms {
            return ago(Instant::now(), now_ms() - asked_ms);
        }
        ago(self.at, self.alive_before_ms - asked_ms)
    }
}

impl Hall {
    /// Notes that the server runs. When it is killed, clocks go on from here.
    pub async fn beat(&self) {
        let at = now_ms();
        let noted = self.inner.store.write(move |connection| {
            let sql = "INSERT OR REPLACE INTO alive VALUES (1, ?1)";
            connection.prepare_cached(sql)?.execute([at])
        });
        if let Err(error) = noted.await {
            tracing::error!(%error, "the hour could not be noted");
        }
    }

    /// Sets the alarm for the flag of whoever is to move now.
    pub(super) fn set_alarm(&self, sitting: &mut Sitting) {
        if let Some(alarm) = sitting.alarm.take() {
            alarm.abort();
        }
        // A bot's flag falls when its try comes too late: that it had to wait for a thread is not its fault.
        let Some(falls_at) = sitting.flag_falls_at().filter(|_| sitting.bot_to_move().is_none())
        else {
            return;
        };
        let (hall, id) = (self.clone(), sitting.facts.id.clone());
        let ring = async move {
            // A millisecond more, so that the clock that is asked then agrees.
            tokio::time::sleep_until((falls_at + Duration::from_millis(1)).into()).await;
            // What follows is not to be broken off by the next alarm, which it sets itself.
            tokio::spawn(async move { hall.ring(&id).await });
        };
        sitting.alarm = Some(tokio::spawn(ring).abort_handle());
    }

    /// An alarm rings: if a flag has fallen, the game is over.
    async fn ring(&self, id: &str) {
        let Ok(table) = self.table(id).await else { return };
        let turn = table.turn().await;
        let fallen = {
            let sitting = table.sitting();
            let has_fallen = sitting.flag_falls_at().is_some_and(|at| at <= Instant::now());
            sitting.turn().filter(|_| has_fallen)
        };
        if let Some(player) = fallen {
            let _ = self.happen(&turn, Event::Ended(Ending::Flag, player), None).await;
        }
    }
}
