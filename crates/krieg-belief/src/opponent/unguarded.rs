//! That people guard their men.
//!
//! Each move of a game that is imagined may be a likely one, and yet its men stand about more loosely in the end than those of any player: a
//! player has a plan, and somebody who is imagined has none. On boards imagined with these models there were 1.0 to 1.6 unguarded pieces on the average
//! where on the true ones there were 0.6 to 1.1 (`benches/runs`). So loose boards are held less likely than their moves make them.

use cozy_chess::{BitBoard, Color, Piece};

use super::move_features::reach;
use crate::OpponentBoard;

/// What the logarithm of a board's chance loses by each unguarded piece, and by each unguarded pawn. With these, captures are taken back about as often as is foretold.
const OF_PIECE: f64 = 0.5;
const OF_PAWN: f64 = 0.1;

/// By how much the logarithm of a board's chance is less than its moves make it. The own men stand on `own`, and the hidden ones are of color `he`.
pub fn looseness(board: &OpponentBoard, own: BitBoard, he: Color) -> f64 {
    let occupied = own | board.all();
    let mut guarded = BitBoard::EMPTY;
    for piece in Piece::ALL {
        for square in board.pieces(piece) {
            guarded |= reach(piece, square, he, occupied);
        }
    }
    let loose = board.all() - guarded - board.pieces(Piece::King);
    let pawns = (loose & board.pieces(Piece::Pawn)).len();
    OF_PAWN * f64::from(pawns) + OF_PIECE * f64::from(loose.len() - pawns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::Position;

    fn of_black(fen: &str) -> f64 {
        let position = Position::from_fen(fen).unwrap();
        let own = position.board().colors(Color::White);
        looseness(&OpponentBoard::of(&position, Color::Black), own, Color::Black)
    }

    #[test]
    fn loose_men_count_and_guarded_men_do_not() {
        assert_eq!(of_black("4k3/3q4/8/8/8/8/8/4K3 w - - 0 1"), 0.0, "the king guards his queen");
        assert_eq!(of_black("4k3/8/8/q7/8/8/8/4K3 w - - 0 1"), OF_PIECE);
        assert_eq!(of_black("4k3/p7/1p6/8/8/8/8/4K3 w - - 0 1"), OF_PAWN, "one guards the other");
        let behind_a_pawn = of_black("4k3/8/8/r3P2r/8/8/8/4K3 w - - 0 1");
        assert_eq!(behind_a_pawn, 2.0 * OF_PIECE, "nobody guards through a man");
    }
}
