//! When a search ends, and how it is told to.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cozy_chess::Move as BoardMove;

use krieg_time::TimeBudget;

/// How far a search may go. Whatever is reached first ends it; with nothing set, only
/// [`SearchControl::stop`] does.
#[derive(Debug, Clone, Default)]
pub struct SearchLimits {
    /// Plies of iterative deepening.
    pub depth: Option<u32>,
    /// Positions visited, by all threads together. With one thread it is kept exactly.
    pub nodes: Option<u64>,
    /// Time from [`SearchLimits::start`].
    pub time: Option<TimeBudget>,
    /// When the clock began to run; the start of the search if not set.
    pub start: Option<Instant>,
    /// Consider only these moves.
    pub search_moves: Vec<BoardMove>,
}

impl SearchLimits {
    /// Whether only [`SearchControl::stop`] ends the search.
    pub fn is_unlimited(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none() && self.time.is_none()
    }

    /// A number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }
    }

    /// A number of plies.
    pub fn depth(depth: u32) -> Self {
        SearchLimits { depth: Some(depth), ..SearchLimits::default() }
    }

    /// A time, all of which may be used.
    pub fn time(time: Duration) -> Self {
        SearchLimits { time: Some(TimeBudget::fixed(time)), ..SearchLimits::default() }
    }
}

/// How others talk to a running search.
#[derive(Debug, Default)]
pub struct SearchControl {
    stop: AtomicBool,
    /// While set, time does not count: the search thinks on the opponent's clock.
    pondering: AtomicBool,
    /// Microseconds after the search's beginning at which the clock began to run.
    ponder_hit_time: AtomicU64,
}

impl SearchControl {
    /// Ends the search as soon as it looks, which is many times in a millisecond.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search was told to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The next search begins on the opponent's clock.
    pub fn ponder(&self) {
        self.pondering.store(true, Ordering::Relaxed);
    }

    /// The opponent played the expected move: from now on the time is ours. `after` is how long
    /// the search has been running. Said to a search that does not ponder, it changes nothing.
    pub fn ponder_hit(&self, after: Duration) {
        if self.is_pondering() {
            self.ponder_hit_time.store(after.as_micros() as u64, Ordering::Relaxed);
            self.pondering.store(false, Ordering::Release);
        }
    }

    /// Whether the search is on the opponent's clock.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    pub(crate) fn ponder_hit_time(&self) -> Duration {
        Duration::from_micros(self.ponder_hit_time.load(Ordering::Relaxed))
    }

    /// Ready for another search.
    pub fn reset(&self) {
        self.stop.store(false, Ordering::Relaxed);
        self.pondering.store(false, Ordering::Relaxed);
        self.ponder_hit_time.store(0, Ordering::Relaxed);
    }
}
