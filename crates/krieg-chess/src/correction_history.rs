//! How far the evaluation was off before where the pawns stood the same, or one side's pieces did.
//!
//! A search often finds that a position is worth more or less than it looks, and mostly for a reason that lasts: a pawn structure, a
//! piece shut in. What it found is remembered by that, and added to the next look.

use cozy_chess::{Board, Color, Piece};

use crate::history::apply_gravity;

/// Places in each table.
const PLACES: usize = 4_096;
/// No entry goes beyond this.
const MOST: i32 = 1_024;
/// The largest step of an entry.
const STEP: i32 = 256;
/// From three entries to hundredths of a pawn.
const GRAIN: i32 = 14;

type Entries = Box<[[i16; PLACES]; 2]>;

/// One thread's memory of where the evaluation was off.
#[derive(Debug, Clone)]
pub(crate) struct CorrectionHistory {
    /// By the side to move and the pawns.
    pawns: Entries,
    /// By the side to move and White's pieces, and Black's.
    pieces: [Entries; 2],
}

impl CorrectionHistory {
    pub fn new() -> Self {
        let entries = || Box::new([[0; PLACES]; 2]);
        CorrectionHistory { pawns: entries(), pieces: [entries(), entries()] }
    }

    pub fn clear(&mut self) {
        let [white, black] = &mut self.pieces;
        for entries in [&mut self.pawns, white, black] {
            entries.iter_mut().for_each(|row| row.fill(0));
        }
    }

    /// What to add to the evaluation's value for the side to move.
    pub fn of(&self, board: &Board) -> i32 {
        let mover = board.side_to_move() as usize;
        let at = |entries: &Entries, place: usize| i32::from(entries[mover][place]);
        let sum = at(&self.pawns, pawn_place(board))
            + at(&self.pieces[0], piece_place(board, Color::White))
            + at(&self.pieces[1], piece_place(board, Color::Black));
        sum / GRAIN
    }

    /// A search to this depth found the position worth `off` more than it looks.
    pub fn learn(&mut self, board: &Board, off: i32, depth: i32) {
        let mover = board.side_to_move() as usize;
        let by = (off * depth / 4).clamp(-STEP, STEP);
        let [white, black] = &mut self.pieces;
        for (entries, place) in [
            (&mut self.pawns, pawn_place(board)),
            (white, piece_place(board, Color::White)),
            (black, piece_place(board, Color::Black)),
        ] {
            apply_gravity(&mut entries[mover][place], by, MOST);
        }
    }
}

/// Stirs a set of squares into a number.
fn stir(sum: u64, squares: u64) -> u64 {
    (sum.rotate_left(23) ^ squares).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn place(stirred: u64) -> usize {
    (stirred >> (64 - PLACES.trailing_zeros())) as usize
}

fn pawn_place(board: &Board) -> usize {
    let pawns = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn).0);
    place(stir(stir(0, pawns[0]), pawns[1]))
}

fn piece_place(board: &Board, color: Color) -> usize {
    let own = board.colors(color);
    let pieces = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];
    place(pieces.into_iter().fold(0, |sum, piece| stir(sum, (board.pieces(piece) & own).0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_off_is_corrected_where_the_pawns_are_the_same() {
        let mut corrections = CorrectionHistory::new();
        let board: Board = "4k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 1".parse().unwrap();
        let alike: Board = "8/pp1k4/8/8/8/8/PP6/4KB2 w - - 0 1".parse().unwrap();
        let unlike: Board = "8/p2k4/8/1p6/8/8/PP6/4KB2 w - - 0 1".parse().unwrap();
        for _ in 0..20 {
            corrections.learn(&board, 100, 8);
        }
        assert!(corrections.of(&board) > corrections.of(&alike));
        assert!(corrections.of(&alike) > corrections.of(&unlike));
        assert!(corrections.of(&board) <= 3 * MOST / GRAIN);
        let waiting: Board = "4k3/pp6/8/8/8/8/PP6/R3K3 b - - 0 1".parse().unwrap();
        assert_eq!(corrections.of(&waiting), 0, "what is true for one side is not for the other");
        for _ in 0..40 {
            corrections.learn(&board, -100, 8);
        }
        assert!(corrections.of(&board) < 0);
        corrections.clear();
        assert_eq!(corrections.of(&board), 0);
    }
}
