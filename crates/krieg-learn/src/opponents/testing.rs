//! Generated players for the tests.

use cozy_chess::Move as BoardMove;
use krieg_belief::opponent::decision::Decision;
use rand::{Rng, RngExt};

/// The same decision by a player who draws a legal move by these weights.
pub fn choose_by_weight(
    decision: &Decision,
    rng: &mut impl Rng,
    weight: impl Fn(&BoardMove) -> f64,
) -> Decision {
    let (moves, _) = decision.moves();
    let mut at = rng.random::<f64>() * moves.iter().map(&weight).sum::<f64>();
    let chosen = moves.iter().find(|mv| {
        at -= weight(mv);
        at < 0.0
    });
    Decision { chosen: *chosen.unwrap_or(&moves[0]), ..decision.clone() }
}
