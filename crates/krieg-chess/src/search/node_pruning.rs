//! Pruning of whole nodes before their moves are searched: razoring, reverse futility pruning,
//! null-move pruning, ProbCut.

use cozy_chess::Board;

use super::alpha_beta::NodeParams;
use super::worker::{SearchWorker, has_non_pawn_material};
use crate::eval::Evaluate;
use crate::history::PieceTo;
use crate::move_picker::MovePicker;
use crate::moves::is_tactical;
use crate::score::MATE_THRESHOLD;
use crate::see::see_ge;
use crate::tt::{Bound, Entry};

/// Null-move cutoffs from this depth on are verified by a search without null moves.
const NULL_MOVE_VERIFICATION_DEPTH: i32 = 12;

impl<E: Evaluate> SearchWorker<E> {
    /// The value with which the node is pruned, if it is. `estimate` is the static estimate of its
    /// value.
    #[expect(clippy::too_many_arguments, reason = "the state of a node has many parts")]
    pub(super) fn prune_node(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        params: NodeParams,
        estimate: i32,
        improving: bool,
        tt_entry: Option<Entry>,
    ) -> Option<i32> {
        let NodeParams { depth, alpha, beta, .. } = params;
        // Razoring: so far below alpha that only captures might help.
        if depth <= 3 && estimate + 120 + 200 * depth <= alpha {
            let value = self.quiescence::<false>(board, state, ply, alpha, alpha + 1);
            if value <= alpha || self.stopped {
                return Some(value);
            }
        }
        // Reverse futility pruning (static null-move pruning): so far above beta that no quiet move
        // of the opponent is likely to bring the value below it.
        if depth <= 8
            && estimate - 85 * (depth - i32::from(improving)) >= beta
            && estimate < MATE_THRESHOLD
        {
            return Some((estimate + beta) / 2);
        }
        self.null_move_pruning(board, state, ply, params, estimate)
            .or_else(|| self.probcut(board, state, ply, params, tt_entry))
    }

    /// Null-move pruning: if the value is still above beta after the player has passed, a real move
    /// will be above it too. At high depth the cutoff is verified, because of zugzwang.
    fn null_move_pruning(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        params: NodeParams,
        estimate: i32,
    ) -> Option<i32> {
        let NodeParams { depth, beta, cut_node, .. } = params;
        let after_null_move = ply > 0 && self.stack[ply - 1].piece_to == PieceTo::NONE;
        let static_eval = self.stack[ply].static_eval;
        if depth < 2
            || estimate < beta
            || static_eval + 20 * depth < beta + 120
            || after_null_move
            || ply < self.null_move_min_ply
            || !has_non_pawn_material(board)
        {
            return None;
        }
        let after = board.null_move()?;
        self.table.prefetch(after.hash());
        let reduced_depth = depth - 4 - depth / 4 - ((estimate - beta) / 200).min(3);
        self.stack[ply].piece_to = PieceTo::NONE;
        self.position_keys.push(after.hash_without_ep());
        let params = NodeParams::null_window(reduced_depth, -beta, !cut_node);
        let value = -self.search_node::<false>(&after, state, ply + 1, params);
        self.undo_move();
        if self.stopped {
            return Some(0);
        }
        if value < beta {
            return None;
        }
        // A mate found after a null move is unproven.
        let value = if value > MATE_THRESHOLD { beta } else { value };
        if depth < NULL_MOVE_VERIFICATION_DEPTH || self.null_move_min_ply > 0 {
            return Some(value);
        }
        // Verification search.
        self.null_move_min_ply = ply + 3 * reduced_depth.max(0) as usize / 4 + 1;
        let params = NodeParams::null_window(reduced_depth.max(1), beta - 1, false);
        let verified = self.search_node::<false>(board, state, ply, params);
        self.null_move_min_ply = 0;
        if self.stopped {
            return Some(0);
        }
        (verified >= beta).then_some(value)
    }

    /// ProbCut: a capture whose value is far above beta at reduced depth is likely to be above beta
    /// at full depth.
    fn probcut(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        params: NodeParams,
        tt_entry: Option<Entry>,
    ) -> Option<i32> {
        let NodeParams { depth, beta, cut_node, .. } = params;
        let probcut_beta = beta + 180;
        let is_unlikely =
            tt_entry.is_some_and(|entry| entry.depth >= depth - 3 && entry.value < probcut_beta);
        if depth < 5 || is_unlikely {
            return None;
        }
        let static_eval = self.stack[ply].static_eval;
        let tt_move =
            tt_entry.and_then(|entry| entry.best_move).filter(|&mv| is_tactical(board, mv));
        let mut picker = MovePicker::good_captures(&self.move_list, tt_move);
        let mut result = None;
        while let Some(mv) = picker.next(board, &self.history, &mut self.move_list) {
            if !see_ge(board, mv, probcut_beta - static_eval) {
                continue;
            }
            let after = self.make_move(board, mv, ply);
            let next = self.eval.update(state, board, mv, &after);
            let (alpha, beta) = (-probcut_beta, -probcut_beta + 1);
            let mut value = -self.quiescence::<false>(&after, &next, ply + 1, alpha, beta);
            if value >= probcut_beta && !self.stopped {
                let params = NodeParams::null_window(depth - 4, alpha, !cut_node);
                value = -self.search_node::<false>(&after, &next, ply + 1, params);
            }
            self.undo_move();
            if self.stopped {
                result = Some(0);
                break;
            }
            if value >= probcut_beta {
                let entry = Entry {
                    best_move: Some(mv),
                    value,
                    raw_eval: self.stack[ply].raw_eval,
                    depth: depth - 3,
                    bound: Bound::Lower,
                };
                self.table.store(board.hash(), entry, ply);
                result = Some(value);
                break;
            }
        }
        self.move_list.truncate(picker.start());
        result
    }
}
