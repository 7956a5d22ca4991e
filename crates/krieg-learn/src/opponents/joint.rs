//! The second stage of the training: all types together with the hidden layer. The input weights of
//! the hidden layer are trained on the games of all types, the other weights of a type on its own.

use krieg_belief::opponent::board_features::BOARD_FEATURES;
use krieg_belief::opponent::feature_groups::MOVE_FEATURES;
use krieg_belief::opponent::file::OpponentType;
use krieg_belief::opponent::hidden_layer::{
    HIDDEN_UNITS, HiddenActivations, HiddenLayer, add_scaled,
};
use krieg_belief::opponent::{MAX_OPPONENT_TYPES, PerType};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::decision_set::{DecisionSet, softmax};
use super::logit::rounded;
use super::{EPSILON, linear_decay};
use crate::adam::Adam;

/// The settings of the second stage.
#[derive(Debug, Clone, Copy)]
pub struct JointTraining {
    /// Number of passes through the decisions. The result of the epoch with the best validation
    /// log-likelihood is returned, because the training overfits in the end.
    pub epochs: usize,
    /// Learning rate of the first step; it decreases linearly to 0.
    pub learning_rate: f32,
    /// L2 penalty of all parameters, so that rare features have little effect.
    pub regularization: f32,
    /// Seed of the initial parameters and of the order of decisions.
    pub seed: u64,
}

impl Default for JointTraining {
    fn default() -> Self {
        JointTraining { epochs: 7, learning_rate: 0.002, regularization: 3e-4, seed: 1 }
    }
}

/// Number of decisions per step.
const BATCH_SIZE: usize = 256;
/// Number of threads that share a batch. It is the same on every machine, because the rounding of
/// the result depends on it.
const THREADS: usize = 2;
/// Maximum magnitude of the random initial parameters.
const INITIAL_LIMIT: f32 = 0.12;
/// Weight of a decision for the general type. Its weight for the type of the player is 1.
const GENERAL_WEIGHT: f32 = 0.3;

/// All parameters of the second stage, or the gradient of each.
#[derive(Debug, Clone)]
struct Parameters {
    hidden_layer: HiddenLayer,
    feature_weights: Vec<PerType>,
    output_weights: Vec<PerType>,
}

/// Number of parameters.
const PARAMETER_COUNT: usize = (BOARD_FEATURES + MOVE_FEATURES) * HIDDEN_UNITS
    + (MOVE_FEATURES + HIDDEN_UNITS) * MAX_OPPONENT_TYPES;

