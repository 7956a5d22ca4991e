//! The static evaluation of a node.

use cozy_chess::Board;

use super::worker::{SearchWorker, StackEntry};
use crate::eval::Evaluate;
use crate::score::{INFINITE, MATE_THRESHOLD};
use crate::tt::Entry;

/// Estimates of a node's value without searching its moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct StaticEval {
    /// The static evaluation; [`Entry::NO_EVAL`] in check.
    pub raw: i32,
    /// The static evaluation with the correction history applied; [`Entry::NO_EVAL`] in check.
    pub corrected: i32,
    /// The corrected evaluation, or the value from the transposition table if that is better.
    pub estimate: i32,
}

impl<E: Evaluate> SearchWorker<E> {
    /// Evaluates a node and records the evaluation on the search stack.
    pub(super) fn static_eval(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        in_check: bool,
        tt_entry: Option<Entry>,
    ) -> StaticEval {
        if self.stack[ply].excluded_move.is_some() {
            // The node is being searched already.
            let StackEntry { raw_eval: raw, static_eval: corrected, .. } = self.stack[ply];
            return StaticEval { raw, corrected, estimate: corrected };
        }
        if in_check {
            self.stack[ply].raw_eval = Entry::NO_EVAL;
            self.stack[ply].static_eval = Entry::NO_EVAL;
            let none = Entry::NO_EVAL;
            return StaticEval { raw: none, corrected: none, estimate: -INFINITE };
        }
        let raw = match tt_entry {
            Some(entry) if entry.raw_eval != Entry::NO_EVAL => entry.raw_eval,
            _ => self.eval.evaluate(board, state),
        };
        let corrected = self.corrected_eval(board, raw);
        self.stack[ply].raw_eval = raw;
        self.stack[ply].static_eval = corrected;
        let estimate = match tt_entry {
            Some(entry) if entry.improves_on(corrected) && entry.value.abs() < MATE_THRESHOLD => {
                entry.value
            }
            _ => corrected,
        };
        StaticEval { raw, corrected, estimate }
    }

    /// The static evaluation at this player's previous move, or at the one before it if the player
    /// was in check. A node whose evaluation is higher is "improving".
    pub(super) fn previous_eval(&self, ply: usize) -> i32 {
        let eval_before = |plies: usize| {
            if ply >= plies { self.stack[ply - plies].static_eval } else { INFINITE }
        };
        match eval_before(2) {
            Entry::NO_EVAL => eval_before(4),
            eval => eval,
        }
    }
}
