//! Training a network.
//!
//! The descent is Adam (Kingma and Ba, 2015) on numbers with a point; in the end they are rounded to the whole
//! numbers the engine adds up. A step's lessons are divided into a fixed number of shares, whose gradients are
//! added in order: the result does not depend on how many threads there are.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::lessons::{Lesson, MEN};
use super::{Progress, shuffle};
use krieg_chess::eval::{
    ACTIVATION_SCALE, CENTIPAWN_SCALE, HIDDEN_UNITS, HiddenVector, INPUT_FEATURES, Network,
    OUTPUT_BUCKETS, OUTPUT_SCALE, OUTPUT_WEIGHT_SCALE, Parameters,
};

/// How a network is trained.
#[derive(Debug, Clone, Copy)]
pub struct Training {
    /// Times through all lessons.
    pub epochs: u32,
    /// Lessons to a step.
    pub batch: usize,
    /// How far a step goes in the beginning; it ends at a hundredth of it.
    pub rate: f32,
    /// How much the game's result counts against what the search thought, 0 to 1.
    pub blend: f32,
    /// Where the first numbers and the order of lessons come from.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
}

impl Default for Training {
    fn default() -> Self {
        Training { epochs: 8, batch: 8_192, rate: 0.001, blend: 0.2, seed: 1, threads: 1 }
    }
}

/// Shares of a step: at most so many threads are of use.
const SHARES: usize = 8;

/// One in so many lessons is kept apart.
const APART: usize = 50;

/// All numbers of a network, in one row: inputs, bias, outputs, output biases.
type Numbers = Vec<f32>;

const BIAS: usize = INPUT_FEATURES * HIDDEN_UNITS;
const OUTPUTS: usize = BIAS + HIDDEN_UNITS;
const OUTPUT_BIAS: usize = OUTPUTS + OUTPUT_BUCKETS * 2 * HIDDEN_UNITS;
const ALL: usize = OUTPUT_BIAS + OUTPUT_BUCKETS;

/// How far a number may go, so that it has room when it is whole.
fn most(at: usize) -> f32 {
    let whole = |most: i16, one: i32| f32::from(most) / one as f32;
    match at {
        _ if at < BIAS => whole(Parameters::MAX_FEATURE_WEIGHT, ACTIVATION_SCALE),
        _ if at < OUTPUTS => whole(Parameters::MAX_FEATURE_BIAS, ACTIVATION_SCALE),
        _ if at < OUTPUT_BIAS => whole(Parameters::MAX_OUTPUT_WEIGHT, OUTPUT_WEIGHT_SCALE),
        _ => Parameters::MAX_OUTPUT_BIAS as f32 / OUTPUT_SCALE as f32,
    }
}

/// Trains a network, from nothing or from another one.
pub fn train(
    lessons: &[Lesson],
    start: Option<&Network>,
    how: &Training,
    mut tell: impl FnMut(&Progress),
) -> Network {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(how.seed);
    let mut numbers = match start {
        Some(network) => unround(network.parameters()),
        None => first_numbers(&mut rng),
    };
    let cut = lessons.len() - lessons.len() / APART;
    let (train, apart) = lessons.split_at(cut);
    let mut order: Vec<u32> = (0..train.len() as u32).collect();
    let mut adam = Adam::new();
    let shares: Vec<Mutex<Share>> = (0..SHARES).map(|_| Mutex::default()).collect();
    let batch = how.batch.max(1);
    let steps = train.len().div_ceil(batch) as f32 * how.epochs as f32;
    let mut step = 0.0;
    for epoch in 1..=how.epochs {
        shuffle(&mut order, &mut rng);
        let mut error = 0.0;
        for batch in order.chunks(batch) {
            // From long steps to short ones along a cosine.
            let left = (1.0 + (std::f32::consts::PI * step / steps).cos()) / 2.0;
            step += 1.0;
            let picked = |at: usize| &train[batch[at] as usize];
            work(&shares, how.threads, batch.len(), |share, range| {
                share.gradient.fill(0.0);
                share.error = 0.0;
                for at in range {
                    share.learn(&numbers, picked(at), how.blend);
                }
            });
            let mut sum = open(&shares[0]);
            let sum = &mut *sum;
            for share in &shares[1..] {
                let share = open(share);
                sum.error += share.error;
                sum.gradient.iter_mut().zip(&share.gradient).for_each(|(sum, more)| *sum += more);
            }
            error += sum.error;
            adam.step(&mut numbers, &sum.gradient, batch.len(), how.rate * (0.01 + 0.99 * left));
        }
        let kept_apart = measure(&shares, &numbers, apart, how);
        tell(&Progress { epoch, error: error / train.len().max(1) as f64, kept_apart });
    }
    round(&numbers)
}

