//! The attacker's knowledge: the own placement and the possible squares of the lone king.

use std::fmt;
use std::str::FromStr;

use krieg_core::{
    BitBoard, Color, Move, Piece, PieceSet, Square, excerpt, placement, short_reason,
};
use thiserror::Error;

use crate::attack_map::AttackMap;
use crate::endgame::MAX_NON_KING_PIECES;
use crate::placement::Placement;
use crate::symmetry::Symmetry;

/// The attacker's pieces and the set of squares on which the lone king may be, with the attacker to
/// move. The attacker may be of either colour.
///
/// ```
/// use krieg_tablebase::Metaposition;
/// let boyce: Metaposition = "kkkkkk2/7R/kkk5/8/4k3/2K1k3/4k3/3k4".parse()?;
/// assert_eq!(boyce.kings().len(), 13);
/// assert_eq!(boyce.placement().endgame().to_string(), "krk");
/// let error = "8/8/8/8/8/8/1k6/K6R".parse::<Metaposition>().unwrap_err();
/// assert!(error.to_string().contains("next to"));
/// # Ok::<(), krieg_tablebase::InvalidMetaposition>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Metaposition {
    attacker: Color,
    /// On the board oriented so that the attacker is White.
    placement: Placement,
    /// On the same board.
    kings: u64,
}

/// The text is not a valid metaposition.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{text:?}: {reason}")]
pub struct InvalidMetaposition {
    /// The text, shortened if it was very long.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Metaposition {
    /// A metaposition from the attacker's pieces and the possible squares of the lone king. The
    /// error says what is wrong.
    pub fn new(
        attacker: Color,
        pieces: &[(Square, Piece)],
        kings: BitBoard,
    ) -> Result<Metaposition, String> {
        let orientation = orientation(attacker);
        let oriented: Vec<(Square, Piece)> =
            pieces.iter().map(|&(square, piece)| (orientation.map_square(square), piece)).collect();
        let count = |wanted| pieces.iter().filter(|&&(_, piece)| piece == wanted).count();
        if count(Piece::King) != 1 {
            return Err("the attacker needs exactly one king".into());
        }
        if pieces.len() == 1 {
            return Err("the attacker has only a king and cannot win".into());
        }
        let placement = Placement::from_pieces(&oriented).ok_or_else(|| {
            if pieces.len() > MAX_NON_KING_PIECES + 1 {
                format!(
                    "the attacker has too many pieces: tables have at most {MAX_NON_KING_PIECES} \
                     besides the king"
                )
            } else {
                "the attacker has a pawn on the first or last rank, or two pieces on one square"
                    .to_string()
            }
        })?;
        let metaposition =
            Metaposition { attacker, placement, kings: orientation.map_set(kings.0) };
        metaposition.check()?;
        Ok(metaposition)
    }

    /// The metaposition of a player with these pieces, against a lone king on one of these squares.
    pub fn from_pieces(pieces: &PieceSet, kings: BitBoard) -> Result<Metaposition, String> {
        let list: Vec<(Square, Piece)> = pieces
            .all()
            .into_iter()
            .filter_map(|square| Some((square, pieces.piece_on(square)?)))
            .collect();
        Metaposition::new(pieces.color(), &list, kings)
    }

    /// The metaposition in which White has this placement and the lone king may be on every legal
    /// square: nothing is known of it.
    pub fn king_anywhere(placement: Placement) -> Metaposition {
        let kings = AttackMap::new(&placement).safe;
        Metaposition { attacker: Color::White, placement, kings }
    }

    fn check(&self) -> Result<(), String> {
        let map = AttackMap::new(&self.placement);
        let adjacent = cozy_chess::get_king_moves(self.placement.king()).0;
        let first = |set: u64| self.to_board(set).next_square();
        if self.kings == 0 {
            return Err("there is no square for the lone king".into());
        }
        if let Some(square) = first(self.kings & map.occupied) {
            return Err(format!(
                "the lone king cannot be on {square}, which is occupied by the attacker"
            ));
        }
        if let Some(square) = first(self.kings & adjacent) {
            return Err(format!("the lone king cannot be on {square}, next to the other king"));
        }
        if let Some(square) = first(self.kings & !map.safe) {
            return Err(format!(
                "the lone king cannot be on {square}: it would be in check with the attacker to \
                 move"
            ));
        }
        Ok(())
    }

    /// The attacker's colour.
    pub fn attacker(&self) -> Color {
        self.attacker
    }

    /// The placement of the attacker's pieces, oriented as if the attacker were White.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The possible squares of the lone king, oriented as if the attacker were White.
    pub fn kings_as_white(&self) -> u64 {
        self.kings
    }

    /// The possible squares of the lone king.
    pub fn kings(&self) -> BitBoard {
        self.to_board(self.kings)
    }

    /// The same placement with only those of these squares that are possible here.
    pub fn restricted_to(&self, kings: BitBoard) -> Metaposition {
        let oriented = orientation(self.attacker).map_set(kings.0);
        Metaposition { kings: self.kings & oriented, ..*self }
    }

