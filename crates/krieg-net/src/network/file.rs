//! Reading of the file format (`learning/NETWORK.md`).

use krieg_core::checksum;
use serde::Deserialize;
use thiserror::Error;

use super::forward::Block;
use super::matrix::{Layer, SquareMatrix};
use super::{MAX_LAYERS, MAX_WIDTH, Network, Shape};
use crate::{SCALARS, SQUARE_PLANES};

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"KRIEGNET";
/// The version of format and observation that this program reads.
const VERSION: u32 = 1;

/// Why a file is not a network that this version can use.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file does not start like a network.
    #[error("This is not a network: use a file that ends in .net and begins with KRIEGNET.")]
    NotANetwork,
    /// The file has another version of the format.
    #[error("The network has format {0}, but this program reads {VERSION}: use one of {VERSION}.")]
    OtherVersion(u32),
    /// The checksum is wrong.
    #[error("The network is damaged or incomplete: copy the file again.")]
    Damaged,
    /// The header is not JSON with the necessary numbers.
    #[error("The header of the network cannot be read ({0}): train the network again.")]
    Header(String),
    /// The header has a shape that this program does not support.
    #[error(
        "The network has {0}, which is not supported: use a width up to {MAX_WIDTH} that is a \
         multiple of 16 and of 4 times the heads, and 1 to {MAX_LAYERS} layers."
    )]
    Shape(Shape),
    /// The tensors do not have the length that the header says.
    #[error("The network should have {expected} bytes but has {found}: train the network again.")]
    Length {
        /// By the header.
        expected: usize,
        /// In the file.
        found: usize,
    },
    /// A weight is infinite or not a number.
    #[error("The network has a weight that is not a finite number: use an earlier checkpoint.")]
    NotFinite,
}

/// The part of the header that the inference needs.
#[derive(Deserialize)]
struct Header {
    width: usize,
    layers: usize,
    heads: usize,
}

/// Reads the contents of a file.
pub(crate) fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(NetworkError::NotANetwork)?;
    let (version, rest) = rest.split_first_chunk().ok_or(NetworkError::Damaged)?;
    let version = u32::from_le_bytes(*version);
    if version != VERSION {
        return Err(NetworkError::OtherVersion(version));
    }
    let (body, sum) = bytes.split_last_chunk().ok_or(NetworkError::Damaged)?;
    if checksum(body) != u64::from_le_bytes(*sum) {
        return Err(NetworkError::Damaged);
    }
    let (length, rest) = rest.split_first_chunk().ok_or(NetworkError::Damaged)?;
    let length = u32::from_le_bytes(*length) as usize;
    let rest = rest.strip_suffix(sum).ok_or(NetworkError::Damaged)?;
    let (header, tensors) = rest.split_at_checked(length).ok_or(NetworkError::Damaged)?;
    let Header { width, layers, heads } =
        serde_json::from_slice(header).map_err(|error| NetworkError::Header(error.to_string()))?;
    let shape = Shape { width, layers, heads };
    if !shape.is_supported() {
        return Err(NetworkError::Shape(shape));
    }
    let expected = 2 * shape.weights();
    if tensors.len() != expected {
        let other = bytes.len() - tensors.len();
        return Err(NetworkError::Length { expected: other + expected, found: bytes.len() });
    }
    let mut tensors = Tensors { bytes: tensors, finite: true };
    let network = network(shape, &mut tensors);
    if tensors.finite { Ok(network) } else { Err(NetworkError::NotFinite) }
}

/// The tensors that were not yet read.
struct Tensors<'a> {
    bytes: &'a [u8],
    finite: bool,
}

impl Tensors<'_> {
    /// The next numbers. There are enough, since the length was compared with the shape.
    fn next(&mut self, count: usize) -> Vec<f32> {
        let (bytes, rest) = self.bytes.split_at(2 * count);
        self.bytes = rest;
        let numbers: Vec<f32> = bytes
            .chunks_exact(2)
            .map(|two| from_half(u16::from_le_bytes([two[0], two[1]])))
            .collect();
        self.finite &= numbers.iter().all(|number| number.is_finite());
        numbers
    }

    /// The next matrix and its bias.
    fn layer(&mut self, inputs: usize, outputs: usize) -> (Vec<f32>, Vec<f32>) {
        (self.next(inputs * outputs), self.next(outputs))
    }

    /// The next matrix of a number for each pair of squares, transposed: its rows are the second
    /// squares.
    fn pairs(&mut self) -> SquareMatrix {
        let numbers = self.next(64 * 64);
        SquareMatrix::from_fn(64, |row, square| numbers[square * 64 + row])
    }
}