/// A share to work on; if somebody broke off over it, what he left is written over.
fn open(share: &Mutex<Share>) -> MutexGuard<'_, Share> {
    share.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// Divides `0..count` among the shares, and the shares among threads.
fn work(
    shares: &[Mutex<Share>],
    threads: usize,
    count: usize,
    job: impl Fn(&mut Share, std::ops::Range<usize>) + Sync,
) {
    let next = AtomicUsize::new(0);
    let turn = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(share) = shares.get(at) else { break };
            let range = count * at / SHARES..count * (at + 1) / SHARES;
            job(&mut open(share), range);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, SHARES) {
            scope.spawn(turn);
        }
        turn();
    });
}

fn measure(shares: &[Mutex<Share>], numbers: &Numbers, lessons: &[Lesson], how: &Training) -> f64 {
    work(shares, how.threads, lessons.len(), |share, range| {
        share.error = 0.0;
        for lesson in &lessons[range] {
            let off = Seen::of(numbers, lesson).chance() - lesson.wanted(how.blend);
            share.error += f64::from(off * off);
        }
    });
    shares.iter().map(|share| open(share).error).sum::<f64>() / lessons.len().max(1) as f64
}

fn first_numbers(rng: &mut impl Rng) -> Numbers {
    let mut numbers = vec![0.0; ALL];
    let mut fill = |range: std::ops::Range<usize>, most: f32| {
        for number in &mut numbers[range] {
            *number = rng.random_range(-most..most);
        }
    };
    // About thirty inputs are on; most sums should begin within what is let through.
    fill(0..BIAS, 0.18);
    fill(OUTPUTS..OUTPUT_BIAS, 0.06);
    numbers[BIAS..OUTPUTS].fill(0.3);
    numbers
}

/// A lesson as a network sees it.
struct Seen {
    inputs: super::lessons::Inputs,
    /// The hidden sums cut off at 0 and 1: the mover's, then the other's.
    cut: [[f32; HIDDEN_UNITS]; 2],
    bucket: usize,
    out: f32,
}

impl Seen {
    fn of(numbers: &Numbers, lesson: &Lesson) -> Self {
        let inputs = lesson.inputs();
        let bucket = lesson.bucket();
        let look = |on: &[u16; MEN]| {
            let mut sums = [0.0; HIDDEN_UNITS];
            sums.copy_from_slice(&numbers[BIAS..OUTPUTS]);
            for &at in &on[..inputs.count] {
                let row = &numbers[usize::from(at) * HIDDEN_UNITS..][..HIDDEN_UNITS];
                sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
            }
            sums.map(|sum: f32| sum.clamp(0.0, 1.0))
        };
        let cut = [look(&inputs.own), look(&inputs.other)];
        let outputs = &numbers[OUTPUTS + bucket * 2 * HIDDEN_UNITS..][..2 * HIDDEN_UNITS];
        // Eight sums side by side, which the processor can add at once.
        let mut lanes = [0.0; 8];
        for (cut, weights) in cut.as_flattened().chunks_exact(8).zip(outputs.chunks_exact(8)) {
            for lane in 0..8 {
                lanes[lane] += cut[lane] * cut[lane] * weights[lane];
            }
        }
        let out = lanes.iter().sum::<f32>() + numbers[OUTPUT_BIAS + bucket];
        Seen { inputs, cut, bucket, out }
    }

