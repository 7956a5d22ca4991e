//! The penalty for undefended pieces.
//!
//! Every move of a sampled game may be likely by itself, and yet its pieces are defended less often
//! than those of a real player, who has a plan. Boards sampled with the fitted model had 1.0 to 1.6
//! undefended pieces on average where the true boards had 0.6 to 1.1 (`benches/runs`). So such
//! boards are given less weight than their moves alone would give them.

use cozy_chess::{BitBoard, Color, Piece};

use super::move_features::attacks;
use crate::OpponentBoard;

/// Penalty for each undefended piece, in nats. With these two penalties, recaptures are about as
/// frequent as predicted.
const PER_PIECE: f64 = 0.5;
/// Penalty for each undefended pawn, in nats.
const PER_PAWN: f64 = 0.1;

/// The penalty of a board whose pieces have this colour, in nats. The player's own pieces stand on
/// `own`.
pub fn undefended_penalty(board: &OpponentBoard, own: BitBoard, color: Color) -> f64 {
    let occupied = own | board.all();
    let mut defended = BitBoard::EMPTY;
    for piece in Piece::ALL {
        for square in board.pieces(piece) {
            defended |= attacks(piece, square, color, occupied);
        }
    }
    let undefended = board.all() - defended - board.pieces(Piece::King);
    let pawns = (undefended & board.pieces(Piece::Pawn)).len();
    PER_PAWN * f64::from(pawns) + PER_PIECE * f64::from(undefended.len() - pawns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::Position;

    fn penalty_of_black(fen: &str) -> f64 {
        let position = Position::from_fen(fen).unwrap();
        let own = position.board().colors(Color::White);
        undefended_penalty(&OpponentBoard::of(&position, Color::Black), own, Color::Black)
    }

    #[test]
    fn undefended_pieces_are_penalized() {
        assert_eq!(penalty_of_black("4k3/8/8/q7/8/8/8/4K3 w - - 0 1"), PER_PIECE);
        let behind_a_pawn = penalty_of_black("4k3/8/8/r3P2r/8/8/8/4K3 w - - 0 1");
        assert_eq!(behind_a_pawn, 2.0 * PER_PIECE, "a blocked line defends nothing");
    }

    #[test]
    fn defended_pieces_and_the_king_are_not_penalized() {
        assert_eq!(penalty_of_black("4k3/3q4/8/8/8/8/8/4K3 w - - 0 1"), 0.0, "by the king");
        assert_eq!(penalty_of_black("4k3/p7/1p6/8/8/8/8/4K3 w - - 0 1"), PER_PAWN, "one of two");
    }
}
