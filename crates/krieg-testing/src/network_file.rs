//! Files of random networks.

use krieg_core::checksum;
use rand::{Rng, RngExt};

use crate::seeded_rng;

/// The bytes of a network of this size with random weights, in the format of
/// `learning/NETWORK.md`. It plays no good move, but computes like a trained one.
///
/// ```
/// let bytes = krieg_testing::random_network_file(1, 16, 1, 2);
/// assert!(bytes.starts_with(b"KRIEGNET"));
/// ```
#[must_use]
pub fn random_network_file(seed: u64, width: usize, layers: usize, heads: usize) -> Vec<u8> {
    let mut rng = seeded_rng(seed);
    let header =
        format!(r#"{{"width":{width},"layers":{layers},"heads":{heads},"training":{{}}}}"#);
    let mut bytes = b"KRIEGNET".to_vec();
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    for (count, center, deviation) in tensors(width, layers, heads) {
        for _ in 0..count {
            bytes.extend(random_half(&mut rng, center, deviation).to_le_bytes());
        }
    }
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// For each tensor, how many numbers it has, what they are near, and how far they are from that.
fn tensors(width: usize, layers: usize, heads: usize) -> Vec<(usize, f32, f32)> {
    // This deviation keeps a product about as large as its inputs.
    let matrix =
        |inputs: usize, outputs: usize| (inputs * outputs, 0.0, (3.0 / inputs as f32).sqrt());
    let bias = |count: usize| (count, 0.0, 0.1);
    let norm = (width, 1.0, 0.5);
    let pairs = |count: usize| (count * 64 * 64, 0.0, 1.0);
    let layer = |inputs, outputs| [matrix(inputs, outputs), bias(outputs)];
    let mut tensors = layer(48, width).to_vec();
    tensors.extend([(64 * width, 0.0, 0.2), (64 * width, 0.0, 0.2)]);
    for _ in 0..layers {
        tensors.push(norm);
        tensors.extend(layer(width, 3 * width));
        tensors.push(pairs(heads));
        tensors.extend(layer(width, width));
        tensors.push(norm);
        tensors.extend(layer(width, 4 * width));
        tensors.extend(layer(4 * width, width));
    }
    tensors.push(norm);
    for outputs in [7, 64, 64] {
        tensors.extend(layer(width, outputs));
    }
    tensors.push(pairs(1));
    for outputs in [4, 1, width, 3, 1] {
        tensors.extend(layer(width, outputs));
    }
    tensors
}

/// A random number near `center`, in half precision.
fn random_half(rng: &mut impl Rng, center: f32, deviation: f32) -> u16 {
    let number = center + deviation * (rng.random::<f32>() * 2.0 - 1.0);
    // Truncated; numbers too small for a normal number of half precision become zero.
    let bits = number.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let magnitude = (bits & 0x7fff_ffff) >> 13;
    sign | magnitude.saturating_sub(112 << 10) as u16
}
