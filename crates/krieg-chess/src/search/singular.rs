//! Singular moves: if every move but the table's is clearly worse, the position hangs on it, and
//! it is searched deeper (Anantharaman, Campbell and Hsu, "Singular extensions", 1990).

use cozy_chess::Board;

use super::alpha_beta::Ask;
use super::searcher::Searcher;
use crate::eval::Evaluate;
use crate::score::MATE_SEEN;
use crate::table::{Bound, Found};

/// The most plies by which one line is extended twice at a time.
const MOST_DOUBLE: i32 = 6;

pub(super) enum Singular {
    /// Search the move so many plies deeper; fewer, if negative.
    Extend(i32),
    /// Even without the move the value is too high: leave the node.
    Cut(i32),
}

impl<E: Evaluate> Searcher<E> {
    /// Asks what the node is worth without the table's move.
    pub(super) fn is_singular(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        ask: Ask,
        found: Found,
        is_pv: bool,
    ) -> Singular {
        let Ask { depth, beta, cut, .. } = ask;
        if found.depth < depth - 3 || found.bound == Bound::Upper || found.value.abs() >= MATE_SEEN
        {
            return Singular::Extend(0);
        }
        let below = found.value - 2 * depth;
        let killers = self.history.killers(ply);
        self.plies[ply].excluded = found.best;
        let value =
            self.node::<false>(board, state, ply, Ask::scout((depth - 1) / 2, below - 1, cut));
        self.plies[ply].excluded = None;
        self.history.restore_killers(ply, killers);
        if value < below {
            let is_alone = !is_pv && value < below - 20;
            if is_alone && self.plies[ply].double_extensions < MOST_DOUBLE {
                self.plies[ply + 1].double_extensions = self.plies[ply].double_extensions + 1;
                return Singular::Extend(2);
            }
            Singular::Extend(1)
        } else if below >= beta {
            Singular::Cut(below)
        } else if found.value >= beta {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        }
    }
}
