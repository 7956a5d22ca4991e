//! Moves in standard algebraic notation (SAN), from the umpire's and from a player's point of view.
//!
//! Source: Favini 2010, appendix B: a move is interpreted with the knowledge of the party that
//! describes the game.
//!
//! The two differ in when a move is ambiguous. For the umpire it is ambiguous if several pieces
//! could legally make it. For a player it is ambiguous if several of the own pieces could make it
//! on a board without the opponent's pieces. A refused try was not a legal move of any piece, so it
//! is always written from the player's point of view. A try that is not sensible even there is
//! written in coordinates, such as `b1b5`.

use krieg_core::{
    BitBoard, File, Move, Piece, PieceSet, Position, Promotion, Rank, Square, Verdict, excerpt,
};
use thiserror::Error;

/// The text does not name a move in this position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SanError {
    /// It is not algebraic notation.
    #[error("{0:?} is not a move in algebraic notation")]
    Unreadable(String),
    /// No piece can make the move.
    #[error("no piece can play {0:?} here")]
    NoPiece(String),
    /// Several pieces can make the move.
    #[error("{0:?} is ambiguous: more than one piece can play it")]
    Ambiguous(String),
}

/// Writes a legal move from the umpire's point of view, with `+` or `#`.
///
/// ```
/// use krieg_core::Position;
/// use krieg_notation::san;
/// // The bishop on c1 blocks the other rook, so the umpire needs no disambiguation.
/// let position = Position::from_fen("3k4/8/8/8/8/8/4K3/R1b4R w - - 0 1")?;
/// assert_eq!(san::write_legal(&position, "h1d1".parse()?), "Rd1+");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_legal(position: &Position, mv: Move) -> String {
    let pieces = position.pieces(position.turn());
    let Some(piece) = pieces.piece_on(mv.from) else { return mv.to_string() };
    let rivals: BitBoard = position
        .legal_moves()
        .into_iter()
        .filter(|other| other.to == mv.to && pieces.pieces(piece).has(other.from))
        .map(|other| other.from)
        .collect();
    let is_capture =
        position.board().colors(!position.turn()).has(mv.to) || pieces.is_pawn_capture(mv);
    let mut after = position.clone();
    let suffix = match after.play(mv) {
        Ok(()) if after.checks().is_empty() => "",
        Ok(()) if after.can_move() => "+",
        Ok(()) => "#",
        Err(_) => "",
    };
    format!("{}{suffix}", write(piece, mv, rivals, is_capture))
}

/// Writes a try from its player's point of view, whether it was accepted or not.
///
/// ```
/// use krieg_core::{Color, Position};
/// use krieg_notation::san;
/// let pieces = Position::from_fen("3k4/8/8/8/8/8/4K3/R1b4R w - - 0 1")?.pieces(Color::White);
/// assert_eq!(san::write_try(&pieces, "a1d1".parse()?), "Rad1");
/// assert_eq!(san::write_try(&pieces, "a1b3".parse()?), "a1b3", "rooks do not move like that");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_try(pieces: &PieceSet, mv: Move) -> String {
    match pieces.piece_on(mv.from) {
        Some(piece) if pieces.tries().contains(mv) => {
            write(piece, mv, pieces.reaching(piece, mv.to), pieces.is_pawn_capture(mv))
        }
        _ => mv.to_string(),
    }
}

/// Writes a player's own accepted move, with the announced capture, check and mate.
///
/// ```
/// use krieg_core::{Color, Position, Ruleset, Umpire};
/// use krieg_notation::san;
/// let start = Position::from_fen("3k4/8/8/8/8/8/4K3/R1b4R w - - 0 1")?;
/// let pieces = start.pieces(Color::White);
/// let announcement = Umpire::new(Ruleset::ICC, start).judge("h1d1".parse()?)?;
/// assert_eq!(san::write_own(&pieces, "h1d1".parse()?, &announcement), "Rhd1+");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_own(pieces: &PieceSet, mv: Move, announcement: &krieg_core::Announcement) -> String {
    let Some(piece) = pieces.piece_on(mv.from) else { return mv.to_string() };
    let is_mate = announcement.end.is_some_and(|end| end.ending == krieg_core::Ending::Checkmate);
    let suffix = match (is_mate, announcement.checks.is_empty()) {
        (true, _) => "#",
        (false, false) => "+",
        (false, true) => "",
    };
    debug_assert_eq!(announcement.verdict, Verdict::Moved);
    let rivals = pieces.reaching(piece, mv.to);
    // A pawn's diagonal move is a capture even if the announcement does not say so.
    let is_capture = announcement.capture.is_some() || pieces.is_pawn_capture(mv);
    format!("{}{suffix}", write(piece, mv, rivals, is_capture))
}

