//! Legal moves and their kinds: captures, tactical moves, quiet moves.

use cozy_chess::{Board, Move as BoardMove, Piece};

/// All legal moves, in the order in which the board generates them.
pub(crate) fn legal_moves(board: &Board) -> Vec<BoardMove> {
    let mut moves = Vec::with_capacity(48);
    board.generate_moves(|piece_moves| {
        moves.extend(piece_moves);
        false
    });
    moves
}

/// Whether a legal move is tactical, i.e. a capture or a promotion to a queen. Other moves are
/// quiet.
#[must_use]
pub fn is_tactical(board: &Board, mv: BoardMove) -> bool {
    is_capture(board, mv) || mv.promotion == Some(Piece::Queen)
}

/// Whether a legal move is a capture, including en passant.
pub(crate) fn is_capture(board: &Board, mv: BoardMove) -> bool {
    board.colors(!board.side_to_move()).has(mv.to)
        || (mv.from.file() != mv.to.file() && board.piece_on(mv.from) == Some(Piece::Pawn))
}

/// Whether a move is a promotion to a knight, bishop or rook.
pub(crate) fn is_underpromotion(mv: BoardMove) -> bool {
    mv.promotion.is_some_and(|piece| piece != Piece::Queen)
}
