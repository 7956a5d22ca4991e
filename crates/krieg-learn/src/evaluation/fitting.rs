//! Fitting the weights.

use krieg_core::Color;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::games::{Quiet, quiet_positions};
use super::{GameLine, shuffle};
use krieg_chess::eval::Features;
use krieg_chess::{LOGISTIC_SCALE, TaperedValue, WEIGHT_COUNT, Weights, expected_score};

/// A quiet position: its features, and what came of it, from White's side.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Which features, and how often.
    features: Box<[(u16, i8)]>,
    middle: f32,
    end: [f32; 2],
    /// The game's result, 0 to 1.
    result: f32,
    /// What the search expected, 0 to 1.
    searched: f32,
}

/// The quiet positions of a game, counted.
pub fn samples(game: &GameLine) -> Vec<Sample> {
    quiet_positions(game)
        .map(|Quiet { position, value }| {
            let features = Features::of(position.board());
            let counts = features.counts.iter().enumerate().filter(|(_, times)| **times != 0);
            let white = if position.turn() == Color::White { value } else { -value };
            Sample {
                features: counts.map(|(at, times)| (at as u16, *times)).collect(),
                middle: features.middlegame_share,
                end: features.endgame_shares,
                result: f32::from(game.white) / 2.0,
                searched: expected_score(f64::from(white)) as f32,
            }
        })
        .collect()
}

/// How weights are fitted.
#[derive(Debug, Clone, Copy)]
pub struct Fit {
    /// Times through all samples.
    pub epochs: u32,
    /// Samples to a step.
    pub batch: usize,
    /// How far a step goes, in hundredths of a pawn.
    pub rate: f64,
    /// How much the game's result counts against what the search thought, 0 to 1.
    pub blend: f32,
    /// How strongly a weight is held to where it began. What hardly ever occurs stays there; what
    /// occurs in one position out of some hundred is free.
    pub prior: f64,
    /// Where the order of samples comes from.
    pub seed: u64,
}

impl Default for Fit {
    fn default() -> Self {
        Fit { epochs: 40, batch: 8_192, rate: 1.0, blend: 0.4, prior: 2e-9, seed: 1 }
    }
}

/// How far fitting has come.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Epochs done.
    pub epoch: u32,
    /// The mean squared error over what is learnt from; while a network is trained, as it was along the way.
    pub error: f64,
    /// And over those kept apart.
    pub kept_apart: f64,
}

/// Fitted weights and how good they are.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// The weights.
    pub weights: Weights,
    /// The errors before and after.
    pub first: Progress,
    /// After the last epoch.
    pub last: Progress,
}

/// One in so many samples is kept apart, to see whether what was learnt holds elsewhere.
const APART: usize = 20;

type Numbers = Vec<[f64; 2]>;

/// Fits weights to samples, beginning with `start`.
pub fn fit(
    samples: &[Sample],
    start: &Weights,
    how: &Fit,
    mut tell: impl FnMut(&Progress),
) -> Fitted {
    let mut weights: Numbers = start
        .values()
        .iter()
        .map(|pair| [f64::from(pair.middlegame()), f64::from(pair.endgame())])
        .collect();
    // Samples of one game stand together; the last ones are kept apart, so at most one game is on
    // both sides.
    let cut = samples.len() - samples.len() / APART;
    let (train, apart) = samples.split_at(cut);
    let measure = |epoch, weights: &Numbers| Progress {
        epoch,
        error: error(train, weights, how.blend),
        kept_apart: error(apart, weights, how.blend),
    };
    let first = measure(0, &weights);
    tell(&first);
    let mut last = first;
    let mut order: Vec<u32> = (0..train.len() as u32).collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(how.seed);
    let mut adam = Adam::new();
    for epoch in 1..=how.epochs {
        shuffle(&mut order, &mut rng);
        // Long steps first, short ones to settle.
        let progress = f64::from(epoch) / f64::from(how.epochs);
        let rate = how.rate * (1.0 - 0.95 * progress);
        for batch in order.chunks(how.batch.max(1)) {
            let mut gradient = vec![[0.0; 2]; WEIGHT_COUNT];
            for &i in batch {
                add_gradient(&train[i as usize], &weights, how.blend, &mut gradient);
            }
            let pull = how.prior * batch.len() as f64;
            for ((slope, weight), pair) in
                gradient.iter_mut().zip(&weights).zip(start.values().iter())
            {
                slope[0] += pull * (weight[0] - f64::from(pair.middlegame()));
                slope[1] += pull * (weight[1] - f64::from(pair.endgame()));
            }
            adam.step(&mut weights, &gradient, batch.len() as f64, rate);
        }
        last = measure(epoch, &weights);
        tell(&last);
    }
    let rounded = std::array::from_fn(|at| {
        let [middle, end] = weights[at];
        TaperedValue::new(middle.round() as i32, end.round() as i32)
    });
    Fitted { weights: Weights::from_values(Box::new(rounded)), first, last }
}

