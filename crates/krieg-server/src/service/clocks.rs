//! Time in games: flags that fall, and periods in which the server did not run.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use krieg_core::Ending;

use super::GameService;
use crate::domain::{Event, GameSession};
use crate::now_ms;
use crate::store::{StoreError, uptime};

/// The server is unhealthy if the last heartbeat is older than this. One is due every second.
const MAX_HEARTBEAT_AGE_MS: i64 = 5_000;

/// The periods in which the server did not run, in milliseconds since 1970.
#[derive(Debug, Clone)]
pub(super) struct Downtimes(pub Vec<(i64, i64)>);

impl Downtimes {
    /// The instant since which a player has been thinking whose turn began at the time `asked_ms`.
    /// Downtimes do not count.
    pub(super) fn thinking_since(&self, asked_ms: i64, now_ms: i64) -> Instant {
        let down: i64 = self.0.iter().map(|(from, to)| (to - (*from).max(asked_ms)).max(0)).sum();
        let thinking = Duration::from_millis((now_ms - asked_ms - down).max(0) as u64);
        let now = Instant::now();
        now.checked_sub(thinking).unwrap_or(now)
    }
}

impl GameService {
    /// Records that the server runs. If it is killed, clocks continue from the last heartbeat.
    pub async fn write_heartbeat(&self) -> Result<(), StoreError> {
        let now = now_ms();
        self.inner.store.write(move |c| uptime::write_heartbeat(c, now)).await?;
        self.inner.heartbeat_ms.store(now, Ordering::Relaxed);
        Ok(())
    }

    /// Whether the database could be written in the last seconds.
    pub fn is_healthy(&self) -> bool {
        now_ms() - self.inner.heartbeat_ms.load(Ordering::Relaxed) < MAX_HEARTBEAT_AGE_MS
    }

    /// Sets the timer for the flag of the side to move.
    pub(super) fn set_flag_timer(&self, session: &mut GameSession) {
        if let Some(timer) = session.flag_timer.take() {
            timer.abort();
        }
        // A bot's flag falls only when its try comes too late, because a bot that waits for a
        // thread is not at fault.
        let falls_at = session.flag_falls_at().filter(|_| session.bot_to_move().is_none());
        let Some(falls_at) = falls_at else { return };
        let (service, id) = (self.clone(), session.info.id.clone());
        let timer = async move {
            // One more millisecond, so that the clock has certainly run out then.
            tokio::time::sleep_until((falls_at + Duration::from_millis(1)).into()).await;
            // A task of its own, because recording the end aborts this timer.
            tokio::spawn(async move { service.check_flag(&id).await });
        };
        session.flag_timer = Some(tokio::spawn(timer).abort_handle());
    }

    /// Ends the game if the flag of the side to move has fallen.
    async fn check_flag(&self, id: &str) {
        let Ok(handle) = self.session(id).await else { return };
        // A session that is loaded again calls this again.
        let Ok(guard) = self.lock_commands(&handle).await else { return };
        let loser = {
            let session = guard.session();
            let has_fallen = session.flag_falls_at().is_some_and(|at| at <= Instant::now());
            session.turn().filter(|_| has_fallen)
        };
        if let Some(by) = loser {
            // The error has been logged. After a failed write the reloaded session sets the timer.
            let _ = self.record(&guard, Event::End { ending: Ending::Flag, by }, None, None).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn downtimes_do_not_count_as_thinking_time() {
        let now = now_ms();
        // Down from 9 to 6 seconds ago, and from 4 to 1.
        let downtimes = Downtimes(vec![(now - 9_000, now - 6_000), (now - 4_000, now - 1_000)]);
        for (asked_ago, expected) in [(10_000, 4_000), (7_000, 3_000), (500, 500)] {
            let since = downtimes.thinking_since(now - asked_ago, now);
            let thinking = since.elapsed().as_millis() as i64;
            assert!((expected..expected + 400).contains(&thinking), "{asked_ago}: {thinking}");
        }
    }
}