/// Builds a network of tensors in the order of the file.
fn network(shape: Shape, tensors: &mut Tensors<'_>) -> Network {
    let Shape { width, layers, heads } = shape;
    let planes = tensors.next(SQUARE_PLANES * width);
    let input_bias = tensors.next(width);
    let scalars = tensors.next(SCALARS * width);
    let position = tensors.next(64 * width);
    let blocks = (0..layers).map(|_| block(width, heads, tensors)).collect();
    let final_norm = tensors.next(width);
    let belief = tensors.layer(width, 7);
    let from = tensors.layer(width, 64);
    let to = tensors.layer(width, 64);
    let policy_bias = tensors.next(64 * 64);
    let promotion = tensors.layer(width, 4);
    let (any, any_bias) = tensors.layer(width, 1);
    let (pool, pool_bias) = tensors.layer(width, width);
    let (value, value_bias) = tensors.layer(width, 3);
    // Only training uses the prediction of the material.
    tensors.layer(width, 1);
    let columns: Vec<_> =
        [&from, &to, &promotion, &belief].map(|(weights, bias)| (&weights[..], &bias[..])).into();
    let outcome = value
        .chunks_exact(3)
        .zip(&any)
        .flat_map(|(value, &any)| [value[0], value[1], value[2], any]);
    Network {
        shape,
        planes: super::matrix::Weights::from_fn(SQUARE_PLANES, width, |input, output| {
            planes[input * width + output]
        }),
        input_bias,
        scalars,
        position: SquareMatrix::from_fn(width, |row, square| position[square * width + row]),
        blocks,
        final_norm,
        heads: Layer::from_columns(width, &columns),
        // Here the rows are the origins, the first squares.
        policy_bias: SquareMatrix::from_fn(64, |row, square| policy_bias[row * 64 + square]),
        pool,
        pool_bias,
        outcome: outcome.collect(),
        outcome_bias: [value_bias[0], value_bias[1], value_bias[2], any_bias[0]],
    }
}

fn block(width: usize, heads: usize, tensors: &mut Tensors<'_>) -> Block {
    let attention_norm = tensors.next(width);
    let qkv = tensors.layer(width, 3 * width);
    let pair_bias = (0..heads).map(|_| tensors.pairs()).collect();
    let out = tensors.layer(width, width);
    let feed_forward_norm = tensors.next(width);
    let hidden = tensors.layer(width, 4 * width);
    let back = tensors.layer(4 * width, width);
    let layer = |(weights, bias): (Vec<f32>, Vec<f32>)| Layer::new(&weights, &bias);
    Block {
        attention_norm,
        qkv: layer(qkv),
        pair_bias,
        out: layer(out),
        feed_forward_norm,
        hidden: layer(hidden),
        back: layer(back),
    }
}

/// The number of half precision with these bits.
fn from_half(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let magnitude = u32::from(bits & 0x7fff);
    let number = match magnitude >> 10 {
        // Subnormal numbers are multiples of 2⁻²⁴.
        0 => magnitude as f32 / 16_777_216.0,
        // Infinite, or not a number.
        31 => f32::from_bits(0x7f80_0000 | (magnitude & 0x3ff) << 13),
        _ => f32::from_bits((magnitude << 13) + (112 << 23)),
    };
    f32::from_bits(number.to_bits() | sign)
}

#[cfg(test)]
mod tests {
    use super::from_half;

    #[test]
    fn half_precision_is_converted() {
        for (bits, number) in [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x7bff, 65_504.0),
            (0x0400, 6.103_515_6e-5),
            (0x0001, 5.960_464_5e-8),
            (0x83ff, -6.097_555e-5),
        ] {
            assert_eq!(from_half(bits), number, "{bits:#x}");
        }
        assert_eq!(from_half(0x7c00), f32::INFINITY);
        assert!(from_half(0x7e00).is_nan());
    }
}
