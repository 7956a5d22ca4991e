//! Settling a node before its moves are searched: razoring, futility, the null move, and captures
//! that will probably be too much.

use cozy_chess::Board;

use super::alpha_beta::Ask;
use super::searcher::{Searcher, has_pieces};
use crate::eval::Evaluate;
use crate::exchange;
use crate::history::Footprint;
use crate::order::{Picker, is_tactical};
use crate::score::MATE_SEEN;
use crate::table::{Bound, Found};

/// From this depth on a null move that fails high is checked by a search without it.
const VERIFY_FROM: i32 = 12;

impl<E: Evaluate> Searcher<E> {
    /// A value good enough to leave the node with, if one can be had cheaply.
    #[expect(clippy::too_many_arguments, reason = "they are what a node knows")]
    pub(super) fn settle_early(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        ask: Ask,
        guess: i32,
        improving: bool,
        found: Option<Found>,
    ) -> Option<i32> {
        let Ask { depth, alpha, beta, .. } = ask;
        // Razoring: so far below the window that only captures could help.
        if depth <= 3 && guess + 120 + 200 * depth <= alpha {
            let value = self.quiesce::<false>(board, state, ply, alpha, alpha + 1);
            if value <= alpha || self.is_over {
                return Some(value);
            }
        }
        // Futility, seen from above: a quiet move of the enemy does not take so much away.
        if depth <= 8 && guess - 85 * (depth - i32::from(improving)) >= beta && guess < MATE_SEEN {
            return Some((guess + beta) / 2);
        }
        self.pass(board, state, ply, ask, guess)
            .or_else(|| self.probable_cut(board, state, ply, ask, found))
    }

    /// The null move: if the enemy may move twice and we are still above the window, so are we
    /// with a move. Where passing might be the best move of all, it is verified.
    fn pass(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        ask: Ask,
        guess: i32,
    ) -> Option<i32> {
        let Ask { depth, beta, cut, .. } = ask;
        let passed_last = ply > 0 && self.plies[ply - 1].footprint == Footprint::NONE;
        let static_value = self.plies[ply].static_value;
        if depth < 2
            || guess < beta
            || static_value + 20 * depth < beta + 120
            || passed_last
            || ply < self.null_from
            || !has_pieces(board)
        {
            return None;
        }
        let after = board.null_move()?;
        self.table.will_ask(after.hash());
        let reduced = depth - 4 - depth / 4 - ((guess - beta) / 200).min(3);
        self.plies[ply].footprint = Footprint::NONE;
        self.keys.push(after.hash_without_ep());
        let turned = Ask { depth: reduced, alpha: -beta, beta: -beta + 1, cut: !cut };
        let value = -self.node::<false>(&after, state, ply + 1, turned);
        self.take_back();
        if self.is_over {
            return Some(0);
        }
        if value < beta {
            return None;
        }
        let value = if value > MATE_SEEN { beta } else { value };
        if depth < VERIFY_FROM || self.null_from > 0 {
            return Some(value);
        }
        self.null_from = ply + 3 * reduced.max(0) as usize / 4 + 1;
        let ask = Ask::scout(reduced.max(1), beta - 1, false);
        let checked = self.node::<false>(board, state, ply, ask);
        self.null_from = 0;
        if self.is_over {
            return Some(0);
        }
        (checked >= beta).then_some(value)
    }

    /// A capture that is far too good at a lower depth is taken to be too good at this one.
    fn probable_cut(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        ask: Ask,
        found: Option<Found>,
    ) -> Option<i32> {
        let Ask { depth, beta, cut, .. } = ask;
        let above = beta + 180;
        let is_unlikely =
            found.is_some_and(|found| found.depth >= depth - 3 && found.value < above);
        if depth < 5 || is_unlikely {
            return None;
        }
        let static_value = self.plies[ply].static_value;
        let table_move = found.and_then(|found| found.best).filter(|&mv| is_tactical(board, mv));
        let mut picker = Picker::captures(&self.moves, table_move);
        let mut settled = None;
        while let Some(mv) = picker.next(board, &self.history, &mut self.moves) {
            if !exchange::wins(board, mv, above - static_value) {
                continue;
            }
            let after = self.play(board, mv, ply);
            let next = self.eval.advance(state, board, mv, &after);
            let mut value = -self.quiesce::<false>(&after, &next, ply + 1, -above, -above + 1);
            if value >= above && !self.is_over {
                let ask = Ask { depth: depth - 4, alpha: -above, beta: -above + 1, cut: !cut };
                value = -self.node::<false>(&after, &next, ply + 1, ask);
            }
            self.take_back();
            if self.is_over {
                settled = Some(0);
                break;
            }
            if value >= above {
                let found = Found {
                    best: Some(mv),
                    value,
                    raw: self.plies[ply].raw,
                    depth: depth - 3,
                    bound: Bound::Lower,
                };
                self.table.store(board.hash(), found, ply);
                settled = Some(value);
                break;
            }
        }
        self.moves.truncate(picker.start());
        settled
    }
}
