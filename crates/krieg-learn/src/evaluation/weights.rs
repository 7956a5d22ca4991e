//! Fitting the weights of the classical evaluation (Texel tuning).

use krieg_chess::eval::Features;
use krieg_chess::{LOGISTIC_SCALE, TaperedValue, WEIGHT_COUNT, Weights, expected_score};
use krieg_core::Color;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::game_line::{QuietPosition, quiet_positions};
use super::{EpochReport, GameLine};
use crate::adam::Adam;
use crate::training_set::{blended_target, shuffle, split_validation};

/// A quiet position as features, with its value and the outcome of the game, from White's side.
#[derive(Debug, Clone)]
pub struct WeightSample {
    /// The indices of the features that occur, with their counts.
    features: Box<[(u16, i8)]>,
    middlegame_share: f32,
    endgame_shares: [f32; 2],
    /// The result of the game, from 0 to 1.
    outcome: f32,
    /// The expected score that the search found, from 0 to 1.
    searched: f32,
}

/// The samples of a game: its quiet positions.
#[must_use]
pub fn weight_samples(game: &GameLine) -> Vec<WeightSample> {
    quiet_positions(game)
        .map(|QuietPosition { position, value }| {
            let features = Features::of(position.board());
            let counts = features.counts.iter().enumerate().filter(|(_, count)| **count != 0);
            let for_white = if position.turn() == Color::White { value } else { -value };
            WeightSample {
                features: counts.map(|(index, count)| (index as u16, *count)).collect(),
                middlegame_share: features.middlegame_share,
                endgame_shares: features.endgame_shares,
                outcome: f32::from(game.white_half_points) / 2.0,
                searched: expected_score(f64::from(for_white)) as f32,
            }
        })
        .collect()
}

/// The settings of the training of weights.
#[derive(Debug, Clone, Copy)]
pub struct WeightTraining {
    /// Number of passes through the training set.
    pub epochs: u32,
    /// Number of samples per step.
    pub batch_size: usize,
    /// Learning rate of the first step, in centipawns; it decreases linearly to a twentieth.
    pub learning_rate: f64,
    /// Weight of the outcome of the game in the target, from 0 to 1. The rest is the value that the
    /// search found.
    pub outcome_weight: f32,
    /// L2 penalty on the distance of a weight from its initial value. A feature that occurs in
    /// hardly any position stays there; one that occurs in one position of some hundreds is free.
    pub regularization: f64,
    /// Seed of the order of samples.
    pub seed: u64,
}

impl Default for WeightTraining {
    fn default() -> Self {
        WeightTraining {
            epochs: 40,
            batch_size: 8_192,
            learning_rate: 1.0,
            outcome_weight: 0.4,
            regularization: 2e-9,
            seed: 1,
        }
    }
}

/// Fitted weights, and the errors before and after.
#[derive(Debug, Clone)]
pub struct TrainedWeights {
    /// The weights.
    pub weights: Weights,
    /// The errors of the initial weights.
    pub initial: EpochReport,
    /// The errors after the last epoch.
    pub last: EpochReport,
}

/// One sample in this number is in the validation set.
const VALIDATION_ONE_IN: usize = 20;

/// The middlegame and endgame value of each feature.
type Parameters = Vec<[f64; 2]>;

