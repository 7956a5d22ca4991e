//! Quiescence: captures are played out before a position is valued, since a value in the middle
//! of an exchange means nothing.

use cozy_chess::Board;

use super::worker::{SearchWorker, mated_in_ply};
use crate::eval::Evaluate;
use crate::move_picker::{MovePicker, is_capture};
use crate::score::{INFINITE, MATE_THRESHOLD, MAX_PLY};
use crate::see::{SEE_VALUES, see_ge};
use crate::tt::{Bound, TtEntry};

/// A capture that would not bring the value near the window is not tried; this much is allowed
/// for what else it may change.
const DELTA: i32 = 180;

impl<E: Evaluate> SearchWorker<E> {
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
        let found = if selective { self.table.probe(key, ply) } else { None };
        if let Some(found) = found
            && !PV
            && found.allows_cutoff(alpha, beta)
        {
            return found.value;
        }
        let first_alpha = alpha;
        let (mut raw, mut static_eval) = (TtEntry::NO_EVAL, TtEntry::NO_EVAL);
        let mut best = -INFINITE;
        if !in_check {
            raw = match found {
                Some(found) if found.raw != TtEntry::NO_EVAL => found.raw,
                _ => self.eval.evaluate(board, state),
            };
            static_eval = self.corrected_eval(board, raw);
            best = static_eval;
            if let Some(found) = found
                && found.allows_cutoff(best, best)
                && found.value.abs() < MATE_THRESHOLD
            {
                best = found.value;
            }
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let tt_move = found.and_then(|found| found.best);
        let mut picker = if in_check {
            MovePicker::all(&self.move_list, &self.history, tt_move, self.previous_moves(ply), ply)
        } else {
            let tt_move = tt_move.filter(|&mv| is_capture(board, mv));
            MovePicker::captures(&self.move_list, tt_move)
        };
        let mut best_move = None;
        let mut tried = 0;
        while let Some(mv) = picker.next(board, &self.history, &mut self.move_list) {
            if selective && best > -MATE_THRESHOLD {
                if in_check {
                    // One evasion that does not lose at once is enough to look at, besides captures.
                    picker.skip_quiets();
                    if tried > 0 && !is_capture(board, mv) {
                        continue;
                    }
                } else {
                    let victim =
                        board.piece_on(mv.to).map_or(SEE_VALUES[0], |man| SEE_VALUES[man as usize]);
                    let promise = static_eval + DELTA + victim;
                    if promise <= alpha && mv.promotion.is_none() {
                        best = best.max(promise.min(alpha));
                        continue;
                    }
                    if static_eval + DELTA <= alpha && !see_ge(board, mv, 1) {
                        best = best.max((static_eval + DELTA).min(alpha));
                        continue;
                    }
                }
            }
            tried += 1;
            let after = self.make_move(board, mv, ply);
            let next = self.eval.update(state, board, mv, &after);
            let value = -self.quiescence::<PV>(&after, &next, ply + 1, -beta, -alpha);
            self.undo_move();
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    if PV {
                        self.update_pv(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        self.move_list.truncate(picker.start());
        if in_check && tried == 0 {
            return mated_in_ply(ply);
        }
        if selective {
            let bound = Bound::of(best, first_alpha, beta);
            let found = TtEntry { best: best_move, value: best, raw, depth: 0, bound };
            self.table.store(key, found, ply);
        }
        best
    }
}
