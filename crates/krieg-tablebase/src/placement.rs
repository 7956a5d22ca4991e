//! Placements of the attacker's pieces, and their canonical forms under symmetry.

use std::fmt;
use std::str::FromStr;

use krieg_core::{Piece, Square, excerpt};
use thiserror::Error;

use crate::endgame::{Endgame, MAX_NON_KING_PIECES};
use crate::symmetry::Symmetry;

/// The squares of the attacker's king and other pieces. The attacker is White here, so that pawns
/// move up the board.
///
/// ```
/// use krieg_tablebase::Placement;
/// let placement: Placement = "Kd4 Re4".parse()?;
/// assert_eq!(placement.endgame().to_string(), "krk");
/// assert_eq!("Ke5 Re4".parse::<Placement>()?.canonical().0, placement);
/// assert!("Kd4 Rd4".parse::<Placement>().is_err());
/// # Ok::<(), krieg_tablebase::InvalidPlacement>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement {
    endgame: Endgame,
    king: Square,
    /// The other pieces in the order of the endgame; equal pieces in the order of their squares.
    squares: [Square; MAX_NON_KING_PIECES],
}

impl Placement {
    /// A placement from the squares of the king and of the other pieces in the endgame's order.
    ///
    /// Returns `None` if two pieces are on one square or a pawn is on the first or last rank.
    pub fn new(endgame: Endgame, king: Square, squares: &[Square]) -> Option<Self> {
        if squares.len() != endgame.non_king_count() {
            return None;
        }
        let mut taken = king.bitboard();
        for (piece, &square) in endgame.non_king_pieces().zip(squares) {
            let is_invalid_pawn =
                piece == Piece::Pawn && (square as usize <= 7 || square as usize >= 56);
            if taken.has(square) || is_invalid_pawn {
                return None;
            }
            taken |= square.bitboard();
        }
        Some(Self::new_unchecked(endgame, king, squares))
    }

    /// Like [`Placement::new`], without the checks. Sorts equal pieces by square.
    fn new_unchecked(endgame: Endgame, king: Square, squares: &[Square]) -> Self {
        let mut all = [Square::A1; MAX_NON_KING_PIECES];
        all[..squares.len()].copy_from_slice(squares);
        let kinds: [Piece; MAX_NON_KING_PIECES] = {
            let mut kinds = [Piece::King; MAX_NON_KING_PIECES];
            for (slot, kind) in kinds.iter_mut().zip(endgame.non_king_pieces()) {
                *slot = kind;
            }
            kinds
        };
        // A bubble sort: there are at most three pieces.
        for _ in 1..squares.len() {
            for i in 1..squares.len() {
                if kinds[i - 1] == kinds[i] && all[i - 1] as u8 > all[i] as u8 {
                    all.swap(i - 1, i);
                }
            }
        }
        Placement { endgame, king, squares: all }
    }

    /// A placement from a list of pieces with exactly one king; `None` if it is not valid.
    pub fn from_pieces(pieces: &[(Square, Piece)]) -> Option<Self> {
        let mut kings = pieces.iter().filter(|(_, piece)| *piece == Piece::King);
        let (king, _) = kings.next()?;
        if kings.next().is_some() {
            return None;
        }
        let mut others: Vec<(Square, Piece)> =
            pieces.iter().copied().filter(|(_, piece)| *piece != Piece::King).collect();
        let endgame = Endgame::new(others.iter().map(|&(_, piece)| piece))?;
        let order: Vec<Piece> = endgame.non_king_pieces().collect();
        others.sort_by_key(|&(square, piece)| (order.iter().position(|&p| p == piece), square));
        let squares: Vec<Square> = others.iter().map(|&(square, _)| square).collect();
        Placement::new(endgame, *king, &squares)
    }

    /// The endgame that these pieces belong to.
    pub fn endgame(&self) -> Endgame {
        self.endgame
    }

    /// The square of the attacker's king.
    pub fn king(&self) -> Square {
        self.king
    }

    /// The pieces besides the king, with their squares.
    pub fn non_king_pieces(&self) -> impl ExactSizeIterator<Item = (Piece, Square)> + use<> {
        let this = *self;
        this.endgame.non_king_pieces().enumerate().map(move |(i, piece)| (piece, this.squares[i]))
    }

