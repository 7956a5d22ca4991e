//! Which inputs of the network are on.

use cozy_chess::{Board, Color, File, Piece, Square};

use super::OUTPUT_BUCKETS;

/// Every kind of man of either side on every square.
pub const INPUT_FEATURES: usize = 2 * 6 * 64;

/// How a side looks at the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Perspective {
    who: Color,
    /// What the number of a square is changed by: ranks are turned for Black, files if the own king
    /// stands on the king's side.
    turn: u8,
}

impl Perspective {
    /// How this side looks at this board.
    #[inline]
    pub fn of(board: &Board, who: Color) -> Self {
        Perspective::with_king(who, board.king(who))
    }

    /// How a side looks at a board on which its king stands there.
    #[inline]
    pub fn with_king(who: Color, king: Square) -> Self {
        let ranks = if who == Color::Black { 56 } else { 0 };
        let files = if king.file() > File::D { 7 } else { 0 };
        Perspective { who, turn: ranks | files }
    }
}

/// The input that is on for a man.
#[inline]
pub fn feature_index(outlook: Perspective, color: Color, piece: Piece, square: Square) -> usize {
    let side = if color == outlook.who { 0 } else { INPUT_FEATURES / 2 };
    side + piece as usize * 64 + usize::from(square as u8 ^ outlook.turn)
}

/// Which set of output weights a number of men asks for.
#[inline]
pub fn output_bucket(pieces: usize) -> usize {
    (pieces.saturating_sub(1) / 4).min(OUTPUT_BUCKETS - 1)
}
