//! The squares that an attacker's pieces leave to a lone king. The tablebases and the players use
//! the same computation.

use cozy_chess::{
    get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use krieg_core::{BitBoard, Color, Piece, PieceSet, Square};

use crate::attack_map::neighbours;

/// The squares that an attacker's pieces, of any number, leave to a lone king.
///
/// Attacks are computed on a board without the lone king, so they continue behind it: the king
/// cannot escape from a rook by stepping back along its line.
///
/// ```
/// use krieg_core::{Color, Position, Square};
/// use krieg_tablebase::KingSquares;
/// let position = Position::from_fen("1k5R/8/1K6/8/8/8/8/8 b - - 0 1")?;
/// let squares = KingSquares::of(&position.pieces(Color::White));
/// assert!(squares.mated().has(Square::B8) && !squares.mated().has(Square::D8));
/// assert!(squares.safe.has(Square::D7));
/// # Ok::<(), krieg_core::FenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KingSquares {
    /// Neither occupied nor attacked: the lone king may be there on the attacker's turn, and may
    /// move there.
    pub safe: BitBoard,
    /// The squares of the attacker's undefended pieces, which the lone king may capture.
    pub undefended: BitBoard,
    /// Neither occupied nor next to the attacker's king: the lone king may be there on its own
    /// turn, in check or not.
    pub possible: BitBoard,
}

impl KingSquares {
    /// The squares that these pieces leave.
    #[must_use]
    pub fn of(pieces: &PieceSet) -> Self {
        let occupied = pieces.all();
        let attacked = attacked_squares(pieces, occupied);
        KingSquares::from_attacks(occupied, pieces.pieces(Piece::King), attacked)
    }

    /// The squares that are left by pieces on `occupied`, with the king among them, that attack
    /// `attacked`.
    #[inline]
    pub(crate) fn from_attacks(occupied: BitBoard, king: BitBoard, attacked: BitBoard) -> Self {
        KingSquares {
            safe: !(occupied | attacked),
            undefended: occupied & !attacked & !king,
            possible: !(occupied | BitBoard(neighbours(king.0))),
        }
    }

    /// The squares on which a lone king has a legal move.
    #[inline]
    #[must_use]
    pub fn with_moves(&self) -> BitBoard {
        BitBoard(neighbours((self.safe | self.undefended).0))
    }

    /// The squares on which a lone king is mated.
    #[inline]
    #[must_use]
    pub fn mated(&self) -> BitBoard {
        self.possible & !self.safe & !self.with_moves()
    }

    /// The squares on which a lone king is stalemated.
    #[inline]
    #[must_use]
    pub fn stalemated(&self) -> BitBoard {
        self.possible & self.safe & !self.with_moves()
    }

    /// The squares on which a lone king may be after a non-capturing move from one of `kings`.
    #[inline]
    #[must_use]
    pub fn successors(&self, kings: BitBoard) -> BitBoard {
        BitBoard(neighbours(kings.0)) & self.safe
    }
}

/// The squares that these pieces attack, given the occupied squares of the board.
///
/// ```
/// use krieg_core::{BitBoard, Color, Position, Square};
/// use krieg_tablebase::attacked_squares;
/// let white = Position::from_fen("k7/8/8/8/8/8/8/K6R w - - 0 1")?.pieces(Color::White);
/// assert!(attacked_squares(&white, white.all()).has(Square::B1));
/// let blocked = white.all() | Square::G1.bitboard();
/// assert!(!attacked_squares(&white, blocked).has(Square::F1));
/// # Ok::<(), krieg_core::FenError>(())
/// ```
#[must_use]
pub fn attacked_squares(pieces: &PieceSet, occupied: BitBoard) -> BitBoard {
    let mut attacked = BitBoard::EMPTY;
    for piece in Piece::ALL {
        for from in pieces.pieces(piece) {
            attacked |= piece_attacks(piece, pieces.color(), from, occupied);
        }
    }
    attacked
}

/// The squares that one piece attacks.
#[inline]
pub(crate) fn piece_attacks(
    piece: Piece,
    color: Color,
    from: Square,
    occupied: BitBoard,
) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(from, color),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Piece::King => get_king_moves(from),
    }
}