/// Fits weights to samples, from initial weights. `report` is called before the first and after
/// each epoch.
pub fn train_weights(
    samples: &[WeightSample],
    initial: &Weights,
    settings: &WeightTraining,
    mut report: impl FnMut(&EpochReport),
) -> TrainedWeights {
    let mut parameters: Parameters = initial
        .values()
        .iter()
        .map(|value| [f64::from(value.middlegame()), f64::from(value.endgame())])
        .collect();
    let (training, validation) = split_validation(samples, VALIDATION_ONE_IN);
    let measure = |epoch, parameters: &Parameters| EpochReport {
        epoch,
        training_error: mean_error(training, parameters, settings.outcome_weight),
        validation_error: mean_error(validation, parameters, settings.outcome_weight),
    };
    let first = measure(0, &parameters);
    report(&first);
    let mut last = first;
    let mut order: Vec<u32> = (0..training.len() as u32).collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    let mut adam = Adam::new(2 * WEIGHT_COUNT);
    for epoch in 1..=settings.epochs {
        shuffle(&mut order, &mut rng);
        let progress = f64::from(epoch) / f64::from(settings.epochs);
        let learning_rate = settings.learning_rate * (1.0 - 0.95 * progress);
        for batch in order.chunks(settings.batch_size.max(1)) {
            let mut gradient = vec![[0.0; 2]; WEIGHT_COUNT];
            for &index in batch {
                let sample = &training[index as usize];
                add_gradient(sample, &parameters, settings.outcome_weight, &mut gradient);
            }
            let penalty = settings.regularization * batch.len() as f64;
            for ((gradient, parameter), value) in
                gradient.iter_mut().zip(&parameters).zip(initial.values().iter())
            {
                gradient[0] += penalty * (parameter[0] - f64::from(value.middlegame()));
                gradient[1] += penalty * (parameter[1] - f64::from(value.endgame()));
            }
            let (gradient, count) = (gradient.as_flattened(), batch.len() as f64);
            adam.start_step();
            adam.update(0, parameters.as_flattened_mut(), learning_rate, |index, _| {
                gradient[index] / count
            });
        }
        last = measure(epoch, &parameters);
        report(&last);
    }
    let rounded = std::array::from_fn(|index| {
        let [middlegame, endgame] = parameters[index];
        TaperedValue::new(middlegame.round() as i32, endgame.round() as i32)
    });
    TrainedWeights { weights: Weights::from_values(Box::new(rounded)), initial: first, last }
}

/// The value of a sample, with the shares of its middlegame and endgame values.
fn evaluate(sample: &WeightSample, parameters: &Parameters) -> (f64, f64, f64) {
    let (mut middlegame, mut endgame) = (0.0, 0.0);
    for &(index, count) in &sample.features {
        let [of_middlegame, of_endgame] = parameters[usize::from(index)];
        middlegame += of_middlegame * f64::from(count);
        endgame += of_endgame * f64::from(count);
    }
    let endgame_share = f64::from(sample.endgame_shares[usize::from(endgame < 0.0)]);
    let middlegame_share = f64::from(sample.middlegame_share);
    (middlegame * middlegame_share + endgame * endgame_share, middlegame_share, endgame_share)
}

fn target(sample: &WeightSample, outcome_weight: f32) -> f64 {
    f64::from(blended_target(sample.outcome, sample.searched, outcome_weight))
}

fn mean_error(samples: &[WeightSample], parameters: &Parameters, outcome_weight: f32) -> f64 {
    let squares = samples.iter().map(|sample| {
        let predicted = expected_score(evaluate(sample, parameters).0);
        let error = predicted - target(sample, outcome_weight);
        error * error
    });
    squares.sum::<f64>() / samples.len().max(1) as f64
}

fn add_gradient(
    sample: &WeightSample,
    parameters: &Parameters,
    outcome_weight: f32,
    gradient: &mut Parameters,
) {
    let (value, middlegame_share, endgame_share) = evaluate(sample, parameters);
    let predicted = expected_score(value);
    let error = predicted - target(sample, outcome_weight);
    let slope = error * predicted * (1.0 - predicted) / LOGISTIC_SCALE;
    let (of_middlegame, of_endgame) = (slope * middlegame_share, slope * endgame_share);
    for &(index, count) in &sample.features {
        let sum = &mut gradient[usize::from(index)];
        sum[0] += of_middlegame * f64::from(count);
        sum[1] += of_endgame * f64::from(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::games_with_a_rook;

    #[test]
    fn training_learns_that_a_rook_wins() {
        let settings = WeightTraining {
            epochs: 20,
            batch_size: 16,
            learning_rate: 5.0,
            outcome_weight: 1.0,
            ..WeightTraining::default()
        };
        let initial = Weights::first_guess();
        let samples = games_with_a_rook(weight_samples);
        let trained = train_weights(&samples, &initial, &settings, |_| {});
        let (before, after) = (trained.initial.validation_error, trained.last.validation_error);
        assert!(after < before / 2.0, "{trained:?}");
        let rook = |weights: &Weights| weights.group("material").unwrap()[3].endgame();
        assert!(rook(&trained.weights) > rook(&initial));
    }

    #[test]
    fn training_is_reproducible_for_a_seed() {
        let settings = WeightTraining { epochs: 3, batch_size: 16, ..WeightTraining::default() };
        let samples = games_with_a_rook(weight_samples);
        let train = || train_weights(&samples, &Weights::first_guess(), &settings, |_| {}).weights;
        assert_eq!(train(), train());
    }
}
