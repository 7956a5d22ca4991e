//! The first stage of the training: a conditional logit for each opponent type.

use krieg_belief::opponent::feature_groups::MOVE_FEATURES;
use krieg_belief::opponent::file::MAX_WEIGHT;
use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::decision_set::{DecisionSet, FeatureCount, softmax};
use super::{EPSILON, linear_decay};
use crate::adam::Adam;

/// The settings of the first stage.
#[derive(Debug, Clone, Copy)]
pub struct LogitTraining {
    /// Number of passes through the decisions.
    pub epochs: usize,
    /// Learning rate of the first step; it decreases linearly to 0.
    pub learning_rate: f32,
    /// L2 penalty of a weight, relative to the log-likelihood of one decision, so that rare
    /// features have small weights.
    pub regularization: f32,
    /// Seed of the order of decisions.
    pub seed: u64,
}

impl Default for LogitTraining {
    fn default() -> Self {
        LogitTraining { epochs: 12, learning_rate: 0.03, regularization: 1.0, seed: 1 }
    }
}

/// Number of decisions per step.
const BATCH_SIZE: usize = 128;

impl DecisionSet {
    /// The probabilities of all moves of a decision, with these feature weights.
    fn probabilities(
        &self,
        decision: usize,
        feature_weights: &[f32; MOVE_FEATURES],
        probabilities: &mut Vec<f32>,
    ) {
        probabilities.clear();
        probabilities.extend(self.moves(decision).map(|mv| {
            let weight = |entry: &FeatureCount| feature_weights[entry.feature()] * entry.count();
            self.move_features(mv).iter().map(weight).sum::<f32>()
        }));
        softmax(probabilities);
    }

    /// The mean log-likelihood of the chosen moves in nats, by a conditional logit with these
    /// feature weights.
    pub fn log_likelihood(&self, feature_weights: &[f32; MOVE_FEATURES]) -> f64 {
        let mut probabilities = Vec::new();
        self.mean_log_likelihood(|decision| {
            self.probabilities(decision, feature_weights, &mut probabilities);
            probabilities[self.chosen(decision) - self.moves(decision).start]
        })
    }
}

impl LogitTraining {
    /// The feature weights of the player who made these decisions.
    pub fn fit(&self, decisions: &DecisionSet) -> Box<[f32; MOVE_FEATURES]> {
        let mut feature_weights = Box::new([0.0f32; MOVE_FEATURES]);
        let mut order: Vec<usize> = (0..decisions.len()).collect();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut adam = Adam::new(MOVE_FEATURES).with_epsilon(EPSILON);
        let steps = decisions.len().div_ceil(BATCH_SIZE) * self.epochs;
        let mut learning_rates = linear_decay(self.learning_rate, steps);
        let mut probabilities = Vec::new();
        let penalty = self.regularization / decisions.len() as f32;
        for _ in 0..self.epochs {
            order.shuffle(&mut rng);
            for batch in order.chunks(BATCH_SIZE) {
                // The gradient of the log-likelihood.
                let mut gradient = [0.0f32; MOVE_FEATURES];
                for &decision in batch {
                    decisions.probabilities(decision, &feature_weights, &mut probabilities);
                    for (mv, probability) in decisions.moves(decision).zip(&probabilities) {
                        let is_chosen = f32::from(u8::from(mv == decisions.chosen(decision)));
                        let residual = is_chosen - probability;
                        for entry in decisions.move_features(mv) {
                            gradient[entry.feature()] += residual * entry.count();
                        }
                    }
                }
                let count = batch.len() as f32;
                let learning_rate = learning_rates.next().unwrap_or(0.0);
                adam.start_step();
                adam.update(0, &mut feature_weights[..], learning_rate, |index, weight| {
                    penalty * weight - gradient[index] / count
                });
            }
        }
        feature_weights.iter_mut().for_each(|weight| *weight = rounded(*weight));
        feature_weights
    }
}

/// Rounds a parameter to the precision of the file, and clips it to the range of the file.
pub fn rounded(number: f32) -> f32 {
    ((number * 1e3).round() / 1e3).clamp(-MAX_WEIGHT, MAX_WEIGHT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opponents::testing::choose_by_weight;
    use krieg_belief::opponent::decision::Decision;
    use krieg_belief::opponent::feature_groups as f;
    use krieg_testing::{random_game, random_setup, seeded_rng};

    /// A decision by a player whose king moves have twenty times the probability of other moves.
    fn prefers_king_moves(decision: &Decision, rng: &mut Xoshiro256PlusPlus) -> Decision {
        let king = decision.position.board().king(decision.position.turn());
        choose_by_weight(decision, rng, |mv| if mv.from == king { 20.0 } else { 1.0 })
    }

    #[test]
    fn a_preference_is_learned_from_generated_games() {
        let mut rng = seeded_rng(7);
        let mut decisions = Vec::new();
        for seed in 0..150 {
            let game = random_game(random_setup(&mut rng), seed, 60);
            Decision::for_each(game.record(), |_, decision| {
                // Castling has features of its own.
                let rights = *decision.position.board().castle_rights(decision.position.turn());
                if rights.short.is_none() && rights.long.is_none() {
                    decisions.push(prefers_king_moves(&decision, &mut rng));
                }
            });
        }
        let (training, validation) = decisions.split_at(decisions.len() * 4 / 5);
        let training = DecisionSet::new(training);
        let weights = LogitTraining { epochs: 30, ..LogitTraining::default() }.fit(&training);
        // The preference is spread over several features of king moves.
        let preference = |stage: usize| {
            let king = weights[f::MOVED_PIECE + stage * 6 + 5];
            let rook = weights[f::MOVED_PIECE + stage * 6 + 3];
            king - rook
        };
        assert!(preference(0) > 0.5 && preference(1) > 0.5, "{:?}", &weights[..24]);
        let validation = DecisionSet::new(validation);
        let uniform = validation.log_likelihood(&[0.0; MOVE_FEATURES]);
        let trained = validation.log_likelihood(&weights);
        assert!(trained > uniform + 0.3, "{uniform} {trained}");
    }
}
