//! All kinds of players learned together: what makes an impression is found from all of their games, and what each kind feature_weights from its own.

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::adam::Adam;
use super::logit::rounded;
use super::training_set::{TrainingSet, to_chances};
use krieg_belief::opponent::board_features::BOARD_FEATURES;
use krieg_belief::opponent::feature_groups::MOVE_FEATURES;
use krieg_belief::opponent::file::OpponentType;
use krieg_belief::opponent::hidden_layer::{
    HIDDEN_UNITS, HiddenActivations, HiddenLayer, add_scaled,
};
use krieg_belief::opponent::{MAX_OPPONENT_TYPES, PerType};

/// How kinds are learned together.
#[derive(Debug, Clone, Copy)]
pub struct JointTraining {
    /// How often all decisions are gone through. What foretells best after any of these times is kept, since in the end games are known by heart.
    pub epochs: usize,
    /// How large the first steps are; they become smaller to the end.
    pub rate: f32,
    /// How strongly all numbers are drawn to nought, so that what is rarely seen makes no impression.
    pub pull: f32,
    /// Where the order of the decisions comes from.
    pub seed: u64,
}

impl Default for JointTraining {
    fn default() -> Self {
        JointTraining { epochs: 7, rate: 0.002, pull: 3e-4, seed: 1 }
    }
}

/// So many decisions are one step. They are shared out among so many threads, whatever machine this is, so that the same comes out everywhere.
const BATCH: usize = 256;
const THREADS: usize = 2;
/// How large the first numbers are at most, before anything is learned.
const FIRST: f32 = 0.12;
/// What a decision counts for the kind that is anybody, as against the kind that made it.
const OF_ANYBODY: f32 = 0.3;

/// All numbers that are learned; or how steep it is for each.
#[derive(Debug, Clone)]
struct Numbers {
    hidden_layer: HiddenLayer,
    feature_weights: Vec<PerType>,
    output_weights: Vec<PerType>,
}

/// How many numbers there are.
const COUNT: usize = (BOARD_FEATURES + MOVE_FEATURES) * HIDDEN_UNITS
    + (MOVE_FEATURES + HIDDEN_UNITS) * MAX_OPPONENT_TYPES;

impl Numbers {
    fn nothing() -> Self {
        Numbers {
            hidden_layer: HiddenLayer::zero(),
            feature_weights: vec![[0.0; MAX_OPPONENT_TYPES]; MOVE_FEATURES],
            output_weights: vec![[0.0; MAX_OPPONENT_TYPES]; HIDDEN_UNITS],
        }
    }

    fn parts(&self) -> [&[f32]; 4] {
        [
            self.hidden_layer.board_weights.as_flattened(),
            self.hidden_layer.move_weights.as_flattened(),
            self.feature_weights.as_flattened(),
            self.output_weights.as_flattened(),
        ]
    }

    fn parts_mut(&mut self) -> [&mut [f32]; 4] {
        [
            self.hidden_layer.board_weights.as_flattened_mut(),
            self.hidden_layer.move_weights.as_flattened_mut(),
            self.feature_weights.as_flattened_mut(),
            self.output_weights.as_flattened_mut(),
        ]
    }

    /// What all kinds know already; and of the rest anything, since from nothing there is no way anywhere.
    fn begin(kinds: &[OpponentType], rng: &mut Xoshiro256PlusPlus) -> Self {
        let mut numbers = Numbers::nothing();
        let mut anything = |part: &mut [f32]| {
            part.iter_mut().for_each(|number| *number = FIRST * (2.0 * rng.random::<f32>() - 1.0));
        };
        anything(numbers.hidden_layer.board_weights.as_flattened_mut());
        anything(numbers.hidden_layer.move_weights.as_flattened_mut());
        anything(numbers.output_weights.as_flattened_mut());
        for (lane, kind) in kinds.iter().enumerate() {
            for (of_all, of_one) in
                numbers.feature_weights.iter_mut().zip(kind.feature_weights.iter())
            {
                of_all[lane] = *of_one;
            }
        }
        numbers
    }

    /// What they make of these kinds, with as many digits as a file holds.
    fn kinds(&self, kinds: &[OpponentType]) -> (Vec<OpponentType>, HiddenLayer) {
        let mut numbers = self.clone();
        for part in numbers.parts_mut() {
            part.iter_mut().for_each(|number| *number = rounded(*number));
        }
        let kind = |(lane, kind): (usize, &OpponentType)| OpponentType {
            feature_weights: Box::new(std::array::from_fn(|feature| {
                numbers.feature_weights[feature][lane]
            })),
            output_weights: std::array::from_fn(|unit| numbers.output_weights[unit][lane]),
            ..kind.clone()
        };
        (kinds.iter().enumerate().map(kind).collect(), numbers.hidden_layer)
    }

