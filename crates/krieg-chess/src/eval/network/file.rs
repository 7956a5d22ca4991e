//! The parameters of a network and their file format.
//!
//! A file starts with two lines of text: the format's name and the shape of the network. Then
//! follow, all little-endian, the feature weights, the feature bias and the output weights as
//! 16-bit integers, the output biases as 32-bit integers, and a 64-bit checksum of everything
//! before it.

use thiserror::Error;

use super::{HIDDEN_UNITS, HiddenVector, INPUT_FEATURES, OUTPUT_BUCKETS};
use krieg_core::checksum;

/// The trained parameters of a network, quantized to integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    /// For each input feature, its weights to the hidden units.
    pub feature_weights: Box<[HiddenVector]>,
    /// The bias of the hidden units.
    pub feature_bias: HiddenVector,
    /// For each bucket, the output weights of the side to move and of the opponent.
    pub output_weights: Box<[[HiddenVector; 2]]>,
    /// For each bucket, the bias of the output.
    pub output_bias: [i32; OUTPUT_BUCKETS],
}

/// Why a network cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The data does not start like a network file.
    #[error("not a network file")]
    NotANetwork,
    /// The network has another shape, from another version of the program.
    #[error("the network has the shape {0:?}, not {expected}", expected = shape())]
    WrongShape(String),
    /// The length or the checksum is wrong, or a parameter is out of range.
    #[error("the network file is corrupt")]
    Corrupt,
}

/// The first line of a network file.
const MAGIC: &[u8] = b"krieg network\n";

/// The shape of the network, as in the second line of its file.
fn shape() -> String {
    format!("{INPUT_FEATURES}x{HIDDEN_UNITS}x{OUTPUT_BUCKETS}")
}

impl Parameters {
    /// The bytes of a network file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(shape().as_bytes());
        bytes.push(b'\n');
        let outputs = self.output_weights.iter().flatten();
        for row in self.feature_weights.iter().chain([&self.feature_bias]).chain(outputs) {
            for number in row.0 {
                bytes.extend_from_slice(&number.to_le_bytes());
            }
        }
        for number in self.output_bias {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        let sum = checksum(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads the bytes of a network file.
    ///
    /// # Errors
    /// If they are not a valid network of this version.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(NetworkError::NotANetwork)?;
        let end = rest.iter().take(64).position(|&byte| byte == b'\n');
        let (file_shape, rest) = rest.split_at(end.ok_or(NetworkError::NotANetwork)?);
        if file_shape != shape().as_bytes() {
            return Err(NetworkError::WrongShape(String::from_utf8_lossy(file_shape).into_owned()));
        }
        let numbers = (INPUT_FEATURES + 1 + 2 * OUTPUT_BUCKETS) * HIDDEN_UNITS;
        let (shorts, longs) = (numbers * 2, OUTPUT_BUCKETS * 4);
        if rest.len() != 1 + shorts + longs + 8 {
            return Err(NetworkError::Corrupt);
        }
        let (body, sum) = bytes.split_at(bytes.len() - 8);
        if checksum(body).to_le_bytes() != sum {
            return Err(NetworkError::Corrupt);
        }
        let (shorts, longs) = rest[1..1 + shorts + longs].split_at(shorts);
        let mut rows = shorts.chunks_exact(2 * HIDDEN_UNITS).map(|chunk| {
            let mut row = HiddenVector::ZERO;
            for (number, pair) in row.0.iter_mut().zip(chunk.chunks_exact(2)) {
                *number = i16::from_le_bytes([pair[0], pair[1]]);
            }
            row
        });
        let mut next = || rows.next().unwrap_or(HiddenVector::ZERO);
        let parameters = Parameters {
            feature_weights: (0..INPUT_FEATURES).map(|_| next()).collect(),
            feature_bias: next(),
            output_weights: (0..OUTPUT_BUCKETS).map(|_| [next(), next()]).collect(),
            output_bias: std::array::from_fn(|at| {
                let four = &longs[4 * at..][..4];
                i32::from_le_bytes([four[0], four[1], four[2], four[3]])
            }),
        };
        if parameters.is_overflow_safe() { Ok(parameters) } else { Err(NetworkError::Corrupt) }
    }

    /// Largest absolute feature weight. The sum of the bias and 34 weights, as many as there are in
    /// the middle of an update, fits into 16 bits.
    pub const MAX_FEATURE_WEIGHT: i16 = 720;
    /// Largest absolute bias of a hidden unit.
    pub const MAX_FEATURE_BIAS: i16 = 8_000;
    /// Largest absolute output weight. The sum over all hidden units fits into 32 bits.
    pub const MAX_OUTPUT_WEIGHT: i16 = 2_047;
    /// Largest absolute output bias.
    pub const MAX_OUTPUT_BIAS: i32 = 1 << 28;

    /// Whether no intermediate result can overflow with these parameters.
    #[must_use]
    pub fn is_overflow_safe(&self) -> bool {
        let is_within =
            |row: &HiddenVector, max: i16| row.0.iter().all(|number| (-max..=max).contains(number));
        let biases = -Self::MAX_OUTPUT_BIAS..=Self::MAX_OUTPUT_BIAS;
        self.feature_weights.iter().all(|row| is_within(row, Self::MAX_FEATURE_WEIGHT))
            && is_within(&self.feature_bias, Self::MAX_FEATURE_BIAS)
            && self
                .output_weights
                .iter()
                .flatten()
                .all(|row| is_within(row, Self::MAX_OUTPUT_WEIGHT))
            && self.output_bias.iter().all(|bias| biases.contains(bias))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Network;
    use super::*;

    #[test]
    fn a_written_network_is_read_back() {
        let bytes = Network::built_in().write();
        assert_eq!(Parameters::read(&bytes).unwrap().write(), bytes);
    }

    #[test]
    fn a_corrupt_file_is_rejected() {
        let whole = Network::built_in().write();
        for at in [0, 20, 30, whole.len() / 2, whole.len() - 1] {
            let mut corrupt = whole.clone();
            corrupt[at] ^= 0x40;
            assert!(Parameters::read(&corrupt).is_err(), "byte {at}");
        }
        for len in [0, 5, 14, 20, 40, whole.len() - 1] {
            assert!(Parameters::read(&whole[..len]).is_err(), "{len} bytes");
        }
        let mut longer = whole.clone();
        longer.push(0);
        assert_eq!(Parameters::read(&longer), Err(NetworkError::Corrupt));
    }

    #[test]
    fn the_shape_of_another_network_is_reported() {
        let error = Parameters::read(b"krieg network\n768x32x1\n").unwrap_err();
        assert!(error.to_string().contains("768x32x1"), "{error}");
    }

    #[test]
    fn parameters_that_could_overflow_are_rejected() {
        let whole = Parameters::read(&Network::built_in().write()).unwrap();
        let is_rejected = |change: fn(&mut Parameters)| {
            let mut changed = whole.clone();
            change(&mut changed);
            Parameters::read(&changed.write()) == Err(NetworkError::Corrupt)
        };
        assert!(
            !is_rejected(|same| same.feature_weights[5].0[5] = -Parameters::MAX_FEATURE_WEIGHT)
        );
        assert!(is_rejected(
            |changed| changed.feature_weights[5].0[5] = Parameters::MAX_FEATURE_WEIGHT + 1
        ));
        assert!(is_rejected(|changed| changed.feature_bias.0[5] = i16::MIN));
        assert!(is_rejected(|changed| changed.output_weights[3][1].0[5] = i16::MAX));
        assert!(is_rejected(|changed| changed.output_bias[3] = i32::MIN));
    }
}
