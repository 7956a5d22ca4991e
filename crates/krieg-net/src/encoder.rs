//! The input of the network from the observations of one player.

use krieg_core::{Color, Observation, Setup, View};

use crate::{Input, OpponentKind};

/// Follows one player's observations and computes the input of the network.
#[derive(Debug, Clone)]
pub struct Encoder {
    view: View,
    memory: [[u8; 6]; 64],
}

impl Encoder {
    /// The encoder of a player at the start of a game.
    pub fn new(player: Color, setup: &Setup) -> Self {
        let Setup { ruleset, draws, start } = setup;
        let view = View::new(*ruleset, start.pieces(player), &start.opening(ruleset, *draws));
        Encoder { view, memory: [[0; 6]; 64] }
    }

    /// Takes the player's next observation.
    pub fn observe(&mut self, observation: &Observation) {
        self.view.observe(observation);
    }

    /// Stores what the network believed: the probability of each of the opponent's pieces on each
    /// square, in the orientation of the player.
    pub fn remember(&mut self, belief: &[[f32; 6]; 64]) {
        for (memory, belief) in self.memory.iter_mut().zip(belief) {
            *memory = belief.map(|probability| (255.0 * probability + 0.5) as u8);
        }
    }

    /// The input of the network, before a try of the player.
    pub fn encode(&self, _opponent: Option<OpponentKind>) -> Input {
        Input { planes: [[0; 48]; 64], scalars: [0; 64] }
    }
}
