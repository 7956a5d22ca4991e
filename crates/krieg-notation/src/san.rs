//! Moves in algebraic notation, as the umpire and as a player write them.
//!
//! The two differ in one thing. A move is ambiguous if more than one man could have made it, and
//! the umpire knows who could, while a player only knows what his men could do on a board with
//! nobody else on it (000, appendix B: moves are interpreted with the knowledge of the party
//! describing the game). A refused try was no legal move of any man, so for it the player's way is
//! the only one. What makes no sense even to the player is written in coordinates, `b1b5`.

use krieg_core::{
    BitBoard, File, Men, Move, Piece, Position, Promotion, Rank, Square, Verdict, excerpt,
};
use thiserror::Error;

/// A text in algebraic notation names no move here.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SanError {
    /// It is not algebraic notation.
    #[error("{0:?} is no move in algebraic notation")]
    Unreadable(String),
    /// No man here can do that.
    #[error("no man can play {0:?} here")]
    NoMan(String),
    /// Several men here can do that.
    #[error("{0:?} could be the move of more than one man")]
    Ambiguous(String),
}

/// Writes a legal move as the umpire would, with `+` or `#`.
///
/// ```
/// use krieg_core::Position;
/// use krieg_notation::san;
/// // The bishop on c1 leaves d1 to one rook only, and the umpire sees it.
/// let position = Position::from_fen("3k4/8/8/8/8/8/4K3/R1b4R w - - 0 1")?;
/// assert_eq!(san::write_legal(&position, "h1d1".parse()?), "Rd1+");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_legal(position: &Position, mv: Move) -> String {
    let men = position.men(position.turn());
    let Some(piece) = men.on(mv.from) else { return mv.to_string() };
    let rivals: BitBoard = position
        .legal_moves()
        .into_iter()
        .filter(|other| other.to == mv.to && men.pieces(piece).has(other.from))
        .map(|other| other.from)
        .collect();
    let takes = position.board().colors(!position.turn()).has(mv.to) || men.is_pawn_capture(mv);
    let mut after = position.clone();
    let suffix = match after.play(mv) {
        Ok(()) if after.checks().is_empty() => "",
        Ok(()) if after.can_move() => "+",
        Ok(()) => "#",
        Err(_) => "",
    };
    format!("{}{suffix}", write(piece, mv, rivals, takes))
}

/// Writes a try as its player would, whether it came to anything or not.
///
/// ```
/// use krieg_core::{Color, Position};
/// use krieg_notation::san;
/// let men = Position::from_fen("3k4/8/8/8/8/8/4K3/R1b4R w - - 0 1")?.men(Color::White);
/// assert_eq!(san::write_try(&men, "a1d1".parse()?), "Rad1");
/// assert_eq!(san::write_try(&men, "a1b3".parse()?), "a1b3", "not a move of a rook");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_try(men: &Men, mv: Move) -> String {
    match men.on(mv.from) {
        Some(piece) if men.tries().contains(mv) => {
            write(piece, mv, men.reaching(piece, mv.to), men.is_pawn_capture(mv))
        }
        _ => mv.to_string(),
    }
}

/// Writes a player's own move that stood, with what he heard of captures, check and mate.
///
/// ```
/// use krieg_core::{Color, Position, Ruleset, Umpire};
/// use krieg_notation::san;
/// let start = Position::from_fen("3k4/8/8/8/8/8/4K3/R1b4R w - - 0 1")?;
/// let men = start.men(Color::White);
/// let said = Umpire::new(Ruleset::ICC, start).judge("h1d1".parse()?)?;
/// assert_eq!(san::write_own(&men, "h1d1".parse()?, &said), "Rhd1+");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_own(men: &Men, mv: Move, said: &krieg_core::Announcement) -> String {
    let Some(piece) = men.on(mv.from) else { return mv.to_string() };
    let mated = said.end.is_some_and(|end| end.ending == krieg_core::Ending::Checkmate);
    let suffix = match (mated, said.checks.is_empty()) {
        (true, _) => "#",
        (false, false) => "+",
        (false, true) => "",
    };
    debug_assert_eq!(said.verdict, Verdict::Moved);
    let rivals = men.reaching(piece, mv.to);
    // A player who was not told of the capture still knows what his pawn did.
    let takes = said.capture.is_some() || men.is_pawn_capture(mv);
    format!("{}{suffix}", write(piece, mv, rivals, takes))
}

