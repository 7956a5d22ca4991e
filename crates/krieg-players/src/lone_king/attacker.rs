//! The attacker's pieces: the effect of their moves, and whether they can mate.

use cozy_chess::get_between_rays;
use krieg_core::{BitBoard, Move, Piece, PieceSet, Square};

use super::material_subset::is_bishop_pair;

/// The squares next to any of these.
pub(crate) fn neighbours(squares: BitBoard) -> BitBoard {
    BitBoard(krieg_tablebase::neighbours(squares.0))
}

/// The squares of a lone king that make this try illegal: next to the target of a king move or to
/// the path of castling, or in the way of a pawn. It cannot block a queen, rook or bishop, because
/// it would have been in check on the attacker's turn.
pub(crate) fn refusing_squares(pieces: &PieceSet, mv: Move) -> BitBoard {
    let path = get_between_rays(mv.from, mv.to) | mv.to.bitboard();
    match pieces.piece_on(mv.from) {
        Some(Piece::King) => neighbours(path),
        Some(Piece::Pawn) if mv.from.file() == mv.to.file() => path,
        _ => BitBoard::EMPTY,
    }
}

/// The pieces after one of their moves that captures nothing.
pub(crate) fn after_move(pieces: &PieceSet, mv: Move) -> PieceSet {
    let mut pieces = *pieces;
    pieces.play(mv);
    pieces
}

/// The pieces without the one on this square.
pub(crate) fn without_piece(pieces: &PieceSet, square: Square) -> PieceSet {
    let mut pieces = *pieces;
    pieces.remove_captured(square);
    pieces
}

/// Whether these pieces can mate a lone king at all.
pub(crate) fn has_mating_material(pieces: &PieceSet) -> bool {
    let (bishops, knights) = (pieces.pieces(Piece::Bishop), pieces.pieces(Piece::Knight));
    let strong = [Piece::Queen, Piece::Rook, Piece::Pawn];
    let has_strong = strong.into_iter().any(|piece| !pieces.pieces(piece).is_empty());
    let has_both_minors = !bishops.is_empty() && !knights.is_empty();
    has_strong || is_bishop_pair(bishops) || has_both_minors || knights.len() > 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Color, DrawRules, Position, Ruleset};

    #[test]
    fn pieces_move_castle_promote_and_are_captured() {
        let start = Position::from_fen("8/P7/8/6k1/8/8/8/R3K2R w KQ - 0 1").unwrap();
        for tried in ["e1g1", "e1c1", "a7a8q", "a7a8r", "h1h3", "a1d1", "e1d2"] {
            let mut board = start.clone();
            let mv = tried.parse().unwrap();
            let expected = after_move(&board.pieces(Color::White), mv);
            let announcement = board.answer(mv, &Ruleset::ICC, DrawRules::NONE);
            assert_eq!(announcement.verdict, krieg_core::Verdict::Moved, "{tried}");
            assert_eq!(expected, board.pieces(Color::White), "{tried}");
        }
        let left = without_piece(&start.pieces(Color::White), Square::H1);
        assert_eq!((left.all().len(), left.castling()), (3, (false, true)));
    }

    #[test]
    fn mating_material_is_recognised() {
        for (placement, can_mate) in [
            ("7k/8/8/8/8/8/1K6/N7", false),
            ("7k/8/8/8/8/8/1K6/NN6", false),
            ("7k/8/8/8/8/8/1K6/B1B5", false),
            ("7k/8/8/8/8/8/1K6/BB6", true),
            ("7k/8/8/8/8/8/1K6/BN6", true),
            ("7k/8/8/8/8/P7/1K6/8", true),
            ("7k/8/8/8/8/8/1K6/R7", true),
        ] {
            let position = Position::from_fen(&format!("{placement} w - - 0 1")).unwrap();
            let pieces = position.pieces(Color::White);
            assert_eq!(has_mating_material(&pieces), can_mate, "{placement}");
        }
    }
}
