//! Moves in coordinate notation: origin square, target square and promotion.

use std::fmt;
use std::str::FromStr;

use cozy_chess::{Piece, Square};
use thiserror::Error;

/// A piece that a pawn can promote to.
///
/// ```
/// use krieg_core::{Piece, Promotion};
/// assert_eq!(Piece::from(Promotion::Queen), Piece::Queen);
/// assert_eq!(Promotion::ALL.len(), 4);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Promotion {
    /// `n`
    Knight,
    /// `b`
    Bishop,
    /// `r`
    Rook,
    /// `q`
    Queen,
}

impl Promotion {
    /// Every promotion, the least valuable piece first.
    pub const ALL: [Promotion; 4] =
        [Promotion::Knight, Promotion::Bishop, Promotion::Rook, Promotion::Queen];

    /// The lower-case letter of coordinate notation.
    ///
    /// ```
    /// use krieg_core::Promotion;
    /// assert_eq!(Promotion::Knight.letter(), 'n');
    /// ```
    pub fn letter(self) -> char {
        match self {
            Promotion::Knight => 'n',
            Promotion::Bishop => 'b',
            Promotion::Rook => 'r',
            Promotion::Queen => 'q',
        }
    }

    /// The promotion written with a lower-case letter.
    ///
    /// ```
    /// use krieg_core::Promotion;
    /// assert_eq!(Promotion::from_letter('q'), Some(Promotion::Queen));
    /// assert_eq!(Promotion::from_letter('k'), None);
    /// ```
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.letter() == letter)
    }

    /// The promotion to `piece`; `None` for a king or a pawn.
    pub(crate) fn from_piece(piece: Piece) -> Option<Self> {
        match piece {
            Piece::Knight => Some(Promotion::Knight),
            Piece::Bishop => Some(Promotion::Bishop),
            Piece::Rook => Some(Promotion::Rook),
            Piece::Queen => Some(Promotion::Queen),
            Piece::King | Piece::Pawn => None,
        }
    }
}

impl From<Promotion> for Piece {
    fn from(promotion: Promotion) -> Piece {
        match promotion {
            Promotion::Knight => Piece::Knight,
            Promotion::Bishop => Piece::Bishop,
            Promotion::Rook => Piece::Rook,
            Promotion::Queen => Piece::Queen,
        }
    }
}

/// A move in coordinate notation. Castling is written as the king's move, `e1g1`.
///
/// A `Move` is any pair of squares; legality depends on the umpire's [`Position`](crate::Position).
///
/// ```
/// use krieg_core::{Move, Promotion, Square};
/// let mv: Move = "e7e8q".parse()?;
/// assert_eq!(mv, Move { from: Square::E7, to: Square::E8, promotion: Some(Promotion::Queen) });
/// assert_eq!(mv.to_string(), "e7e8q");
/// # Ok::<(), krieg_core::MoveError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The origin square.
    pub from: Square,
    /// The target square.
    pub to: Square,
    /// The promotion, for a pawn that reaches the last rank.
    pub promotion: Option<Promotion>,
}

impl Move {
    /// A move without promotion.
    ///
    /// ```
    /// use krieg_core::{Move, Square};
    /// assert_eq!(Move::new(Square::G1, Square::F3).to_string(), "g1f3");
    /// ```
    pub fn new(from: Square, to: Square) -> Self {
        Move { from, to, promotion: None }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Views list dozens of moves in each message of a server, so this avoids nested formatting.
        let mut text = [0; 5];
        for (at, square) in [self.from, self.to].into_iter().enumerate() {
            text[2 * at] = b'a' + square.file() as u8;
            text[2 * at + 1] = b'1' + square.rank() as u8;
        }
        let length = match self.promotion {
            Some(promotion) => {
                text[4] = promotion.letter() as u8;
                5
            }
            None => 4,
        };
        f.write_str(std::str::from_utf8(&text[..length]).expect("squares and letters are ASCII"))
    }
}

/// The text is not a move in coordinate notation.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is not a move: write it as e2e4, or e7e8q for a promotion")]
pub struct MoveError(pub String);

impl FromStr for Move {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let error = || MoveError(crate::excerpt(text));
        let square =
            |range: std::ops::Range<usize>| text.get(range).and_then(|s| s.parse::<Square>().ok());
        let from = square(0..2).ok_or_else(error)?;
        let to = square(2..4).ok_or_else(error)?;
        let mut rest = text[4..].chars();
        let promotion = match rest.next() {
            None => None,
            Some(letter) => Some(Promotion::from_letter(letter).ok_or_else(error)?),
        };
        match rest.next() {
            None => Ok(Move { from, to, promotion }),
            Some(_) => Err(error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_text_is_quoted_in_the_error() {
        for text in ["", "e2", "e2e", "e2e9", "i2e4", "e7e8k", "e7e8Q", "e7e8qq", "é2e4", "e2-e4"]
        {
            let error = text.parse::<Move>().unwrap_err();
            assert_eq!(error, MoveError(text.into()));
            assert!(error.to_string().contains(text), "{error}");
        }
    }
}
