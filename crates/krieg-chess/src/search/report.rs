//! What a search reports: principal variations and statistics.

use std::time::Duration;

use cozy_chess::Move as BoardMove;

use crate::score::Score;

/// A principal variation: the best line found from the root, and its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrincipalVariation {
    /// The score for the side to move at the root.
    pub score: Score,
    /// The depth of the iteration that found it, in plies.
    pub depth: u32,
    /// The moves, in the encoding of `cozy-chess`. Never empty.
    pub moves: Vec<BoardMove>,
}

/// The results of a search so far.
#[derive(Debug, Clone)]
pub struct SearchReport {
    /// Depth of the last completed iteration, in plies.
    pub depth: u32,
    /// Greatest depth of any line, in plies ("selective depth").
    pub seldepth: u32,
    /// The principal variations, best first; several in MultiPV mode. Empty only if there is no
    /// legal move.
    pub variations: Vec<PrincipalVariation>,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Time since the start of the search.
    pub time: Duration,
    /// Share of the transposition table in use, in permille.
    pub hashfull: usize,
}

impl SearchReport {
    /// The best move.
    #[must_use]
    pub fn best_move(&self) -> Option<BoardMove> {
        self.variations.first()?.moves.first().copied()
    }

    /// The expected reply to the best move, on which a UCI engine ponders.
    #[must_use]
    pub fn ponder_move(&self) -> Option<BoardMove> {
        self.variations.first()?.moves.get(1).copied()
    }

    /// Nodes per second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}
