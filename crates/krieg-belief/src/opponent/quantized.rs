//! The network of all opponent types in fixed-point arithmetic.
//!
//! A game evaluates millions of moves, and a SIMD register holds eight 16-bit integers where it
//! holds only four floating-point numbers. Additions saturate.

use cozy_chess::{Board, Move as BoardMove};
use wide::{i16x8, i32x4};

use super::board_features;
use super::feature_groups::MOVE_FEATURES;
use super::file::OpponentType;
use super::hidden_layer::{HIDDEN_UNITS, HiddenActivations, HiddenLayer};
use super::mixture::{MAX_OPPONENT_TYPES, PerType};
use super::move_features::MoveFeatures;
use crate::OpponentContext;

/// The integer that stands for 1.0.
const SCALE: f32 = 512.0;
/// Upper bound on the number of features of one move with a count other than 0.
const MAX_FEATURES_PER_MOVE: usize = 64;

/// Numbers in a SIMD register.
const LANES: usize = 8;

const _: () = assert!(HIDDEN_UNITS.is_multiple_of(LANES) && MAX_OPPONENT_TYPES == LANES);

/// A fixed-point number for each hidden unit.
pub type QuantizedHidden = [i16x8; HIDDEN_UNITS / LANES];

/// The weights of a move feature. Both stand side by side, since they are loaded together.
#[derive(Debug, Clone, Copy)]
struct MoveFeatureWeights {
    /// The weight in each hidden unit.
    hidden: QuantizedHidden,
    /// The weight in the logit of each opponent type.
    logits: i16x8,
}

/// The weights of all opponent types, constant during a game.
#[derive(Debug)]
pub struct QuantizedNetwork {
    types: Vec<OpponentType>,
    hidden_layer: HiddenLayer,
    board_weights: Vec<QuantizedHidden>,
    move_weights: Vec<MoveFeatureWeights>,
    /// For each opponent type, the output weight of each hidden unit.
    output_weights: [QuantizedHidden; MAX_OPPONENT_TYPES],
}

fn quantize(number: f32) -> i16 {
    (number * SCALE).round() as i16
}

fn quantize_hidden(numbers: &HiddenActivations) -> QuantizedHidden {
    std::array::from_fn(|part| {
        i16x8::new(std::array::from_fn(|lane| quantize(numbers[part * LANES + lane])))
    })
}

#[inline(always)]
fn add_scaled(sum: &mut QuantizedHidden, addend: &QuantizedHidden, factor: i16x8) {
    for (sum, addend) in sum.iter_mut().zip(addend) {
        *sum = sum.saturating_add(*addend * factor);
    }
}

impl QuantizedNetwork {
    /// Quantizes the weights of these types.
    pub fn new(types: Vec<OpponentType>, hidden_layer: HiddenLayer) -> Self {
        let move_weights = |feature: usize| {
            let mut logits = [0.0; MAX_OPPONENT_TYPES];
            logits
                .iter_mut()
                .zip(&types)
                .for_each(|(weight, one)| *weight = one.feature_weights[feature]);
            let logits = i16x8::new(logits.map(quantize));
            let hidden = quantize_hidden(&hidden_layer.move_weights[feature]);
            MoveFeatureWeights { hidden, logits }
        };
        let mut output_weights = [quantize_hidden(&[0.0; HIDDEN_UNITS]); MAX_OPPONENT_TYPES];
        output_weights
            .iter_mut()
            .zip(&types)
            .for_each(|(weights, one)| *weights = quantize_hidden(&one.output_weights));
        QuantizedNetwork {
            board_weights: hidden_layer.board_weights.iter().map(quantize_hidden).collect(),
            move_weights: (0..MOVE_FEATURES).map(move_weights).collect(),
            output_weights,
            hidden_layer,
            types,
        }
    }

    /// The types before quantization.
    pub fn types(&self) -> &[OpponentType] {
        &self.types
    }

    /// The hidden layer before quantization.
    pub fn hidden_layer(&self) -> &HiddenLayer {
        &self.hidden_layer
    }

    /// The part of the hidden layer's sums that is the same for all moves on a board.
    pub fn board_sums(&self, board: &Board, context: &OpponentContext) -> QuantizedHidden {
        let mut sums = QuantizedHidden::default();
        board_features::for_each_feature(board, context, |feature| {
            add_scaled(&mut sums, &self.board_weights[feature], i16x8::ONE);
        });
        sums
    }

