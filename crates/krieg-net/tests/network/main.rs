//! Tests of the network: its file, its output, and the probabilities of tries.

mod embedded;
mod file;
mod output;
mod plain;
mod policy;
mod recorded;

use krieg_net::Input;
use krieg_testing::seeded_rng;
use rand::RngExt;

/// An input with own pieces on about a quarter of the squares and other bytes at random.
fn random_input(seed: u64) -> Input {
    let mut rng = seeded_rng(seed);
    let mut input = Input { planes: [[0; 48]; 64], scalars: [0; 64] };
    for planes in &mut input.planes {
        if rng.random_bool(0.25) {
            planes[rng.random_range(0..6)] = 255;
        }
        for byte in &mut planes[6..] {
            *byte = if rng.random_bool(0.2) { rng.random() } else { 0 };
        }
    }
    for byte in &mut input.scalars {
        *byte = if rng.random_bool(0.3) { rng.random() } else { 0 };
    }
    input
}
