//! The attacker's tries at a placement, and the lone king's squares on which each is refused.

use cozy_chess::{get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves};
use krieg_core::{BitBoard, Move, Piece, Promotion, Square};

use crate::placement::Placement;

/// A try of the attacker, and the successor placement if it is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttackerTry {
    /// The move.
    pub mv: Move,
    /// The placement after the move.
    pub successor: Placement,
    /// Squares of the lone king on which the try is refused: adjacent to the king's destination, or
    /// in the path of a pawn. A queen, rook or bishop is never obstructed, since a lone king in its
    /// path would be in check with the attacker to move.
    pub refused_by: u64,
}

impl Placement {
    /// Calls `visit` with every try of the attacker. Entries of a table refer to a try by its
    /// position in this order.
    pub fn for_each_try(&self, mut visit: impl FnMut(AttackerTry)) {
        let occupied = BitBoard(self.occupied());
        let free = !occupied;
        for to in get_king_moves(self.king()) & free {
            let (mv, refused_by) = (Move::new(self.king(), to), get_king_moves(to).0);
            visit(AttackerTry { mv, successor: self.with_king_moved(to), refused_by });
        }
        for (index, (piece, from)) in self.non_king_pieces().enumerate() {
            let targets = match piece {
                Piece::Queen => get_rook_moves(from, occupied) | get_bishop_moves(from, occupied),
                Piece::Rook => get_rook_moves(from, occupied),
                Piece::Bishop => get_bishop_moves(from, occupied),
                Piece::Knight => get_knight_moves(from),
                Piece::Pawn => {
                    self.for_each_pawn_try(index, from, free, &mut visit);
                    continue;
                }
                Piece::King => continue,
            };
            for to in targets & free {
                let (mv, successor) = (Move::new(from, to), self.with_piece_moved(index, to));
                visit(AttackerTry { mv, successor, refused_by: 0 });
            }
        }
    }

    fn for_each_pawn_try(
        &self,
        index: usize,
        from: Square,
        free: BitBoard,
        visit: &mut impl FnMut(AttackerTry),
    ) {
        let one = Square::index(from as usize + 8);
        if !free.has(one) {
            return;
        }
        let refused_by = one.bitboard().0;
        if one as usize >= 56 {
            for promotion in Promotion::ALL {
                if let Some(successor) = self.with_promotion(index, one, promotion.into()) {
                    let mv = Move { from, to: one, promotion: Some(promotion) };
                    visit(AttackerTry { mv, successor, refused_by });
                }
            }
            return;
        }
        let (mv, successor) = (Move::new(from, one), self.with_piece_moved(index, one));
        visit(AttackerTry { mv, successor, refused_by });
        if (from as usize) < 16 {
            let two = Square::index(from as usize + 16);
            if free.has(two) {
                let refused_by = refused_by | two.bitboard().0;
                let (mv, successor) = (Move::new(from, two), self.with_piece_moved(index, two));
                visit(AttackerTry { mv, successor, refused_by });
            }
        }
    }

    /// All tries of the attacker, in the order of [`Placement::for_each_try`].
    pub fn tries(&self) -> Vec<AttackerTry> {
        let mut tries = Vec::new();
        self.for_each_try(|tried| tries.push(tried));
        tries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn try_count(pieces: &[(Square, Piece)]) -> usize {
        Placement::from_pieces(pieces).unwrap().tries().len()
    }

    #[test]
    fn pieces_move_as_in_chess_and_pawns_have_four_promotions() {
        assert_eq!(try_count(&[(Square::A1, Piece::King), (Square::B1, Piece::Rook)]), 2 + 13);
        assert_eq!(try_count(&[(Square::A1, Piece::King), (Square::E2, Piece::Pawn)]), 3 + 2);
        assert_eq!(try_count(&[(Square::A1, Piece::King), (Square::E7, Piece::Pawn)]), 3 + 4);
        assert_eq!(try_count(&[(Square::E3, Piece::King), (Square::E2, Piece::Pawn)]), 7);
        assert_eq!(try_count(&[(Square::E4, Piece::King), (Square::E2, Piece::Pawn)]), 8 + 1);
    }

    #[test]
    fn a_double_step_is_refused_by_a_king_on_either_square() {
        let pieces = [(Square::A1, Piece::King), (Square::E2, Piece::Pawn)];
        let tries = Placement::from_pieces(&pieces).unwrap().tries();
        let double = tries.iter().find(|tried| tried.mv.to == Square::E4).unwrap();
        assert_eq!(double.refused_by, (Square::E3.bitboard() | Square::E4.bitboard()).0);
    }
}
