//! What `krieg bench belief` measures: a belief of the players, or that of a network.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use krieg_belief::{Belief, OpponentMap, OpponentMixture};
use krieg_core::Observation;
use krieg_net::{Encoder, Evaluation, Network, Workspace};
use krieg_players::learned::opponent_map;
use krieg_players::{BeliefSpec, Seat};

/// A belief that can be made for each game.
#[derive(Clone)]
pub enum BeliefSource {
    /// A belief that players name, with so many boards.
    Boards(BeliefSpec, usize),
    /// The belief of a network, with the name of its file.
    Network(String, Arc<Network>),
}

impl BeliefSource {
    /// The network in a file.
    pub fn read_network(file: &Path) -> Result<Self> {
        let name = file.display().to_string();
        let bytes = fs::read(file).with_context(|| name.clone())?;
        let network = Network::read(&bytes).with_context(|| name.clone())?;
        Ok(BeliefSource::Network(name, Arc::new(network)))
    }

    /// The name in tables.
    pub fn name(&self) -> String {
        match self {
            BeliefSource::Boards(belief, _) => belief.to_string(),
            BeliefSource::Network(name, _) => name.clone(),
        }
    }

    /// The belief at the start of a game.
    pub fn start(&self, seat: &Seat, opponents: &OpponentMixture) -> MeasuredBelief {
        match self {
            BeliefSource::Boards(belief, capacity) => {
                MeasuredBelief::Boards(belief.make(seat, *capacity, opponents))
            }
            BeliefSource::Network(_, network) => {
                MeasuredBelief::Network(Box::new(NetworkBelief::new(seat, network.clone())))
            }
        }
    }
}

/// A belief during a game.
pub enum MeasuredBelief {
    /// A belief of the players.
    Boards(Box<dyn Belief + Send>),
    /// The belief of a network.
    Network(Box<NetworkBelief>),
}

impl MeasuredBelief {
    /// Takes the next observation. Returns whether no board of the belief fits it. A network knows
    /// no boards, so it never contradicts an observation.
    pub fn observe(&mut self, observation: &Observation) -> bool {
        match self {
            MeasuredBelief::Boards(belief) => belief.observe(observation).is_err(),
            MeasuredBelief::Network(belief) => {
                belief.observe(observation);
                false
            }
        }
    }

    /// The probability of each opponent piece on each square, in the player's turn.
    pub fn marginals(&self) -> OpponentMap {
        match self {
            MeasuredBelief::Boards(belief) => belief.marginals(),
            MeasuredBelief::Network(belief) => belief.marginals(),
        }
    }

    /// Number of different boards, if the belief stores boards.
    pub fn board_count(&self) -> Option<usize> {
        match self {
            MeasuredBelief::Boards(belief) => belief.board_count(),
            MeasuredBelief::Network(_) => None,
        }
    }
}

/// What a network believes in a game: as in play, there is one pass before each own try, and each
/// pass remembers the belief of the one before.
pub struct NetworkBelief {
    network: Arc<Network>,
    encoder: Encoder,
    workspace: Workspace,
    evaluation: Option<Box<Evaluation>>,
}

impl NetworkBelief {
    fn new(seat: &Seat, network: Arc<Network>) -> Self {
        let encoder = Encoder::new(seat.color, &seat.setup);
        let mut belief =
            NetworkBelief { network, encoder, workspace: Workspace::default(), evaluation: None };
        belief.evaluate();
        belief
    }

    fn observe(&mut self, observation: &Observation) {
        self.encoder.observe(observation);
        self.evaluate();
    }

    /// Evaluates the state before an own try; does nothing in the opponent's turn.
    fn evaluate(&mut self) {
        if self.encoder.view().is_my_turn() {
            let input = self.encoder.encode(None);
            let evaluation = self.network.evaluate(&input, &mut self.workspace);
            self.encoder.remember(&evaluation.belief);
            self.evaluation = Some(evaluation);
        }
    }

    fn marginals(&self) -> OpponentMap {
        match &self.evaluation {
            Some(evaluation) => opponent_map(&evaluation.belief, self.encoder.view().player()),
            None => OpponentMap::of([]),
        }
    }
}
