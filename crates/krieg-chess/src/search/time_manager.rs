//! Time management: decides after each iteration whether to start another one.

use std::time::{Duration, Instant};

use cozy_chess::Move as BoardMove;

use super::iterative_deepening::Iteration;
use super::{SearchControl, SearchLimits};

/// Stops iterative deepening at a soft time limit that depends on how stable the best move is.
pub(super) struct TimeManager {
    soft_limit: Option<Duration>,
    has_single_move: bool,
    best_move: Option<BoardMove>,
    /// Number of iterations since the best move changed.
    stability: u32,
    last_score: Option<i32>,
}

impl TimeManager {
    pub fn new(limits: &SearchLimits, move_count: usize) -> Self {
        // If the whole time may be used, stopping early saves nothing.
        let soft_limit = limits.time.filter(|time| time.soft < time.hard).map(|time| time.soft);
        TimeManager {
            soft_limit,
            has_single_move: move_count == 1 && soft_limit.is_some(),
            best_move: None,
            stability: 0,
            last_score: None,
        }
    }

    /// Whether the search stops after this iteration.
    pub fn should_stop(
        &mut self,
        iteration: &Iteration,
        start: Instant,
        control: &SearchControl,
    ) -> bool {
        let Some(pv) = iteration.variations.first() else { return false };
        let best_move = pv.moves.first().copied();
        self.stability = if best_move == self.best_move { self.stability + 1 } else { 0 };
        self.best_move = best_move;
        let score = pv.score.value();
        let score_drop = self.last_score.map_or(0, |last| (last - score).clamp(0, 80));
        self.last_score = Some(score);
        let Some(soft_limit) = self.soft_limit else { return false };
        if control.is_pondering() {
            return false;
        }
        let used = start.elapsed().saturating_sub(control.ponder_hit_time());
        if self.has_single_move && iteration.depth >= 6 {
            return true;
        }
        // Less time if the best move has been stable and took most of the nodes; more time if it
        // changed or its score fell.
        let stability_factor = [1.5, 1.2, 1.0, 0.9, 0.8][self.stability.min(4) as usize];
        let node_factor = (1.6 - iteration.best_move_share).clamp(0.7, 1.3);
        let score_factor = 1.0 + f64::from(score_drop) / 120.0;
        used.as_secs_f64()
            >= soft_limit.as_secs_f64() * stability_factor * node_factor * score_factor * 0.7
    }
}
