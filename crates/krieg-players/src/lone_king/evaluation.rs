//! The heuristic evaluation of a metaposition, for use where no table decides. It follows the
//! notion of progress in Favini's thesis (2010), section 6.3, after Bolognesi and Ciancarini, in a
//! form for any pieces.

use krieg_core::{BitBoard, Color, Piece, PieceSet, Rank, Square};

use super::containment::Containment;

// The weights of the terms sum to 1. They are guesses and were not tuned.

/// The lone king can reach few squares if the attacker does not move.
const CONFINEMENT: f64 = 0.26;
/// The lone king is on one of few squares.
const CERTAINTY: f64 = 0.14;
/// The lone king is near the edge or, better, a corner.
const EDGE: f64 = 0.14;
/// The attacker's king is near the lone king.
const KING_PROXIMITY: f64 = 0.16;
/// The attacker's other pieces are defended.
const DEFENDED: f64 = 0.06;
/// The attacker has a piece that mates alone, or an advanced pawn.
const MATERIAL: f64 = 0.24;

/// The value from 0 to 1 of a metaposition with the attacker to move: these pieces, and the lone
/// king on one of these squares.
pub(crate) fn evaluate(pieces: &PieceSet, kings: BitBoard) -> f64 {
    let containment = Containment::new(pieces);
    let count = kings.len().max(1) as f64;
    let mean = |value: &dyn Fn(Square) -> f64| kings.into_iter().map(value).sum::<f64>() / count;
    let smallness = |squares: BitBoard| 1.0 - squares.len() as f64 / Square::NUM as f64;
    let own = pieces.pieces(Piece::King).next_square();
    let proximity =
        own.map_or(0.0, |own| mean(&|king| 1.0 - f64::from(distance(own, king) - 1) / 6.0));
    let helpers = pieces.all() & !pieces.pieces(Piece::King);
    let defended = helpers & !containment.squares.undefended;
    CONFINEMENT * smallness(containment.reachable(kings))
        + CERTAINTY * smallness(kings)
        + EDGE * mean(&edge_proximity)
        + KING_PROXIMITY * proximity
        + DEFENDED * defended.len() as f64 / helpers.len().max(1) as f64
        + MATERIAL * material(pieces)
}

/// The Chebyshev distance: king moves from one square to the other on an empty board.
fn distance(from: Square, to: Square) -> i32 {
    let files = (from.file() as i32 - to.file() as i32).abs();
    let ranks = (from.rank() as i32 - to.rank() as i32).abs();
    files.max(ranks)
}

/// 0 on the four centre squares, 1 in a corner. The nearest edge has twice the weight of the other.
fn edge_proximity(square: Square) -> f64 {
    let offset = |index: usize| (2 * index as i32 - 7).abs() / 2;
    let (file, rank) = (offset(square.file() as usize), offset(square.rank() as usize));
    f64::from(2 * file.max(rank) + file.min(rank)) / 9.0
}

/// The material from 0 to 1: a queen has 1, a pawn grows with its advance.
fn material(pieces: &PieceSet) -> f64 {
    let has = |piece| !pieces.pieces(piece).is_empty();
    if has(Piece::Queen) {
        return 1.0;
    }
    if has(Piece::Rook) {
        return 0.9;
    }
    let advance = |pawn: Square| match pieces.color() {
        Color::White => pawn.rank() as usize,
        Color::Black => Rank::Eighth as usize - pawn.rank() as usize,
    };
    let furthest = pieces.pieces(Piece::Pawn).into_iter().map(advance).max();
    let minors = pieces.pieces(Piece::Bishop) | pieces.pieces(Piece::Knight);
    match furthest {
        Some(advance) => 0.1 * advance as f64,
        None if minors.len() > 1 => 0.5,
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::Position;

    fn evaluation_of(fen: &str) -> f64 {
        let board = Position::from_fen(fen).unwrap();
        evaluate(&board.pieces(Color::White), board.pieces(Color::Black).all())
    }

    #[test]
    fn a_king_in_the_corner_has_a_higher_value_than_one_in_the_centre() {
        let corner = evaluation_of("7k/R7/5K2/8/8/8/8/8 w - - 0 1");
        let centre = evaluation_of("8/8/8/4k3/8/1R6/1K6/8 w - - 0 1");
        assert!(corner > centre + 0.2, "{corner} {centre}");
    }

    #[test]
    fn an_advanced_pawn_has_a_higher_value_and_a_queen_the_highest() {
        let values = ["8/8/8/8/8/8/P3K3/7k", "8/P7/8/8/8/8/4K3/7k", "8/Q7/8/8/8/8/4K3/7k"]
            .map(|board| evaluation_of(&format!("{board} w - - 0 1")));
        assert!(values.is_sorted(), "{values:?}");
    }

    #[test]
    fn the_value_is_between_zero_and_one() {
        for board in ["7k/8/5KQ1/8/8/8/8/8", "8/8/3Q4/2RK4/8/8/8/k7", "8/8/8/8/8/8/4K3/k7"] {
            let value = evaluation_of(&format!("{board} w - - 0 1"));
            assert!((0.0..=1.0).contains(&value), "{value}");
        }
    }
}