/// Writes SAN without a suffix. `rivals` are all pieces of this type that could move to the same
/// square, including the one that moves.
fn write(piece: Piece, mv: Move, rivals: BitBoard, is_capture: bool) -> String {
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
            // The file if it is unambiguous, else the rank if it is, else both.
            if same_file.is_empty() || !same_rank.is_empty() {
                text.push(file_letter(mv.from));
            }
            if !same_file.is_empty() {
                text.push(rank_letter(mv.from));
            }
        }
    }
    if is_capture {
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

/// A SAN text taken apart, not yet matched with a piece.
struct ParsedSan {
    piece: Piece,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to: Square,
    promotion: Option<Promotion>,
}

impl ParsedSan {
    fn fits(&self, pieces: &PieceSet, mv: Move) -> bool {
        pieces.piece_on(mv.from) == Some(self.piece)
            && mv.to == self.to
            && mv.promotion == self.promotion
            && self.from_file.is_none_or(|file| mv.from.file() == file)
            && self.from_rank.is_none_or(|rank| mv.from.rank() == rank)
            // A pawn move without a file goes straight ahead.
            && (self.piece != Piece::Pawn
                || self.from_file.is_some()
                || mv.from.file() == mv.to.file())
            && (self.piece != Piece::King || !is_castling(mv))
    }
}

fn is_castling(mv: Move) -> bool {
    mv.from.file() == File::E && matches!(mv.to.file(), File::G | File::C)
}

/// Reads a legal move from the umpire's point of view.
///
/// ```
/// use krieg_core::Position;
/// use krieg_notation::san;
/// let mv = san::read_legal(&Position::start(), "Nf3")?;
/// assert_eq!(mv.to_string(), "g1f3");
/// # Ok::<(), krieg_notation::san::SanError>(())
/// ```
pub fn read_legal(position: &Position, text: &str) -> Result<Move, SanError> {
    let pieces = position.pieces(position.turn());
    pick(&pieces, text, position.legal_moves())
}

/// Reads a try from its player's point of view. Coordinates are accepted for any try.
pub fn read_try(pieces: &PieceSet, text: &str) -> Result<Move, SanError> {
    if let Ok(mv) = text.parse() {
        return Ok(mv);
    }
    pick(pieces, text, pieces.tries().iter().collect())
}

/// Reads a refused try in the umpire's record. If the text fits several pieces, those whose move
/// would have been legal are excluded.
pub fn read_refused(position: &Position, text: &str) -> Result<Move, SanError> {
    let pieces = position.pieces(position.turn());
    match read_try(&pieces, text) {
        Err(SanError::Ambiguous(_)) => {
            let illegal = pieces.tries().iter().filter(|&mv| !position.is_legal(mv)).collect();
            pick(&pieces, text, illegal)
        }
        read => read,
    }
}

fn pick(pieces: &PieceSet, text: &str, moves: Vec<Move>) -> Result<Move, SanError> {
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    let bare = bare.strip_suffix("e.p.").or(bare.strip_suffix("ep")).unwrap_or(bare);
    let castles_to = match bare.to_ascii_uppercase().as_str() {
        "O-O" | "0-0" => Some(File::G),
        "O-O-O" | "0-0-0" => Some(File::C),
        _ => None,
    };
    let parsed = match castles_to {
        Some(_) => None,
        None => Some(parse(bare).ok_or_else(|| SanError::Unreadable(excerpt(text)))?),
    };
    let mut fitting = moves.into_iter().filter(|&mv| match (&parsed, castles_to) {
        (Some(parsed), _) => parsed.fits(pieces, mv),
        (None, to) => {
            pieces.piece_on(mv.from) == Some(Piece::King)
                && is_castling(mv)
                && Some(mv.to.file()) == to
        }
    });
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(mv),
        (None, _) => Err(SanError::NoPiece(excerpt(text))),
        (Some(_), Some(_)) => Err(SanError::Ambiguous(excerpt(text))),
    }
}

/// Parses `Nf3`, `Rhd1`, `R1xd4`, `exd8=Q`, `e8Q` and the long form `Ng1-f3`.
fn parse(text: &str) -> Option<ParsedSan> {
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
    rest.is_empty().then_some(ParsedSan {
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
    fn ambiguity_follows_the_umpires_knowledge() {
        // Three queens can reach e5, and no black piece is in the way.
        let position = Position::from_fen("1k6/8/8/Q6Q/8/8/8/K3Q3 w - - 0 1").unwrap();
        for mv in ["a5e5", "h5e5", "e1e5"] {
            let mv: Move = mv.parse().unwrap();
            let text = write_legal(&position, mv);
            assert_eq!(read_legal(&position, &text), Ok(mv), "{text}");
        }
        assert_eq!(write_legal(&position, "e1e5".parse().unwrap()), "Qee5+");
        assert!(matches!(read_legal(&position, "Qe5"), Err(SanError::Ambiguous(_))));
        assert!(matches!(read_legal(&position, "Qb3"), Err(SanError::NoPiece(_))));
        assert!(matches!(read_legal(&position, "Zb3"), Err(SanError::Unreadable(_))));
    }

    #[test]
    fn suffixes_of_other_programs_are_ignored() {
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
                let pieces = position.pieces(color);
                for mv in pieces.tries().iter() {
                    let text = write_try(&pieces, mv);
                    assert_eq!(read_try(&pieces, &text), Ok(mv), "{text} of {color} in {fen}");
                }
            }
        }
    }
}
