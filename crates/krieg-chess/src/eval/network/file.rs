//! The numbers of a network, and the file they are kept in.
//!
//! The file begins with a name and the network's measures, each on a line. Then follow, with the low byte
//! first, the rows of the inputs, the bias and the output weights as numbers of two bytes, the output biases as
//! numbers of four, and a checksum of eight over all of it, which tells a damaged file.

use thiserror::Error;

use super::{BUCKETS, HIDDEN, INPUTS, Row};
use krieg_core::checksum;

/// Everything that is learnt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    /// What each input adds to the hidden sums.
    pub rows: Box<[Row]>,
    /// Where the hidden sums begin.
    pub bias: Row,
    /// For each bucket, the weights of the mover's sums and of the other's.
    pub outputs: Box<[[Row; 2]]>,
    /// For each bucket, what is added to the output.
    pub output_bias: [i32; BUCKETS],
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
    format!("{INPUTS}x{HIDDEN}x{BUCKETS}")
}

impl Parameters {
    /// The bytes of the file.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = NAME.to_vec();
        bytes.extend_from_slice(shape().as_bytes());
        bytes.push(b'\n');
        let outputs = self.outputs.iter().flatten();
        for row in self.rows.iter().chain([&self.bias]).chain(outputs) {
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
        let numbers = (INPUTS + 1 + 2 * BUCKETS) * HIDDEN;
        let (shorts, longs) = (numbers * 2, BUCKETS * 4);
        if rest.len() != 1 + shorts + longs + 8 {
            return Err(NetworkError::Damaged);
        }
        let (body, sum) = bytes.split_at(bytes.len() - 8);
        if checksum(body).to_le_bytes() != sum {
            return Err(NetworkError::Damaged);
        }
        let (shorts, longs) = rest[1..1 + shorts + longs].split_at(shorts);
        let mut rows = shorts.chunks_exact(2 * HIDDEN).map(|chunk| {
            let mut row = Row::ZERO;
            for (number, pair) in row.0.iter_mut().zip(chunk.chunks_exact(2)) {
                *number = i16::from_le_bytes([pair[0], pair[1]]);
            }
            row
        });
        let mut next = || rows.next().unwrap_or(Row::ZERO);
        let parameters = Parameters {
            rows: (0..INPUTS).map(|_| next()).collect(),
            bias: next(),
            outputs: (0..BUCKETS).map(|_| [next(), next()]).collect(),
            output_bias: std::array::from_fn(|at| {
                let four = &longs[4 * at..][..4];
                i32::from_le_bytes([four[0], four[1], four[2], four[3]])
            }),
        };
        if parameters.fits() { Ok(parameters) } else { Err(NetworkError::Damaged) }
    }

    /// The largest number of a row: thirty-four of them and the bias, as many as there are in the
    /// middle of a change, stay within sixteen bits.
    pub const MOST_ROW: i16 = 720;
    /// The largest number of the bias.
    pub const MOST_BIAS: i16 = 8_000;
    /// The largest output weight: all squares times it stay within thirty-two bits.
    pub const MOST_OUTPUT: i16 = 2_047;
    /// The largest output bias.
    pub const MOST_OUTPUT_BIAS: i32 = 1 << 28;

    /// Whether no sum can leave the room it has.
    pub fn fits(&self) -> bool {
        let is_within =
            |row: &Row, most: i16| row.0.iter().all(|number| (-most..=most).contains(number));
        let biases = -Self::MOST_OUTPUT_BIAS..=Self::MOST_OUTPUT_BIAS;
        self.rows.iter().all(|row| is_within(row, Self::MOST_ROW))
            && is_within(&self.bias, Self::MOST_BIAS)
            && self.outputs.iter().flatten().all(|row| is_within(row, Self::MOST_OUTPUT))
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
        assert!(!refused(|same| same.rows[5].0[5] = -Parameters::MOST_ROW));
        assert!(refused(|changed| changed.rows[5].0[5] = Parameters::MOST_ROW + 1));
        assert!(refused(|changed| changed.bias.0[5] = i16::MIN));
        assert!(refused(|changed| changed.outputs[3][1].0[5] = i16::MAX));
        assert!(refused(|changed| changed.output_bias[3] = i32::MIN));
    }
}
