//! What a move makes of the board it is played on: a layer of numbers between what is noticed and what is liked.
//!
//! Likes alone cannot say that a bishop is better developed before castling, or that a rook belongs behind a pawn: they add up what is
//! noticed about a move, one thing after the other, and know nothing of the board around it. So the move and its surroundings together
//! raise or lower each of a few numbers, the hidden_layer; those above nought count, and each kind of player has its own taste for them. What raises
//! them is the same for all kinds, so what is learned from one player helps to understand another.

use super::board_features::BOARD_FEATURES;
use super::feature_groups::MOVE_FEATURES;

/// How many hidden_layer there are.
pub const HIDDEN_UNITS: usize = 32;

/// A number for each impression.
pub type HiddenActivations = [f32; HIDDEN_UNITS];

/// By how much each thing that is noticed raises each impression.
#[derive(Debug, Clone, PartialEq)]
pub struct HiddenLayer {
    /// What is noticed about a board.
    pub board_weights: Vec<HiddenActivations>,
    /// What is noticed about a move.
    pub move_weights: Vec<HiddenActivations>,
}

impl HiddenLayer {
    /// Nothing makes any impression.
    pub fn zero() -> Self {
        let nothing = [0.0; HIDDEN_UNITS];
        HiddenLayer {
            board_weights: vec![nothing; BOARD_FEATURES],
            move_weights: vec![nothing; MOVE_FEATURES],
        }
    }

    /// What a board impresses about which this is noticed, whatever is played on it.
    pub fn board_activations(&self, surroundings: &[u16]) -> HiddenActivations {
        let mut sum = [0.0; HIDDEN_UNITS];
        for name in surroundings {
            add_scaled(&mut sum, &self.board_weights[usize::from(*name)], 1.0);
        }
        sum
    }
}

/// Adds so many times of one to the other.
#[inline(always)]
pub fn add_scaled<const N: usize>(sum: &mut [f32; N], more: &[f32; N], times: f32) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum += more * times;
    }
}