    /// The attacker's piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let oriented = orientation(self.attacker).map_square(square);
        self.placement.pieces().find(|&(_, at)| at == oriented).map(|(piece, _)| piece)
    }

    /// The FEN letter of the attacker's piece on a square, or of the lone king if it may be there.
    pub fn letter(&self, square: Square) -> Option<char> {
        let cased = |piece: Piece, color: Color| match color {
            Color::White => char::from(piece).to_ascii_uppercase(),
            Color::Black => char::from(piece),
        };
        match self.piece_on(square) {
            Some(piece) => Some(cased(piece, self.attacker)),
            None => self.kings().has(square).then(|| cased(Piece::King, !self.attacker)),
        }
    }

    /// Converts squares from the board on which the attacker is White to the actual board.
    pub fn to_board(&self, squares: u64) -> BitBoard {
        BitBoard(orientation(self.attacker).unmap_set(squares))
    }

    /// Converts a move from the board on which the attacker is White to the actual board.
    pub fn move_to_board(&self, mv: Move) -> Move {
        let orientation = orientation(self.attacker);
        let (from, to) = (orientation.unmap_square(mv.from), orientation.unmap_square(mv.to));
        Move { from, to, ..mv }
    }
}

/// The symmetry that maps the actual board to one on which the attacker is White.
fn orientation(attacker: Color) -> Symmetry {
    match attacker {
        Color::White => Symmetry::IDENTITY,
        Color::Black => Symmetry::MIRROR_RANKS,
    }
}

impl FromStr for Metaposition {
    type Err = InvalidMetaposition;

    fn from_str(text: &str) -> Result<Self, InvalidMetaposition> {
        parse(text).map_err(|reason| InvalidMetaposition {
            text: excerpt(text),
            reason: short_reason(reason),
        })
    }
}

/// Reads a FEN. The side with more than a king is the attacker; the other has kings only.
fn parse(text: &str) -> Result<Metaposition, String> {
    let mut fields = text.split_whitespace();
    let board = fields.next().unwrap_or_default();
    let mut pieces: [Vec<(Square, Piece)>; 2] = [Vec::new(), Vec::new()];
    placement::read(board, |square, letter| {
        let piece = Piece::try_from(letter.to_ascii_lowercase())
            .map_err(|_| format!("{letter:?} is not a piece"))?;
        pieces[usize::from(letter.is_ascii_lowercase())].push((square, piece));
        Ok::<(), String>(())
    })?;
    let has_non_kings =
        |side: &[(Square, Piece)]| side.iter().any(|&(_, piece)| piece != Piece::King);
    let attacker = match (has_non_kings(&pieces[0]), has_non_kings(&pieces[1])) {
        (true, false) => Color::White,
        (false, true) => Color::Black,
        (true, true) => {
            return Err("both sides have pieces besides the king: tables need a lone king".into());
        }
        (false, false) => {
            return Err("neither side has a piece besides the king and can win".into());
        }
    };
    let to_move = if attacker == Color::White { "w" } else { "b" };
    if fields.next().is_some_and(|turn| turn != to_move) {
        return Err("it is not the attacker's turn: tables have the attacker to move".into());
    }
    let defender = &pieces[!attacker as usize];
    let kings: BitBoard = defender.iter().map(|&(square, _)| square).collect();
    Metaposition::new(attacker, &pieces[attacker as usize], kings)
}

impl fmt::Display for Metaposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&placement::write(|square| self.letter(square)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_metapositions_are_rejected_with_the_reason() {
        for (text, reason) in [
            ("", "has 1 ranks"),
            ("8/8/8/8/8/8/1k6/K6R", "b2, next to the other king"),
            ("k6R/8/8/8/8/8/8/K7", "a8: it would be in check"),
            ("8/8/8/8/8/8/8/K6R", "no square for the lone king"),
            ("k7/8/8/8/8/8/8/K7", "neither side has a piece"),
            ("k7/8/8/8/8/8/8/KK5R", "exactly one king"),
            ("k7/8/8/8/8/r7/8/K6R", "both sides"),
            ("k7/8/8/8/8/8/8/K3RRRR", "too many pieces"),
            ("k7/8/8/8/8/8/8/K6P", "on the first or last rank"),
            ("x7/8/8/8/8/8/8/K6R", "is not a piece"),
            ("k7/8/8/8/8/8/8/K6R b - - 0 1", "not the attacker's turn"),
        ] {
            let error = text.parse::<Metaposition>().unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn black_may_be_the_attacker() {
        let text = "7K/8/8/8/1KK5/8/r7/2k5";
        let black: Metaposition = text.parse().unwrap();
        assert_eq!(black.attacker(), Color::Black);
        assert_eq!(black.to_string(), text);
        let white: Metaposition = "2K5/R7/8/1kk5/8/8/8/7k".parse().unwrap();
        assert_eq!(black.placement(), white.placement());
        assert_eq!(black.kings_as_white(), white.kings().0);
        let mv = black.move_to_board("a7b7".parse().unwrap());
        assert_eq!(mv.to_string(), "a2b2");
    }
}
