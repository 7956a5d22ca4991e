//! Piece densities: how often each piece stands on each square, learned from games.

use cozy_chess::{Color, Piece, Square};
use krieg_core::checksum;
use thiserror::Error;

/// The relative frequency of each kind of piece on each square, by colour and stage of the game.
///
/// ```
/// use krieg_belief::Densities;
/// use krieg_core::{Color, Piece, Square};
/// let densities = Densities::default();
/// let at_home = densities.probability(Color::Black, 1, Piece::King, Square::E8);
/// assert!(at_home > densities.probability(Color::Black, 1, Piece::King, Square::E5));
/// assert_eq!(Densities::read(&densities.write()), Ok(densities));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Densities {
    /// In units of 1/65,535, by stage, colour, piece and square.
    frequencies: Vec<u16>,
}

/// The first move number of each stage except the first.
const STAGES: [u32; 7] = [5, 10, 15, 20, 30, 40, 60];
const SIZE: usize = (STAGES.len() + 1) * Color::NUM * Piece::NUM * Square::NUM;
const UNIT: f64 = 65_535.0;
const MAGIC: &[u8; 16] = b"krieg densities1";

/// Why a file of densities is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DensitiesError {
    /// It does not begin as a file of densities does.
    #[error("this is not a file of densities")]
    WrongFormat,
    /// It has the wrong size: expected, and found.
    #[error("a file of densities has {0} bytes, and this one has {1}")]
    Size(usize, usize),
    /// The checksum does not match.
    #[error("the file is damaged: its checksum is wrong")]
    Damaged,
}

fn index(color: Color, move_number: u32, piece: Piece, square: Square) -> usize {
    ((Densities::stage(move_number) * Color::NUM + color as usize) * Piece::NUM + piece as usize)
        * Square::NUM
        + square as usize
}

impl Densities {
    /// Number of stages that a game is divided into by move number.
    pub const STAGES: usize = STAGES.len() + 1;

    /// The stage to which a move number belongs, counted from 0.
    pub fn stage(move_number: u32) -> usize {
        STAGES.iter().filter(|first| move_number >= **first).count()
    }

    /// Densities of these relative frequencies, from 0 to 1, by stage, colour, piece and square.
    pub fn from_frequencies(frequency: impl Fn(usize, Color, Piece, Square) -> f64) -> Self {
        let mut frequencies = Vec::with_capacity(SIZE);
        for stage in 0..Self::STAGES {
            for color in Color::ALL {
                for piece in Piece::ALL {
                    for square in Square::ALL {
                        let frequency = frequency(stage, color, piece, square);
                        frequencies.push((frequency * UNIT).round() as u16);
                    }
                }
            }
        }
        Densities { frequencies }
    }

    /// The frequency of this piece on this square at this move number. It is never 0.
    pub fn probability(&self, color: Color, move_number: u32, piece: Piece, square: Square) -> f64 {
        (f64::from(self.frequencies[index(color, move_number, piece, square)]) + 16.0) / UNIT
    }

    /// The bytes of a file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.frequencies.iter().flat_map(|frequency| frequency.to_le_bytes()));
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, DensitiesError> {
        if !bytes.starts_with(MAGIC) {
            return Err(DensitiesError::WrongFormat);
        }
        let size = MAGIC.len() + 2 * SIZE + 8;
        if bytes.len() != size {
            return Err(DensitiesError::Size(size, bytes.len()));
        }
        let (body, sum) = bytes.split_at(size - 8);
        if checksum(body).to_le_bytes() != sum {
            return Err(DensitiesError::Damaged);
        }
        let pairs = body[MAGIC.len()..].chunks_exact(2);
        Ok(Densities {
            frequencies: pairs.map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect(),
        })
    }
}

impl Default for Densities {
    /// The built-in densities, learned from games of `greedy` (`docs/beliefs.md`).
    fn default() -> Self {
        Densities::read(include_bytes!("../densities.bin")).expect("the built-in file is valid")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_is_rejected() {
        let bytes = Densities::default().write();
        let mut damaged = bytes.clone();
        damaged[1_000] ^= 1;
        assert_eq!(Densities::read(&damaged), Err(DensitiesError::Damaged));
        assert!(matches!(Densities::read(&bytes[..500]), Err(DensitiesError::Size(..))));
        assert_eq!(Densities::read(b"something else"), Err(DensitiesError::WrongFormat));
    }
}
