//! Control of a running search from another thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Stops a running search from another thread, and tells it about pondering.
#[derive(Debug, Default)]
pub struct SearchControl {
    stop: AtomicBool,
    /// Whether the search runs on the opponent's time, so that time limits do not apply.
    pondering: AtomicBool,
    /// Microseconds from the start of the search to the ponder hit.
    ponder_hit_micros: AtomicU64,
}

impl SearchControl {
    /// Stops the search within a fraction of a millisecond.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether [`SearchControl::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Makes the next search ponder, i.e. run on the opponent's time.
    pub fn ponder(&self) {
        self.pondering.store(true, Ordering::Relaxed);
    }

    /// The opponent has played the expected move, so the search now runs on the player's own time.
    /// `elapsed` is the time since the start of the search. Has no effect unless pondering.
    pub fn ponder_hit(&self, elapsed: Duration) {
        if self.is_pondering() {
            self.ponder_hit_micros.store(elapsed.as_micros() as u64, Ordering::Relaxed);
            self.pondering.store(false, Ordering::Release);
        }
    }

    /// Whether the search is pondering.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// Time from the start of the search to the ponder hit.
    pub(crate) fn ponder_hit_time(&self) -> Duration {
        Duration::from_micros(self.ponder_hit_micros.load(Ordering::Relaxed))
    }

    /// Resets everything before another search.
    pub fn reset(&self) {
        self.stop.store(false, Ordering::Relaxed);
        self.pondering.store(false, Ordering::Relaxed);
        self.ponder_hit_micros.store(0, Ordering::Relaxed);
    }
}
