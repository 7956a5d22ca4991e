//! The numbers of a network, and the file they are kept in.
//!
//! The file begins with a name and the network's measures, each on a line. Then follow, with the low byte
//! first, the rows of the inputs, the bias and the output weights as numbers of two bytes, the output biases as
//! numbers of four, and a checksum of eight over all of it, which tells a damaged file.

use thiserror::Error;

use super::{HIDDEN_UNITS, HiddenVector, INPUT_FEATURES, OUTPUT_BUCKETS};
use krieg_core::checksum;

/// Everything that is learnt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    /// What each input adds to the hidden sums.
    pub feature_weights: Box<[HiddenVector]>,
    /// Where the hidden sums begin.
    pub feature_bias: HiddenVector,
    /// For each bucket, the weights of the mover's sums and of the other's.
    pub output_weights: Box<[[HiddenVector; 2]]>,
    /// For each bucket, what is added to the output.
    pub output_bias: [i32; OUTPUT_BUCKETS],
}

/// Why bytes are no network.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// It is something else.
    #[error("it does not begin as a file of a network does")]
    Foreign,
    /// Made by another version.
    #[error("it is a network of another shape, {0:?}, not {ours}", ours = shape())]
    Shape(String),
    /// Too short, too long, or changed.
    #[error("it is damaged")]
    Damaged,
}

const NAME: &[u8] = b"krieg network\n";

fn shape() -> String {
    format!("{INPUT_FEATURES}x{HIDDEN_UNITS}x{OUTPUT_BUCKETS}")
}

impl Parameters {
    /// The bytes of the file.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = NAME.to_vec();
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

    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        let rest = bytes.strip_prefix(NAME).ok_or(NetworkError::Foreign)?;
        let end = rest.iter().take(64).position(|&byte| byte == b'\n');
        let (told, rest) = rest.split_at(end.ok_or(NetworkError::Foreign)?);
        if told != shape().as_bytes() {
            return Err(NetworkError::Shape(String::from_utf8_lossy(told).into_owned()));
        }
        let numbers = (INPUT_FEATURES + 1 + 2 * OUTPUT_BUCKETS) * HIDDEN_UNITS;
        let (shorts, longs) = (numbers * 2, OUTPUT_BUCKETS * 4);
        if rest.len() != 1 + shorts + longs + 8 {
            return Err(NetworkError::Damaged);
        }
        let (body, sum) = bytes.split_at(bytes.len() - 8);
        if checksum(body).to_le_bytes() != sum {
            return Err(NetworkError::Damaged);
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
        if parameters.fits() { Ok(parameters) } else { Err(NetworkError::Damaged) }
    }

    /// The largest number of a row: thirty-four of them and the bias, as many as there are in the
    /// middle of a change, stay within sixteen bits.
    pub const MAX_FEATURE_WEIGHT: i16 = 720;
    /// The largest number of the bias.
    pub const MAX_FEATURE_BIAS: i16 = 8_000;
    /// The largest output weight: all squares times it stay within thirty-two bits.
    pub const MAX_OUTPUT_WEIGHT: i16 = 2_047;
    /// The largest output bias.
    pub const MAX_OUTPUT_BIAS: i32 = 1 << 28;

    /// Whether no sum can leave the room it has.
    pub fn fits(&self) -> bool {
        let is_within = |row: &HiddenVector, most: i16| {
            row.0.iter().all(|number| (-most..=most).contains(number))
        };
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
    fn what_is_written_is_read() {
        let bytes = Network::built_in().write();
        assert_eq!(Parameters::read(&bytes).unwrap().write(), bytes);
    }

    #[test]
    fn a_damaged_file_is_noticed() {
        let whole = Network::built_in().write();
        for at in [0, 20, 30, whole.len() / 2, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x40;
            assert!(Parameters::read(&damaged).is_err(), "byte {at}");
        }
        for len in [0, 5, 14, 20, 40, whole.len() - 1] {
            assert!(Parameters::read(&whole[..len]).is_err(), "{len} bytes");
        }
        let mut longer = whole.clone();
        longer.push(0);
        assert_eq!(Parameters::read(&longer), Err(NetworkError::Damaged));
    }

    #[test]
    fn a_network_of_another_shape_is_named() {
        let error = Parameters::read(b"krieg network\n768x32x1\n").unwrap_err();
        assert!(error.to_string().contains("768x32x1"), "{error}");
    }

    #[test]
    fn numbers_that_would_overflow_are_refused() {
        let whole = Parameters::read(&Network::built_in().write()).unwrap();
        let refused = |change: fn(&mut Parameters)| {
            let mut changed = whole.clone();
            change(&mut changed);
            Parameters::read(&changed.write()) == Err(NetworkError::Damaged)
        };
        assert!(!refused(|same| same.feature_weights[5].0[5] = -Parameters::MAX_FEATURE_WEIGHT));
        assert!(refused(
            |changed| changed.feature_weights[5].0[5] = Parameters::MAX_FEATURE_WEIGHT + 1
        ));
        assert!(refused(|changed| changed.feature_bias.0[5] = i16::MIN));
        assert!(refused(|changed| changed.output_weights[3][1].0[5] = i16::MAX));
        assert!(refused(|changed| changed.output_bias[3] = i32::MIN));
    }
}
