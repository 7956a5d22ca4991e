//! What the attacker knows: where his men stand, and where the lone king may be.

use std::fmt;
use std::str::FromStr;

use krieg_core::{
    BitBoard, Color, Move, Piece, PieceSet, Square, excerpt, placement, short_reason,
};
use thiserror::Error;

use crate::disposition::Disposition;
use crate::ground::Ground;
use crate::symmetry::Symmetry;

/// The attacker's men, of either colour, and the squares on which the lone king may be, with the attacker to move.
///
/// ```
/// use krieg_tablebase::Metaposition;
/// let boyce: Metaposition = "kkkkkk2/7R/kkk5/8/4k3/2K1k3/4k3/3k4".parse()?;
/// assert_eq!(boyce.kings().len(), 13);
/// assert_eq!(boyce.disposition().endgame().to_string(), "krk");
/// let error = "8/8/8/8/8/8/1k6/K6R".parse::<Metaposition>().unwrap_err();
/// assert!(error.to_string().contains("beside"));
/// # Ok::<(), krieg_tablebase::ImpossibleMetaposition>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Metaposition {
    attacker: Color,
    /// As if the attacker were White.
    disposition: Disposition,
    /// On that board.
    kings: u64,
}

/// No metaposition, and why.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{text:?}: {why}")]
pub struct ImpossibleMetaposition {
    /// The text, shortened if it was very long.
    pub text: String,
    /// What is wrong with it.
    pub why: String,
}

impl Metaposition {
    /// These men of the attacker, and these squares of the lone king. The words say why they cannot be.
    pub fn new(
        attacker: Color,
        men: &[(Square, Piece)],
        kings: BitBoard,
    ) -> Result<Metaposition, String> {
        let way = orientation(attacker);
        let turned: Vec<(Square, Piece)> =
            men.iter().map(|&(square, piece)| (way.square(square), piece)).collect();
        let count = |wanted| men.iter().filter(|&&(_, piece)| piece == wanted).count();
        if count(Piece::King) != 1 {
            return Err("the attacker needs exactly one king".into());
        }
        if men.len() == 1 {
            return Err("the attacker has nobody but his king: nothing is won".into());
        }
        let disposition = Disposition::from_men(&turned).ok_or_else(|| {
            if men.len() > crate::MOST_HELPERS + 1 {
                "the attacker has more men than there are tables for".to_string()
            } else {
                "the attacker's men cannot stand like that".to_string()
            }
        })?;
        let metaposition = Metaposition { attacker, disposition, kings: way.squares(kings.0) };
        metaposition.check()?;
        Ok(metaposition)
    }

    /// What a player knows who has these men, when the other has only a king left.
    pub fn of_men(men: &PieceSet, kings: BitBoard) -> Result<Metaposition, String> {
        let list: Vec<(Square, Piece)> = men
            .all()
            .into_iter()
            .filter_map(|square| Some((square, men.piece_on(square)?)))
            .collect();
        Metaposition::new(men.color(), &list, kings)
    }

    /// This disposition of White's, with every king that may be there.
    pub fn knowing_nothing(disposition: Disposition) -> Metaposition {
        let kings = Ground::new(&disposition).legal;
        Metaposition { attacker: Color::White, disposition, kings }
    }

    fn check(&self) -> Result<(), String> {
        let ground = Ground::new(&self.disposition);
        let beside = cozy_chess::get_king_moves(self.disposition.king()).0;
        let way = orientation(self.attacker);
        let first = |set: u64| BitBoard(way.undo_squares(set)).next_square();
        if self.kings == 0 {
            return Err("there is no square for the lone king".into());
        }
        if let Some(square) = first(self.kings & ground.occupied) {
            return Err(format!("the lone king cannot be on {square}: a man of the attacker is"));
        }
        if let Some(square) = first(self.kings & beside) {
            return Err(format!("the lone king cannot be on {square}, beside the other king"));
        }
        if let Some(square) = first(self.kings & !ground.legal) {
            return Err(format!(
                "the lone king cannot be on {square}: he would be in check, and it is not his turn"
            ));
        }
        Ok(())
    }

    /// Whose men the attacker's are.
    pub fn attacker(&self) -> Color {
        self.attacker
    }

    /// Where the attacker's men stand, as if he were White.
    pub fn disposition(&self) -> &Disposition {
        &self.disposition
    }

    /// The squares of the lone king on the board as if the attacker were White.
    pub fn kings_for_white(&self) -> u64 {
        self.kings
    }

    /// The squares on which the lone king may be.
    pub fn kings(&self) -> BitBoard {
        BitBoard(orientation(self.attacker).undo_squares(self.kings))
    }

