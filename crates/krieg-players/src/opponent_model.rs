//! The registry of opponent models: policies by which a belief or a search predicts the opponent.

use std::fmt;
use std::str::FromStr;

use cozy_chess::{BitBoard, Color, Move as BoardMove};
use krieg_belief::{
    OpponentBoard, OpponentContext, OpponentMixture, OpponentPolicy, RecapturePolicy,
    UniformPolicy, ValuePolicy,
};
use krieg_chess::{Evaluate, Network, Score};
use krieg_core::Position;

use crate::settings::names_of;

/// All opponent models. To add one, add an entry.
pub const OPPONENT_MODELS: &[OpponentModelKind] = &[
    OpponentModelKind {
        name: "uniform",
        about: "every legal move is equally likely",
        particles_per_ms: 80.0,
        make: |_| OpponentModel::Fixed(Box::new(UniformPolicy)),
    },
    OpponentModelKind {
        name: "recapture",
        about: "recaptures and announced pawn captures are more likely",
        particles_per_ms: 80.0,
        make: |_| OpponentModel::Fixed(Box::new(RecapturePolicy::default())),
    },
    OpponentModelKind {
        name: "value",
        about: "the same, and moves that the chess engine evaluates higher are more likely",
        // Every move is evaluated by the network.
        particles_per_ms: 16.0,
        make: |_| {
            OpponentModel::Fixed(Box::new(ValuePolicy {
                values: network_values(),
                temperature: VALUE_TEMPERATURE,
                recapture: RecapturePolicy::default(),
            }))
        },
    },
    OpponentModelKind {
        name: "fitted",
        about: "a mixture of types learned from games, with a posterior over the types",
        // Every move is evaluated, but by a small quantized network.
        particles_per_ms: 40.0,
        make: |types| OpponentModel::Mixture(Box::new(types.clone())),
    },
    OpponentModelKind {
        name: "recapturing",
        about: "the same, and a variant of each type who recaptures whenever it is possible",
        particles_per_ms: 40.0,
        make: |types| OpponentModel::Mixture(Box::new(types.clone().with_recapturing_variants())),
    },
    OpponentModelKind {
        name: "robust",
        about: "the same in one particle filter, and players without a plan in another one",
        particles_per_ms: 40.0,
        make: |types| OpponentModel::Mixture(Box::new(types.clone().with_strangers())),
    },
];

/// The temperature of the model `value`. The opponent does not see the board, so the evaluation
/// says little: a move that gains half a game is 2.7 times as likely.
const VALUE_TEMPERATURE: f64 = 0.5;

/// An opponent model that players can name.
#[derive(Clone, Copy)]
pub struct OpponentModelKind {
    /// The name, as it stands in `opponent_model=`.
    pub name: &'static str,
    /// A description in a few words.
    pub about: &'static str,
    /// Number of particles per millisecond of the time for a try. Updating that many leaves most
    /// of the time for the search: an update of 8,000 boards takes some ten milliseconds on
    /// average and seventy at most (`benches/runs`).
    pub particles_per_ms: f64,
    /// Makes the model. A fitted model has the given types of opponents.
    pub make: fn(&OpponentMixture) -> OpponentModel,
}

impl OpponentModelKind {
    /// The built-in opponent model with this name.
    pub(crate) fn named(name: &str) -> Self {
        name.parse().expect("the name is in the registry")
    }
}

impl PartialEq for OpponentModelKind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for OpponentModelKind {}

impl fmt::Debug for OpponentModelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpponentModelKind({})", self.name)
    }
}

impl fmt::Display for OpponentModelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl FromStr for OpponentModelKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        OPPONENT_MODELS
            .iter()
            .copied()
            .find(|kind| kind.name == text)
            .ok_or_else(|| format!("choose one of {}", names_of(OPPONENT_MODELS, |kind| kind.name)))
    }
}

/// The opponent's policy in a belief and in a search: a mixture of fitted types, or a fixed model.
pub enum OpponentModel {
    /// A mixture of fitted types of players, with a posterior that is updated during the game.
    Mixture(Box<OpponentMixture>),
    /// A model that does not change.
    Fixed(Box<dyn OpponentPolicy + Send + Sync>),
}

impl OpponentModel {
    /// Copies the posterior of a mixture; a fixed model does not change.
    pub fn copy_posterior(&mut self, other: &OpponentMixture) {
        if let OpponentModel::Mixture(mine) = self {
            (**mine).clone_from(other);
        }
    }

    fn inner(&mut self) -> &mut dyn OpponentPolicy {
        match self {
            OpponentModel::Mixture(model) => &mut **model,
            OpponentModel::Fixed(model) => &mut **model,
        }
    }
}

impl OpponentPolicy for OpponentModel {
    fn weigh_moves(
        &mut self,
        board: &Position,
        context: &OpponentContext,
        moves: &[BoardMove],
        weights: &mut Vec<f64>,
    ) {
        self.inner().weigh_moves(board, context, moves, weights);
    }

    fn add_evidence(&mut self, board_weight: f64, consistent: &[(usize, f64)]) {
        self.inner().add_evidence(board_weight, consistent);
    }

    fn update_posterior(&mut self) {
        self.inner().update_posterior();
    }

    fn board_penalty(&self, board: &OpponentBoard, own: BitBoard, color: Color) -> f64 {
        match self {
            OpponentModel::Mixture(model) => model.board_penalty(board, own, color),
            OpponentModel::Fixed(model) => model.board_penalty(board, own, color),
        }
    }

    fn penalty_share(&self) -> f64 {
        match self {
            OpponentModel::Mixture(model) => model.penalty_share(),
            OpponentModel::Fixed(model) => model.penalty_share(),
        }
    }

    fn mixture(&self) -> Option<&OpponentMixture> {
        match self {
            OpponentModel::Mixture(model) => Some(model),
            OpponentModel::Fixed(model) => model.mixture(),
        }
    }
}

/// The posterior over the opponent types, the most probable first.
pub fn ranked_posterior(opponents: &OpponentMixture) -> Vec<(String, f64)> {
    let weights = opponents.posterior().iter().map(|weight| f64::from(*weight));
    let mut posterior: Vec<(String, f64)> =
        opponents.names().iter().cloned().zip(weights).collect();
    posterior.sort_by(|a, b| b.1.total_cmp(&a.1));
    posterior
}

/// The expected score of each move for the side to move, by the evaluation of the board after it.
fn network_values() -> impl FnMut(&Position, &[BoardMove], &mut Vec<f64>) + Send {
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

    #[test]
    fn the_value_model_prefers_to_capture_a_hanging_queen() {
        let board = Position::from_fen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1").unwrap();
        let moves = ["e4e5", "e4d5"].map(|mv| mv.parse().unwrap());
        let mut model = (OpponentModelKind::named("value").make)(&OpponentMixture::default());
        let mut weights = Vec::new();
        model.weigh_moves(&board, &OpponentContext::default(), &moves, &mut weights);
        assert!(weights[1] > 1.5 * weights[0], "{weights:?}");
    }
}
