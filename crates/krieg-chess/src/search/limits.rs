//! The limits of a search.

use std::time::{Duration, Instant};

use cozy_chess::Move as BoardMove;
use krieg_time::TimeBudget;

/// When a search ends: as soon as the first of these limits is reached. A search without limits
/// ends only when [`SearchControl::stop`](crate::SearchControl::stop) is called.
#[derive(Debug, Clone, Default)]
pub struct SearchLimits {
    /// Maximum depth of iterative deepening, in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes of all threads together. It is exact with one thread.
    pub nodes: Option<u64>,
    /// Time budget, from [`SearchLimits::start`].
    pub time: Option<TimeBudget>,
    /// When the clock was started; by default, when the search starts.
    pub start: Option<Instant>,
    /// The root moves to be searched; all of them if empty.
    pub search_moves: Vec<BoardMove>,
}

impl SearchLimits {
    /// Whether there is no limit of depth, nodes or time.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none() && self.time.is_none()
    }

    /// A limit of nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }
    }

    /// A limit of depth.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        SearchLimits { depth: Some(depth), ..SearchLimits::default() }
    }

    /// A fixed time, all of which may be used.
    #[must_use]
    pub fn time(time: Duration) -> Self {
        SearchLimits { time: Some(TimeBudget::fixed(time)), ..SearchLimits::default() }
    }
}
