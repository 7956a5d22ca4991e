//! Where men stand, by move number and colour: learned from games, and kept in a small file.

use cozy_chess::{Color, Piece, Square};
use krieg_core::checksum;
use thiserror::Error;

/// How often a man of each kind stands on each square at each stage of a game, for White and for Black.
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
    /// In parts of 65,535, by stage, colour, kind and square.
    chances: Vec<u16>,
}

/// The first move of each stage but the first.
const STAGES: [u32; 7] = [5, 10, 15, 20, 30, 40, 60];
const SIZE: usize = (STAGES.len() + 1) * Color::NUM * Piece::NUM * Square::NUM;
const WHOLE: f64 = 65_535.0;
const MAGIC: &[u8; 16] = b"krieg densities1";

/// Why a file holds no densities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DensitiesError {
    /// It is something else.
    #[error("this is no file of densities")]
    Another,
    /// It has another size.
    #[error("a file of densities has {0} bytes, and this one {1}")]
    Size(usize, usize),
    /// What is in it is not what was written.
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
        let mut chances = Vec::with_capacity(SIZE);
        for stage in 0..Self::STAGES {
            for color in Color::ALL {
                for piece in Piece::ALL {
                    for square in Square::ALL {
                        let frequency = frequency(stage, color, piece, square);
                        chances.push((frequency * WHOLE).round() as u16);
                    }
                }
            }
        }
        Densities { chances }
    }

    /// How likely a man of this kind and colour stands there at this move. Never quite nothing.
    pub fn probability(&self, color: Color, move_number: u32, piece: Piece, square: Square) -> f64 {
        (f64::from(self.chances[index(color, move_number, piece, square)]) + 16.0) / WHOLE
    }

    /// As the bytes of a file.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.chances.iter().flat_map(|chance| chance.to_le_bytes()));
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, DensitiesError> {
        if !bytes.starts_with(MAGIC) {
            return Err(DensitiesError::Another);
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
            chances: pairs.map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect(),
        })
    }
}

impl Default for Densities {
    /// Those learned from games of our own arena (`benches/runs`).
    fn default() -> Self {
        Densities::read(include_bytes!("../densities.bin"))
            .expect("the file in the program is whole")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_is_refused() {
        let bytes = Densities::default().write();
        let mut damaged = bytes.clone();
        damaged[1_000] ^= 1;
        assert_eq!(Densities::read(&damaged), Err(DensitiesError::Damaged));
        assert!(matches!(Densities::read(&bytes[..500]), Err(DensitiesError::Size(..))));
        assert_eq!(Densities::read(b"something else"), Err(DensitiesError::Another));
    }
}
