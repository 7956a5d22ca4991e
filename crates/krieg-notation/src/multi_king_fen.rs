//! FEN with several possible kings: the line format of endgame tablebases.
//!
//! Source: Favini 2010, section 7.3.2. One line names the attacker's pieces, every square where the
//! lone king may be, the maximum number of moves to mate, and the tries in the order in which to
//! make them until one is accepted.

use std::fmt;
use std::str::FromStr;

use krieg_core::{BitBoard, Move, Piece, Promotion, Square, excerpt, placement, short_reason};
use thiserror::Error;

/// One entry of an endgame tablebase as a line of text.
///
/// ```
/// use krieg_notation::MultiKingFen;
/// let text = "kkkkkk2/7R/kkk5/8/4k3/2K1k3/4k3/3k4 26 Kc3-d3 Kc3-d4 Rh7-h5";
/// let entry: MultiKingFen = text.parse()?;
/// assert_eq!(entry.king_squares().len(), 13);
/// assert_eq!(entry.moves_to_mate, 26);
/// assert_eq!(entry.tries[2].to_string(), "h7h5");
/// assert_eq!(entry.to_string(), text);
/// # Ok::<(), krieg_notation::MultiKingFenError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MultiKingFen {
    pieces: Vec<(Square, Piece)>,
    king_squares: BitBoard,
    /// Maximum number of moves until mate; refused tries are not counted.
    pub moves_to_mate: u32,
    /// What to try; each is made if the one before is refused.
    pub tries: Vec<Move>,
}

/// The text is not an entry of a tablebase.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{line:?}: {reason}")]
pub struct MultiKingFenError {
    /// The text, shortened if it was very long.
    pub line: String,
    /// What is wrong with it.
    pub reason: String,
}

impl MultiKingFen {
    /// An entry for these pieces of the attacker and these possible squares of the lone king.
    pub fn new(
        pieces: Vec<(Square, Piece)>,
        king_squares: BitBoard,
        moves_to_mate: u32,
        tries: Vec<Move>,
    ) -> Self {
        MultiKingFen { pieces, king_squares, moves_to_mate, tries }
    }

    /// The attacker's pieces.
    pub fn pieces(&self) -> &[(Square, Piece)] {
        &self.pieces
    }

    /// The squares where the lone king may be.
    pub fn king_squares(&self) -> BitBoard {
        self.king_squares
    }

    fn piece_on(&self, square: Square) -> Option<Piece> {
        self.pieces.iter().find(|(at, _)| *at == square).map(|&(_, piece)| piece)
    }
}

impl FromStr for MultiKingFen {
    type Err = MultiKingFenError;

    fn from_str(text: &str) -> Result<Self, MultiKingFenError> {
        parse(text)
            .map_err(|error| MultiKingFenError { line: excerpt(text), reason: short_reason(error) })
    }
}

fn parse(text: &str) -> Result<MultiKingFen, String> {
    let mut fields = text.split(' ');
    let board = fields.next().unwrap_or("");
    let (pieces, king_squares) = parse_board(board)?;
    if pieces.iter().filter(|(_, piece)| *piece == Piece::King).count() != 1 {
        return Err("the attacker needs exactly one king".into());
    }
    if king_squares.is_empty() {
        return Err("there is no lone king".into());
    }
    let distance = fields.next().ok_or("the moves to mate are missing")?;
    let is_plain = distance.bytes().all(|byte| byte.is_ascii_digit()) && !distance.starts_with('0');
    let moves_to_mate = distance.parse().ok().filter(|_| is_plain);
    let moves_to_mate =
        moves_to_mate.ok_or_else(|| format!("{distance:?} is not a number of moves"))?;
    let mut entry = MultiKingFen { pieces, king_squares, moves_to_mate, tries: Vec::new() };
    for word in fields {
        let (piece, mv) =
            parse_try(word).ok_or_else(|| format!("{word:?} is not a move like Kc3-d3"))?;
        match entry.piece_on(mv.from) {
            Some(found) if found == piece => entry.tries.push(mv),
            _ => return Err(format!("{word:?}: that piece is not on that square")),
        }
    }
    Ok(entry)
}

type PiecesAndKings = (Vec<(Square, Piece)>, BitBoard);

fn parse_board(board: &str) -> Result<PiecesAndKings, String> {
    let mut pieces = Vec::new();
    let mut king_squares = BitBoard::EMPTY;
    placement::read(board, |square, letter| {
        match (letter, Piece::try_from(letter.to_ascii_lowercase())) {
            ('k', _) => king_squares |= square.bitboard(),
            ('A'..='Z', Ok(piece)) => pieces.push((square, piece)),
            _ => return Err(format!("{letter:?} is neither a piece of the attacker nor k")),
        }
        Ok(())
    })?;
    Ok((pieces, king_squares))
}

/// `Kc3-d3`, `e7-e8=Q`.
fn parse_try(word: &str) -> Option<(Piece, Move)> {
    let (piece, rest) = match word.chars().next()? {
        letter @ ('N' | 'B' | 'R' | 'Q' | 'K') => {
            (Piece::try_from(letter.to_ascii_lowercase()).ok()?, &word[1..])
        }
        _ => (Piece::Pawn, word),
    };
    let (from, rest) = rest.split_once('-')?;
    let (to, promotion) = match rest.split_once('=') {
        Some((to, letter)) => {
            let mut letters = letter.chars();
            let promotion = letters.next().filter(char::is_ascii_uppercase)?;
            if letters.next().is_some() {
                return None;
            }
            (to, Some(Promotion::from_letter(promotion.to_ascii_lowercase())?))
        }
        None => (rest, None),
    };
    Some((piece, Move { from: from.parse().ok()?, to: to.parse().ok()?, promotion }))
}

impl fmt::Display for MultiKingFen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = placement::write(|square| match self.piece_on(square) {
            Some(piece) => Some(char::from(piece).to_ascii_uppercase()),
            None => self.king_squares.has(square).then_some('k'),
        });
        write!(f, "{board}")?;
        write!(f, " {}", self.moves_to_mate)?;
        for mv in &self.tries {
            f.write_str(" ")?;
            match self.piece_on(mv.from) {
                Some(Piece::Pawn) | None => {}
                Some(piece) => write!(f, "{}", char::from(piece).to_ascii_uppercase())?,
            }
            write!(f, "{}-{}", mv.from, mv.to)?;
            if let Some(promotion) = mv.promotion {
                write!(f, "={}", promotion.letter().to_ascii_uppercase())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_what_is_wrong() {
        for (text, reason) in [
            ("", "has 1 ranks"),
            ("8/8/8/8/8/8/8/K7 3", "no lone king"),
            ("k7/8/8/8/8/8/8/8 3", "exactly one king"),
            ("k7/8/8/8/8/8/8/K7", "moves to mate are missing"),
            ("k7/8/8/8/8/8/8/K7 soon", "\"soon\" is not a number"),
            ("k7/8/8/8/8/8/8/K7 +3", "\"+3\" is not a number"),
            ("k7/8/8/8/8/8/8/K7 0", "\"0\" is not a number"),
            ("k7/8/8/8/8/8/8/K7 3 Ka1a2", "\"Ka1a2\" is not a move"),
            ("k7/8/8/8/8/8/8/K7 3 Rh1-h8", "is not on that square"),
            ("q7/8/8/8/8/8/8/K7 3", "'q' is neither a piece of the attacker nor k"),
            ("k8/8/8/8/8/8/8/K7 3", "has 9 squares"),
        ] {
            let error = text.parse::<MultiKingFen>().unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
