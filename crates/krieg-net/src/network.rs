//! The network: its weights, and the computation of its output.

use thiserror::Error;

use crate::Input;

/// Why a file is not a network that this version can use.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct NetworkError(pub String);

/// The weights of a network.
#[derive(Debug, Clone)]
pub struct Network {}

/// Memory that [`Network::evaluate`] reuses from call to call.
#[derive(Debug, Clone, Default)]
pub struct Workspace {}

/// The output of the network, in the orientation of the player.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// The logit of each pair of origin and target.
    pub pair_logits: [[f32; 64]; 64],
    /// The logits of promoting to a knight, bishop, rook or queen, on each target.
    pub promotion_logits: [[f32; 4]; 64],
    /// The logit of "any?".
    pub any_logit: f32,
    /// The probabilities of a win, a draw and a loss.
    pub value: [f32; 3],
    /// The probabilities of the opponent's pieces on each square: pawn, knight, bishop, rook,
    /// queen, king. All are 0 on squares of own pieces.
    pub belief: [[f32; 6]; 64],
}

impl Network {
    /// Reads the contents of a file (`learning/NETWORK.md`).
    pub fn read(_bytes: &[u8]) -> Result<Network, NetworkError> {
        Ok(Network {})
    }

    /// Computes the output for this input.
    pub fn evaluate(&self, _input: &Input, _workspace: &mut Workspace) -> Box<Evaluation> {
        unreachable!("replaced by the implementation")
    }
}
