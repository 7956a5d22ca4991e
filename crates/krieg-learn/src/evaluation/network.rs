//! Training of the network.
//!
//! The training works on floating-point parameters, which are quantized in the end. A batch is
//! divided into a fixed number of shards whose gradients are added in order, so the result does not
//! depend on the number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use krieg_chess::eval::{
    ACTIVATION_SCALE, CENTIPAWN_SCALE, HIDDEN_UNITS, HiddenVector, INPUT_FEATURES, Network,
    OUTPUT_BUCKETS, OUTPUT_SCALE, OUTPUT_WEIGHT_SCALE, Parameters as QuantizedParameters,
};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::EpochReport;
use super::network_sample::{ActiveFeatures, MAX_PIECES, NetworkSample};
use crate::adam::Adam;
use crate::training_set::{shuffle, split_validation};

/// The settings of the training of a network.
#[derive(Debug, Clone, Copy)]
pub struct NetworkTraining {
    /// Number of passes through the training set.
    pub epochs: u32,
    /// Number of samples per step.
    pub batch_size: usize,
    /// Learning rate of the first step; it decreases along a cosine to a hundredth.
    pub learning_rate: f32,
    /// Weight of the outcome of the game in the target, from 0 to 1. The rest is the value that the
    /// search found.
    pub outcome_weight: f32,
    /// Seed of the initial parameters and of the order of samples.
    pub seed: u64,
    /// Number of threads. The network does not depend on it.
    pub threads: usize,
}

impl Default for NetworkTraining {
    fn default() -> Self {
        NetworkTraining {
            epochs: 8,
            batch_size: 8_192,
            learning_rate: 0.001,
            outcome_weight: 0.2,
            seed: 1,
            threads: 1,
        }
    }
}

/// Number of shards of a batch, and the maximum number of useful threads.
const SHARDS: usize = 8;

/// One sample in this number is in the validation set.
const VALIDATION_ONE_IN: usize = 50;

/// Weight decay per unit of the learning rate.
const WEIGHT_DECAY: f32 = 0.01;

/// Limits of the initial feature weights and output weights, and the initial feature bias. About
/// thirty features are active, so most activations begin in the linear range.
const INITIAL_FEATURE_WEIGHT: f32 = 0.18;
const INITIAL_OUTPUT_WEIGHT: f32 = 0.06;
const INITIAL_FEATURE_BIAS: f32 = 0.3;

/// All parameters of a network in a row: feature weights, feature bias, output weights, output
/// biases.
type Parameters = Vec<f32>;

const FEATURE_BIAS: usize = INPUT_FEATURES * HIDDEN_UNITS;
const OUTPUT_WEIGHTS: usize = FEATURE_BIAS + HIDDEN_UNITS;
const OUTPUT_BIAS: usize = OUTPUT_WEIGHTS + OUTPUT_BUCKETS * 2 * HIDDEN_UNITS;
const PARAMETER_COUNT: usize = OUTPUT_BIAS + OUTPUT_BUCKETS;

/// Maximum magnitude of a parameter, so that it fits its integer type when quantized.
fn max_magnitude(index: usize) -> f32 {
    let dequantized = |max: i16, scale: i32| f32::from(max) / scale as f32;
    match index {
        _ if index < FEATURE_BIAS => {
            dequantized(QuantizedParameters::MAX_FEATURE_WEIGHT, ACTIVATION_SCALE)
        }
        _ if index < OUTPUT_WEIGHTS => {
            dequantized(QuantizedParameters::MAX_FEATURE_BIAS, ACTIVATION_SCALE)
        }
        _ if index < OUTPUT_BIAS => {
            dequantized(QuantizedParameters::MAX_OUTPUT_WEIGHT, OUTPUT_WEIGHT_SCALE)
        }
        _ => QuantizedParameters::MAX_OUTPUT_BIAS as f32 / OUTPUT_SCALE as f32,
    }
}

