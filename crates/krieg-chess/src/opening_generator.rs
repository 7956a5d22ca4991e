//! Random openings that are still a game: for matches and for games against oneself.

use std::sync::Arc;

use krieg_core::Position;
use rand::{Rng, RngExt};

use crate::eval::Evaluate;
use crate::search::{Engine, PositionHistory, SearchControl, SearchLimits};

/// What makes an opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningGenerator {
    /// Random plies; now and then one more, so that either side begins.
    pub plies: u32,
    /// Nodes to judge it by.
    pub nodes: u64,
    /// The most it may be worth to either side, in hundredths of a pawn.
    pub max_score: i32,
}

impl OpeningGenerator {
    /// Draws openings until one is level enough.
    pub fn generate<E: Evaluate>(&self, engine: &mut Engine<E>, rng: &mut impl Rng) -> Position {
        let control = Arc::new(SearchControl::default());
        loop {
            let Some(position) = self.draw_any(rng) else { continue };
            let limits = SearchLimits::nodes(self.nodes);
            let report = engine.search(&PositionHistory::new(&position), &limits, &control, |_| {});
            if report
                .variations
                .first()
                .is_some_and(|line| line.score.value().abs() <= self.max_score)
            {
                return position;
            }
        }
    }

    fn draw_any(&self, rng: &mut impl Rng) -> Option<Position> {
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