/// The notation itself. `rivals` are all the men of this kind that could have gone there.
fn write(piece: Piece, mv: Move, rivals: BitBoard, takes: bool) -> String {
    if piece == Piece::King && mv.from.file() == File::E {
        match mv.to.file() {
            File::G => return "O-O".into(),
            File::C => return "O-O-O".into(),
            _ => {}
        }
    }
    let mut text = String::new();
    if piece == Piece::Pawn {
        if mv.from.file() != mv.to.file() {
            text.push(file_letter(mv.from));
        }
    } else {
        text.push(char::from(piece).to_ascii_uppercase());
        let others = rivals & !mv.from.bitboard();
        let same_file = others & mv.from.file().bitboard();
        let same_rank = others & mv.from.rank().bitboard();
        if !others.is_empty() {
            // The file if that settles it, else the rank if that does, else both.
            if same_file.is_empty() || !same_rank.is_empty() {
                text.push(file_letter(mv.from));
            }
            if !same_file.is_empty() {
                text.push(rank_letter(mv.from));
            }
        }
    }
    if takes {
        text.push('x');
    }
    text.push_str(&mv.to.to_string());
    if let Some(promotion) = mv.promotion {
        text.push('=');
        text.push(promotion.letter().to_ascii_uppercase());
    }
    text
}

fn file_letter(square: Square) -> char {
    char::from(square.file())
}

fn rank_letter(square: Square) -> char {
    char::from(square.rank())
}

/// What a text in algebraic notation says, before anybody asks which man it was.
struct Spoken {
    piece: Piece,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to: Square,
    promotion: Option<Promotion>,
}

impl Spoken {
    fn fits(&self, men: &Men, mv: Move) -> bool {
        men.on(mv.from) == Some(self.piece)
            && mv.to == self.to
            && mv.promotion == self.promotion
            && self.from_file.is_none_or(|file| mv.from.file() == file)
            && self.from_rank.is_none_or(|rank| mv.from.rank() == rank)
            // Without a file, a pawn's move is one straight ahead.
            && (self.piece != Piece::Pawn
                || self.from_file.is_some()
                || mv.from.file() == mv.to.file())
            && (self.piece != Piece::King || !is_castling(mv))
    }
}

fn is_castling(mv: Move) -> bool {
    mv.from.file() == File::E && matches!(mv.to.file(), File::G | File::C)
}

/// Reads a legal move as the umpire understands it.
///
/// ```
/// use krieg_core::Position;
/// use krieg_notation::san;
/// let mv = san::read_legal(&Position::start(), "Nf3")?;
/// assert_eq!(mv.to_string(), "g1f3");
/// # Ok::<(), krieg_notation::san::SanError>(())
/// ```
pub fn read_legal(position: &Position, text: &str) -> Result<Move, SanError> {
    let men = position.men(position.turn());
    pick(&men, text, position.legal_moves())
}

/// Reads a try as its player understands it. Coordinates are taken as they are.
pub fn read_try(men: &Men, text: &str) -> Result<Move, SanError> {
    if let Ok(mv) = text.parse() {
        return Ok(mv);
    }
    pick(men, text, men.tries().iter().collect())
}

/// Reads a refused try in a record of the umpire: where the text fits several men, the ones
/// whose move would have been legal are out.
pub fn read_refused(position: &Position, text: &str) -> Result<Move, SanError> {
    let men = position.men(position.turn());
    match read_try(&men, text) {
        Err(SanError::Ambiguous(_)) => {
            let illegal = men.tries().iter().filter(|&mv| !position.is_legal(mv)).collect();
            pick(&men, text, illegal)
        }
        read => read,
    }
}

