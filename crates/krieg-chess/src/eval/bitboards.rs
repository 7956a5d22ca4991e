//! Bitboard functions of the evaluation.

use cozy_chess::{BitBoard, Color, File, Rank, Square, get_king_moves};

/// The squares one step ahead of a set.
pub(crate) fn step(set: BitBoard, color: Color) -> BitBoard {
    match color {
        Color::White => BitBoard(set.0 << 8),
        Color::Black => BitBoard(set.0 >> 8),
    }
}

/// The set and all squares ahead of it on the same files (forward fill).
pub(crate) fn forward(set: BitBoard, color: Color) -> BitBoard {
    let mut bits = set.0;
    match color {
        Color::White => {
            bits |= bits << 8;
            bits |= bits << 16;
            bits |= bits << 32;
        }
        Color::Black => {
            bits |= bits >> 8;
            bits |= bits >> 16;
            bits |= bits >> 32;
        }
    }
    BitBoard(bits)
}

/// The squares attacked by pawns.
pub(crate) fn pawn_attacks(pawns: BitBoard, color: Color) -> BitBoard {
    let (left, right) = pawn_attack_sides(pawns, color);
    left | right
}

/// The squares attacked by two pawns.
pub(crate) fn double_pawn_attacks(pawns: BitBoard, color: Color) -> BitBoard {
    let (left, right) = pawn_attack_sides(pawns, color);
    left & right
}

/// The squares attacked towards the a-file and towards the h-file.
fn pawn_attack_sides(pawns: BitBoard, color: Color) -> (BitBoard, BitBoard) {
    let ahead = step(pawns, color);
    let left = (ahead & !File::A.bitboard()).0 >> 1;
    let right = (ahead & !File::H.bitboard()).0 << 1;
    (BitBoard(left), BitBoard(right))
}

/// The king's square and its neighbours. For a king at the edge, the zone of the next square
/// inward, so that every zone has nine squares.
pub(crate) fn king_zone(king: Square) -> BitBoard {
    let file = File::index((king.file() as usize).clamp(1, 6));
    let rank = Rank::index((king.rank() as usize).clamp(1, 6));
    let centre = Square::new(file, rank);
    get_king_moves(centre) | centre.bitboard()
}

/// Chebyshev distance: the number of king moves between two squares.
pub(crate) fn distance(a: Square, b: Square) -> usize {
    let files = (a.file() as i32 - b.file() as i32).unsigned_abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).unsigned_abs();
    files.max(ranks) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::bitboard;

    #[test]
    fn pawns_attack_diagonally_forward() {
        let pawns = Square::A4.bitboard() | Square::C4.bitboard();
        assert_eq!(
            pawn_attacks(pawns, Color::White),
            bitboard! {
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . X . X . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
            }
        );
        assert_eq!(double_pawn_attacks(pawns, Color::Black), Square::B3.bitboard());
        assert_eq!(forward(Square::H6.bitboard(), Color::White).len(), 3);
    }

    #[test]
    fn a_king_zone_has_nine_squares_even_in_the_corner() {
        assert!(Square::ALL.into_iter().all(|king| king_zone(king).len() == 9));
    }
}
