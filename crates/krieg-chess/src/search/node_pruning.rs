//! Settling a node before its moves are searched: razoring, futility, the null move, and captures
//! that will probably be too much.

use cozy_chess::Board;

use super::alpha_beta::NodeParams;
use super::worker::{SearchWorker, has_non_pawn_material};
use crate::eval::Evaluate;
use crate::history::PieceTo;
use crate::move_picker::{MovePicker, is_tactical};
use crate::score::MATE_THRESHOLD;
use crate::see;
use crate::tt::{Bound, TtEntry};

/// From this depth on a null move that fails high is checked by a search without it.
const VERIFY_FROM: i32 = 12;

impl<E: Evaluate> SearchWorker<E> {
    /// A value good enough to leave the node with, if one can be had cheaply.
    #[expect(clippy::too_many_arguments, reason = "they are what a node knows")]
    pub(super) fn prune_node(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        ask: NodeParams,
        guess: i32,
        improving: bool,
        found: Option<TtEntry>,
    ) -> Option<i32> {
        let NodeParams { depth, alpha, beta, .. } = ask;
        // Razoring: so far below the window that only captures could help.
        if depth <= 3 && guess + 120 + 200 * depth <= alpha {
            let value = self.quiescence::<false>(board, state, ply, alpha, alpha + 1);
            if value <= alpha || self.stopped {
                return Some(value);
            }
        }
        // Futility, seen from above: a quiet move of the enemy does not take so much away.
        if depth <= 8
            && guess - 85 * (depth - i32::from(improving)) >= beta
            && guess < MATE_THRESHOLD
        {
            return Some((guess + beta) / 2);
        }
        self.pass(board, state, ply, ask, guess)
            .or_else(|| self.probcut(board, state, ply, ask, found))
    }

    /// The null move: if the enemy may move twice and we are still above the window, so are we
    /// with a move. Where passing might be the best move of all, it is verified.
    fn pass(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        ask: NodeParams,
        guess: i32,
    ) -> Option<i32> {
        let NodeParams { depth, beta, cut, .. } = ask;
        let passed_last = ply > 0 && self.stack[ply - 1].piece_to == PieceTo::NONE;
        let static_eval = self.stack[ply].static_eval;
        if depth < 2
            || guess < beta
            || static_eval + 20 * depth < beta + 120
            || passed_last
            || ply < self.null_move_min_ply
            || !has_non_pawn_material(board)
        {
            return None;
        }
        let after = board.null_move()?;
        self.table.prefetch(after.hash());
        let reduced = depth - 4 - depth / 4 - ((guess - beta) / 200).min(3);
        self.stack[ply].piece_to = PieceTo::NONE;
        self.position_keys.push(after.hash_without_ep());
        let turned = NodeParams { depth: reduced, alpha: -beta, beta: -beta + 1, cut: !cut };
        let value = -self.search_node::<false>(&after, state, ply + 1, turned);
        self.undo_move();
        if self.stopped {
            return Some(0);
        }
        if value < beta {
            return None;
        }
        let value = if value > MATE_THRESHOLD { beta } else { value };
        if depth < VERIFY_FROM || self.null_move_min_ply > 0 {
            return Some(value);
        }
        self.null_move_min_ply = ply + 3 * reduced.max(0) as usize / 4 + 1;
        let ask = NodeParams::scout(reduced.max(1), beta - 1, false);
        let checked = self.search_node::<false>(board, state, ply, ask);
        self.null_move_min_ply = 0;
        if self.stopped {
            return Some(0);
        }
        (checked >= beta).then_some(value)
    }

    /// A capture that is far too good at a lower depth is taken to be too good at this one.
    fn probcut(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        ask: NodeParams,
        found: Option<TtEntry>,
    ) -> Option<i32> {
        let NodeParams { depth, beta, cut, .. } = ask;
        let above = beta + 180;
        let is_unlikely =
            found.is_some_and(|found| found.depth >= depth - 3 && found.value < above);
        if depth < 5 || is_unlikely {
            return None;
        }
        let static_eval = self.stack[ply].static_eval;
        let tt_move = found.and_then(|found| found.best).filter(|&mv| is_tactical(board, mv));
        let mut picker = MovePicker::captures(&self.move_list, tt_move);
        let mut settled = None;
        while let Some(mv) = picker.next(board, &self.history, &mut self.move_list) {
            if !see::see_ge(board, mv, above - static_eval) {
                continue;
            }
            let after = self.make_move(board, mv, ply);
            let next = self.eval.update(state, board, mv, &after);
            let mut value = -self.quiescence::<false>(&after, &next, ply + 1, -above, -above + 1);
            if value >= above && !self.stopped {
                let ask =
                    NodeParams { depth: depth - 4, alpha: -above, beta: -above + 1, cut: !cut };
                value = -self.search_node::<false>(&after, &next, ply + 1, ask);
            }
            self.undo_move();
            if self.stopped {
                settled = Some(0);
                break;
            }
            if value >= above {
                let found = TtEntry {
                    best: Some(mv),
                    value,
                    raw: self.stack[ply].raw,
                    depth: depth - 3,
                    bound: Bound::Lower,
                };
                self.table.store(board.hash(), found, ply);
                settled = Some(value);
                break;
            }
        }
        self.move_list.truncate(picker.start());
        settled
    }
}
