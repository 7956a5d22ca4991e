//! The opponent's policy in the belief and in the tree: a mixture of fitted types, or a fixed model.

use cozy_chess::{BitBoard, Color, Move as BoardMove};
use krieg_belief::{OpponentBoard, OpponentContext, OpponentMixture, OpponentPolicy};
use krieg_core::Position;

use super::MarshalSettings;
use crate::ModelKind;

/// The opponent model.
pub enum OpponentModel {
    /// A mixture of fitted types of players, with a posterior that is updated during the game.
    Mixture(Box<OpponentMixture>),
    /// A model that does not change.
    Fixed(Box<dyn OpponentPolicy + Send + Sync>),
}

impl OpponentModel {
    pub fn new(settings: &MarshalSettings) -> Self {
        match settings.model {
            ModelKind::Fitted => OpponentModel::Mixture(Box::new(settings.opponents.clone())),
            kind => OpponentModel::Fixed(kind.make()),
        }
    }

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

    fn add_evidence(&mut self, likely: f64, fitting: &[(usize, f64)]) {
        self.inner().add_evidence(likely, fitting);
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
