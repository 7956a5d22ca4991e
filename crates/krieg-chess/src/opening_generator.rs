//! Random balanced openings, for matches and self-play.

use std::sync::Arc;

use krieg_core::Position;
use rand::{Rng, RngExt};

use crate::eval::Evaluate;
use crate::search::{Engine, PositionHistory, SearchControl, SearchLimits};

/// Draws random openings that neither side is winning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningGenerator {
    /// Number of random plies. Half of the openings are a ply longer, so that either side may be
    /// to move.
    pub plies: u32,
    /// Nodes of the search that judges whether an opening is balanced.
    pub nodes: u64,
    /// Largest absolute score of a balanced opening, in centipawns.
    pub max_score: i32,
}

impl OpeningGenerator {
    /// Draws openings until one is balanced.
    pub fn generate<E: Evaluate>(&self, engine: &mut Engine<E>, rng: &mut impl Rng) -> Position {
        let control = Arc::new(SearchControl::default());
        loop {
            let Some(position) = self.random_opening(rng) else { continue };
            let limits = SearchLimits::nodes(self.nodes);
            let history = PositionHistory::new(&position);
            let report = engine.search(&history, &limits, &control, |_| {});
            if report.variations.first().is_some_and(|pv| pv.score.value().abs() <= self.max_score)
            {
                return position;
            }
        }
    }

    /// A random opening; `None` if the game ended on the way.
    fn random_opening(&self, rng: &mut impl Rng) -> Option<Position> {
        let mut position = Position::start();
        for _ in 0..self.plies + rng.random_range(0..2) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return None;
            }
            position.play(moves[rng.random_range(0..moves.len())]).ok()?;
        }
        position.can_move().then_some(position)
    }
}
