//! Looking ahead: the search, its threads, and what it reports.

mod all_moves;
mod alpha_beta;
mod engine;
mod iterative_deepening;
mod limits;
mod node_pruning;
mod quiescence;
mod quiescence_evaluator;
mod root_moves;
mod singular;
#[cfg(test)]
mod tests;
mod worker;

use std::str::FromStr;

use cozy_chess::Move as BoardMove;

use crate::score::Score;

pub use engine::{Engine, PositionHistory, SearchReport};
pub use limits::{SearchControl, SearchLimits};
pub use quiescence_evaluator::QuiescenceEvaluator;
pub(crate) use worker::{HardLimits, SearchWorker};

/// Which windows the search opens. All methods share one table and one order of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Principal-variation search with aspiration: the one to play with.
    #[default]
    Pvs,
    /// MTD(f): null windows only.
    Mtdf,
    /// Plain alpha-beta: every move with the open window.
    AlphaBeta,
}

impl Method {
    /// Every method.
    pub const ALL: [Method; 3] = [Method::Pvs, Method::Mtdf, Method::AlphaBeta];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Method::Pvs => "pvs",
            Method::Mtdf => "mtdf",
            Method::AlphaBeta => "alphabeta",
        }
    }
}

impl FromStr for Method {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Method::ALL.into_iter().find(|method| method.name().eq_ignore_ascii_case(name)).ok_or(())
    }
}

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchOptions {
    /// Which windows are opened.
    pub method: Method,
    /// Whether moves are pruned, reduced and extended on good guesses. Without, the search gives
    /// the exact value of its depth, slowly: for tests and comparisons.
    pub selective: bool,
    /// How many threads search.
    pub threads: usize,
    /// How many best lines are found.
    pub multi_pv: usize,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions { method: Method::Pvs, selective: true, threads: 1, multi_pv: 1 }
    }
}

/// A line of play and what it is worth to the side that begins it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrincipalVariation {
    /// The value.
    pub score: Score,
    /// The depth at which it was found.
    pub depth: u32,
    /// The moves, as the board writes them. Never empty.
    pub moves: Vec<BoardMove>,
}
