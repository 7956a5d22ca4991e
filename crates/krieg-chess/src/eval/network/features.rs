//! The input features of the network.

use cozy_chess::{Board, Color, File, Piece, Square};

use super::OUTPUT_BUCKETS;

/// Number of input features: every piece type of either side on every square.
pub const INPUT_FEATURES: usize = 2 * 6 * 64;

/// A side's point of view, from which features are numbered: ranks are flipped for Black, and files
/// are mirrored if the side's king is on files e to h.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Perspective {
    color: Color,
    /// Square numbers are xored with this mask.
    square_mask: u8,
}

impl Perspective {
    /// The perspective of a side on this board.
    #[inline]
    #[must_use]
    pub fn of(board: &Board, color: Color) -> Self {
        Perspective::with_king(color, board.king(color))
    }

    /// The perspective of a side whose king is on this square.
    #[inline]
    #[must_use]
    pub fn with_king(color: Color, king: Square) -> Self {
        let rank_mask = if color == Color::Black { 56 } else { 0 };
        let file_mask = if king.file() > File::D { 7 } else { 0 };
        Perspective { color, square_mask: rank_mask | file_mask }
    }
}

/// Index of the input feature of a piece on a square.
#[inline]
#[must_use]
pub fn feature_index(
    perspective: Perspective,
    color: Color,
    piece: Piece,
    square: Square,
) -> usize {
    let side = if color == perspective.color { 0 } else { INPUT_FEATURES / 2 };
    side + piece as usize * 64 + usize::from(square as u8 ^ perspective.square_mask)
}

/// Index of the output layer for a number of pieces on the board.
#[inline]
#[must_use]
pub fn output_bucket(piece_count: usize) -> usize {
    (piece_count.saturating_sub(1) / 4).min(OUTPUT_BUCKETS - 1)
}
