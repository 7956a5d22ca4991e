//! English names of colours and pieces.

use cozy_chess::{Color, Piece};

/// The name of a colour.
///
/// ```
/// use krieg_core::{Color, color_name};
/// assert_eq!(color_name(Color::White), "White");
/// ```
pub fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The name of a piece.
///
/// ```
/// use krieg_core::{Piece, piece_name};
/// assert_eq!(piece_name(Piece::Knight), "knight");
/// ```
pub fn piece_name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}
