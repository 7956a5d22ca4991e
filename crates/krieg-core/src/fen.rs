//! Reading a position from text, strictly: what cannot stand on a board is turned away here.

use cozy_chess::{
    BitBoard, Board, BoardBuilder, BoardBuilderError, Color, File, Piece, Rank, Square,
    get_king_moves,
};
use thiserror::Error;

use crate::placement;

/// The text is no position of chess.
///
/// ```
/// use krieg_core::Position;
/// let error = Position::from_fen("8/8/8/8/8/8/8/4K3 w - - 0 1").unwrap_err();
/// assert!(error.to_string().contains("Black has 0 kings"), "{error}");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("FEN {fen:?}: {reason}")]
pub struct FenError {
    /// The text, shortened if it was very long.
    pub fen: String,
    /// What is wrong with it.
    pub reason: String,
}

pub(crate) fn read(fen: &str) -> Result<Board, FenError> {
    read_fields(fen)
        .map_err(|error| FenError { fen: crate::excerpt(fen), reason: crate::reason(error) })
}

fn read_fields(fen: &str) -> Result<Board, String> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let [men, turn, castling, en_passant, halfmoves, number] = fields[..] else {
        return Err(format!("has {} fields, not six", fields.len()));
    };
    let mut builder = BoardBuilder::empty();
    place_men(men, &mut builder)?;
    builder.side_to_move = match turn {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err(format!("{turn:?} is neither w nor b")),
    };
    check_men(&builder)?;
    grant_castling(castling, &mut builder)?;
    if en_passant != "-" {
        let square = en_passant.parse().map_err(|_| format!("{en_passant:?} is no square"))?;
        builder.en_passant = Some(square);
    }
    // The board counts to a hundred and stops: past fifty moves nothing depends on the clock.
    builder.halfmove_clock = match halfmoves.parse::<u16>() {
        Ok(clock) if is_plain_number(halfmoves) => clock.min(100) as u8,
        _ => return Err(format!("half-move clock {halfmoves:?} is not a number")),
    };
    builder.fullmove_number = match number.parse() {
        Ok(parsed @ 1..) if is_plain_number(number) => parsed,
        _ => return Err(format!("move number {number:?} is not a number from 1 to 65535")),
    };
    let board = builder.build().map_err(|error| match error {
        // The men were checked above, so only this is left.
        BoardBuilderError::InvalidBoard => {
            format!(
                "{} is in check, and it is not its turn",
                crate::color_name(!builder.side_to_move)
            )
        }
        BoardBuilderError::InvalidEnPassant => {
            format!("no pawn can just have passed the square {en_passant}")
        }
        other => other.to_string(),
    })?;
    match board.checkers().len() {
        0..=2 => Ok(board),
        checkers => Err(format!("the king is in check from {checkers} men at once")),
    }
}

fn is_plain_number(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

fn place_men(men: &str, builder: &mut BoardBuilder) -> Result<(), String> {
    placement::read(men, |square, letter| {
        let piece = Piece::try_from(letter.to_ascii_lowercase())
            .map_err(|_| format!("{letter:?} is no man"))?;
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        *builder.square_mut(square) = Some((piece, color));
        Ok(())
    })
}

/// What the chess library would reject without saying why, and the one thing it would let in:
/// kings side by side, of which it would let one take the other.
fn check_men(builder: &BoardBuilder) -> Result<(), String> {
    let squares = |color, piece| -> BitBoard {
        Square::ALL.into_iter().filter(|&s| builder.square(s) == Some((piece, color))).collect()
    };
    for color in Color::ALL {
        let name = crate::color_name(color);
        let kings = squares(color, Piece::King);
        if kings.len() != 1 {
            return Err(format!("{name} has {} kings", kings.len()));
        }
        let pawns = squares(color, Piece::Pawn);
        if pawns.len() > 8 {
            return Err(format!("{name} has {} pawns", pawns.len()));
        }
        if !(pawns & (Rank::First.bitboard() | Rank::Eighth.bitboard())).is_empty() {
            return Err(format!("{name} has a pawn on the first or the last rank"));
        }
        let men: u32 = Piece::ALL.into_iter().map(|piece| squares(color, piece).len()).sum();
        if men > 16 {
            return Err(format!("{name} has {men} men"));
        }
    }
    let black_king = squares(Color::Black, Piece::King);
    for white_king in squares(Color::White, Piece::King) {
        if !get_king_moves(white_king).is_disjoint(black_king) {
            return Err("the kings stand side by side".into());
        }
    }
    Ok(())
}

fn grant_castling(text: &str, builder: &mut BoardBuilder) -> Result<(), String> {
    if text == "-" {
        return Ok(());
    }
    let mut rest = text;
    for (letter, color, rook) in [
        ('K', Color::White, File::H),
        ('Q', Color::White, File::A),
        ('k', Color::Black, File::H),
        ('q', Color::Black, File::A),
    ] {
        let Some(after) = rest.strip_prefix(letter) else { continue };
        rest = after;
        let home = Rank::First.relative_to(color);
        let stands = |file, piece| builder.square(Square::new(file, home)) == Some((piece, color));
        // The chess library knows Chess960 and would allow a king elsewhere on the rank.
        if !stands(File::E, Piece::King) || !stands(rook, Piece::Rook) {
            return Err(format!("castling {letter}: king and rook are not at home"));
        }
        let rights = builder.castle_rights_mut(color);
        if rook == File::H {
            rights.short = Some(rook);
        } else {
            rights.long = Some(rook);
        }
    }
    if rest.is_empty() && !text.is_empty() {
        Ok(())
    } else {
        Err(format!("castling {text:?} is not a choice of KQkq in that order, nor -"))
    }
}
