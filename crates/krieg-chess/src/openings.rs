//! Random openings that are still a game: for matches and for games against oneself.

use std::sync::Arc;

use krieg_core::Position;
use rand::{Rng, RngExt};

use crate::eval::Evaluate;
use crate::search::{Engine, Limits, Played, Signal};

/// What makes an opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// Random plies; now and then one more, so that either side begins.
    pub plies: u32,
    /// Nodes to judge it by.
    pub nodes: u64,
    /// The most it may be worth to either side, in hundredths of a pawn.
    pub most: i32,
}

impl Opening {
    /// Draws openings until one is level enough.
    pub fn draw<E: Evaluate>(&self, engine: &mut Engine<E>, rng: &mut impl Rng) -> Position {
        let signal = Arc::new(Signal::default());
        loop {
            let Some(position) = self.draw_any(rng) else { continue };
            let limits = Limits::nodes(self.nodes);
            let report = engine.search(&Played::new(&position), &limits, &signal, |_| {});
            if report.lines.first().is_some_and(|line| line.score.number().abs() <= self.most) {
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
