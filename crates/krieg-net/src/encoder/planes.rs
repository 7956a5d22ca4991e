//! The bytes of each square.

use krieg_core::{File, Piece, Rank, Square};

use super::evidence::Evidence;
use super::{Encoder, lines};
use crate::SQUARE_PLANES;

/// The number of own pieces that attack the square.
const ATTACKERS: usize = 6;
/// The corners with a castling right.
const CASTLING: usize = 7;
/// The origin and the target of the own last move.
const OWN_MOVE: [usize; 2] = [8, 9];
/// The numbers of refused tries from and to the square.
const REFUSED: [usize; 2] = [10, 11];
/// The first of the planes of evidence.
const EVIDENCE: usize = 12;
/// The first of the planes of memory.
const MEMORY: usize = EVIDENCE + 2 * Evidence::COUNT;

/// A number of pieces or tries as a byte.
fn count_byte(count: u8) -> u8 {
    51 * count.min(5)
}

impl Encoder {
    /// Writes the planes. They are 0 before.
    pub(super) fn write_planes(&self, planes: &mut [[u8; SQUARE_PLANES]; 64]) {
        let (pieces, orientation) = (self.view.pieces(), self.orientation());
        let mut attackers = [0_u8; Square::NUM];
        for piece in Piece::ALL {
            for from in pieces.pieces(piece) {
                planes[orientation.index(from)][piece as usize] = 255;
                for square in lines::attacks(pieces, piece, from) {
                    attackers[square as usize] += 1;
                }
            }
        }
        let (short, long) = pieces.castling();
        for (right, corner) in [(short, File::H), (long, File::A)] {
            if right {
                let corner = Square::new(corner, Rank::First.relative_to(pieces.color()));
                planes[orientation.index(corner)][CASTLING] = 255;
            }
        }
        if let Some(mv) = self.own_move {
            planes[orientation.index(mv.from)][OWN_MOVE[0]] = 255;
            planes[orientation.index(mv.to)][OWN_MOVE[1]] = 255;
        }
        let now = self.view.ply();
        for square in Square::ALL {
            let index = orientation.index(square);
            let bytes = &mut planes[index];
            bytes[ATTACKERS] = count_byte(attackers[square as usize]);
            for (plane, count) in REFUSED.into_iter().zip(self.refused[square as usize]) {
                bytes[plane] = count_byte(count);
            }
            self.marks.write(square, now, &mut bytes[EVIDENCE..MEMORY]);
            bytes[MEMORY..].copy_from_slice(&self.memory[index]);
        }
    }
}
