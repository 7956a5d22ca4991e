//! How Marshal thinks that his opponent chooses.

use cozy_chess::{BitBoard, Color, Move as BoardMove};
use krieg_belief::{Hidden, MoveModel, Opponents, Situation};
use krieg_core::Position;

use super::MarshalSettings;
use crate::ModelKind;

/// A model of the opponent, in the belief and in the tree.
pub enum Model {
    /// He is one of several kinds of players, and shows which as the game goes on.
    Fitted(Box<Opponents>),
    /// He stays what he is.
    Plain(Box<dyn MoveModel + Send + Sync>),
}

impl Model {
    pub fn new(settings: &MarshalSettings) -> Self {
        match settings.model {
            ModelKind::Fitted => Model::Fitted(Box::new(settings.opponents.clone())),
            kind => Model::Plain(kind.make()),
        }
    }

    /// Who the opponent may be, the likeliest first; nobody, where that is not asked.
    pub fn kinds(&self) -> Vec<(String, f64)> {
        let Model::Fitted(opponents) = self else { return Vec::new() };
        let chances = opponents.weights().iter().map(|weight| f64::from(*weight));
        let mut kinds: Vec<(String, f64)> =
            opponents.names().iter().cloned().zip(chances).collect();
        kinds.sort_by(|a, b| b.1.total_cmp(&a.1));
        kinds
    }

    fn inner(&mut self) -> &mut dyn MoveModel {
        match self {
            Model::Fitted(model) => &mut **model,
            Model::Plain(model) => &mut **model,
        }
    }

    /// Takes over what another has found out about the opponent.
    pub fn learn_from(&mut self, other: &Model) {
        if let (Model::Fitted(mine), Model::Fitted(other)) = (self, other) {
            mine.clone_from(other);
        }
    }
}

impl MoveModel for Model {
    fn weigh(
        &mut self,
        board: &Position,
        situation: &Situation,
        moves: &[BoardMove],
        weights: &mut Vec<f64>,
    ) {
        self.inner().weigh(board, situation, moves, weights);
    }

    fn witness(&mut self, likely: f64, fitting: &[(usize, f64)]) {
        self.inner().witness(likely, fitting);
    }

    fn adapt(&mut self) {
        self.inner().adapt();
    }

    fn unlikely(&self, board: &Hidden, own: BitBoard, he: Color) -> f64 {
        match self {
            Model::Fitted(model) => model.unlikely(board, own, he),
            Model::Plain(model) => model.unlikely(board, own, he),
        }
    }
}
