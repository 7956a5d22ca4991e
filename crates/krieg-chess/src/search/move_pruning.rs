//! Pruning and reduction of single moves: late move pruning, futility pruning, history pruning, SEE
//! pruning, late move reductions.

use std::sync::LazyLock;

use cozy_chess::{Board, Move as BoardMove};

use super::worker::SearchWorker;
use crate::eval::Evaluate;
use crate::see::see_ge;
use crate::tt::Entry;

/// A move that is about to be searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub mv: BoardMove,
    pub is_tactical: bool,
    /// Whether the move is a capture that loses material by static exchange evaluation.
    pub is_bad_capture: bool,
    /// History score; 0 for tactical moves.
    pub history_score: i32,
    /// Number of moves searched before this one.
    pub move_count: usize,
}

/// Whether a move is pruned.
pub(super) enum MovePruning {
    /// The move is searched.
    Search,
    /// The move is pruned.
    Prune,
    /// All remaining quiet moves are pruned.
    PruneQuiets,
}

/// Late move reductions in plies, by depth and move count.
static REDUCTIONS: LazyLock<[[i32; 64]; 64]> = LazyLock::new(|| {
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (moves, plies) in row.iter_mut().enumerate().skip(1) {
            *plies = (0.8 + (depth as f64).ln() * (moves as f64).ln() / 1.95) as i32;
        }
    }
    table
});

fn reduction(depth: i32, move_count: usize) -> i32 {
    REDUCTIONS[depth.clamp(0, 63) as usize][(move_count + 1).min(63)]
}

/// Decides whether a move is pruned without a search.
pub(super) fn prune_move(
    board: &Board,
    depth: i32,
    alpha: i32,
    static_eval: i32,
    improving: bool,
    candidate: &Candidate,
    quiet_count: usize,
) -> MovePruning {
    // SEE pruning of captures.
    if candidate.is_tactical {
        let is_pruned =
            depth <= 7 && candidate.is_bad_capture && !see_ge(board, candidate.mv, -110 * depth);
        return if is_pruned { MovePruning::Prune } else { MovePruning::Search };
    }
    // Late move pruning (move count pruning).
    let max_quiets = (3 + depth * depth) / if improving { 1 } else { 2 };
    if depth <= 8 && quiet_count >= max_quiets as usize {
        return MovePruning::PruneQuiets;
    }
    let lmr_depth = (depth - reduction(depth, candidate.move_count)).max(0);
    let in_check = static_eval == Entry::NO_EVAL;
    // Futility pruning: no quiet move is likely to raise the evaluation to alpha.
    if !in_check && lmr_depth <= 8 && static_eval + 110 + 95 * lmr_depth <= alpha {
        return MovePruning::PruneQuiets;
    }
    // History pruning.
    if lmr_depth <= 4 && candidate.history_score < -3_500 * depth {
        return MovePruning::Prune;
    }
    // SEE pruning of quiet moves.
    if lmr_depth <= 8 && !see_ge(board, candidate.mv, -28 * lmr_depth * lmr_depth) {
        return MovePruning::Prune;
    }
    MovePruning::Search
}

impl<E: Evaluate> SearchWorker<E> {
    /// Late move reductions (LMR): the depth to which a move is searched at first.
    pub(super) fn reduced_depth<const PV: bool>(
        &self,
        after: &Board,
        ply: usize,
        depth: i32,
        candidate: Candidate,
        improving: bool,
        cut_node: bool,
    ) -> i32 {
        let Candidate { mv, is_tactical, is_bad_capture, history_score, move_count } = candidate;
        if !self.options.selective
            || depth < 2
            || move_count < 1 + usize::from(PV)
            || (is_tactical && !is_bad_capture)
        {
            return depth;
        }
        let mut reduction = reduction(depth + 1, move_count);
        if is_tactical {
            reduction /= 2;
        } else {
            reduction -= history_score / 8_000;
            let is_killer = self.history.killers(ply).contains(&Some(mv));
            let gives_check = !after.checkers().is_empty();
            reduction -= i32::from(is_killer || gives_check);
        }
        reduction += i32::from(cut_node) + i32::from(!improving) - i32::from(PV);
        (depth - reduction).clamp(1, depth)
    }
}
