//! Threats by pieces of lesser value, as a term in the ordering of quiet moves.
//!
//! A piece that a less valuable piece attacks is likely to be lost whether it is defended or not,
//! so moves that take it off the attacked square are tried early.

use cozy_chess::{
    BitBoard, Board, Move as BoardMove, Piece, get_bishop_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

/// Bonus in move ordering for leaving a threatened square, and penalty for entering one, by the
/// piece that moves. The history scores that it is added to reach three times
/// [`MAX_HISTORY`](crate::history::MAX_HISTORY), but are usually far smaller.
const ESCAPE_BONUS: [i32; 6] = [0, 8_000, 8_000, 14_000, 20_000, 0];

/// The squares on which pieces of the side to move are threatened by lesser pieces.
pub(crate) struct Threats {
    /// By piece type: the squares attacked by opposing pieces of lesser value.
    by_lesser: [BitBoard; 6],
}

impl Threats {
    pub fn of(board: &Board) -> Self {
        let them = !board.side_to_move();
        // Own rooks and queens are transparent to attacks, because a slider stays attacked when it
        // retreats along the line of the attack.
        let own = board.colors(board.side_to_move());
        let transparent = own & (board.pieces(Piece::Queen) | board.pieces(Piece::Rook));
        let occupied = board.occupied() & !transparent;
        let mut attacked = BitBoard::EMPTY;
        for from in board.colored_pieces(them, Piece::Pawn) {
            attacked |= get_pawn_attacks(from, them);
        }
        let by_pawns = attacked;
        for from in board.colored_pieces(them, Piece::Knight) {
            attacked |= get_knight_moves(from);
        }
        for from in board.colored_pieces(them, Piece::Bishop) {
            attacked |= get_bishop_moves(from, occupied);
        }
        let by_minors = attacked;
        for from in board.colored_pieces(them, Piece::Rook) {
            attacked |= get_rook_moves(from, occupied);
        }
        let none = BitBoard::EMPTY;
        Threats { by_lesser: [none, by_pawns, by_pawns, by_minors, attacked, none] }
    }

    /// Move-ordering bonus of a quiet move: positive if the piece leaves a threatened square,
    /// negative if it enters one.
    pub fn escape_bonus(&self, piece: Piece, mv: BoardMove) -> i32 {
        let squares = self.by_lesser[piece as usize];
        let bonus = ESCAPE_BONUS[piece as usize];
        bonus * (i32::from(squares.has(mv.from)) - i32::from(squares.has(mv.to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_attacks_by_lesser_pieces_are_threats() {
        let board: Board = "3k4/8/5b2/8/8/2R1Q2r/8/4K3 w - - 0 1".parse().unwrap();
        let threats = Threats::of(&board);
        let bonus = |piece, mv: &str| threats.escape_bonus(piece, mv.parse().unwrap());
        assert!(bonus(Piece::Rook, "c3c2") > 0, "away from the bishop");
        assert!(bonus(Piece::Queen, "e3e2") > 0, "away from the rook");
        assert_eq!(bonus(Piece::Queen, "e3f3"), 0, "towards the rook");
        assert_eq!(bonus(Piece::Queen, "e3d3"), 0, "away from the rook, but on its line");
        assert!(bonus(Piece::Queen, "e2d3") < 0, "onto the rook's line");
        assert_eq!(bonus(Piece::Rook, "d1d3"), 0, "a rook does not threaten a rook");
        assert!(bonus(Piece::Rook, "d1d4") < 0, "onto the bishop's diagonal");
    }
}
