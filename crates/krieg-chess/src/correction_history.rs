//! Correction history: the difference between search results and the static evaluation, by pawn
//! structure and by each side's pieces.
//!
//! A search often finds that a position is better or worse than its static evaluation for a reason
//! that lasts, such as the pawn structure or a trapped piece. The average difference is stored
//! under these features and added to later evaluations.

use cozy_chess::{Board, Color, Piece};

use crate::history::add_bonus;

/// Number of entries of each table.
const TABLE_SIZE: usize = 4_096;
/// Largest absolute value of an entry.
const MAX_ENTRY: i32 = 1_024;
/// Largest change of an entry by one update.
const MAX_BONUS: i32 = 256;
/// Divisor that converts the sum of three entries to centipawns.
const ENTRY_SCALE: i32 = 14;

/// Entries by the side to move and a hash of the position's features.
type Table = Box<[[i16; TABLE_SIZE]; 2]>;

/// The correction history of one search thread.
#[derive(Debug, Clone)]
pub(crate) struct CorrectionHistory {
    /// By both sides' pawns.
    pawns: Table,
    /// By White's pieces other than pawns, and by Black's.
    pieces: [Table; 2],
}

impl CorrectionHistory {
    pub fn new() -> Self {
        let table = || Box::new([[0; TABLE_SIZE]; 2]);
        CorrectionHistory { pawns: table(), pieces: [table(), table()] }
    }

    pub fn clear(&mut self) {
        let [white, black] = &mut self.pieces;
        for table in [&mut self.pawns, white, black] {
            table.iter_mut().for_each(|row| row.fill(0));
        }
    }

    /// The correction of the static evaluation in centipawns, for the side to move.
    pub fn correction(&self, board: &Board) -> i32 {
        let mover = board.side_to_move() as usize;
        let entry = |table: &Table, index: usize| i32::from(table[mover][index]);
        let sum = entry(&self.pawns, pawn_index(board))
            + entry(&self.pieces[0], piece_index(board, Color::White))
            + entry(&self.pieces[1], piece_index(board, Color::Black));
        sum / ENTRY_SCALE
    }

    /// Records that a search to this depth differed from the static evaluation by `difference`.
    pub fn update(&mut self, board: &Board, difference: i32, depth: i32) {
        let mover = board.side_to_move() as usize;
        let bonus = (difference * depth / 4).clamp(-MAX_BONUS, MAX_BONUS);
        let [white, black] = &mut self.pieces;
        for (table, index) in [
            (&mut self.pawns, pawn_index(board)),
            (white, piece_index(board, Color::White)),
            (black, piece_index(board, Color::Black)),
        ] {
            add_bonus(&mut table[mover][index], bonus, MAX_ENTRY);
        }
    }
}

/// Mixes a set of squares into a hash.
fn mix(hash: u64, squares: u64) -> u64 {
    (hash.rotate_left(23) ^ squares).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Table index from the high bits of a hash.
fn table_index(hash: u64) -> usize {
    (hash >> (64 - TABLE_SIZE.trailing_zeros())) as usize
}

fn pawn_index(board: &Board) -> usize {
    let pawns = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn).0);
    table_index(mix(mix(0, pawns[0]), pawns[1]))
}

fn piece_index(board: &Board, color: Color) -> usize {
    let own = board.colors(color);
    let pieces = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];
    table_index(pieces.into_iter().fold(0, |hash, piece| mix(hash, (board.pieces(piece) & own).0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_with_the_same_pawns_share_a_correction() {
        let mut history = CorrectionHistory::new();
        let board: Board = "4k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 1".parse().unwrap();
        let same_pawns: Board = "8/pp1k4/8/8/8/8/PP6/4KB2 w - - 0 1".parse().unwrap();
        let other_pawns: Board = "8/p2k4/8/1p6/8/8/PP6/4KB2 w - - 0 1".parse().unwrap();
        for _ in 0..20 {
            history.update(&board, 100, 8);
        }
        assert!(history.correction(&board) > history.correction(&same_pawns));
        assert!(history.correction(&same_pawns) > history.correction(&other_pawns));
        assert!(history.correction(&board) <= 3 * MAX_ENTRY / ENTRY_SCALE);
        let black_to_move: Board = "4k3/pp6/8/8/8/8/PP6/R3K3 b - - 0 1".parse().unwrap();
        assert_eq!(history.correction(&black_to_move), 0, "each side has its own corrections");
        for _ in 0..40 {
            history.update(&board, -100, 8);
        }
        assert!(history.correction(&board) < 0);
        history.clear();
        assert_eq!(history.correction(&board), 0);
    }
}
