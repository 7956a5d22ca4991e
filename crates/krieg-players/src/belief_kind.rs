//! How a player imagines boards, and how he thinks that his opponent chooses.

use std::str::FromStr;

use krieg_belief::{
    Belief, Densities, Hybrid, LastObservation, OpponentMixture, OpponentPolicy, ParticleFilter,
    RecapturePolicy, UniformPolicy, ValuePolicy,
};
use krieg_chess::{Evaluate, Network, Score};
use krieg_core::Position;

use crate::Seat;

/// How a player imagines boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeliefKind {
    /// Weighted particles.
    Particles,
    /// Hybrid sampling.
    Hybrid,
    /// A pool, filled up from nothing when it is empty.
    Pool,
    /// Last observation only.
    LastObservation,
}

impl FromStr for BeliefKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "smc" => Ok(BeliefKind::Particles),
            "hs" => Ok(BeliefKind::Hybrid),
            "aosp" => Ok(BeliefKind::Pool),
            "los" => Ok(BeliefKind::LastObservation),
            _ => Err("there are smc, hs, aosp and los".to_string()),
        }
    }
}

impl BeliefKind {
    /// The belief of a player as it sits down, with room for so many boards where it keeps any, and an opponent like this where it has a thought for him.
    pub fn begin(self, seat: &Seat, pool: usize, model: ModelKind) -> Box<dyn Belief + Send> {
        let (setup, color, seed) = (&seat.setup, seat.color, seat.seed);
        let densities = Densities::default();
        match self {
            BeliefKind::LastObservation => Box::new(LastObservation::new(setup, color, densities)),
            BeliefKind::Particles => {
                Box::new(ParticleFilter::new(setup, color, pool, model.make(), densities, seed))
            }
            BeliefKind::Hybrid => Box::new(Hybrid::new(setup, color, pool, densities, seed)),
            BeliefKind::Pool => {
                Box::new(Hybrid::new(setup, color, pool, densities, seed).refill_only_when_empty())
            }
        }
    }
}

/// How an opponent is thought to choose his moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelKind {
    /// Any move is as likely as any other.
    Uniform,
    /// He takes back, and takes with pawns.
    Recapture,
    /// He takes back, and else plays what is better more often, as the chess engine sees it.
    Value,
    /// He is one of the kinds of players that were learned from games; which one, becomes clearer as the game goes on.
    Fitted,
}

impl FromStr for ModelKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "uniform" => Ok(ModelKind::Uniform),
            "recapture" => Ok(ModelKind::Recapture),
            "value" => Ok(ModelKind::Value),
            "fitted" => Ok(ModelKind::Fitted),
            _ => Err("there are uniform, recapture, value and fitted".to_string()),
        }
    }
}

/// He does not see the board, so what is good for him on it weighs little: a move that wins half a game more is played 2.7 times as often.
const TEMPERATURE: f64 = 0.5;

impl ModelKind {
    /// A millisecond of the time for a try is enough to keep so many boards up to date, and have most of it left: an update of 8,000 boards takes
    /// some ten milliseconds on the average and seventy at the most (`benches/runs`).
    pub(crate) fn boards_a_ms(self) -> f64 {
        match self {
            ModelKind::Uniform | ModelKind::Recapture => 80.0,
            // Every move is looked at.
            ModelKind::Value => 16.0,
            // Every move is looked at here too, but with a few bits.
            ModelKind::Fitted => 40.0,
        }
    }

    /// The model itself.
    pub fn make(self) -> Box<dyn OpponentPolicy + Send + Sync> {
        let recapture = RecapturePolicy::default();
        match self {
            ModelKind::Uniform => Box::new(UniformPolicy),
            ModelKind::Recapture => Box::new(recapture),
            ModelKind::Fitted => Box::new(OpponentMixture::default()),
            ModelKind::Value => {
                Box::new(ValuePolicy { values: by_network(), temperature: TEMPERATURE, recapture })
            }
        }
    }
}

/// What each move is worth to whoever is to move, by a look at the board after it.
fn by_network() -> impl FnMut(&Position, &[cozy_chess::Move], &mut Vec<f64>) + Send {
    let mut network = Network::default();
    move |position, moves, values| {
        let board = position.board();
        let state = network.refresh(board);
        values.extend(moves.iter().map(|mv| {
            let mut after = board.clone();
            after.play_unchecked(*mv);
            let state = network.update(&state, board, *mv, &after);
            1.0 - Score::centipawns(network.evaluate(&after, &state)).expected_score()
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_belief::OpponentContext;

    #[test]
    fn by_value_a_queen_is_rather_taken_than_left() {
        let board = Position::from_fen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1").unwrap();
        let moves: Vec<cozy_chess::Move> = ["e4e5", "e4d5"].map(|mv| mv.parse().unwrap()).to_vec();
        let mut weights = Vec::new();
        ModelKind::Value.make().weigh_moves(
            &board,
            &OpponentContext::default(),
            &moves,
            &mut weights,
        );
        assert!(weights[1] > 1.5 * weights[0], "{weights:?}");
    }
}