    /// Looks at all moves of a decision.
    fn look(&self, lessons: &TrainingSet, decision: usize, look: &mut Look) {
        let board = self.hidden_layer.board_activations(lessons.surroundings(decision));
        look.hidden_layer.clear();
        look.feature_weights.clear();
        for mv in lessons.moves(decision) {
            let (mut impression, mut feature_weights) = (board, [0.0; MAX_OPPONENT_TYPES]);
            for noticed in lessons.noticed(mv) {
                let (feature, times) = (noticed.feature(), noticed.times());
                add_scaled(&mut impression, &self.hidden_layer.move_weights[feature], times);
                add_scaled(&mut feature_weights, &self.feature_weights[feature], times);
            }
            for (impression, output_weights) in impression.iter().zip(&self.output_weights) {
                add_scaled(&mut feature_weights, output_weights, impression.max(0.0));
            }
            look.hidden_layer.push(impression);
            look.feature_weights.push(feature_weights);
        }
    }

    /// Adds to these slopes how much likelier each number would make what was chosen, for each of these kinds, which count for so much.
    fn learn_from(
        &self,
        lessons: &TrainingSet,
        decision: usize,
        kinds: [(usize, f32); 2],
        look: &mut Look,
        slopes: &mut Numbers,
    ) {
        self.look(lessons, decision, look);
        let chances = kinds.map(|(lane, _)| look.chances(lane));
        let mut of_board = [0.0; HIDDEN_UNITS];
        for (at, mv) in lessons.moves(decision).enumerate() {
            let is_chosen = f32::from(u8::from(mv == lessons.chosen(decision)));
            let mut surprises = [0.0; MAX_OPPONENT_TYPES];
            for ((lane, counts), chances) in kinds.iter().zip(&chances) {
                surprises[*lane] += counts * (is_chosen - chances[at]);
            }
            let mut of_move = [0.0; HIDDEN_UNITS];
            for (unit, &impression) in look.hidden_layer[at].iter().enumerate() {
                if impression > 0.0 {
                    add_scaled(&mut slopes.output_weights[unit], &surprises, impression);
                    let output_weights = self.output_weights[unit].iter();
                    of_move[unit] = output_weights.zip(surprises).map(|(taste, s)| taste * s).sum();
                }
            }
            for noticed in lessons.noticed(mv) {
                let (feature, times) = (noticed.feature(), noticed.times());
                add_scaled(&mut slopes.hidden_layer.move_weights[feature], &of_move, times);
                add_scaled(&mut slopes.feature_weights[feature], &surprises, times);
            }
            add_scaled(&mut of_board, &of_move, 1.0);
        }
        for name in lessons.surroundings(decision) {
            add_scaled(&mut slopes.hidden_layer.board_weights[*name as usize], &of_board, 1.0);
        }
    }
}

/// What was seen of the moves of one decision.
#[derive(Debug, Default)]
struct Look {
    hidden_layer: Vec<HiddenActivations>,
    feature_weights: Vec<PerType>,
}

impl Look {
    fn chances(&self, lane: usize) -> Vec<f32> {
        let mut chances: Vec<f32> =
            self.feature_weights.iter().map(|feature_weights| feature_weights[lane]).collect();
        to_chances(&mut chances);
        chances
    }
}

impl JointTraining {
    /// Learns on from what these kinds like already. The last of them is anybody, and the lessons are those of the others. `foretell` says how well kinds foretell games that
    /// nothing is learned from, and `progress` is told after each time all were gone through. Of a few games nothing can be learned that foretells others, and the kinds stay as they are.
    pub fn fit(
        &self,
        kinds: &mut [OpponentType],
        lessons: &[TrainingSet],
        foretell: impl Fn(&[OpponentType], &HiddenLayer) -> f64,
        mut progress: impl FnMut(),
    ) -> HiddenLayer {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut numbers = Numbers::begin(kinds, &mut rng);
        let of_kind =
            |(lane, lessons): (usize, &TrainingSet)| (0..lessons.len()).map(move |n| (lane, n));
        let mut order: Vec<(usize, usize)> = lessons.iter().enumerate().flat_map(of_kind).collect();
        let mut steps = Adam::new(COUNT, self.rate, order.len().div_ceil(BATCH) * self.epochs);
        let mut hidden_layer = HiddenLayer::zero();
        let mut best = foretell(kinds, &hidden_layer);
        for _ in 0..self.epochs {
            order.shuffle(&mut rng);
            for batch in order.chunks(BATCH) {
                let slopes = slopes(&numbers, batch, lessons, kinds.len() - 1);
                let mut first = 0;
                steps.begin();
                for (part, numbers) in numbers.parts_mut().into_iter().enumerate() {
                    let slopes = slopes.each_ref().map(|slopes| slopes.parts()[part]);
                    let count = batch.len() as f32;
                    steps.step(first, numbers, |at, number| {
                        let sum: f32 = slopes.iter().map(|slopes| slopes[at]).sum();
                        sum / count - self.pull * number
                    });
                    first += numbers.len();
                }
            }
            let (new, of_new) = numbers.kinds(kinds);
            let foretold = foretell(&new, &of_new);
            if foretold > best {
                best = foretold;
                kinds.clone_from_slice(&new);
                hidden_layer = of_new;
            }
            progress();
        }
        hidden_layer
    }
}

