//! Time in the hall: flags that fall, and the hours during which there was no server.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use krieg_core::Ending;
use rusqlite::Connection;

use super::{GameService, Opened};
use crate::domain::GameSession;
use crate::now_ms;
use crate::store::{Event, StoreError};

/// All times when there was no server, the one that ends now with them.
pub(super) fn note_downtime(
    connection: &Connection,
    now: i64,
) -> rusqlite::Result<Vec<(i64, i64)>> {
    let sql = "INSERT OR IGNORE INTO downtimes SELECT at_ms, ?1 FROM alive WHERE at_ms < ?1";
    connection.execute(sql, [now])?;
    let mut all = connection.prepare("SELECT from_ms, to_ms FROM downtimes")?;
    all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// Whoever could not write for so long is not well. He tries every second.
const UNWELL_MS: i64 = 5_000;

impl Opened {
    /// The moment since which a player has been thinking who was asked at this time of day. What passed while there was no server is
    /// not on his clock.
    pub(super) fn thinking_since(&self, asked_ms: i64) -> Instant {
        let now = now_ms();
        let down: i64 =
            self.downtimes.iter().map(|(from, to)| (to - (*from).max(asked_ms)).max(0)).sum();
        let thought = Duration::from_millis((now - asked_ms - down).max(0) as u64);
        Instant::now().checked_sub(thought).unwrap_or_else(Instant::now)
    }
}

impl GameService {
    /// Notes that the server runs. When it is killed, clocks go on from here.
    pub async fn write_heartbeat(&self) -> Result<(), StoreError> {
        let at = now_ms();
        let noted = self.inner.store.write(move |connection| {
            let sql = "INSERT OR REPLACE INTO alive VALUES (1, ?1)";
            connection.prepare_cached(sql)?.execute([at])
        });
        noted.await?;
        self.inner.alive_ms.store(at, Ordering::Relaxed);
        Ok(())
    }

    /// Whether something could be written in the last few seconds.
    pub fn is_well(&self) -> bool {
        now_ms() - self.inner.alive_ms.load(Ordering::Relaxed) < UNWELL_MS
    }

    /// Sets the alarm for the flag of whoever is to move now.
    pub(super) fn set_flag_timer(&self, session: &mut GameSession) {
        if let Some(flag_timer) = session.flag_timer.take() {
            flag_timer.abort();
        }
        // A bot's flag falls when its try comes too late: that it had to wait for a thread is not its fault.
        let Some(falls_at) = session.flag_falls_at().filter(|_| session.bot_to_move().is_none())
        else {
            return;
        };
        let (hall, id) = (self.clone(), session.info.id.clone());
        let ring = async move {
            // A millisecond more, so that the clock that is asked then agrees.
            tokio::time::sleep_until((falls_at + Duration::from_millis(1)).into()).await;
            // What follows is not to be broken off by the next alarm, which it sets itself.
            tokio::spawn(async move { hall.ring(&id).await });
        };
        session.flag_timer = Some(tokio::spawn(ring).abort_handle());
    }

    /// An alarm rings: if a flag has fallen, the game is over.
    async fn ring(&self, id: &str) {
        let Ok(table) = self.table(id).await else { return };
        let turn = table.turn().await;
        let fallen = {
            let session = table.session();
            let has_fallen = session.flag_falls_at().is_some_and(|at| at <= Instant::now());
            session.turn().filter(|_| has_fallen)
        };
        if let Some(player) = fallen {
            let _ = self.record_event(&turn, Event::Ended(Ending::Flag, player), None).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_without_a_server_is_on_nobodys_clock() {
        let now = now_ms();
        // Down from 9 to 6 seconds ago, and from 4 to 1.
        let downtimes = vec![(now - 9_000, now - 6_000), (now - 4_000, now - 1_000)];
        let thought = |asked_ago: i64| {
            let opened = Opened { downtimes: downtimes.clone() };
            opened.thinking_since(now - asked_ago).elapsed().as_millis() as i64
        };
        for (asked_ago, expected) in [(10_000, 4_000), (7_000, 3_000), (500, 500)] {
            let thought = thought(asked_ago);
            assert!((expected..expected + 400).contains(&thought), "{asked_ago}: {thought}");
        }
    }
}
