//! Squares on which a man may be taken by a lesser one: guarded or not, there he is likely to be lost, and going away
//! is the first thing to think of.

use cozy_chess::{
    BitBoard, Board, Move as BoardMove, Piece, get_bishop_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

/// What going out of danger, or into it, is worth in the order of moves, by the man that moves. History goes to three
/// times [`MOST`](crate::history::MOST), and is mostly far below that.
const SEE_VALUES: [i32; 6] = [0, 8_000, 8_000, 14_000, 20_000, 0];

/// Where the men of the side to move are in danger.
pub(crate) struct Threats {
    /// Attacked by somebody who counts for less: by the man that stands there.
    by_man: [BitBoard; 6],
}

impl Threats {
    pub fn of(board: &Board) -> Self {
        let them = !board.side_to_move();
        // A line goes on behind a piece that flees along it.
        let own = board.colors(board.side_to_move());
        let fleeing = own & (board.pieces(Piece::Queen) | board.pieces(Piece::Rook));
        let occupied = board.occupied() & !fleeing;
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
        Threats { by_man: [none, by_pawns, by_pawns, by_minors, attacked, none] }
    }

    /// How much sooner a quiet move should be looked at, because it takes a man out of danger; or later, because it
    /// takes him into it.
    pub fn escape(&self, man: Piece, mv: BoardMove) -> i32 {
        let squares = self.by_man[man as usize];
        let worth = SEE_VALUES[man as usize];
        worth * (i32::from(squares.has(mv.from)) - i32::from(squares.has(mv.to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rook_fears_the_bishop_and_not_the_rook_and_a_queen_fears_both() {
        let board: Board = "3k4/8/5b2/8/8/2R1Q2r/8/4K3 w - - 0 1".parse().unwrap();
        let danger = Threats::of(&board);
        let escape = |man, mv: &str| danger.escape(man, mv.parse().unwrap());
        assert!(escape(Piece::Rook, "c3c2") > 0, "away from the bishop");
        assert!(escape(Piece::Queen, "e3e2") > 0, "away from the rook");
        assert_eq!(escape(Piece::Queen, "e3f3"), 0, "towards the rook");
        assert_eq!(escape(Piece::Queen, "e3d3"), 0, "away from the rook, but on his line");
        assert!(escape(Piece::Queen, "e2d3") < 0, "onto the rook's line");
        assert_eq!(escape(Piece::Rook, "d1d3"), 0, "a rook may meet a rook");
        assert!(escape(Piece::Rook, "d1d4") < 0, "onto the bishop's diagonal");
    }
}
