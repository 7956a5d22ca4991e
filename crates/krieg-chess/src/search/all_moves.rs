//! A value for every legal move of a position, not only for the best one.
//!
//! First, every move is searched one ply deep. Then the ordinary search deepens. A move within a
//! margin of the best one gets an exact value in each iteration. Any other move keeps its last
//! exact value, unless the search has found a lower upper bound since. So every move has a value
//! whenever the search ends, and the moves that matter have the deepest values.

use std::cmp::Reverse;
use std::sync::Arc;

use cozy_chess::{Board, Move as BoardMove};

use super::SearchControl;
use super::alpha_beta::NodeParams;
use super::worker::{HardLimits, SearchWorker};
use crate::eval::Evaluate;
use crate::moves::legal_moves;
use crate::score::{DRAW, INFINITE, MATE_THRESHOLD, MAX_PLY};
use crate::tt::{Bound, Entry};

/// A move, its value for the mover, and the depth of its last exact value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MoveValue {
    pub mv: BoardMove,
    pub value: i32,
    pub depth: u32,
}

impl<E: Evaluate> SearchWorker<E> {
    /// Evaluates every legal move until a limit is reached. Returns the moves best first.
    pub(crate) fn evaluate_all_moves(
        &mut self,
        board: &Board,
        limits: HardLimits,
        exact_margin: i32,
    ) -> Vec<MoveValue> {
        self.prepare(board, &[], limits, Arc::new(SearchControl::default()), Arc::default());
        self.clear_history();
        self.table.new_generation();
        let state = self.eval.refresh(board);
        let mut moves = self.evaluate_one_ply(board, &state);
        self.exact_margin = exact_margin;
        self.root_depth = 2;
        self.check_limits();
        self.store_root_move(board, moves.first());
        for depth in 2..=MAX_PLY as i32 {
            let Some(best) = moves.first() else { break };
            if self.stopped || moves.len() == 1 || best.value.abs() > MATE_THRESHOLD {
                break;
            }
            self.root_depth = depth;
            self.root_moves.clear();
            self.aspiration_search(board, &state, depth, best.value);
            self.merge_root_moves(&mut moves, depth as u32);
        }
        moves
    }

    /// Stores the best move of the first ply in the transposition table, so that the search tries
    /// it first.
    fn store_root_move(&self, board: &Board, best: Option<&MoveValue>) {
        if let Some(best) = best {
            let entry = Entry {
                best_move: Some(best.mv),
                value: best.value,
                raw_eval: Entry::NO_EVAL,
                depth: 0,
                bound: Bound::Lower,
            };
            self.table.store(board.hash(), entry, 0);
        }
    }

    /// Searches every move one ply deep, ignoring the limits so that every move gets a value.
    fn evaluate_one_ply(&mut self, board: &Board, state: &E::State) -> Vec<MoveValue> {
        let mut moves = Vec::new();
        self.root_depth = 1;
        for mv in legal_moves(board) {
            let after = self.make_move(board, mv, 0);
            let next = self.eval.update(state, board, mv, &after);
            let params = NodeParams { depth: 0, alpha: -INFINITE, beta: INFINITE, cut_node: false };
            let is_stalemate = after.checkers().is_empty() && !after.generate_moves(|_| true);
            let value = if is_stalemate {
                DRAW
            } else {
                -self.search_node::<true>(&after, &next, 1, params)
            };
            self.undo_move();
            moves.push(MoveValue { mv, value, depth: 1 });
        }
        sort(&mut moves);
        moves
    }

    /// Updates the values by the results of the last search of the root, which may have been
    /// interrupted.
    fn merge_root_moves(&self, moves: &mut [MoveValue], depth: u32) {
        let exact = |mv| self.root_moves.get(mv).filter(|root_move| root_move.is_exact);
        let Some(best) = moves.iter().filter_map(|entry| Some(exact(entry.mv)?.value)).max() else {
            return; // interrupted before the first move was searched
        };
        for entry in moves.iter_mut() {
            match self.root_moves.get(entry.mv) {
                Some(root_move) if root_move.is_exact => {
                    *entry = MoveValue { value: root_move.value, depth, ..*entry };
                }
                // Worse than the best move, whatever the earlier value.
                Some(root_move) => entry.value = entry.value.min(root_move.value).min(best - 1),
                None => entry.value = entry.value.min(best - 1),
            }
        }
        sort(moves);
    }
}

/// Sorts by value, best first; the sort is stable.
fn sort(moves: &mut [MoveValue]) {
    moves.sort_by_key(|entry| Reverse(entry.value));
}
