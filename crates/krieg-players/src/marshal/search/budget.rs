//! The budget of one search: time or simulations.

use std::time::{Duration, Instant};

/// How long to search.
#[derive(Debug, Clone, Copy)]
pub enum SearchBudget {
    /// This long from this instant on.
    Time(Instant, Duration),
    /// This many simulations.
    Simulations(u64),
}

impl SearchBudget {
    /// The budget of each of several parallel search threads.
    pub fn per_thread(self, threads: usize) -> Self {
        match self {
            SearchBudget::Time(..) => self,
            SearchBudget::Simulations(count) => {
                SearchBudget::Simulations((count / threads as u64).max(1))
            }
        }
    }

    /// The fraction of the budget that is spent after this many simulations.
    pub(super) fn spent(&self, done: u64) -> f64 {
        match *self {
            SearchBudget::Time(start, time) => start.elapsed().as_secs_f64() / time.as_secs_f64(),
            SearchBudget::Simulations(count) => done as f64 / count as f64,
        }
    }
}
