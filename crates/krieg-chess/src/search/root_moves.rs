//! What the search records about each root move.

use cozy_chess::Move as BoardMove;

/// The result of the last search of a root move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RootMove {
    pub mv: BoardMove,
    /// Nodes spent on the move.
    pub nodes: u64,
    pub value: i32,
    /// Whether the value is exact, as opposed to a bound.
    pub is_exact: bool,
}

/// The root moves searched so far, in the order in which each was searched first.
#[derive(Debug, Clone, Default)]
pub(super) struct RootMoves(Vec<RootMove>);

impl RootMoves {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Records a result. It replaces an earlier one of the same move, except that nodes add up.
    pub fn record(&mut self, result: RootMove) {
        match self.0.iter_mut().find(|earlier| earlier.mv == result.mv) {
            Some(earlier) => *earlier = RootMove { nodes: earlier.nodes + result.nodes, ..result },
            None => self.0.push(result),
        }
    }

    pub fn get(&self, mv: BoardMove) -> Option<&RootMove> {
        self.0.iter().find(|result| result.mv == mv)
    }
}