    /// What it expects for the mover, 0 to 1.
    fn chance(&self) -> f32 {
        krieg_chess::expected_score(f64::from(self.out * CENTIPAWN_SCALE as f32)) as f32
    }
}

/// What one share of a step has found.
struct Share {
    gradient: Numbers,
    error: f64,
}

impl Default for Share {
    fn default() -> Self {
        Share { gradient: vec![0.0; ALL], error: 0.0 }
    }
}

impl Share {
    fn learn(&mut self, numbers: &Numbers, lesson: &Lesson, blend: f32) {
        let seen = Seen::of(numbers, lesson);
        let chance = seen.chance();
        let off = chance - lesson.wanted(blend);
        self.error += f64::from(off * off);
        let slope = off * chance * (1.0 - chance);
        self.gradient[OUTPUT_BIAS + seen.bucket] += slope;
        for (half, on) in [&seen.inputs.own, &seen.inputs.other].into_iter().enumerate() {
            let place = OUTPUTS + (seen.bucket * 2 + half) * HIDDEN_UNITS;
            let weights = &numbers[place..][..HIDDEN_UNITS];
            let cut = &seen.cut[half];
            for (sum, cut) in self.gradient[place..][..HIDDEN_UNITS].iter_mut().zip(cut) {
                *sum += slope * cut * cut;
            }
            let mut hidden = [0.0; HIDDEN_UNITS];
            for ((hidden, cut), weight) in hidden.iter_mut().zip(cut).zip(weights) {
                let is_free = if *cut > 0.0 && *cut < 1.0 { 1.0 } else { 0.0 };
                *hidden = slope * weight * 2.0 * cut * is_free;
            }
            let bias = BIAS..OUTPUTS;
            let rows = on[..seen.inputs.count].iter().map(|&at| usize::from(at) * HIDDEN_UNITS);
            for place in rows.map(|at| at..at + HIDDEN_UNITS).chain([bias]) {
                self.gradient[place].iter_mut().zip(&hidden).for_each(|(sum, more)| *sum += more);
            }
        }
    }
}

struct Adam {
    first: Numbers,
    second: Numbers,
    steps: i32,
}

impl Adam {
    fn new() -> Self {
        Adam { first: vec![0.0; ALL], second: vec![0.0; ALL], steps: 0 }
    }

    fn step(&mut self, numbers: &mut Numbers, gradient: &Numbers, lessons: usize, rate: f32) {
        const FIRST: f32 = 0.9;
        const SECOND: f32 = 0.999;
        // What nothing asks for fades (Loshchilov and Hutter, 2019).
        const DECAY: f32 = 0.01;
        self.steps += 1;
        let mend_first = 1.0 - FIRST.powi(self.steps);
        let mend_second = 1.0 - SECOND.powi(self.steps);
        let share = 1.0 / lessons.max(1) as f32;
        for at in 0..ALL {
            let slope = gradient[at] * share;
            let first = FIRST * self.first[at] + (1.0 - FIRST) * slope;
            let second = SECOND * self.second[at] + (1.0 - SECOND) * slope * slope;
            (self.first[at], self.second[at]) = (first, second);
            let step = (first / mend_first) / ((second / mend_second).sqrt() + 1e-8);
            let most = most(at);
            let held = numbers[at] * (1.0 - DECAY * rate);
            numbers[at] = (held - rate * step).clamp(-most, most);
        }
    }
}

