//! FEN with several possible kings: the line format of endgame tablebases.
//!
//! One line of a Kriegspiel tablebase (Favini 2010, section 7.3.2) names the attacker's men, every square
//! where the lone enemy king may stand, the most moves to mate, and what to try, in order, until one
//! try is legal.

use std::fmt;
use std::str::FromStr;

use krieg_core::{BitBoard, Move, Piece, Promotion, Square, excerpt, placement, reason};
use thiserror::Error;

/// One line of a tablebase.
///
/// ```
/// use krieg_notation::KingsLine;
/// let text = "kkkkkk2/7R/kkk5/8/4k3/2K1k3/4k3/3k4 26 Kc3-d3 Kc3-d4 Rh7-h5";
/// let line: KingsLine = text.parse()?;
/// assert_eq!(line.kings().len(), 13);
/// assert_eq!(line.moves_to_mate, 26);
/// assert_eq!(line.tries[2].to_string(), "h7h5");
/// assert_eq!(line.to_string(), text);
/// # Ok::<(), krieg_notation::KingsError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KingsLine {
    men: Vec<(Square, Piece)>,
    kings: BitBoard,
    /// The most moves, not tries, that mate takes.
    pub moves_to_mate: u32,
    /// What to try, the next one if the one before is refused.
    pub tries: Vec<Move>,
}

/// The text is no line of a tablebase.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{line:?}: {reason}")]
pub struct KingsError {
    /// The text, shortened if it was very long.
    pub line: String,
    /// What is wrong with it.
    pub reason: String,
}

impl KingsLine {
    /// A line about these men of the attacker and these squares of the enemy king.
    pub fn new(
        men: Vec<(Square, Piece)>,
        kings: BitBoard,
        moves_to_mate: u32,
        tries: Vec<Move>,
    ) -> Self {
        KingsLine { men, kings, moves_to_mate, tries }
    }

    /// The attacker's men.
    pub fn men(&self) -> &[(Square, Piece)] {
        &self.men
    }

    /// The squares where the enemy king may stand.
    pub fn kings(&self) -> BitBoard {
        self.kings
    }

    fn man_on(&self, square: Square) -> Option<Piece> {
        self.men.iter().find(|(at, _)| *at == square).map(|&(_, piece)| piece)
    }
}

impl FromStr for KingsLine {
    type Err = KingsError;

    fn from_str(text: &str) -> Result<Self, KingsError> {
        read(text).map_err(|error| KingsError { line: excerpt(text), reason: reason(error) })
    }
}

fn read(text: &str) -> Result<KingsLine, String> {
    let mut fields = text.split(' ');
    let board = fields.next().unwrap_or("");
    let (men, kings) = read_board(board)?;
    if men.iter().filter(|(_, piece)| *piece == Piece::King).count() != 1 {
        return Err("the attacker needs exactly one king".into());
    }
    if kings.is_empty() {
        return Err("there is no enemy king".into());
    }
    let distance = fields.next().ok_or("the moves to mate are missing")?;
    let is_plain = distance.bytes().all(|byte| byte.is_ascii_digit()) && !distance.starts_with('0');
    let moves_to_mate = distance.parse().ok().filter(|_| is_plain);
    let moves_to_mate =
        moves_to_mate.ok_or_else(|| format!("{distance:?} is no number of moves"))?;
    let mut line = KingsLine { men, kings, moves_to_mate, tries: Vec::new() };
    for word in fields {
        let mv = read_try(word).ok_or_else(|| format!("{word:?} is no move like Kc3-d3"))?;
        match line.man_on(mv.1.from) {
            Some(piece) if piece == mv.0 => line.tries.push(mv.1),
            _ => return Err(format!("{word:?}: that man does not stand there")),
        }
    }
    Ok(line)
}

type Placed = (Vec<(Square, Piece)>, BitBoard);

fn read_board(board: &str) -> Result<Placed, String> {
    let mut men = Vec::new();
    let mut kings = BitBoard::EMPTY;
    placement::read(board, |square, letter| {
        match (letter, Piece::try_from(letter.to_ascii_lowercase())) {
            ('k', _) => kings |= square.bitboard(),
            ('A'..='Z', Ok(piece)) => men.push((square, piece)),
            _ => return Err(format!("{letter:?} is no man of this ending")),
        }
        Ok(())
    })?;
    Ok((men, kings))
}

/// `Kc3-d3`, `e7-e8=Q`.
fn read_try(word: &str) -> Option<(Piece, Move)> {
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

impl fmt::Display for KingsLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = placement::write(|square| match self.man_on(square) {
            Some(piece) => Some(char::from(piece).to_ascii_uppercase()),
            None => self.kings.has(square).then_some('k'),
        });
        write!(f, "{board}")?;
        write!(f, " {}", self.moves_to_mate)?;
        for mv in &self.tries {
            f.write_str(" ")?;
            match self.man_on(mv.from) {
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
    fn what_is_wrong_with_a_line_is_said() {
        for (text, reason) in [
            ("", "has 1 ranks"),
            ("8/8/8/8/8/8/8/K7 3", "no enemy king"),
            ("k7/8/8/8/8/8/8/8 3", "exactly one king"),
            ("k7/8/8/8/8/8/8/K7", "moves to mate are missing"),
            ("k7/8/8/8/8/8/8/K7 soon", "\"soon\" is no number"),
            ("k7/8/8/8/8/8/8/K7 +3", "\"+3\" is no number"),
            ("k7/8/8/8/8/8/8/K7 0", "\"0\" is no number"),
            ("k7/8/8/8/8/8/8/K7 3 Ka1a2", "\"Ka1a2\" is no move"),
            ("k7/8/8/8/8/8/8/K7 3 Rh1-h8", "does not stand there"),
            ("q7/8/8/8/8/8/8/K7 3", "'q' is no man of this ending"),
            ("k8/8/8/8/8/8/8/K7 3", "has 9 squares"),
        ] {
            let error = text.parse::<KingsLine>().unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