    /// The logit of a move for each type, on a board with these sums.
    pub fn logits(
        &self,
        board_sums: &QuantizedHidden,
        features: &MoveFeatures,
        mv: BoardMove,
    ) -> PerType {
        // Most features that are visited have a count of 0. They are overwritten instead of
        // skipped, since a branch would often be mispredicted.
        let mut present = [(0u16, 0); MAX_FEATURES_PER_MOVE];
        let mut len = 0;
        features.for_each_feature(mv, |feature, count| {
            present[len % MAX_FEATURES_PER_MOVE] = (feature as u16, count);
            len += usize::from(count != 0);
        });
        debug_assert!(len <= MAX_FEATURES_PER_MOVE, "{len}");
        let (mut sums, mut direct) = (*board_sums, i16x8::ZERO);
        for &(feature, count) in &present[..len.min(MAX_FEATURES_PER_MOVE)] {
            let weights = &self.move_weights[usize::from(feature)];
            let count = i16x8::splat(count);
            add_scaled(&mut sums, &weights.hidden, count);
            direct = direct.saturating_add(weights.logits * count);
        }
        let rectified = sums.map(|part| part.max(i16x8::ZERO));
        let output = |one: usize| -> i32x4 {
            let weights = &self.output_weights[one];
            rectified.iter().zip(weights).map(|(part, weight)| part.dot(*weight)).sum()
        };
        // Four partial sums for each of four types, transposed so that each type has its own lane.
        let outputs_of_four = |first: usize| -> i32x4 {
            i32x4::transpose(std::array::from_fn(|lane| output(first + lane))).into_iter().sum()
        };
        let outputs: [[i32; 4]; 2] = [outputs_of_four(0).to_array(), outputs_of_four(4).to_array()];
        let direct = direct.to_array();
        std::array::from_fn(|one| {
            f32::from(direct[one]) / SCALE + outputs[one / 4][one % 4] as f32 / (SCALE * SCALE)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opponent::decision::Decision;
    use crate::opponent::hidden_layer::add_scaled;
    use crate::{OpponentMixture, OpponentPolicy};
    use krieg_core::Setup;
    use krieg_testing::random_game;

    /// The logarithm of the probability of the chosen move in floating point, if one move in a
    /// hundred is uniformly random.
    fn exact_log_probability(
        opponent_type: &OpponentType,
        hidden_layer: &HiddenLayer,
        decision: &Decision,
    ) -> f64 {
        let (moves, chosen) = decision.moves();
        let board = decision.position.board();
        let mut inputs = Vec::new();
        board_features::for_each_feature(board, &decision.context, |feature| {
            inputs.push(feature as u16);
        });
        let on_board = hidden_layer.board_activations(&inputs);
        let features = MoveFeatures::new(board, &decision.context, &moves);
        let logits: Vec<f32> = moves
            .iter()
            .map(|mv| {
                let (mut hidden, mut logit) = (on_board, 0.0);
                features.for_each_feature(*mv, |feature, count| {
                    let count = f32::from(count);
                    add_scaled(&mut hidden, &hidden_layer.move_weights[feature], count);
                    logit += opponent_type.feature_weights[feature] * count;
                });
                let outputs = hidden.iter().zip(&opponent_type.output_weights);
                logit + outputs.map(|(unit, weight)| weight * unit.max(0.0)).sum::<f32>()
            })
            .collect();
        let best = logits.iter().copied().fold(f32::MIN, f32::max);
        let sum: f32 = logits.iter().map(|logit| (logit - best).exp()).sum();
        let probability = f64::from((logits[chosen] - best).exp() / sum);
        (0.99 * probability + 0.01 / moves.len() as f64).ln()
    }

    #[test]
    fn quantized_probabilities_are_close_to_exact_ones() {
        let mut mixture = OpponentMixture::default();
        let types = mixture.types();
        assert!(types.len() > 4, "both halves of the lanes are tested");
        let mut weights = Vec::new();
        for seed in 0..5 {
            let game = random_game(Setup::default(), seed, 120);
            Decision::for_each(game.record(), |_, decision| {
                let (moves, chosen) = decision.moves();
                weights.clear();
                mixture.weigh_moves(&decision.position, &decision.context, &moves, &mut weights);
                for (one, quantized) in types.iter().zip(mixture.probabilities(chosen)) {
                    let exact = exact_log_probability(one, mixture.hidden_layer(), &decision);
                    let quantized = f64::from(quantized.ln());
                    assert!((quantized - exact).abs() < 0.05, "{}: {quantized} {exact}", one.name);
                }
            });
        }
    }
}
