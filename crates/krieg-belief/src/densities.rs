//! Where men stand, by move number and colour: learned from games, and kept in a small file.

use cozy_chess::{Color, Piece, Square};
use krieg_core::{Record, Verdict, checksum};
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
    let stage = STAGES.iter().filter(|first| move_number >= **first).count();
    ((stage * Color::NUM + color as usize) * Piece::NUM + piece as usize) * Square::NUM
        + square as usize
}

impl Densities {
    /// Learns from games, every position of which counts the same.
    pub fn learn<'a>(records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut counts = vec![0u64; SIZE];
        let mut positions = [0u64; STAGES.len() + 1];
        for record in records {
            let mut game = record.replay(0);
            for entry in record.entries() {
                // What a record holds was umpired once, by the same rules.
                let _ = game.judge(entry.tried);
                if entry.announcement.verdict != Verdict::Moved {
                    continue;
                }
                let position = game.umpire().position();
                let number = game.umpire().view(Color::White).ply() / 2 + 1;
                positions[STAGES.iter().filter(|first| number >= **first).count()] += 1;
                for color in Color::ALL {
                    for piece in Piece::ALL {
                        for square in position.board().colored_pieces(color, piece) {
                            counts[index(color, number, piece, square)] += 1;
                        }
                    }
                }
            }
        }
        let of_one_stage = SIZE / positions.len();
        let chance = |(at, count): (usize, &u64)| {
            let positions = positions[at / of_one_stage].max(1) as f64;
            (*count as f64 / positions * WHOLE).round() as u16
        };
        Densities { chances: counts.iter().enumerate().map(chance).collect() }
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
    use krieg_core::{Game, Setup};

    #[test]
    fn what_stood_somewhere_is_likely_there() {
        let mut game = Game::new(Setup::default());
        for mv in ["e2e4", "e7e5", "g1f3", "b8c6"] {
            game.judge(mv.parse().unwrap()).unwrap();
        }
        let learned = Densities::learn([game.record()]);
        let chance = |color, piece, square| learned.probability(color, 1, piece, square);
        assert!(chance(Color::White, Piece::Pawn, Square::E4) > 0.99);
        assert!(chance(Color::Black, Piece::Pawn, Square::E5) > 0.7);
        assert!(chance(Color::White, Piece::Knight, Square::F3) > 0.4);
        assert!(chance(Color::White, Piece::Pawn, Square::E2) < 0.01);
    }

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