/// Trains a network, from random parameters or from another network. `report` is called after each
/// epoch.
pub fn train_network(
    samples: &[NetworkSample],
    initial: Option<&Network>,
    settings: &NetworkTraining,
    mut report: impl FnMut(&EpochReport),
) -> Network {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    let mut parameters = match initial {
        Some(network) => dequantize(network.parameters()),
        None => random_parameters(&mut rng),
    };
    let (training, validation) = split_validation(samples, VALIDATION_ONE_IN);
    let mut order: Vec<u32> = (0..training.len() as u32).collect();
    let mut adam = Adam::new(PARAMETER_COUNT).with_weight_decay(WEIGHT_DECAY);
    let shards: Vec<Mutex<Shard>> = (0..SHARDS).map(|_| Mutex::default()).collect();
    let batch_size = settings.batch_size.max(1);
    let steps = training.len().div_ceil(batch_size) as f32 * settings.epochs as f32;
    let mut step = 0.0;
    for epoch in 1..=settings.epochs {
        shuffle(&mut order, &mut rng);
        let mut error = 0.0;
        for batch in order.chunks(batch_size) {
            let cosine = (1.0 + (std::f32::consts::PI * step / steps).cos()) / 2.0;
            let learning_rate = settings.learning_rate * (0.01 + 0.99 * cosine);
            step += 1.0;
            for_each_shard(&shards, settings.threads, batch.len(), |shard, range| {
                shard.gradient.fill(0.0);
                shard.error = 0.0;
                for index in &batch[range] {
                    shard.add(&parameters, &training[*index as usize], settings.outcome_weight);
                }
            });
            let mut sum = lock(&shards[0]);
            let sum = &mut *sum;
            for shard in &shards[1..] {
                let shard = lock(shard);
                sum.error += shard.error;
                sum.gradient.iter_mut().zip(&shard.gradient).for_each(|(sum, part)| *sum += part);
            }
            error += sum.error;
            let share = 1.0 / batch.len().max(1) as f32;
            adam.start_step();
            adam.update(0, &mut parameters, learning_rate, |index, _| sum.gradient[index] * share);
            for (index, parameter) in parameters.iter_mut().enumerate() {
                let max = max_magnitude(index);
                *parameter = parameter.clamp(-max, max);
            }
        }
        report(&EpochReport {
            epoch,
            training_error: error / training.len().max(1) as f64,
            validation_error: mean_error(&shards, &parameters, validation, settings),
        });
    }
    quantize(&parameters)
}

/// Locks a shard. After a panic in another thread its contents are overwritten anyway.
fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Divides `0..count` among the shards, and the shards among threads.
fn for_each_shard(
    shards: &[Mutex<Shard>],
    threads: usize,
    count: usize,
    work: impl Fn(&mut Shard, std::ops::Range<usize>) + Sync,
) {
    let next = AtomicUsize::new(0);
    let run = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(shard) = shards.get(index) else { break };
            let range = count * index / SHARDS..count * (index + 1) / SHARDS;
            work(&mut lock(shard), range);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, SHARDS) {
            scope.spawn(run);
        }
        run();
    });
}

fn mean_error(
    shards: &[Mutex<Shard>],
    parameters: &Parameters,
    samples: &[NetworkSample],
    settings: &NetworkTraining,
) -> f64 {
    for_each_shard(shards, settings.threads, samples.len(), |shard, range| {
        shard.error = 0.0;
        for sample in &samples[range] {
            let predicted = ForwardPass::new(parameters, sample).expected_score();
            let error = predicted - sample.target(settings.outcome_weight);
            shard.error += f64::from(error * error);
        }
    });
    shards.iter().map(|shard| lock(shard).error).sum::<f64>() / samples.len().max(1) as f64
}

fn random_parameters(rng: &mut impl Rng) -> Parameters {
    let mut parameters = vec![0.0; PARAMETER_COUNT];
    let mut fill = |range: std::ops::Range<usize>, limit: f32| {
        for parameter in &mut parameters[range] {
            *parameter = rng.random_range(-limit..limit);
        }
    };
    fill(0..FEATURE_BIAS, INITIAL_FEATURE_WEIGHT);
    fill(OUTPUT_WEIGHTS..OUTPUT_BIAS, INITIAL_OUTPUT_WEIGHT);
    parameters[FEATURE_BIAS..OUTPUT_WEIGHTS].fill(INITIAL_FEATURE_BIAS);
    parameters
}

/// The evaluation of one sample, with the intermediate values that the gradient needs.
struct ForwardPass {
    features: ActiveFeatures,
    /// The hidden activations, clipped to 0..1, of the side to move and of the other side.
    activations: [[f32; HIDDEN_UNITS]; 2],
    bucket: usize,
    output: f32,
}

