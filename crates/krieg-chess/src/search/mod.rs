//! Looking ahead: the search, its threads, and what it reports.

mod alpha_beta;
mod deepening;
mod every_move;
mod glance;
mod limits;
mod quiescence;
mod root;
mod searcher;
mod settle;
mod singular;
#[cfg(test)]
mod tests;
mod think;

use std::str::FromStr;

use cozy_chess::Move as BoardMove;

use crate::score::Score;

pub use glance::Glance;
pub use limits::{Limits, Signal};
pub(crate) use searcher::{Bounds, Searcher};
pub use think::{Engine, Played, Report};

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
pub struct Options {
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

impl Default for Options {
    fn default() -> Self {
        Options { method: Method::Pvs, selective: true, threads: 1, multi_pv: 1 }
    }
}

/// A line of play and what it is worth to the side that begins it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The value.
    pub score: Score,
    /// The depth at which it was found.
    pub depth: u32,
    /// The moves, as the board writes them. Never empty.
    pub moves: Vec<BoardMove>,
}