    /// The same men, and other squares of the lone king, among those there are.
    pub fn with_kings(&self, kings: BitBoard) -> Metaposition {
        let turned = orientation(self.attacker).squares(kings.0);
        Metaposition { kings: self.kings & turned, ..*self }
    }

    /// The attacker's man on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let turned = orientation(self.attacker).square(square);
        self.disposition.men().find(|&(_, at)| at == turned).map(|(piece, _)| piece)
    }

    /// What stands on a square, or may stand there, by its letter in a FEN.
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

    /// Squares of the board as if the attacker were White, on the real one.
    pub fn on_board(&self, squares: u64) -> BitBoard {
        BitBoard(orientation(self.attacker).undo_squares(squares))
    }

    /// A move on the board as if the attacker were White, on the real one.
    pub fn move_on_board(&self, mv: Move) -> Move {
        let way = orientation(self.attacker);
        Move { from: way.undo_square(mv.from), to: way.undo_square(mv.to), ..mv }
    }
}

fn orientation(attacker: Color) -> Symmetry {
    match attacker {
        Color::White => Symmetry::NONE,
        Color::Black => Symmetry::UP_DOWN,
    }
}

impl FromStr for Metaposition {
    type Err = ImpossibleMetaposition;

    fn from_str(text: &str) -> Result<Self, ImpossibleMetaposition> {
        read(text)
            .map_err(|why| ImpossibleMetaposition { text: excerpt(text), why: short_reason(why) })
    }
}

/// The side with helpers is the attacker; the other has kings only.
fn read(text: &str) -> Result<Metaposition, String> {
    let mut fields = text.split_whitespace();
    let board = fields.next().unwrap_or_default();
    let mut men: [Vec<(Square, Piece)>; 2] = [Vec::new(), Vec::new()];
    placement::read(board, |square, letter| {
        let piece = Piece::try_from(letter.to_ascii_lowercase())
            .map_err(|_| format!("{letter:?} is no man"))?;
        men[usize::from(letter.is_ascii_lowercase())].push((square, piece));
        Ok::<(), String>(())
    })?;
    let has_helpers =
        |side: &[(Square, Piece)]| side.iter().any(|&(_, piece)| piece != Piece::King);
    let attacker = match (has_helpers(&men[0]), has_helpers(&men[1])) {
        (true, false) => Color::White,
        (false, true) => Color::Black,
        (true, true) => return Err("both sides have men beside the king: there is no table".into()),
        (false, false) => return Err("nobody has a man beside the king: nothing is won".into()),
    };
    let to_move = if attacker == Color::White { "w" } else { "b" };
    if fields.next().is_some_and(|turn| turn != to_move) {
        return Err("it is not the attacker's turn: tables are about his moves".into());
    }
    let lone = &men[!attacker as usize];
    let kings: BitBoard = lone.iter().map(|&(square, _)| square).collect();
    Metaposition::new(attacker, &men[attacker as usize], kings)
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
    fn what_cannot_be_is_refused_and_the_reason_said() {
        for (text, why) in [
            ("", "has 1 ranks"),
            ("8/8/8/8/8/8/1k6/K6R", "b2, beside the other king"),
            ("k6R/8/8/8/8/8/8/K7", "a8: he would be in check"),
            ("8/8/8/8/8/8/8/K6R", "no square for the lone king"),
            ("k7/8/8/8/8/8/8/K7", "nobody has a man"),
            ("k7/8/8/8/8/8/8/KK5R", "exactly one king"),
            ("k7/8/8/8/8/r7/8/K6R", "both sides"),
            ("k7/8/8/8/8/8/8/K3RRRR", "more men than there are tables for"),
            ("k7/8/8/8/8/8/8/K6P", "cannot stand like that"),
            ("x7/8/8/8/8/8/8/K6R", "is no man"),
            ("k7/8/8/8/8/8/8/K6R b - - 0 1", "not the attacker's turn"),
        ] {
            let error = text.parse::<Metaposition>().unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn black_may_be_the_attacker() {
        let text = "7K/8/8/8/1KK5/8/r7/2k5";
        let black: Metaposition = text.parse().unwrap();
        assert_eq!(black.attacker(), Color::Black);
        assert_eq!(black.to_string(), text);
        let white: Metaposition = "2K5/R7/8/1kk5/8/8/8/7k".parse().unwrap();
        assert_eq!(black.disposition(), white.disposition());
        assert_eq!(black.kings_for_white(), white.kings().0);
        let mv = black.move_on_board("a7b7".parse().unwrap());
        assert_eq!(mv.to_string(), "a2b2");
    }
}
