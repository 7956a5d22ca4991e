//! What the attacker may try, and when it is refused.

use cozy_chess::{get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves};
use krieg_core::{BitBoard, Move, Piece, Promotion, Square};

use crate::disposition::Disposition;

/// A try, and where it leads if it is legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The move.
    pub mv: Move,
    /// Where the men stand after it.
    pub to: Disposition,
    /// A lone king on one of these squares makes it illegal: beside the square the king goes to, or in the way of a pawn. PieceSet that strike far
    /// are never in anybody's way, since a king in theirs would be in check.
    pub refused_by: u64,
}

impl Disposition {
    /// Calls `visit` with everything the attacker may try.
    pub fn each_step(&self, mut visit: impl FnMut(Step)) {
        let occupied = BitBoard(self.occupied());
        let free = !occupied;
        for to in get_king_moves(self.king()) & free {
            let (mv, refused_by) = (Move::new(self.king(), to), get_king_moves(to).0);
            visit(Step { mv, to: self.with_king(to), refused_by });
        }
        for (which, (piece, from)) in self.helpers().enumerate() {
            let targets = match piece {
                Piece::Queen => get_rook_moves(from, occupied) | get_bishop_moves(from, occupied),
                Piece::Rook => get_rook_moves(from, occupied),
                Piece::Bishop => get_bishop_moves(from, occupied),
                Piece::Knight => get_knight_moves(from),
                Piece::Pawn => {
                    self.each_push(which, from, free, &mut visit);
                    continue;
                }
                Piece::King => continue,
            };
            for to in targets & free {
                let mv = Move::new(from, to);
                visit(Step { mv, to: self.with_helper(which, to), refused_by: 0 });
            }
        }
    }

    fn each_push(&self, which: usize, from: Square, free: BitBoard, visit: &mut impl FnMut(Step)) {
        let one = Square::index(from as usize + 8);
        if !free.has(one) {
            return;
        }
        let refused_by = one.bitboard().0;
        if one as usize >= 56 {
            for promotion in Promotion::ALL {
                if let Some(to) = self.promoted(which, one, promotion.into()) {
                    let mv = Move { from, to: one, promotion: Some(promotion) };
                    visit(Step { mv, to, refused_by });
                }
            }
            return;
        }
        visit(Step { mv: Move::new(from, one), to: self.with_helper(which, one), refused_by });
        if (from as usize) < 16 {
            let two = Square::index(from as usize + 16);
            if free.has(two) {
                let refused_by = refused_by | two.bitboard().0;
                let to = self.with_helper(which, two);
                visit(Step { mv: Move::new(from, two), to, refused_by });
            }
        }
    }

    /// Everything the attacker may try.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        self.each_step(|step| steps.push(step));
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tries(men: &[(Square, Piece)]) -> usize {
        Disposition::from_men(men).unwrap().steps().len()
    }

    #[test]
    fn men_go_as_in_chess_and_pawns_become_four_things() {
        assert_eq!(tries(&[(Square::A1, Piece::King), (Square::B1, Piece::Rook)]), 2 + 13);
        assert_eq!(tries(&[(Square::A1, Piece::King), (Square::E2, Piece::Pawn)]), 3 + 2);
        assert_eq!(tries(&[(Square::A1, Piece::King), (Square::E7, Piece::Pawn)]), 3 + 4);
        assert_eq!(tries(&[(Square::E3, Piece::King), (Square::E2, Piece::Pawn)]), 7);
        assert_eq!(tries(&[(Square::E4, Piece::King), (Square::E2, Piece::Pawn)]), 8 + 1);
    }

    #[test]
    fn a_king_in_the_way_refuses_a_double_step_on_either_square() {
        let men = [(Square::A1, Piece::King), (Square::E2, Piece::Pawn)];
        let steps = Disposition::from_men(&men).unwrap().steps();
        let double = steps.iter().find(|step| step.mv.to == Square::E4).unwrap();
        assert_eq!(double.refused_by, (Square::E3.bitboard() | Square::E4.bitboard()).0);
    }
}