/// How steep it is for each number at these decisions: what each thread found.
fn slopes(
    numbers: &Numbers,
    batch: &[(usize, usize)],
    lessons: &[TrainingSet],
    anybody: usize,
) -> [Numbers; THREADS] {
    let share = batch.len().div_ceil(THREADS);
    let mut found: [Numbers; THREADS] = std::array::from_fn(|_| Numbers::nothing());
    std::thread::scope(|threads| {
        for (part, slopes) in batch.chunks(share).zip(&mut found) {
            threads.spawn(move || {
                let mut look = Look::default();
                for &(lane, decision) in part {
                    let kinds = [(lane, 1.0), (anybody, OF_ANYBODY)];
                    numbers.learn_from(&lessons[lane], decision, kinds, &mut look, slopes);
                }
            });
        }
    });
    found
}

impl TrainingSet {
    /// The mean logarithm of the chance of what was chosen, in nats, if these were a kind's feature_weights and output_weights and every hundredth move is any move.
    pub fn log_likelihood_of(&self, kind: &OpponentType, hidden_layer: &HiddenLayer) -> f64 {
        let mut feature_weights = Vec::new();
        self.mean_log_chance(|decision| {
            let board = hidden_layer.board_activations(self.surroundings(decision));
            feature_weights.clear();
            feature_weights.extend(self.moves(decision).map(|mv| {
                let (mut impression, mut sum) = (board, 0.0);
                for noticed in self.noticed(mv) {
                    let (feature, times) = (noticed.feature(), noticed.times());
                    add_scaled(&mut impression, &hidden_layer.move_weights[feature], times);
                    sum += kind.feature_weights[feature] * times;
                }
                let output_weights = impression.iter().zip(&kind.output_weights);
                sum + output_weights.map(|(unit, taste)| taste * unit.max(0.0)).sum::<f32>()
            }));
            to_chances(&mut feature_weights);
            feature_weights[self.chosen(decision) - self.moves(decision).start]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opponents::logit::LogitTraining;
    use crate::opponents::testing::with_habit;
    use cozy_chess::Piece;
    use krieg_belief::opponent::decision::Decision;
    use krieg_core::Setup;
    use krieg_testing::{random_game, seeded_rng};

    /// Somebody who mostly moves pawns in the first half of a long game, and mostly pieces in the second.
    fn habit(decision: &Decision, rng: &mut Xoshiro256PlusPlus) -> Decision {
        let pawns = decision.position.board().colored_pieces(decision.position.turn(), Piece::Pawn);
        let is_early = decision.context.move_count < 75;
        with_habit(decision, rng, |mv| if pawns.has(mv.from) == is_early { 20.0 } else { 1.0 })
    }

    #[test]
    fn a_habit_that_depends_on_the_board_is_found() {
        let mut rng = seeded_rng(7);
        let mut decisions = Vec::new();
        for seed in 0..100 {
            let game = random_game(Setup::default(), seed, 300);
            Decision::for_each(game.record(), |_, decision| {
                decisions.push(habit(&decision, &mut rng))
            });
        }
        let (learned_from, apart) = decisions.split_at(decisions.len() * 4 / 5);
        let (lessons, apart) = (TrainingSet::new(learned_from), TrainingSet::new(apart));
        let mut kind = OpponentType {
            feature_weights: LogitTraining::default().fit(&lessons),
            ..OpponentType::new("somebody")
        };
        let by_likes = apart.log_likelihood(&kind.feature_weights);
        let alone = apart.log_likelihood_of(&kind, &HiddenLayer::zero());
        assert!((by_likes - alone).abs() < 1e-6, "without hidden_layer only feature_weights count");
        let mut rounds = 0;
        let hidden_layer = JointTraining { epochs: 10, rate: 0.01, ..JointTraining::default() }
            .fit(
                std::slice::from_mut(&mut kind),
                &[lessons],
                |kinds, hidden_layer| apart.log_likelihood_of(&kinds[0], hidden_layer),
                || rounds += 1,
            );
        let by_impressions = apart.log_likelihood_of(&kind, &hidden_layer);
        assert!(by_impressions > by_likes + 0.03, "{by_likes} {by_impressions}");
        assert_eq!(rounds, 10);
    }
}