    /// All pieces with their squares, the king first.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + use<> {
        std::iter::once((Piece::King, self.king)).chain(self.non_king_pieces())
    }

    /// The set of occupied squares.
    pub fn occupied(&self) -> u64 {
        self.pieces().fold(0, |set, (_, square)| set | 1 << square as u64)
    }

    /// The placement after a king move.
    pub(crate) fn with_king_moved(&self, to: Square) -> Self {
        Placement { king: to, ..*self }
    }

    /// The placement after a move of the non-king piece with this index.
    pub(crate) fn with_piece_moved(&self, index: usize, to: Square) -> Self {
        let mut squares = self.squares;
        squares[index] = to;
        Self::new_unchecked(self.endgame, self.king, &squares[..self.endgame.non_king_count()])
    }

    /// The placement after the promotion of the pawn with this index.
    pub(crate) fn with_promotion(
        &self,
        index: usize,
        to: Square,
        promotion: Piece,
    ) -> Option<Self> {
        let pieces: Vec<(Square, Piece)> = std::iter::once((self.king, Piece::King))
            .chain(self.non_king_pieces().enumerate().map(|(i, (piece, square))| {
                if i == index { (to, promotion) } else { (square, piece) }
            }))
            .collect();
        Placement::from_pieces(&pieces)
    }

    /// The placement after the capture on this square; `None` if only the king is left.
    pub(crate) fn without(&self, captured: Square) -> Option<Self> {
        let pieces: Vec<(Square, Piece)> = self
            .pieces()
            .filter(|&(_, square)| square != captured)
            .map(|(piece, square)| (square, piece))
            .collect();
        Placement::from_pieces(&pieces)
    }

    /// The image of this placement under a symmetry.
    pub fn transformed(&self, symmetry: Symmetry) -> Self {
        let len = self.endgame.non_king_count();
        let mut squares = self.squares;
        for square in &mut squares[..len] {
            *square = symmetry.map_square(*square);
        }
        Self::new_unchecked(self.endgame, symmetry.map_square(self.king), &squares[..len])
    }

    /// The canonical one of all placements that are equivalent under symmetry, and the symmetry
    /// that maps this placement to it. Tables store canonical placements only.
    ///
    /// In a canonical placement the king is on one of the ten squares of the triangle a1–d1–d4. If
    /// it is on the diagonal a1–d4, the squares of the other pieces decide. With pawns, the king
    /// is on the files a to d.
    pub fn canonical(&self) -> (Placement, Symmetry) {
        let mut symmetry = Symmetry::IDENTITY;
        if self.king.file() as usize > 3 {
            symmetry = symmetry.then(Symmetry::MIRROR_FILES);
        }
        if self.endgame.has_pawns() {
            return (self.transformed(symmetry), symmetry);
        }
        if self.king.rank() as usize > 3 {
            symmetry = symmetry.then(Symmetry::MIRROR_RANKS);
        }
        let king = symmetry.map_square(self.king);
        let (file, rank) = (king.file() as usize, king.rank() as usize);
        if rank > file {
            symmetry = symmetry.then(Symmetry::TRANSPOSE);
        }
        let transformed = self.transformed(symmetry);
        if rank == file {
            let mirrored = transformed.transformed(Symmetry::TRANSPOSE);
            if mirrored.squares < transformed.squares {
                return (mirrored, symmetry.then(Symmetry::TRANSPOSE));
            }
        }
        (transformed, symmetry)
    }

    /// How many placements of the literature's count this canonical placement stands for: 2 if it
    /// differs from its mirror image across the diagonal a1–h8 and the king is on it, otherwise 1.
    ///
    /// The literature (Favini 2010, section 7.2) does not mirror further when the king is on the
    /// diagonal.
    pub fn multiplicity(&self) -> u64 {
        let is_on_diagonal = self.king.file() as usize == self.king.rank() as usize;
        let mirrored = self.transformed(Symmetry::TRANSPOSE);
        if !self.endgame.has_pawns() && is_on_diagonal && mirrored != *self { 2 } else { 1 }
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (piece, square)) in self.pieces().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{}{square}", char::from(piece).to_ascii_uppercase())?;
        }
        Ok(())
    }
}

/// The text is not a placement.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{0:?} is not a placement: name a king and one to three other pieces with their squares, as \
     in `Kd4 Re4` or `Ka1 Nb1 Pc2`"
)]
pub struct InvalidPlacement(pub String);

impl FromStr for Placement {
    type Err = InvalidPlacement;

    fn from_str(text: &str) -> Result<Self, InvalidPlacement> {
        let parse_piece = |word: &str| {
            let letter = word.chars().next()?;
            let square = word[letter.len_utf8()..].parse().ok()?;
            let piece = Piece::try_from(letter.to_ascii_lowercase()).ok()?;
            letter.is_ascii_uppercase().then_some((square, piece))
        };
        let pieces: Option<Vec<(Square, Piece)>> =
            text.split_whitespace().map(parse_piece).collect();
        pieces
            .and_then(|pieces| Placement::from_pieces(&pieces))
            .ok_or_else(|| InvalidPlacement(excerpt(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endgame(name: &str) -> Endgame {
        name.parse().unwrap()
    }

    #[test]
    fn placements_with_invalid_pawns_or_shared_squares_are_rejected() {
        let kpk = endgame("kpk");
        assert!(Placement::new(kpk, Square::A1, &[Square::A2]).is_some());
        assert!(Placement::new(kpk, Square::A1, &[Square::B1]).is_none());
        assert!(Placement::new(kpk, Square::A1, &[Square::B8]).is_none());
        assert!(Placement::new(endgame("krk"), Square::A1, &[Square::A1]).is_none());
    }
}