fn pick(men: &Men, text: &str, moves: Vec<Move>) -> Result<Move, SanError> {
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    let bare = bare.strip_suffix("e.p.").or(bare.strip_suffix("ep")).unwrap_or(bare);
    let castles_to = match bare.to_ascii_uppercase().as_str() {
        "O-O" | "0-0" => Some(File::G),
        "O-O-O" | "0-0-0" => Some(File::C),
        _ => None,
    };
    let spoken = match castles_to {
        Some(_) => None,
        None => Some(parse(bare).ok_or_else(|| SanError::Unreadable(excerpt(text)))?),
    };
    let mut fitting = moves.into_iter().filter(|&mv| match (&spoken, castles_to) {
        (Some(spoken), _) => spoken.fits(men, mv),
        (None, to) => {
            men.on(mv.from) == Some(Piece::King) && is_castling(mv) && Some(mv.to.file()) == to
        }
    });
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(mv),
        (None, _) => Err(SanError::NoMan(excerpt(text))),
        (Some(_), Some(_)) => Err(SanError::Ambiguous(excerpt(text))),
    }
}

/// Reads `Nf3`, `Rhd1`, `R1xd4`, `exd8=Q`, `e8Q` and, for courtesy, `Ng1-f3`.
fn parse(text: &str) -> Option<Spoken> {
    let mut rest: Vec<char> = text.chars().collect();
    let piece = match rest.first()? {
        'N' | 'B' | 'R' | 'Q' | 'K' => Piece::try_from(rest.remove(0).to_ascii_lowercase()).ok()?,
        'P' => {
            rest.remove(0);
            Piece::Pawn
        }
        _ => Piece::Pawn,
    };
    let mut promotion = None;
    if let Some(&letter @ ('N' | 'B' | 'R' | 'Q')) = rest.last() {
        promotion = Promotion::from_letter(letter.to_ascii_lowercase());
        rest.pop();
        if rest.last() == Some(&'=') {
            rest.pop();
        }
    }
    let rank = Rank::try_from(rest.pop()?).ok()?;
    let file = File::try_from(rest.pop()?).ok()?;
    if matches!(rest.last(), Some('x' | '-')) {
        rest.pop();
    }
    let from_rank = rest.last().and_then(|&c| Rank::try_from(c).ok());
    if from_rank.is_some() {
        rest.pop();
    }
    let from_file = rest.last().and_then(|&c| File::try_from(c).ok());
    if from_file.is_some() {
        rest.pop();
    }
    rest.is_empty().then_some(Spoken {
        piece,
        from_file,
        from_rank,
        to: Square::new(file, rank),
        promotion,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::Color;

    #[test]
    fn a_move_is_as_ambiguous_as_its_teller_is_blind() {
        // Three queens may go to e5; the umpire knows of no black man in the way either.
        let position = Position::from_fen("1k6/8/8/Q6Q/8/8/8/K3Q3 w - - 0 1").unwrap();
        for mv in ["a5e5", "h5e5", "e1e5"] {
            let mv: Move = mv.parse().unwrap();
            let text = write_legal(&position, mv);
            assert_eq!(read_legal(&position, &text), Ok(mv), "{text}");
        }
        assert_eq!(write_legal(&position, "e1e5".parse().unwrap()), "Qee5+");
        assert!(matches!(read_legal(&position, "Qe5"), Err(SanError::Ambiguous(_))));
        assert!(matches!(read_legal(&position, "Qb3"), Err(SanError::NoMan(_))));
        assert!(matches!(read_legal(&position, "Zb3"), Err(SanError::Unreadable(_))));
    }

    #[test]
    fn what_other_programs_hang_on_a_move_is_taken_off() {
        let position = Position::from_fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1").unwrap();
        for (text, mv) in [
            ("exd6e.p.", "e5d6"),
            ("e5xd6", "e5d6"),
            ("Pexd6!?", "e5d6"),
            ("0-0", "e1g1"),
            ("O-O-O!", "e1c1"),
            ("o-o", "e1g1"),
            ("exd6ep", "e5d6"),
            ("Rxa8+", "a1a8"),
            ("Ra1-a8", "a1a8"),
        ] {
            assert_eq!(read_legal(&position, text), Ok(mv.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn every_legal_move_and_every_try_reads_back() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        ];
        for fen in fens {
            let position = Position::from_fen(fen).unwrap();
            for mv in position.legal_moves() {
                let text = write_legal(&position, mv);
                assert_eq!(read_legal(&position, &text), Ok(mv), "{text} in {fen}");
            }
            for color in [Color::White, Color::Black] {
                let men = position.men(color);
                for mv in men.tries().iter() {
                    let text = write_try(&men, mv);
                    assert_eq!(read_try(&men, &text), Ok(mv), "{text} of {color} in {fen}");
                }
            }
        }
    }
}
