//! The search.
//!
//! [`Engine`] starts the threads. Each thread is a [`SearchWorker`], whose methods are spread over
//! the files of this folder: iterative deepening and aspiration windows, the alpha-beta search of a
//! node, pruning of nodes and of moves, singular extensions, quiescence search.

mod all_moves;
mod alpha_beta;
mod control;
mod engine;
mod iterative_deepening;
mod limits;
mod move_pruning;
mod node_pruning;
mod position_history;
mod quiescence;
mod quiescence_evaluator;
mod report;
mod root_moves;
mod singular;
mod static_eval;
#[cfg(test)]
mod tests;
mod time_manager;
mod worker;

use std::str::FromStr;

use thiserror::Error;

pub use control::SearchControl;
pub use engine::Engine;
pub use limits::SearchLimits;
pub use position_history::PositionHistory;
pub use quiescence_evaluator::QuiescenceEvaluator;
pub use report::{PrincipalVariation, SearchReport};
pub(crate) use worker::{HardLimits, SearchWorker};

/// The search algorithm. All share the transposition table and the move ordering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Method {
    /// Principal variation search with aspiration windows: the strongest.
    #[default]
    Pvs,
    /// MTD(f): null windows only.
    Mtdf,
    /// Plain alpha-beta: full windows only.
    AlphaBeta,
}

/// The name is not that of a search algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the search algorithms are pvs, mtdf and alphabeta")]
pub struct UnknownMethod;

impl Method {
    /// All algorithms.
    pub const ALL: [Method; 3] = [Method::Pvs, Method::Mtdf, Method::AlphaBeta];

    /// The name of the algorithm.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Method::Pvs => "pvs",
            Method::Mtdf => "mtdf",
            Method::AlphaBeta => "alphabeta",
        }
    }
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        Method::ALL
            .into_iter()
            .find(|method| method.name().eq_ignore_ascii_case(name))
            .ok_or(UnknownMethod)
    }
}

/// How the engine searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchOptions {
    /// The search algorithm.
    pub method: Method,
    /// Whether the search prunes, reduces and extends moves. Without that it returns the exact
    /// minimax value of its depth, slowly; for tests and comparisons.
    pub selective: bool,
    /// Number of search threads.
    pub threads: usize,
    /// Number of principal variations (MultiPV).
    pub multi_pv: usize,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions { method: Method::Pvs, selective: true, threads: 1, multi_pv: 1 }
    }
}
