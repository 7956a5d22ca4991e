//! What one kind of player feature_weights, found from what it chose: a conditional logit.

use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::adam::Adam;
use super::training_set::{FeatureCount, TrainingSet, to_chances};
use krieg_belief::opponent::feature_groups::MOVE_FEATURES;
use krieg_belief::opponent::file::MAX_WEIGHT;

/// How a kind of player is fitted.
#[derive(Debug, Clone, Copy)]
pub struct LogitTraining {
    /// How often all decisions are gone through.
    pub epochs: usize,
    /// How large the first steps are; they become smaller to the end.
    pub rate: f32,
    /// What a like of one costs, as against one decision's nats: so what is rarely seen is neither liked nor disliked much.
    pub prior: f32,
    /// Where the order of the decisions comes from.
    pub seed: u64,
}

impl Default for LogitTraining {
    fn default() -> Self {
        LogitTraining { epochs: 12, rate: 0.03, prior: 1.0, seed: 1 }
    }
}

/// So many decisions are one step.
const BATCH: usize = 128;

impl TrainingSet {
    /// The chances of all moves of a decision, if this is what the player feature_weights.
    fn chances(
        &self,
        decision: usize,
        feature_weights: &[f32; MOVE_FEATURES],
        chances: &mut Vec<f32>,
    ) {
        chances.clear();
        chances.extend(self.moves(decision).map(|mv| {
            let feature_weights =
                |noticed: &FeatureCount| feature_weights[noticed.feature()] * noticed.times();
            self.noticed(mv).iter().map(feature_weights).sum::<f32>()
        }));
        to_chances(chances);
    }

    /// The mean logarithm of the chance of what was chosen, in nats, if every hundredth move is any move.
    pub fn log_likelihood(&self, feature_weights: &[f32; MOVE_FEATURES]) -> f64 {
        let mut chances = Vec::new();
        self.mean_log_chance(|decision| {
            self.chances(decision, feature_weights, &mut chances);
            chances[self.chosen(decision) - self.moves(decision).start]
        })
    }
}

impl LogitTraining {
    /// What the player of these decisions feature_weights.
    pub fn fit(&self, lessons: &TrainingSet) -> Box<[f32; MOVE_FEATURES]> {
        let mut feature_weights = Box::new([0.0f32; MOVE_FEATURES]);
        let mut order: Vec<usize> = (0..lessons.len()).collect();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut steps =
            Adam::new(MOVE_FEATURES, self.rate, lessons.len().div_ceil(BATCH) * self.epochs);
        let mut chances = Vec::new();
        let pull = self.prior / lessons.len() as f32;
        for _ in 0..self.epochs {
            order.shuffle(&mut rng);
            for batch in order.chunks(BATCH) {
                let mut slopes = [0.0f32; MOVE_FEATURES];
                for &decision in batch {
                    lessons.chances(decision, &feature_weights, &mut chances);
                    for (mv, chance) in lessons.moves(decision).zip(&chances) {
                        let surprise = f32::from(u8::from(mv == lessons.chosen(decision))) - chance;
                        for noticed in lessons.noticed(mv) {
                            slopes[noticed.feature()] += surprise * noticed.times();
                        }
                    }
                }
                let count = batch.len() as f32;
                steps.begin();
                steps
                    .step(0, &mut feature_weights[..], |at, like| slopes[at] / count - pull * like);
            }
        }
        feature_weights.iter_mut().for_each(|like| *like = rounded(*like));
        feature_weights
    }
}

/// Three digits are all that the games can tell, and a file of them can be compared by eye. What few games say too loudly is toned down.
pub fn rounded(number: f32) -> f32 {
    ((number * 1e3).round() / 1e3).clamp(-MAX_WEIGHT, MAX_WEIGHT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opponents::testing::with_habit;
    use krieg_belief::opponent::decision::Decision;
    use krieg_belief::opponent::feature_groups as f;
    use krieg_testing::{random_game, random_setup, seeded_rng};

    /// Somebody who moves his king twenty times as likely as he makes any other move, and else plays anything.
    fn habit(decision: &Decision, rng: &mut Xoshiro256PlusPlus) -> Decision {
        let king = decision.position.board().king(decision.position.turn());
        with_habit(decision, rng, |mv| if mv.from == king { 20.0 } else { 1.0 })
    }

    #[test]
    fn a_habit_is_found_in_made_up_games() {
        let mut rng = seeded_rng(7);
        let mut decisions = Vec::new();
        for seed in 0..150 {
            let game = random_game(random_setup(&mut rng), seed, 60);
            Decision::for_each(game.record(), |_, decision| {
                // Castling is another matter.
                let rights = *decision.position.board().castle_rights(decision.position.turn());
                if rights.short.is_none() && rights.long.is_none() {
                    decisions.push(habit(&decision, &mut rng));
                }
            });
        }
        let (learned_from, apart) = decisions.split_at(decisions.len() * 4 / 5);
        let lessons = TrainingSet::new(learned_from);
        let feature_weights =
            LogitTraining { epochs: 30, ..LogitTraining::default() }.fit(&lessons);
        // That kings move is a matter of several features together.
        let moves_king = |stage: usize| {
            let king = feature_weights[f::MOVED_PIECE + stage * 6 + 5];
            let rook = feature_weights[f::MOVED_PIECE + stage * 6 + 3];
            king - rook
        };
        assert!(moves_king(0) > 0.5 && moves_king(1) > 0.5, "{:?}", &feature_weights[..24]);
        let apart = TrainingSet::new(apart);
        let (before, after) =
            (apart.log_likelihood(&[0.0; MOVE_FEATURES]), apart.log_likelihood(&feature_weights));
        assert!(after > before + 0.3, "{before} {after}");
    }
}
