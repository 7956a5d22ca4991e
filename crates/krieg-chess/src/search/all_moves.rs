//! A value for every legal move of a board, not only for the best.
//!
//! First every move is valued one ply deep. Then the ordinary search deepens. A move that comes
//! within a chosen spread of the best gets an exact value each time; any other keeps its last
//! exact value unless the search has found a lower bound since. So when the nodes run out every
//! move has a value, and the moves that matter have the deepest.

use std::sync::Arc;

use cozy_chess::{Board, Move as BoardMove};

use super::SearchControl;
use super::alpha_beta::NodeParams;
use super::worker::{HardLimits, SearchWorker};
use crate::eval::Evaluate;
use crate::move_picker::legal_moves;
use crate::score::{DRAW, INFINITE, MATE_THRESHOLD, MAX_PLY};
use crate::tt::{Bound, TtEntry};

/// A move, its value to the mover, and the depth at which it was last found exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MoveValue {
    pub mv: BoardMove,
    pub value: i32,
    pub depth: u32,
}

impl<E: Evaluate> SearchWorker<E> {
    /// Values every legal move, the best first, until the bounds are reached.
    pub(crate) fn evaluate_all_moves(
        &mut self,
        board: &Board,
        bounds: HardLimits,
        spread: i32,
    ) -> Vec<MoveValue> {
        self.prepare(board, &[], bounds, Arc::new(SearchControl::default()), Arc::default());
        self.forget();
        self.table.new_generation();
        let state = self.eval.refresh(board);
        let mut moves = self.value_one_ply(board, &state);
        self.exact_margin = spread;
        self.root_depth = 2;
        self.check_limits();
        self.begin_with(board, moves.first());
        for depth in 2..=MAX_PLY as i32 {
            let Some(best) = moves.first() else { break };
            if self.stopped || moves.len() == 1 || best.value.abs() > MATE_THRESHOLD {
                break;
            }
            self.root_depth = depth;
            self.root_moves.clear();
            self.aspiration_search(board, &state, depth, best.value);
            self.merge(&mut moves, depth as u32);
        }
        moves
    }

    /// Lets the search begin with the best move of the first ply.
    fn begin_with(&self, board: &Board, best: Option<&MoveValue>) {
        if let Some(best) = best {
            let found = TtEntry {
                best: Some(best.mv),
                value: best.value,
                raw: TtEntry::NO_EVAL,
                depth: 0,
                bound: Bound::Lower,
            };
            self.table.store(board.hash(), found, 0);
        }
    }

    /// Each move's value with nothing but captures after it. No bound ends this ply, so that every move
    /// has a value.
    fn value_one_ply(&mut self, board: &Board, state: &E::State) -> Vec<MoveValue> {
        let mut moves = Vec::new();
        self.root_depth = 1;
        for mv in legal_moves(board) {
            let after = self.make_move(board, mv, 0);
            let next = self.eval.update(state, board, mv, &after);
            let open = NodeParams { depth: 0, alpha: -INFINITE, beta: INFINITE, cut: false };
            let is_stalemate = after.checkers().is_empty() && !after.generate_moves(|_| true);
            let value =
                if is_stalemate { DRAW } else { -self.search_node::<true>(&after, &next, 1, open) };
            self.undo_move();
            moves.push(MoveValue { mv, value, depth: 1 });
        }
        sort(&mut moves);
        moves
    }

    /// Takes over what the last search of the root, finished or not, found about its moves.
    fn merge(&self, moves: &mut [MoveValue], depth: u32) {
        let exact = |mv| self.root_moves.get(mv).filter(|found| found.is_exact);
        let Some(best) = moves.iter().filter_map(|entry| Some(exact(entry.mv)?.value)).max() else {
            return; // cut off before the first move was through
        };
        for entry in moves.iter_mut() {
            match self.root_moves.get(entry.mv) {
                Some(found) if found.is_exact => {
                    *entry = MoveValue { value: found.value, depth, ..*entry };
                }
                // No better than the best, whatever was thought of them before.
                Some(found) => entry.value = entry.value.min(found.value).min(best - 1),
                None => entry.value = entry.value.min(best - 1),
            }
        }
        sort(moves);
    }
}

/// The best first; equal values keep their order.
fn sort(moves: &mut [MoveValue]) {
    moves.sort_by_key(|entry| std::cmp::Reverse(entry.value));
}
