//! The policy of the learned network as a part of the prior at the root of the search.
//!
//! The network ([`krieg_net`]) is asked once before each own try, as in its training. Its policy is
//! mixed with the heuristic prior, so that a try is considered early if either of them finds it
//! probable.

use std::sync::Arc;

use krieg_core::{Move, Observation, Try, View};
use krieg_net::{Encoder, Evaluation, Network, Workspace};

use super::search::Edge;
use crate::Seat;

/// The settings of the learned prior.
#[derive(Debug, Clone)]
pub struct LearnedPriorSettings {
    /// The share of the network's policy in the prior, from 0 to 1.
    pub share: f32,
    /// Number of tries that sequential halving compares because the network prefers them. At most
    /// 8 tries are compared.
    pub candidates: usize,
    /// The network.
    pub network: Arc<Network>,
}

/// The network's memory of one game.
pub(super) struct LearnedPrior {
    settings: LearnedPriorSettings,
    encoder: Encoder,
    workspace: Workspace,
    /// The output of the network for the present state; `None` if it was not yet computed.
    evaluation: Option<Box<Evaluation>>,
}

/// The probabilities of the sensible tries but "any?". Their sum is 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LearnedPolicy {
    /// The share of this policy in the prior.
    pub share: f32,
    /// Number of tries that sequential halving compares because this policy prefers them.
    pub candidates: usize,
    pub moves: Vec<(Move, f32)>,
}

impl LearnedPrior {
    /// The memory at the start of a game.
    pub fn new(settings: LearnedPriorSettings, seat: &Seat) -> Self {
        LearnedPrior {
            settings,
            encoder: Encoder::new(seat.color, &seat.setup),
            workspace: Workspace::default(),
            evaluation: None,
        }
    }

    /// Follows an observation. `is_my_turn` says whether the player was to move before it.
    pub fn observe(&mut self, observation: &Observation, is_my_turn: bool) {
        // The memory must be the same for tries that were made without a search, such as "any?".
        if observation.tried.is_some() && is_my_turn {
            self.evaluate();
        }
        self.encoder.observe(observation);
        self.evaluation = None;
    }

    /// The policy for the player's present try; `None` if the network would only ask "any?".
    pub fn policy(&mut self, view: &View) -> Option<LearnedPolicy> {
        let policy = self.evaluate().policy(view, 1.0).into_iter();
        let mut moves: Vec<(Move, f32)> = policy
            .filter_map(|(tried, probability)| match tried {
                Try::Move(mv) => Some((mv, probability)),
                Try::Any => None,
            })
            .collect();
        let sum: f32 = moves.iter().map(|(_, probability)| probability).sum();
        moves.iter_mut().for_each(|(_, probability)| *probability /= sum);
        let LearnedPriorSettings { share, candidates, .. } = self.settings;
        (sum > 0.0).then_some(LearnedPolicy { share, candidates, moves })
    }

    /// The output of the network, which is computed once before each own try.
    fn evaluate(&mut self) -> &Evaluation {
        let LearnedPrior { settings, encoder, workspace, evaluation } = self;
        evaluation.get_or_insert_with(|| {
            let evaluation = settings.network.evaluate(&encoder.encode(None), workspace);
            encoder.remember(&evaluation.belief);
            evaluation
        })
    }
}

impl LearnedPolicy {
    /// The probability of a try; 0 if it is not sensible.
    pub fn probability(&self, mv: Move) -> f32 {
        let known = self.moves.iter().find(|(known, _)| *known == mv);
        known.map_or(0.0, |(_, probability)| *probability)
    }

    /// The indices of the edges that sequential halving must compare, the most probable first.
    pub fn candidates(&self, edges: &[Edge]) -> Vec<usize> {
        let mut ranked: Vec<(usize, f32)> =
            edges.iter().map(|edge| self.probability(edge.mv)).enumerate().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked.into_iter().map(|(number, _)| number).take(self.candidates).collect()
    }
}
