//! Quiescence: captures are played out before a position is valued, since a value in the middle
//! of an exchange means nothing.

use cozy_chess::Board;

use super::searcher::{Searcher, mated_at};
use crate::eval::Evaluate;
use crate::exchange::{WORTH, wins};
use crate::order::{Picker, is_capture};
use crate::score::{DEEPEST, INFINITE, MATE_SEEN};
use crate::table::{Bound, Found};

/// A capture that would not bring the value near the window is not tried; this much is allowed
/// for what else it may change.
const DELTA: i32 = 180;

impl<E: Evaluate> Searcher<E> {
    pub(super) fn quiesce<const PV: bool>(
        &mut self,
        board: &Board,
        state: &E::State,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.count_node();
        if self.is_over {
            return 0;
        }
        self.deepest = self.deepest.max(ply);
        if PV {
            self.lines[ply].clear();
        }
        let selective = self.options.selective;
        let in_check = !board.checkers().is_empty();
        if ply >= DEEPEST {
            return if in_check { 0 } else { self.eval.value(board, state) };
        }
        let key = board.hash();
        let found = if selective { self.table.probe(key, ply) } else { None };
        if let Some(found) = found
            && !PV
            && found.settles(alpha, beta)
        {
            return found.value;
        }
        let first_alpha = alpha;
        let (mut raw, mut static_value) = (Found::NO_STATIC, Found::NO_STATIC);
        let mut best = -INFINITE;
        if !in_check {
            raw = match found {
                Some(found) if found.raw != Found::NO_STATIC => found.raw,
                _ => self.eval.value(board, state),
            };
            static_value = self.corrected(board, raw);
            best = static_value;
            if let Some(found) = found
                && found.settles(best, best)
                && found.value.abs() < MATE_SEEN
            {
                best = found.value;
            }
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let table_move = found.and_then(|found| found.best);
        let mut picker = if in_check {
            Picker::all(&self.moves, &self.history, table_move, self.before(ply), ply)
        } else {
            let table_move = table_move.filter(|&mv| is_capture(board, mv));
            Picker::captures(&self.moves, table_move)
        };
        let mut best_move = None;
        let mut tried = 0;
        while let Some(mv) = picker.next(board, &self.history, &mut self.moves) {
            if selective && best > -MATE_SEEN {
                if in_check {
                    // One evasion that does not lose at once is enough to look at, besides captures.
                    picker.skip_quiets();
                    if tried > 0 && !is_capture(board, mv) {
                        continue;
                    }
                } else {
                    let victim = board.piece_on(mv.to).map_or(WORTH[0], |man| WORTH[man as usize]);
                    let promise = static_value + DELTA + victim;
                    if promise <= alpha && mv.promotion.is_none() {
                        best = best.max(promise.min(alpha));
                        continue;
                    }
                    if static_value + DELTA <= alpha && !wins(board, mv, 1) {
                        best = best.max((static_value + DELTA).min(alpha));
                        continue;
                    }
                }
            }
            tried += 1;
            let after = self.play(board, mv, ply);
            let next = self.eval.advance(state, board, mv, &after);
            let value = -self.quiesce::<PV>(&after, &next, ply + 1, -beta, -alpha);
            self.take_back();
            if self.is_over {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    if PV {
                        self.keep_line(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        self.moves.truncate(picker.start());
        if in_check && tried == 0 {
            return mated_at(ply);
        }
        if selective {
            let bound = Bound::of(best, first_alpha, beta);
            let found = Found { best: best_move, value: best, raw, depth: 0, bound };
            self.table.store(key, found, ply);
        }
        best
    }
}
