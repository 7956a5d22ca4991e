//! Singular moves: if every move but the table's is clearly worse, the position hangs on it, and
//! it is searched deeper (Anantharaman, Campbell and Hsu, "Singular extensions", 1990).

use cozy_chess::Board;

use super::alpha_beta::NodeParams;
use super::worker::SearchWorker;
use crate::eval::Evaluate;
use crate::score::MATE_THRESHOLD;
use crate::tt::{Bound, TtEntry};

/// The most plies by which one line is extended twice at a time.
const MOST_DOUBLE: i32 = 6;

pub(super) enum Singular {
    /// Search the move so many plies deeper; fewer, if negative.
    Extend(i32),
    /// Even without the move the value is too high: leave the node.
    Cut(i32),
}

impl<E: Evaluate> SearchWorker<E> {
    /// Asks what the node is worth without the table's move.
    pub(super) fn singular_extension(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        ask: NodeParams,
        found: TtEntry,
        is_pv: bool,
    ) -> Singular {
        let NodeParams { depth, beta, cut, .. } = ask;
        if found.depth < depth - 3
            || found.bound == Bound::Upper
            || found.value.abs() >= MATE_THRESHOLD
        {
            return Singular::Extend(0);
        }
        let below = found.value - 2 * depth;
        let killers = self.history.killers(ply);
        self.stack[ply].excluded = found.best;
        let value = self.search_node::<false>(
            board,
            state,
            ply,
            NodeParams::scout((depth - 1) / 2, below - 1, cut),
        );
        self.stack[ply].excluded = None;
        self.history.restore_killers(ply, killers);
        if value < below {
            let is_alone = !is_pv && value < below - 20;
            if is_alone && self.stack[ply].double_extensions < MOST_DOUBLE {
                self.stack[ply + 1].double_extensions = self.stack[ply].double_extensions + 1;
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
