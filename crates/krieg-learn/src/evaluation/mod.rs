//! Tuning: the engine plays itself, and its evaluation learns from what came of it.
//!
//! Each step gives the same result from the same seed, however many threads it has. [`self_play`] makes a file
//! of games at a fixed number of nodes a move. From the quiet positions of those games, either [`fit`] finds the weights of counted
//! features, or [`train`] the numbers of a network, that best foretell how the games ended and what the search
//! thought. (For weights the method is known as Texel tuning; both descend by Adam: Kingma and Ba, 2015.)

mod fitting;
mod games;
mod lessons;
mod training;

pub use fitting::{Fit, Fitted, Progress, Sample, fit, samples};
pub use games::{GameLine, GameLineError, SelfPlay, self_play};
pub use lessons::{Lesson, lessons};
pub use training::{Training, train};

use rand::{Rng, RngExt};

/// Puts positions in a random order.
fn shuffle(order: &mut [u32], rng: &mut impl Rng) {
    for i in (1..order.len()).rev() {
        order.swap(i, rng.random_range(0..=i));
    }
}

/// Won and lost games, in turn, that differ only in who has the rook: two hundred times what `take` gets of one.
#[cfg(test)]
fn lopsided<T: Clone>(take: impl Fn(&GameLine) -> Vec<T>) -> Vec<T> {
    let white = "1-0 q3k3/8/8/8/8/8/8/RQ2K3 w - - 0 1 e1d1 0 e8d8 0";
    let black = "0-1 rq2k3/8/8/8/8/8/8/Q3K3 w - - 0 1 e1d1 0 e8d8 0";
    let games = [white, black].map(|text| take(&text.parse().unwrap()));
    (0..200).flat_map(|i| games[i % 2].clone()).collect()
}
