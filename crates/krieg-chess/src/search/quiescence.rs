//! Quiescence search: resolves captures before the static evaluation, which means nothing in the
//! middle of an exchange.

use cozy_chess::Board;

use super::worker::{SearchWorker, mated_in_ply};
use crate::eval::Evaluate;
use crate::move_picker::MovePicker;
use crate::moves::is_capture;
use crate::score::{INFINITE, MATE_THRESHOLD, MAX_PLY};
use crate::see::{SEE_VALUES, see_ge};
use crate::tt::{Bound, Entry};

/// Margin of delta pruning in centipawns: how much a capture may gain beyond the captured piece.
const DELTA_MARGIN: i32 = 180;

impl<E: Evaluate> SearchWorker<E> {
    /// The value of a position after all good captures, or all evasions if in check.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.count_node();
        if self.stopped {
            return 0;
        }
        self.seldepth = self.seldepth.max(ply);
        if PV {
            self.pv_table[ply].clear();
        }
        let selective = self.options.selective;
        let in_check = !board.checkers().is_empty();
        if ply >= MAX_PLY {
            return if in_check { 0 } else { self.eval.evaluate(board, state) };
        }
        let key = board.hash();
        let tt_entry = if selective { self.table.probe(key, ply) } else { None };
        if let Some(entry) = tt_entry
            && !PV
            && entry.allows_cutoff(alpha, beta)
        {
            return entry.value;
        }
        let original_alpha = alpha;
        let (mut raw_eval, mut static_eval) = (Entry::NO_EVAL, Entry::NO_EVAL);
        let mut best_value = -INFINITE;
        // Stand pat: the player need not capture.
        if !in_check {
            raw_eval = match tt_entry {
                Some(entry) if entry.raw_eval != Entry::NO_EVAL => entry.raw_eval,
                _ => self.eval.evaluate(board, state),
            };
            static_eval = self.corrected_eval(board, raw_eval);
            best_value = static_eval;
            if let Some(entry) = tt_entry
                && entry.improves_on(best_value)
                && entry.value.abs() < MATE_THRESHOLD
            {
                best_value = entry.value;
            }
            if best_value >= beta {
                return best_value;
            }
            alpha = alpha.max(best_value);
        }
        let tt_move = tt_entry.and_then(|entry| entry.best_move);
        let mut picker = if in_check {
            let previous = self.previous_moves(ply);
            MovePicker::all_moves(&self.move_list, &self.history, tt_move, previous, ply)
        } else {
            let tt_move = tt_move.filter(|&mv| is_capture(board, mv));
            MovePicker::good_captures(&self.move_list, tt_move)
        };
        let mut best_move = None;
        let mut move_count = 0;
        while let Some(mv) = picker.next(board, &self.history, &mut self.move_list) {
            if selective && best_value > -MATE_THRESHOLD {
                if in_check {
                    // Besides captures, one evasion that is not mated is enough.
                    picker.skip_quiets();
                    if move_count > 0 && !is_capture(board, mv) {
                        continue;
                    }
                } else {
                    // Delta pruning: even winning the captured piece would not reach alpha.
                    let victim = board
                        .piece_on(mv.to)
                        .map_or(SEE_VALUES[0], |piece| SEE_VALUES[piece as usize]);
                    let optimistic = static_eval + DELTA_MARGIN + victim;
                    if optimistic <= alpha && mv.promotion.is_none() {
                        best_value = best_value.max(optimistic.min(alpha));
                        continue;
                    }
                    // SEE pruning: an even exchange would not reach alpha.
                    if static_eval + DELTA_MARGIN <= alpha && !see_ge(board, mv, 1) {
                        best_value = best_value.max((static_eval + DELTA_MARGIN).min(alpha));
                        continue;
                    }
                }
            }
            move_count += 1;
            let after = self.make_move(board, mv, ply);
            let next = self.eval.update(state, board, mv, &after);
            let value = -self.quiescence::<PV>(&after, &next, ply + 1, -beta, -alpha);
            self.undo_move();
            if self.stopped {
                return 0;
            }
            if value > best_value {
                best_value = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    if PV {
                        self.update_pv(ply, mv);
                    }
                    if value >= beta {
                        break; // beta cutoff
                    }
                }
            }
        }
        self.move_list.truncate(picker.start());
        if in_check && move_count == 0 {
            return mated_in_ply(ply);
        }
        if selective {
            let bound = Bound::of(best_value, original_alpha, beta);
            let entry = Entry { best_move, value: best_value, raw_eval, depth: 0, bound };
            self.table.store(key, entry, ply);
        }
        best_value
    }
}