impl Parameters {
    fn zero() -> Self {
        Parameters {
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

    /// The feature weights of the first stage, with random weights of the hidden layer.
    fn initial(types: &[OpponentType], rng: &mut Xoshiro256PlusPlus) -> Self {
        let mut parameters = Parameters::zero();
        let mut randomize = |part: &mut [f32]| {
            part.iter_mut().for_each(|parameter| {
                *parameter = INITIAL_LIMIT * (2.0 * rng.random::<f32>() - 1.0);
            });
        };
        randomize(parameters.hidden_layer.board_weights.as_flattened_mut());
        randomize(parameters.hidden_layer.move_weights.as_flattened_mut());
        randomize(parameters.output_weights.as_flattened_mut());
        for (lane, opponent_type) in types.iter().enumerate() {
            let weights = opponent_type.feature_weights.iter();
            for (of_all, weight) in parameters.feature_weights.iter_mut().zip(weights) {
                of_all[lane] = *weight;
            }
        }
        parameters
    }

    /// These types with the present parameters, rounded to the precision of a file.
    fn to_types(&self, types: &[OpponentType]) -> (Vec<OpponentType>, HiddenLayer) {
        let mut parameters = self.clone();
        for part in parameters.parts_mut() {
            part.iter_mut().for_each(|parameter| *parameter = rounded(*parameter));
        }
        let with_weights = |(lane, opponent_type): (usize, &OpponentType)| OpponentType {
            feature_weights: Box::new(std::array::from_fn(|feature| {
                parameters.feature_weights[feature][lane]
            })),
            output_weights: std::array::from_fn(|unit| parameters.output_weights[unit][lane]),
            ..opponent_type.clone()
        };
        let types = types.iter().enumerate().map(with_weights).collect();
        (types, parameters.hidden_layer)
    }

    /// Computes the activations and logits of all moves of a decision.
    fn evaluate(&self, decisions: &DecisionSet, decision: usize, pass: &mut ForwardPass) {
        let board = self.hidden_layer.board_activations(decisions.board_features(decision));
        pass.activations.clear();
        pass.logits.clear();
        for mv in decisions.moves(decision) {
            let (mut activations, mut logits) = (board, [0.0; MAX_OPPONENT_TYPES]);
            for entry in decisions.move_features(mv) {
                let (feature, count) = (entry.feature(), entry.count());
                add_scaled(&mut activations, &self.hidden_layer.move_weights[feature], count);
                add_scaled(&mut logits, &self.feature_weights[feature], count);
            }
            for (activation, output_weights) in activations.iter().zip(&self.output_weights) {
                add_scaled(&mut logits, output_weights, activation.max(0.0));
            }
            pass.activations.push(activations);
            pass.logits.push(logits);
        }
    }

    /// Adds the gradient of the log-likelihood of one decision, for these types with their weights.
    fn add_gradient(
        &self,
        decisions: &DecisionSet,
        decision: usize,
        types: [(usize, f32); 2],
        pass: &mut ForwardPass,
        gradient: &mut Parameters,
    ) {
        self.evaluate(decisions, decision, pass);
        let probabilities = types.map(|(lane, _)| pass.probabilities(lane));
        let mut of_board = [0.0; HIDDEN_UNITS];
        for (at, mv) in decisions.moves(decision).enumerate() {
            let is_chosen = f32::from(u8::from(mv == decisions.chosen(decision)));
            let mut residuals = [0.0; MAX_OPPONENT_TYPES];
            for ((lane, weight), probabilities) in types.iter().zip(&probabilities) {
                residuals[*lane] += weight * (is_chosen - probabilities[at]);
            }
            let mut of_move = [0.0; HIDDEN_UNITS];
            for (unit, &activation) in pass.activations[at].iter().enumerate() {
                if activation > 0.0 {
                    add_scaled(&mut gradient.output_weights[unit], &residuals, activation);
                    let output_weights = self.output_weights[unit].iter();
                    of_move[unit] = output_weights.zip(residuals).map(|(w, r)| w * r).sum();
                }
            }
            for entry in decisions.move_features(mv) {
                let (feature, count) = (entry.feature(), entry.count());
                add_scaled(&mut gradient.hidden_layer.move_weights[feature], &of_move, count);
                add_scaled(&mut gradient.feature_weights[feature], &residuals, count);
            }
            add_scaled(&mut of_board, &of_move, 1.0);
        }
        for feature in decisions.board_features(decision) {
            let weights = &mut gradient.hidden_layer.board_weights[usize::from(*feature)];
            add_scaled(weights, &of_board, 1.0);
        }
    }
}

/// The activations and logits of the moves of one decision.
#[derive(Debug, Default)]
struct ForwardPass {
    activations: Vec<HiddenActivations>,
    logits: Vec<PerType>,
}

impl ForwardPass {
    fn probabilities(&self, lane: usize) -> Vec<f32> {
        let mut probabilities: Vec<f32> = self.logits.iter().map(|logits| logits[lane]).collect();
        softmax(&mut probabilities);
        probabilities
    }
}

impl JointTraining {
    /// Trains these types, which have the feature weights of the first stage, and returns the
    /// hidden layer. The last type is the general one, and `decisions` are those of the others.
    /// `validate` returns the validation log-likelihood of types, and `progress` is called after
    /// each epoch. If no epoch improves the validation, the types are unchanged and the hidden
    /// layer is 0.
    pub fn fit(
        &self,
        types: &mut [OpponentType],
        decisions: &[DecisionSet],
        validate: impl Fn(&[OpponentType], &HiddenLayer) -> f64,
        mut progress: impl FnMut(),
    ) -> HiddenLayer {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut parameters = Parameters::initial(types, &mut rng);
        let of_type = |(lane, set): (usize, &DecisionSet)| (0..set.len()).map(move |n| (lane, n));
        let mut order: Vec<(usize, usize)> =
            decisions.iter().enumerate().flat_map(of_type).collect();
        let mut adam = Adam::new(PARAMETER_COUNT).with_epsilon(EPSILON);
        let steps = order.len().div_ceil(BATCH_SIZE) * self.epochs;
        let mut learning_rates = linear_decay(self.learning_rate, steps);
        let mut hidden_layer = HiddenLayer::zero();
        let mut best = validate(types, &hidden_layer);
        for _ in 0..self.epochs {
            order.shuffle(&mut rng);
            for batch in order.chunks(BATCH_SIZE) {
                let gradients = gradients(&parameters, batch, decisions, types.len() - 1);
                let learning_rate = learning_rates.next().unwrap_or(0.0);
                let count = batch.len() as f32;
                let mut first = 0;
                adam.start_step();
                for (part, parameters) in parameters.parts_mut().into_iter().enumerate() {
                    let gradients = gradients.each_ref().map(|gradient| gradient.parts()[part]);
                    adam.update(first, parameters, learning_rate, |index, parameter| {
                        let sum: f32 = gradients.iter().map(|gradient| gradient[index]).sum();
                        self.regularization * parameter - sum / count
                    });
                    first += parameters.len();
                }
            }
            let (new_types, new_layer) = parameters.to_types(types);
            let log_likelihood = validate(&new_types, &new_layer);
            if log_likelihood > best {
                best = log_likelihood;
                types.clone_from_slice(&new_types);
                hidden_layer = new_layer;
            }
            progress();
        }
        hidden_layer
    }
}

/// The gradients of the log-likelihood of a batch, one for each thread.
fn gradients(
    parameters: &Parameters,
    batch: &[(usize, usize)],
    decisions: &[DecisionSet],
    general: usize,
) -> [Parameters; THREADS] {
    let share = batch.len().div_ceil(THREADS);
    let mut gradients: [Parameters; THREADS] = std::array::from_fn(|_| Parameters::zero());
    std::thread::scope(|threads| {
        for (part, gradient) in batch.chunks(share).zip(&mut gradients) {
            threads.spawn(move || {
                let mut pass = ForwardPass::default();
                for &(lane, decision) in part {
                    let types = [(lane, 1.0), (general, GENERAL_WEIGHT)];
                    let set = &decisions[lane];
                    parameters.add_gradient(set, decision, types, &mut pass, gradient);
                }
            });
        }
    });
    gradients
}

impl DecisionSet {
    /// The mean log-likelihood of the chosen moves in nats, by this type with this hidden layer.
    pub fn log_likelihood_of(
        &self,
        opponent_type: &OpponentType,
        hidden_layer: &HiddenLayer,
    ) -> f64 {
        let mut probabilities = Vec::new();
        self.mean_log_likelihood(|decision| {
            let board = hidden_layer.board_activations(self.board_features(decision));
            probabilities.clear();
            probabilities.extend(self.moves(decision).map(|mv| {
                let (mut activations, mut sum) = (board, 0.0);
                for entry in self.move_features(mv) {
                    let (feature, count) = (entry.feature(), entry.count());
                    add_scaled(&mut activations, &hidden_layer.move_weights[feature], count);
                    sum += opponent_type.feature_weights[feature] * count;
                }
                let outputs = activations.iter().zip(&opponent_type.output_weights);
                sum + outputs.map(|(unit, weight)| weight * unit.max(0.0)).sum::<f32>()
            }));
            softmax(&mut probabilities);
            probabilities[self.chosen(decision) - self.moves(decision).start]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opponents::logit::LogitTraining;
    use crate::opponents::testing::choose_by_weight;
    use cozy_chess::Piece;
    use krieg_belief::opponent::decision::Decision;
    use krieg_core::Setup;
    use krieg_testing::{random_game, seeded_rng};

    /// A decision by a player who prefers pawn moves in the first half of a long game, and moves of
    /// other pieces in the second half.
    fn prefers_pawns_early(decision: &Decision, rng: &mut Xoshiro256PlusPlus) -> Decision {
        let pawns = decision.position.board().colored_pieces(decision.position.turn(), Piece::Pawn);
        let is_early = decision.context.move_count < 75;
        choose_by_weight(
            decision,
            rng,
            |mv| if pawns.has(mv.from) == is_early { 20.0 } else { 1.0 },
        )
    }

    #[test]
    fn a_preference_that_depends_on_the_board_is_learned() {
        let mut rng = seeded_rng(7);
        let mut decisions = Vec::new();
        for seed in 0..100 {
            let game = random_game(Setup::default(), seed, 300);
            Decision::for_each(game.record(), |_, decision| {
                decisions.push(prefers_pawns_early(&decision, &mut rng));
            });
        }
        let (training, validation) = decisions.split_at(decisions.len() * 4 / 5);
        let (training, validation) = (DecisionSet::new(training), DecisionSet::new(validation));
        let mut opponent_type = OpponentType {
            feature_weights: LogitTraining::default().fit(&training),
            ..OpponentType::new("test")
        };
        let logit = validation.log_likelihood(&opponent_type.feature_weights);
        let without_layer = validation.log_likelihood_of(&opponent_type, &HiddenLayer::zero());
        assert!((logit - without_layer).abs() < 1e-6, "a zero hidden layer has no effect");
        let mut epochs = 0;
        let settings =
            JointTraining { epochs: 10, learning_rate: 0.01, ..JointTraining::default() };
        let hidden_layer = settings.fit(
            std::slice::from_mut(&mut opponent_type),
            &[training],
            |types, hidden_layer| validation.log_likelihood_of(&types[0], hidden_layer),
            || epochs += 1,
        );
        let joint = validation.log_likelihood_of(&opponent_type, &hidden_layer);
        assert!(joint > logit + 0.03, "{logit} {joint}");
        assert_eq!(epochs, 10);
    }
}