/// The numbers of a network, to go on with.
fn unround(parameters: &Parameters) -> Numbers {
    let outputs = parameters.output_weights.iter().flatten().map(|row| (row, OUTPUT_WEIGHT_SCALE));
    let rows = parameters
        .feature_weights
        .iter()
        .chain([&parameters.feature_bias])
        .map(|row| (row, ACTIVATION_SCALE));
    let numbers = rows
        .chain(outputs)
        .flat_map(|(row, one)| row.0.iter().map(move |&whole| f32::from(whole) / one as f32));
    let biases = parameters.output_bias.iter().map(|&whole| whole as f32 / OUTPUT_SCALE as f32);
    numbers.chain(biases).collect()
}

/// The whole numbers nearest to these.
fn round(numbers: &Numbers) -> Network {
    let row = |at: usize, one: i32| {
        let mut row = HiddenVector::ZERO;
        for (whole, number) in row.0.iter_mut().zip(&numbers[at..]) {
            *whole = (number * one as f32).round() as i16;
        }
        row
    };
    let output = |bucket: usize, half: usize| {
        row(OUTPUTS + (bucket * 2 + half) * HIDDEN_UNITS, OUTPUT_WEIGHT_SCALE)
    };
    Network::new(Parameters {
        feature_weights: (0..INPUT_FEATURES)
            .map(|at| row(at * HIDDEN_UNITS, ACTIVATION_SCALE))
            .collect(),
        feature_bias: row(BIAS, ACTIVATION_SCALE),
        output_weights: (0..OUTPUT_BUCKETS)
            .map(|bucket| [output(bucket, 0), output(bucket, 1)])
            .collect(),
        output_bias: std::array::from_fn(|bucket| {
            (numbers[OUTPUT_BIAS + bucket] * OUTPUT_SCALE as f32).round() as i32
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{lessons, lopsided};
    use krieg_chess::Evaluate;

    fn short(threads: usize) -> Training {
        Training { epochs: 8, batch: 16, rate: 0.01, blend: 1.0, threads, ..Training::default() }
    }

    #[test]
    fn training_learns_that_a_rook_wins() {
        let mut errors = Vec::new();
        let mut network =
            train(&lopsided(lessons), None, &short(1), |progress| errors.push(progress.kept_apart));
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
    fn the_same_seed_gives_the_same_network_on_any_number_of_threads() {
        let trained = |threads| train(&lopsided(lessons), None, &short(threads), |_| {}).write();
        assert_eq!(trained(1), trained(3));
    }

    #[test]
    fn a_network_is_taken_up_where_it_was_left() {
        let mut numbers = first_numbers(&mut Xoshiro256PlusPlus::seed_from_u64(7));
        numbers[OUTPUT_BIAS..].fill(0.25);
        let network = round(&numbers);
        assert_eq!(round(&unround(network.parameters())).write(), network.write());
        let none = Training { epochs: 0, ..short(1) };
        assert_eq!(
            train(&lopsided(lessons), Some(&network), &none, |_| {}).write(),
            network.write()
        );
    }

    #[test]
    fn whole_numbers_value_as_those_with_a_point_do() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let numbers = first_numbers(&mut rng);
        let network = round(&numbers);
        let text =
            "1-0 2kr1b1r/ppp2ppp/2n1q3/3p4/8/2N5/PPPP1PPP/1RBQ1RK1 w - - 0 9 a2a3 0 a7a6 0 h2h3 0";
        let game: crate::evaluation::GameLine = text.parse().unwrap();
        let mut position = game.start.clone();
        let lessons = lessons(&game);
        assert_eq!(lessons.len(), game.moves.len());
        for (lesson, (mv, _)) in lessons.iter().zip(&game.moves) {
            let board = position.board();
            let whole = network.clone().evaluate(board, &network.refresh(board));
            let seen = Seen::of(&numbers, lesson).out * CENTIPAWN_SCALE as f32;
            assert!((seen - whole as f32).abs() < 4.0, "{seen} {whole}");
            position.play(*mv).unwrap();
        }
    }
}
