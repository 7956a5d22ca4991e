//! What is kept about the moves at the root.

use cozy_chess::Move as BoardMove;

/// What the last search of the root found about one of its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RootMove {
    pub mv: BoardMove,
    /// Nodes spent on it.
    pub nodes: u64,
    pub value: i32,
    /// Whether the value is more than an upper bound.
    pub is_exact: bool,
}

/// The moves at the root that have been searched, in the order they were first.
#[derive(Debug, Clone, Default)]
pub(super) struct RootMoves(Vec<RootMove>);

impl RootMoves {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps what was found about a move; nodes add up.
    pub fn note(&mut self, found: RootMove) {
        match self.0.iter_mut().find(|known| known.mv == found.mv) {
            Some(known) => *known = RootMove { nodes: known.nodes + found.nodes, ..found },
            None => self.0.push(found),
        }
    }

    pub fn get(&self, mv: BoardMove) -> Option<&RootMove> {
        self.0.iter().find(|known| known.mv == mv)
    }
}
