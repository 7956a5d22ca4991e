//! Squares that follow from own pieces: lines of check, diagonals of pawns, paths of moves.

use cozy_chess::{
    get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};
use krieg_core::{BitBoard, Direction, File, Move, Piece, PieceSet, Rank, Square, pawn_diagonals};

/// The squares that a piece attacks. Own pieces block; their squares are included.
pub fn attacks(pieces: &PieceSet, piece: Piece, from: Square) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(from, pieces.color()),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, pieces.all()),
        Piece::Rook => get_rook_moves(from, pieces.all()),
        Piece::Queen => get_bishop_moves(from, pieces.all()) | get_rook_moves(from, pieces.all()),
        Piece::King => get_king_moves(from),
    }
}

/// The squares of `diagonals` from which the direction to `piece` is `direction`.
fn seen_in(direction: Direction, piece: Square, diagonals: BitBoard) -> BitBoard {
    diagonals.into_iter().filter(|&square| Direction::between(square, piece) == direction).collect()
}

/// The squares from which an announced check on the own king may come.
pub fn check_line(pieces: &PieceSet, direction: Direction) -> BitBoard {
    let mut line = BitBoard::EMPTY;
    for king in pieces.pieces(Piece::King) {
        line |= match direction {
            Direction::Rank => get_rook_moves(king, pieces.all()) & king.rank().bitboard(),
            Direction::File => get_rook_moves(king, pieces.all()) & king.file().bitboard(),
            Direction::LongDiagonal | Direction::ShortDiagonal => {
                get_bishop_moves(king, pieces.all())
                    .into_iter()
                    .filter(|&checker| Direction::between(king, checker) == direction)
                    .collect()
            }
            Direction::Knight => get_knight_moves(king),
        };
    }
    line & !pieces.all()
}

/// The squares on which the opponent's king may stand if the own move gave this check.
pub fn king_line(pieces: &PieceSet, direction: Direction) -> BitBoard {
    let queens = pieces.pieces(Piece::Queen);
    let mut line = BitBoard::EMPTY;
    match direction {
        Direction::Rank | Direction::File => {
            for from in pieces.pieces(Piece::Rook) | queens {
                let along = match direction {
                    Direction::Rank => from.rank().bitboard(),
                    _ => from.file().bitboard(),
                };
                line |= get_rook_moves(from, pieces.all()) & along;
            }
        }
        Direction::LongDiagonal | Direction::ShortDiagonal => {
            for from in pieces.pieces(Piece::Bishop) | queens {
                line |= seen_in(direction, from, get_bishop_moves(from, pieces.all()));
            }
            for from in pieces.pieces(Piece::Pawn) {
                line |= seen_in(direction, from, get_pawn_attacks(from, pieces.color()));
            }
        }
        Direction::Knight => {
            for from in pieces.pieces(Piece::Knight) {
                line |= get_knight_moves(from);
            }
        }
    }
    line & !pieces.all()
}

/// The diagonal targets of these own pawns.
pub fn pawn_targets(pieces: &PieceSet, pawns: BitBoard) -> BitBoard {
    let (towards_a, towards_h) = pawn_diagonals(pawns, pieces.color());
    (towards_a | towards_h) & !pieces.all()
}

/// The squares from which a pawn of the opponent would attack an own piece.
pub fn opponent_pawn_squares(pieces: &PieceSet) -> BitBoard {
    let (towards_a, towards_h) = pawn_diagonals(pieces.all(), pieces.color());
    let outer_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
    (towards_a | towards_h) & !pieces.all() & !outer_ranks
}

/// Whether a move of the king is castling.
pub fn is_castling(piece: Piece, mv: Move) -> bool {
    piece == Piece::King && (mv.from.file() as i8 - mv.to.file() as i8).abs() == 2
}

/// The squares strictly between origin and target, or between king and rook for castling.
pub fn path(piece: Piece, mv: Move) -> BitBoard {
    if is_castling(piece, mv) {
        let corner = if mv.to.file() > mv.from.file() { File::H } else { File::A };
        return get_between_rays(mv.from, Square::new(corner, mv.from.rank()));
    }
    get_between_rays(mv.from, mv.to)
}
