//! The hidden layer that all opponent types share.
//!
//! A linear function of the move features cannot say that a bishop is better developed before
//! castling, or that a rook belongs behind a passed pawn: it knows nothing of the rest of the
//! board. So board features and move features together feed a few rectified linear units, and each
//! opponent type has its own output weights for them. The input weights are the same for all types,
//! so the games of one player help to predict another one.

use super::board_features::BOARD_FEATURES;
use super::feature_groups::MOVE_FEATURES;

/// The number of hidden units.
pub const HIDDEN_UNITS: usize = 32;

/// A number for each hidden unit: its input weights, or its activation.
pub type HiddenActivations = [f32; HIDDEN_UNITS];

/// The input weights of the hidden units.
#[derive(Debug, Clone, PartialEq)]
pub struct HiddenLayer {
    /// The weights of each board feature.
    pub board_weights: Vec<HiddenActivations>,
    /// The weights of each move feature.
    pub move_weights: Vec<HiddenActivations>,
}

impl HiddenLayer {
    /// A layer in which all weights are 0.
    pub fn zero() -> Self {
        let zero = [0.0; HIDDEN_UNITS];
        HiddenLayer {
            board_weights: vec![zero; BOARD_FEATURES],
            move_weights: vec![zero; MOVE_FEATURES],
        }
    }

    /// The sums of the weights of these board features, before the features of a move are added.
    pub fn board_activations(&self, features: &[u16]) -> HiddenActivations {
        let mut sum = [0.0; HIDDEN_UNITS];
        for feature in features {
            add_scaled(&mut sum, &self.board_weights[usize::from(*feature)], 1.0);
        }
        sum
    }
}

/// Adds `factor * addend` to `sum`, element by element.
#[inline(always)]
pub fn add_scaled<const N: usize>(sum: &mut [f32; N], addend: &[f32; N], factor: f32) {
    for (sum, addend) in sum.iter_mut().zip(addend) {
        *sum += addend * factor;
    }
}
