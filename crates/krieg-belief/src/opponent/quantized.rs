//! What was learned about the kinds, in whole numbers: a game looks at millions of moves, and eight small numbers are added at a time where only four with a point
//! would be.

use cozy_chess::{Board, Move as BoardMove};
use wide::{i16x8, i32x4};

use super::board_features;
use super::feature_groups::MOVE_FEATURES;
use super::file::OpponentType;
use super::hidden_layer::{HIDDEN_UNITS, HiddenActivations, HiddenLayer};
use super::mixture::{MAX_OPPONENT_TYPES, PerType};
use super::move_features::MoveFeatures;
use crate::OpponentContext;

/// One is so many.
const ONE: f32 = 512.0;
/// No move has more features than this, of those that may be named.
const MOST_NOTICED: usize = 64;

/// So many numbers are reckoned with at a time.
const AT_ONCE: usize = 8;

const _: () = assert!(HIDDEN_UNITS.is_multiple_of(AT_ONCE) && MAX_OPPONENT_TYPES == AT_ONCE);

/// How far each impression is raised.
pub type Raised = [i16x8; HIDDEN_UNITS / AT_ONCE];

/// What comes of a feature. Both stand side by side, since they are looked up together.
#[derive(Debug, Clone, Copy)]
struct Effect {
    /// By how much it raises each impression.
    raises: Raised,
    /// How much each kind feature_weights it.
    feature_weights: i16x8,
}

/// All kinds, which do not change in a game.
#[derive(Debug)]
pub struct QuantizedNetwork {
    kinds: Vec<OpponentType>,
    hidden_layer: HiddenLayer,
    board_weights: Vec<Raised>,
    move_weights: Vec<Effect>,
    /// What each kind makes of each impression.
    output_weights: [Raised; MAX_OPPONENT_TYPES],
}

fn whole(number: f32) -> i16 {
    (number * ONE).round() as i16
}

fn raised(numbers: &HiddenActivations) -> Raised {
    std::array::from_fn(|part| {
        i16x8::new(std::array::from_fn(|lane| whole(numbers[part * AT_ONCE + lane])))
    })
}

#[inline(always)]
fn add(sum: &mut Raised, more: &Raised, times: i16x8) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum = sum.saturating_add(*more * times);
    }
}

impl QuantizedNetwork {
    pub fn new(kinds: Vec<OpponentType>, hidden_layer: HiddenLayer) -> Self {
        let effect = |feature: usize| {
            let mut feature_weights = [0.0; MAX_OPPONENT_TYPES];
            feature_weights
                .iter_mut()
                .zip(&kinds)
                .for_each(|(like, kind)| *like = kind.feature_weights[feature]);
            let feature_weights = i16x8::new(feature_weights.map(whole));
            Effect { raises: raised(&hidden_layer.move_weights[feature]), feature_weights }
        };
        let mut output_weights = [raised(&[0.0; HIDDEN_UNITS]); MAX_OPPONENT_TYPES];
        output_weights
            .iter_mut()
            .zip(&kinds)
            .for_each(|(output_weights, kind)| *output_weights = raised(&kind.output_weights));
        QuantizedNetwork {
            board_weights: hidden_layer.board_weights.iter().map(raised).collect(),
            move_weights: (0..MOVE_FEATURES).map(effect).collect(),
            output_weights,
            hidden_layer,
            kinds,
        }
    }

    pub fn kinds(&self) -> &[OpponentType] {
        &self.kinds
    }

    pub fn hidden_layer(&self) -> &HiddenLayer {
        &self.hidden_layer
    }

    /// What a board impresses, whatever is played on it.
    pub fn of_board(&self, board: &Board, situation: &OpponentContext) -> Raised {
        let mut raised = Raised::default();
        board_features::for_each_feature(board, situation, |name| {
            add(&mut raised, &self.board_weights[name], i16x8::ONE);
        });
        raised
    }

    /// How much each kind feature_weights a move on a board that makes this impression.
    pub fn like(&self, board: &Raised, sight: &MoveFeatures, mv: BoardMove) -> PerType {
        // Most of what is named is not there. It is written over, since a guess of the processor's would often be wrong.
        let mut noticed = [(0u16, 0); MOST_NOTICED];
        let mut count = 0;
        sight.for_each_feature(mv, |feature, times| {
            noticed[count % MOST_NOTICED] = (feature as u16, times);
            count += usize::from(times != 0);
        });
        debug_assert!(count <= MOST_NOTICED, "{count}");
        let (mut raised, mut feature_weights) = (*board, i16x8::ZERO);
        for &(feature, times) in &noticed[..count.min(MOST_NOTICED)] {
            let effect = &self.move_weights[usize::from(feature)];
            let times = i16x8::splat(times);
            add(&mut raised, &effect.raises, times);
            feature_weights = feature_weights.saturating_add(effect.feature_weights * times);
        }
        let above = raised.map(|part| part.max(i16x8::ZERO));
        let by_taste = |kind: usize| -> i32x4 {
            above.iter().zip(&self.output_weights[kind]).map(|(part, taste)| part.dot(*taste)).sum()
        };
        // Four sums of each of four kinds, turned so that each kind has a lane to itself.
        let of_four = |first: usize| -> i32x4 {
            i32x4::transpose(std::array::from_fn(|lane| by_taste(first + lane))).into_iter().sum()
        };
        let sums: [[i32; 4]; 2] = [of_four(0).to_array(), of_four(4).to_array()];
        let feature_weights = feature_weights.to_array();
        std::array::from_fn(|kind| {
            f32::from(feature_weights[kind]) / ONE + sums[kind / 4][kind % 4] as f32 / (ONE * ONE)
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

    /// The logarithm of the probability of the chosen move in floating point, if one move in a hundred is
    /// uniformly random.
    fn exact_log_probability(
        kind: &OpponentType,
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
                    logit += kind.feature_weights[feature] * count;
                });
                let outputs = hidden.iter().zip(&kind.output_weights);
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
        let kinds = mixture.types();
        assert!(kinds.len() > 4, "both halves of the lanes are tested");
        let mut weights = Vec::new();
        for seed in 0..5 {
            let game = random_game(Setup::default(), seed, 120);
            Decision::for_each(game.record(), |_, decision| {
                let (moves, chosen) = decision.moves();
                weights.clear();
                mixture.weigh_moves(&decision.position, &decision.context, &moves, &mut weights);
                for (kind, quantized) in kinds.iter().zip(mixture.chances(chosen)) {
                    let exact = exact_log_probability(kind, mixture.hidden_layer(), &decision);
                    let quantized = f64::from(quantized.ln());
                    assert!((quantized - exact).abs() < 0.05, "{}: {quantized} {exact}", kind.name);
                }
            });
        }
    }
}
