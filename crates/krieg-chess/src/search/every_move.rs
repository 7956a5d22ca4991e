//! A value for every legal move of a board, not only for the best.
//!
//! First every move is valued by quiescence alone. Then the search deepens, the best moves first: a
//! move that may come within [`Spread`] of the best gets an exact value at this depth, any other
//! keeps its last value unless the new bound is lower. So when the nodes run out every move has
//! a value, and the moves that matter have the deepest.

use std::sync::Arc;

use cozy_chess::{Board, Move as BoardMove};

use super::alpha_beta::{Ask, reduction};
use super::searcher::{Bounds, Searcher};
use super::Signal;
use crate::eval::Evaluate;
use crate::order::legal_moves;
use crate::score::{DEEPEST, INFINITE, MATE_SEEN};

/// A move, its value to the mover, and the depth at which it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MoveValue {
    pub mv: BoardMove,
    pub value: i32,
    pub depth: u32,
}

/// How close to the best a move must come, in hundredths of a pawn, to be valued exactly.
pub(crate) type Spread = i32;

impl<E: Evaluate> Searcher<E> {
    /// Values every legal move, the best first, until the bounds are reached.
    pub(crate) fn value_every_move(
        &mut self,
        board: &Board,
        bounds: Bounds,
        spread: Spread,
    ) -> Vec<MoveValue> {
        self.prepare(board, &[], bounds, Arc::new(Signal::default()), Arc::default());
        self.history.fade();
        let state = self.eval.begin(board);
        let mut moves: Vec<MoveValue> = legal_moves(board)
            .into_iter()
            .map(|mv| MoveValue { mv, value: 0, depth: 0 })
            .collect();
        // The first round is done whatever it costs: it is some dozens of nodes a move.
        self.bounds = Bounds { nodes: u64::MAX, hard: None, ..bounds };
        for entry in &mut moves {
            let next = self.eval.advance(&state, board, entry.mv);
            let after = self.play(board, entry.mv, 0);
            entry.value = if self.is_drawn(&after) {
                0
            } else {
                self.root_depth = 1;
                -self.node::<true>(&after, &next, 1, open(0))
            };
            entry.depth = 1;
            self.take_back();
        }
        sort(&mut moves);
        self.bounds = bounds;
        self.look_now();
        if moves.len() < 2 && self.is_over {
            return moves;
        }
        for depth in 2..=DEEPEST as i32 {
            self.root_depth = depth;
            let is_done = self.deepen_every_move(board, &state, &mut moves, depth, spread);
            sort(&mut moves);
            let is_decided = moves.first().is_none_or(|best| best.value.abs() > MATE_SEEN);
            if !is_done || is_decided {
                break;
            }
        }
        moves
    }

    /// One more ply for all moves. Says whether it was finished.
    fn deepen_every_move(
        &mut self,
        board: &Board,
        state: &E::State,
        moves: &mut [MoveValue],
        depth: i32,
        spread: Spread,
    ) -> bool {
        let mut best = -INFINITE;
        for (nth, entry) in moves.iter_mut().enumerate() {
            let next = self.eval.advance(state, board, entry.mv);
            let after = self.play(board, entry.mv, 0);
            let alpha = (best - spread).max(-INFINITE);
            let value = if nth == 0 {
                -self.node::<true>(&after, &next, 1, open(depth - 1))
            } else {
                let less = (reduction(depth, nth) - 1).max(0);
                let mut value = INFINITE;
                if less > 0 {
                    let ask = Ask { depth: depth - 1 - less, alpha: -alpha - 1, beta: -alpha, cut: true };
                    value = -self.node::<false>(&after, &next, 1, ask);
                }
                if value > alpha && !self.is_over {
                    let ask = Ask { depth: depth - 1, alpha: -alpha - 1, beta: -alpha, cut: true };
                    value = -self.node::<false>(&after, &next, 1, ask);
                }
                if value > alpha && !self.is_over {
                    let ask = Ask { depth: depth - 1, alpha: -INFINITE, beta: -alpha, cut: false };
                    value = -self.node::<true>(&after, &next, 1, ask);
                }
                value
            };
            self.take_back();
            if self.is_over {
                return false;
            }
            if value > alpha {
                *entry = MoveValue { value, depth: depth as u32, ..*entry };
            } else {
                entry.value = entry.value.min(value);
            }
            best = best.max(value);
        }
        true
    }
}

fn open(depth: i32) -> Ask {
    Ask { depth, alpha: -INFINITE, beta: INFINITE, cut: false }
}

/// The best first; equal values keep their order.
fn sort(moves: &mut [MoveValue]) {
    moves.sort_by_key(|entry| std::cmp::Reverse(entry.value));
}