/// The middlegame and endgame shares of a sample, and its value.
fn value(sample: &Sample, weights: &Numbers) -> (f64, f64, f64) {
    let (mut middle, mut end) = (0.0, 0.0);
    for &(at, times) in &sample.features {
        let [of_middle, of_end] = weights[usize::from(at)];
        middle += of_middle * f64::from(times);
        end += of_end * f64::from(times);
    }
    let end_share = f64::from(sample.end[usize::from(end < 0.0)]);
    let middle_share = f64::from(sample.middle);
    (middle * middle_share + end * end_share, middle_share, end_share)
}

fn wanted(sample: &Sample, blend: f32) -> f64 {
    f64::from(sample.result * blend + sample.searched * (1.0 - blend))
}

fn error(samples: &[Sample], weights: &Numbers, blend: f32) -> f64 {
    let squares = samples.iter().map(|sample| {
        let off = expected_score(value(sample, weights).0) - wanted(sample, blend);
        off * off
    });
    squares.sum::<f64>() / samples.len().max(1) as f64
}

fn add_gradient(sample: &Sample, weights: &Numbers, blend: f32, gradient: &mut Numbers) {
    let (value, middle_share, end_share) = value(sample, weights);
    let chance = expected_score(value);
    let slope = (chance - wanted(sample, blend)) * chance * (1.0 - chance) / LOGISTIC_SCALE;
    let (to_middle, to_end) = (slope * middle_share, slope * end_share);
    for &(at, times) in &sample.features {
        let sum = &mut gradient[usize::from(at)];
        sum[0] += to_middle * f64::from(times);
        sum[1] += to_end * f64::from(times);
    }
}

struct Adam {
    first: Numbers,
    second: Numbers,
    steps: i32,
}

impl Adam {
    fn new() -> Self {
        Adam { first: vec![[0.0; 2]; WEIGHT_COUNT], second: vec![[0.0; 2]; WEIGHT_COUNT], steps: 0 }
    }

    fn step(&mut self, weights: &mut Numbers, gradient: &Numbers, samples: f64, rate: f64) {
        const FIRST: f64 = 0.9;
        const SECOND: f64 = 0.999;
        self.steps += 1;
        let mend_first = 1.0 - FIRST.powi(self.steps);
        let mend_second = 1.0 - SECOND.powi(self.steps);
        for at in 0..WEIGHT_COUNT {
            for half in 0..2 {
                let slope = gradient[at][half] / samples;
                let first = &mut self.first[at][half];
                *first = FIRST * *first + (1.0 - FIRST) * slope;
                let second = &mut self.second[at][half];
                *second = SECOND * *second + (1.0 - SECOND) * slope * slope;
                // Features that hardly ever occur have hardly any slope; they stay where they were.
                let step = (*first / mend_first) / ((*second / mend_second).sqrt() + 1e-8);
                weights[at][half] -= rate * step;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::lopsided;

    #[test]
    fn fitting_learns_that_a_rook_wins() {
        let how = Fit { epochs: 20, batch: 16, rate: 5.0, blend: 1.0, ..Fit::default() };
        let start = Weights::first_guess();
        let fitted = fit(&lopsided(samples), &start, &how, |_| {});
        assert!(fitted.last.kept_apart < fitted.first.kept_apart / 2.0, "{fitted:?}");
        let rook = |weights: &Weights| weights.group("material").unwrap()[3].endgame();
        assert!(rook(&fitted.weights) > rook(&start));
    }

    #[test]
    fn the_same_seed_gives_the_same_weights() {
        let how = Fit { epochs: 3, batch: 16, ..Fit::default() };
        let fitted = || fit(&lopsided(samples), &Weights::first_guess(), &how, |_| {}).weights;
        assert_eq!(fitted(), fitted());
    }
}
