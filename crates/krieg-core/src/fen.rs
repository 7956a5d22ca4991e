//! Reads FEN strictly: only positions that can be played on are accepted.

use cozy_chess::{
    BitBoard, Board, BoardBuilder, BoardBuilderError, Color, File, Piece, Rank, Square,
    get_king_moves,
};
use thiserror::Error;

use crate::placement;

/// The text is not a valid FEN of a chess position.
///
/// ```
/// use krieg_core::Position;
/// let error = Position::from_fen("8/8/8/8/8/8/8/4K3 w - - 0 1").unwrap_err();
/// assert!(error.to_string().contains("Black has 0 kings"), "{error}");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("FEN {fen:?}: {reason}")]
pub struct FenError {
    /// The text, shortened if it is very long.
    pub fen: String,
    /// The reason it is rejected.
    pub reason: String,
}

pub(crate) fn read(fen: &str) -> Result<Board, FenError> {
    read_fields(fen)
        .map_err(|error| FenError { fen: crate::excerpt(fen), reason: crate::short_reason(error) })
}

fn read_fields(fen: &str) -> Result<Board, String> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let [pieces, turn, castling, en_passant, halfmoves, number] = fields[..] else {
        return Err(format!("has {} fields, not six", fields.len()));
    };
    let mut builder = BoardBuilder::empty();
    place_pieces(pieces, &mut builder)?;
    builder.side_to_move = match turn {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err(format!("{turn:?} is neither w nor b")),
    };
    check_pieces(&builder)?;
    grant_castling(castling, &mut builder)?;
    if en_passant != "-" {
        let square = en_passant.parse().map_err(|_| format!("{en_passant:?} is not a square"))?;
        builder.en_passant = Some(square);
    }
    // The half-move clock saturates at 100 plies: beyond fifty moves it has no effect.
    builder.halfmove_clock = match halfmoves.parse::<u16>() {
        Ok(clock) if is_plain_number(halfmoves) => clock.min(100) as u8,
        _ => return Err(format!("half-move clock {halfmoves:?} is not a number")),
    };
    builder.fullmove_number = match number.parse() {
        Ok(parsed @ 1..) if is_plain_number(number) => parsed,
        _ => return Err(format!("move number {number:?} is not a number from 1 to 65535")),
    };
    let board = builder.build().map_err(|error| match error {
        // `check_pieces` has excluded every other reason for an invalid board.
        BoardBuilderError::InvalidBoard => {
            format!("{} is in check, but is not to move", crate::color_name(!builder.side_to_move))
        }
        BoardBuilderError::InvalidEnPassant => {
            format!("no pawn can just have passed the square {en_passant}")
        }
        other => other.to_string(),
    })?;
    match board.checkers().len() {
        0..=2 => Ok(board),
        checkers => Err(format!("the king is in check from {checkers} pieces at once")),
    }
}

fn is_plain_number(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

fn place_pieces(field: &str, builder: &mut BoardBuilder) -> Result<(), String> {
    placement::read(field, |square, letter| {
        let piece = Piece::try_from(letter.to_ascii_lowercase())
            .map_err(|_| format!("{letter:?} is not a piece letter"))?;
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        *builder.square_mut(square) = Some((piece, color));
        Ok(())
    })
}

/// Checks the number and the squares of the pieces, to give the reason for what `cozy-chess` only
/// calls an invalid board. Also rejects adjacent kings, which `cozy-chess` accepts although one
/// king could then capture the other.
fn check_pieces(builder: &BoardBuilder) -> Result<(), String> {
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
        let count: u32 = Piece::ALL.into_iter().map(|piece| squares(color, piece).len()).sum();
        if count > 16 {
            return Err(format!("{name} has {count} pieces"));
        }
    }
    let black_king = squares(Color::Black, Piece::King);
    for white_king in squares(Color::White, Piece::King) {
        if !get_king_moves(white_king).is_disjoint(black_king) {
            return Err("the kings are on adjacent squares".into());
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
        let is_on = |file, piece| builder.square(Square::new(file, home)) == Some((piece, color));
        // `cozy-chess` supports Chess960 and would accept a king on another file.
        if !is_on(File::E, Piece::King) || !is_on(rook, Piece::Rook) {
            return Err(format!("castling {letter}: king and rook are not on their start squares"));
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
        Err(format!("castling {text:?} is neither a selection of KQkq in that order nor -"))
    }
}
