//! The probabilities of all legal moves on one board, by each opponent type.

use cozy_chess::Move as BoardMove;
use krieg_core::Position;

use super::exp::exp;
use super::mixture::{MAX_OPPONENT_TYPES, PerType};
use super::move_features::MoveFeatures;
use super::quantized::QuantizedNetwork;
use super::type_rule::{MoveClass, MoveClasses, PerClass, TypeRule};
use crate::OpponentContext;

/// Share of uniformly random legal moves in the policy of every type.
pub const UNIFORM_SHARE: f32 = 0.01;

/// The legal moves on one board, with what determines their probabilities by each type.
#[derive(Debug, Clone, Default)]
pub struct MoveProbabilities {
    /// For each move, its probability by each fitted type, up to a factor for each type: the
    /// exponential function of its logit minus the largest logit.
    unnormalized: Vec<PerType>,
    /// The factors that make probabilities of these.
    normalizers: PerType,
    /// The factors that make probabilities of these if only recaptures are possible.
    recapture_normalizers: PerType,
    /// The classes of the moves.
    classes: MoveClasses,
    /// The part of every move's probability that is due to [`UNIFORM_SHARE`].
    uniform_part: f32,
}

impl MoveProbabilities {
    /// Computes the softmax over these moves for each type. Without a network there are only plain
    /// types.
    pub fn set(
        &mut self,
        network: Option<&QuantizedNetwork>,
        position: &Position,
        context: &OpponentContext,
        moves: &[BoardMove],
    ) {
        self.classes.set(position.board(), context, moves);
        self.uniform_part = UNIFORM_SHARE / moves.len().max(1) as f32;
        self.unnormalized.clear();
        match network {
            Some(network) => self.evaluate(network, position, context, moves),
            None => self.unnormalized.resize(moves.len(), [0.0; MAX_OPPONENT_TYPES]),
        }
    }

    fn evaluate(
        &mut self,
        network: &QuantizedNetwork,
        position: &Position,
        context: &OpponentContext,
        moves: &[BoardMove],
    ) {
        let features = MoveFeatures::new(position.board(), context, moves);
        let board_sums = network.board_sums(position.board(), context);
        let mut largest = [f32::MIN; MAX_OPPONENT_TYPES];
        for mv in moves {
            let logits = network.logits(&board_sums, &features, *mv);
            for (largest, logit) in largest.iter_mut().zip(logits) {
                *largest = largest.max(logit);
            }
            self.unnormalized.push(logits);
        }
        // The largest logit is subtracted, so that nothing overflows.
        let mut sums = [0.0; MAX_OPPONENT_TYPES];
        let mut recapture_sums = [0.0; MAX_OPPONENT_TYPES];
        for (of_move, class) in self.unnormalized.iter_mut().zip(self.classes.classes()) {
            for ((value, largest), sum) in of_move.iter_mut().zip(largest).zip(&mut sums) {
                *value = exp(*value - largest);
                *sum += *value;
            }
            if *class == MoveClass::Recapture {
                recapture_sums.iter_mut().zip(of_move).for_each(|(sum, value)| *sum += *value);
            }
        }
        self.normalizers = sums.map(|sum| 1.0 / sum.max(1.0));
        self.recapture_normalizers = recapture_sums.map(|sum| 1.0 / sum.max(f32::MIN_POSITIVE));
    }

    /// The probability of the move with this index, by a type with this rule.
    pub fn probability(&self, rule: TypeRule, index: usize) -> f32 {
        let class = self.classes.classes()[index];
        let value = |one: usize| self.unnormalized[index][one];
        let probability = match rule {
            TypeRule::Recapturing(one) if self.classes.has_recapture() => match class {
                MoveClass::Recapture => value(one) * self.recapture_normalizers[one],
                _ => 0.0,
            },
            TypeRule::Fitted(one) | TypeRule::Recapturing(one) => {
                value(one) * self.normalizers[one]
            }
            TypeRule::Plain(policy) => self.classes.probabilities(&policy)[class as usize],
        };
        probability * (1.0 - UNIFORM_SHARE) + self.uniform_part
    }

    /// Pushes the probability of each move by a mixture of types. The weights of the types sum to
    /// 1.
    pub fn mix(&self, types: impl Iterator<Item = (TypeRule, f32)>, weights: &mut Vec<f64>) {
        let (factors, parts) = self.class_factors(types);
        weights.extend(self.unnormalized.iter().zip(self.classes.classes()).map(
            |(of_move, class)| {
                let mut products = *of_move;
                for (product, factor) in products.iter_mut().zip(factors[*class as usize]) {
                    *product *= factor;
                }
                f64::from(products.iter().sum::<f32>() + parts[*class as usize])
            },
        ));
    }

    /// For each class of moves, the factors by which the unnormalized probabilities of a move are
    /// multiplied, and the part of its probability that does not depend on them.
    fn class_factors(
        &self,
        types: impl Iterator<Item = (TypeRule, f32)>,
    ) -> ([PerType; 3], PerClass) {
        let has_recapture = self.classes.has_recapture();
        let (mut factors, mut parts) = ([[0.0; MAX_OPPONENT_TYPES]; 3], [self.uniform_part; 3]);
        for (rule, weight) in types {
            let weight = weight * (1.0 - UNIFORM_SHARE);
            match rule {
                TypeRule::Recapturing(one) if has_recapture => {
                    let factor = weight * self.recapture_normalizers[one];
                    factors[MoveClass::Recapture as usize][one] += factor;
                }
                TypeRule::Fitted(one) | TypeRule::Recapturing(one) => {
                    let factor = weight * self.normalizers[one];
                    factors.iter_mut().for_each(|factors| factors[one] += factor);
                }
                TypeRule::Plain(policy) => {
                    for (part, one) in parts.iter_mut().zip(self.classes.probabilities(&policy)) {
                        *part += weight * one;
                    }
                }
            }
        }
        (factors, parts)
    }
}
