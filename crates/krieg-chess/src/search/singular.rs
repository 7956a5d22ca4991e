//! Singular extensions: if every other move is clearly worse than the move of the transposition
//! table, that move is searched deeper (Anantharaman, Campbell and Hsu, "Singular extensions",
//! 1990).

use cozy_chess::Board;

use super::alpha_beta::NodeParams;
use super::worker::SearchWorker;
use crate::eval::Evaluate;
use crate::score::MATE_THRESHOLD;
use crate::tt::{Bound, Entry};

/// Maximum number of double extensions on one line.
const MAX_DOUBLE_EXTENSIONS: i32 = 6;

pub(super) enum Singular {
    /// The move is extended by this many plies; it is reduced if the number is negative.
    Extend(i32),
    /// Multi-cut: other moves exceed beta as well, so the node is cut off with this value.
    MultiCut(i32),
}

impl<E: Evaluate> SearchWorker<E> {
    /// Decides the extension of the move of the transposition table, by a reduced search of the
    /// node that excludes it.
    pub(super) fn singular_extension(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        params: NodeParams,
        tt_entry: Entry,
        is_pv: bool,
    ) -> Singular {
        let NodeParams { depth, beta, cut_node, .. } = params;
        if tt_entry.depth < depth - 3
            || tt_entry.bound == Bound::Upper
            || tt_entry.value.abs() >= MATE_THRESHOLD
        {
            return Singular::Extend(0);
        }
        let singular_beta = tt_entry.value - 2 * depth;
        let killers = self.history.killers(ply);
        self.stack[ply].excluded_move = tt_entry.best_move;
        let params = NodeParams::null_window((depth - 1) / 2, singular_beta - 1, cut_node);
        let value = self.search_node::<false>(board, state, ply, params);
        self.stack[ply].excluded_move = None;
        self.history.restore_killers(ply, killers);
        if value < singular_beta {
            // Double extension of a move that is better by far.
            let is_far_better = !is_pv && value < singular_beta - 20;
            if is_far_better && self.stack[ply].double_extensions < MAX_DOUBLE_EXTENSIONS {
                self.stack[ply + 1].double_extensions = self.stack[ply].double_extensions + 1;
                return Singular::Extend(2);
            }
            Singular::Extend(1)
        } else if singular_beta >= beta {
            Singular::MultiCut(singular_beta)
        } else if tt_entry.value >= beta {
            // Negative extension: another move may cause the cutoff too.
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        }
    }
}