impl ForwardPass {
    fn new(parameters: &Parameters, sample: &NetworkSample) -> Self {
        let features = sample.features();
        let bucket = sample.bucket();
        let activate = |active: &[u16; MAX_PIECES]| {
            let mut sums = [0.0; HIDDEN_UNITS];
            sums.copy_from_slice(&parameters[FEATURE_BIAS..OUTPUT_WEIGHTS]);
            for &feature in &active[..features.count] {
                let row = &parameters[usize::from(feature) * HIDDEN_UNITS..][..HIDDEN_UNITS];
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
            sums.map(|sum: f32| sum.clamp(0.0, 1.0))
        };
        let activations = [activate(&features.own), activate(&features.other)];
        let start = OUTPUT_WEIGHTS + bucket * 2 * HIDDEN_UNITS;
        let weights = &parameters[start..][..2 * HIDDEN_UNITS];
        // Eight partial sums, which the compiler vectorises.
        let mut lanes = [0.0; 8];
        let flat = activations.as_flattened();
        for (activations, weights) in flat.chunks_exact(8).zip(weights.chunks_exact(8)) {
            for lane in 0..8 {
                lanes[lane] += activations[lane] * activations[lane] * weights[lane];
            }
        }
        let output = lanes.iter().sum::<f32>() + parameters[OUTPUT_BIAS + bucket];
        ForwardPass { features, activations, bucket, output }
    }

    /// The expected score of the side to move, from 0 to 1.
    fn expected_score(&self) -> f32 {
        krieg_chess::expected_score(f64::from(self.output * CENTIPAWN_SCALE as f32)) as f32
    }
}

/// The gradient and the error of one shard of a batch.
struct Shard {
    gradient: Parameters,
    error: f64,
}

impl Default for Shard {
    fn default() -> Self {
        Shard { gradient: vec![0.0; PARAMETER_COUNT], error: 0.0 }
    }
}

impl Shard {
    /// Adds the gradient of one sample (backpropagation).
    fn add(&mut self, parameters: &Parameters, sample: &NetworkSample, outcome_weight: f32) {
        let pass = ForwardPass::new(parameters, sample);
        let predicted = pass.expected_score();
        let error = predicted - sample.target(outcome_weight);
        self.error += f64::from(error * error);
        let slope = error * predicted * (1.0 - predicted);
        self.gradient[OUTPUT_BIAS + pass.bucket] += slope;
        let sides = [&pass.features.own, &pass.features.other];
        for (side, active) in sides.into_iter().enumerate() {
            let start = OUTPUT_WEIGHTS + (pass.bucket * 2 + side) * HIDDEN_UNITS;
            let weights = &parameters[start..][..HIDDEN_UNITS];
            let activations = &pass.activations[side];
            let of_outputs = self.gradient[start..][..HIDDEN_UNITS].iter_mut();
            for (sum, activation) in of_outputs.zip(activations) {
                *sum += slope * activation * activation;
            }
            let mut of_hidden = [0.0; HIDDEN_UNITS];
            for ((gradient, activation), weight) in
                of_hidden.iter_mut().zip(activations).zip(weights)
            {
                // A clipped activation has no gradient.
                let is_linear = if *activation > 0.0 && *activation < 1.0 { 1.0 } else { 0.0 };
                *gradient = slope * weight * 2.0 * activation * is_linear;
            }
            let bias = FEATURE_BIAS..OUTPUT_WEIGHTS;
            let rows = active[..pass.features.count].iter().map(|&feature| {
                let start = usize::from(feature) * HIDDEN_UNITS;
                start..start + HIDDEN_UNITS
            });
            for row in rows.chain([bias]) {
                let sums = self.gradient[row].iter_mut();
                sums.zip(&of_hidden).for_each(|(sum, gradient)| *sum += gradient);
            }
        }
    }
}

/// The floating-point parameters of a network.
fn dequantize(parameters: &QuantizedParameters) -> Parameters {
    let outputs = parameters.output_weights.iter().flatten().map(|row| (row, OUTPUT_WEIGHT_SCALE));
    let rows = parameters
        .feature_weights
        .iter()
        .chain([&parameters.feature_bias])
        .map(|row| (row, ACTIVATION_SCALE));
    let weights = rows.chain(outputs).flat_map(|(row, scale)| {
        row.0.iter().map(move |&quantized| f32::from(quantized) / scale as f32)
    });
    let biases =
        parameters.output_bias.iter().map(|&quantized| quantized as f32 / OUTPUT_SCALE as f32);
    weights.chain(biases).collect()
}

/// The network with these parameters, rounded to the nearest integers.
fn quantize(parameters: &Parameters) -> Network {
    let row = |start: usize, scale: i32| {
        let mut row = HiddenVector::ZERO;
        for (quantized, parameter) in row.0.iter_mut().zip(&parameters[start..]) {
            *quantized = (parameter * scale as f32).round() as i16;
        }
        row
    };
    let output = |bucket: usize, side: usize| {
        row(OUTPUT_WEIGHTS + (bucket * 2 + side) * HIDDEN_UNITS, OUTPUT_WEIGHT_SCALE)
    };
    Network::new(QuantizedParameters {
        feature_weights: (0..INPUT_FEATURES)
            .map(|feature| row(feature * HIDDEN_UNITS, ACTIVATION_SCALE))
            .collect(),
        feature_bias: row(FEATURE_BIAS, ACTIVATION_SCALE),
        output_weights: (0..OUTPUT_BUCKETS)
            .map(|bucket| [output(bucket, 0), output(bucket, 1)])
            .collect(),
        output_bias: std::array::from_fn(|bucket| {
            (parameters[OUTPUT_BIAS + bucket] * OUTPUT_SCALE as f32).round() as i32
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{GameLine, games_with_a_rook, network_samples};
    use krieg_chess::Evaluate;

    fn settings(threads: usize) -> NetworkTraining {
        NetworkTraining {
            epochs: 8,
            batch_size: 16,
            learning_rate: 0.01,
            outcome_weight: 1.0,
            threads,
            ..NetworkTraining::default()
        }
    }

    #[test]
    fn training_learns_that_a_rook_wins() {
        let mut errors = Vec::new();
        let samples = games_with_a_rook(network_samples);
        let mut network = train_network(&samples, None, &settings(1), |report| {
            errors.push(report.validation_error);
        });
        assert!(errors.last() < Some(&0.05), "{errors:?}");
        let mut value = |fen: &str| {
            let board = fen.parse().unwrap();
            let state = network.refresh(&board);
            network.evaluate(&board, &state)
        };
        assert!(value("q3k3/8/8/8/8/8/8/RQ2K3 w - - 0 1") > 100);
        assert!(value("rq2k3/8/8/8/8/8/8/Q3K3 w - - 0 1") < -100);
    }

    #[test]
    fn training_is_reproducible_for_a_seed_on_any_number_of_threads() {
        let samples = games_with_a_rook(network_samples);
        let train = |threads| train_network(&samples, None, &settings(threads), |_| {}).write();
        assert_eq!(train(1), train(3));
    }

    #[test]
    fn training_can_continue_from_a_network() {
        let mut parameters = random_parameters(&mut Xoshiro256PlusPlus::seed_from_u64(7));
        parameters[OUTPUT_BIAS..].fill(0.25);
        let network = quantize(&parameters);
        assert_eq!(quantize(&dequantize(network.parameters())).write(), network.write());
        let no_epochs = NetworkTraining { epochs: 0, ..settings(1) };
        let samples = games_with_a_rook(network_samples);
        let trained = train_network(&samples, Some(&network), &no_epochs, |_| {});
        assert_eq!(trained.write(), network.write());
    }

    #[test]
    fn the_quantized_network_has_nearly_the_same_values() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let parameters = random_parameters(&mut rng);
        let network = quantize(&parameters);
        let text =
            "1-0 2kr1b1r/ppp2ppp/2n1q3/3p4/8/2N5/PPPP1PPP/1RBQ1RK1 w - - 0 9 a2a3 0 a7a6 0 h2h3 0";
        let game: GameLine = text.parse().unwrap();
        let mut position = game.start.clone();
        let samples = network_samples(&game);
        assert_eq!(samples.len(), game.moves.len());
        for (sample, (mv, _)) in samples.iter().zip(&game.moves) {
            let board = position.board();
            let quantized = network.clone().evaluate(board, &network.refresh(board));
            let exact = ForwardPass::new(&parameters, sample).output * CENTIPAWN_SCALE as f32;
            assert!((exact - quantized as f32).abs() < 4.0, "{exact} {quantized}");
            position.play(*mv).unwrap();
        }
    }
}
