//! How promising it looks, where no table knows: the notion of progress of Favini's thesis (2010), section 6.3, after Bolognesi and
//! Ciancarini, in a form that serves any men.

use krieg_core::{BitBoard, Color, Piece, PieceSet, Rank, Square};

use crate::lone_king::containment::Grip;

// Guesses, none of them tuned; together they are one.

/// The lone king has little room to roam in, if nobody else moves.
const ROOM: f64 = 0.26;
/// He is on few squares.
const FEW: f64 = 0.14;
/// He is at the edge or, better, in a corner.
const EDGE: f64 = 0.14;
/// The own king is near him.
const NEAR: f64 = 0.16;
/// The helpers are guarded.
const GUARDED: f64 = 0.06;
/// There is somebody who can mate alone. Otherwise a pawn is on its way.
const HEAVY: f64 = 0.24;

/// A number from nought to one: what these men may hope for, when it is their turn and the lone king is on one of these squares.
pub(crate) fn promise(men: &PieceSet, kings: BitBoard) -> f64 {
    let grip = Grip::new(men);
    let count = kings.len().max(1) as f64;
    let mean = |worth: &dyn Fn(Square) -> f64| kings.into_iter().map(worth).sum::<f64>() / count;
    let free = |squares: BitBoard| 1.0 - squares.len() as f64 / Square::NUM as f64;
    let own = men.pieces(Piece::King).next_square();
    let near = own.map_or(0.0, |own| mean(&|king| 1.0 - f64::from(distance(own, king) - 1) / 6.0));
    let helpers = men.all() & !men.pieces(Piece::King);
    let guarded = helpers & !grip.loose;
    ROOM * free(grip.roaming(kings))
        + FEW * free(kings)
        + EDGE * mean(&edge)
        + NEAR * near
        + GUARDED * guarded.len() as f64 / helpers.len().max(1) as f64
        + HEAVY * weight(men)
}

/// King's steps from one square to another.
fn distance(from: Square, to: Square) -> i32 {
    let files = (from.file() as i32 - to.file() as i32).abs();
    let ranks = (from.rank() as i32 - to.rank() as i32).abs();
    files.max(ranks)
}

/// From nought in the middle to one in a corner. The edge counts twice.
fn edge(square: Square) -> f64 {
    let off = |line: usize| (2 * line as i32 - 7).abs() / 2;
    let (file, rank) = (off(square.file() as usize), off(square.rank() as usize));
    f64::from(2 * file.max(rank) + file.min(rank)) / 9.0
}

/// From nought to one: a queen; or how far the best pawn has come.
fn weight(men: &PieceSet) -> f64 {
    let has = |piece| !men.pieces(piece).is_empty();
    if has(Piece::Queen) {
        return 1.0;
    }
    if has(Piece::Rook) {
        return 0.9;
    }
    let ahead = |pawn: Square| match men.color() {
        Color::White => pawn.rank() as usize,
        Color::Black => Rank::Eighth as usize - pawn.rank() as usize,
    };
    let furthest = men.pieces(Piece::Pawn).into_iter().map(ahead).max();
    let minors = men.pieces(Piece::Bishop) | men.pieces(Piece::Knight);
    match furthest {
        Some(ahead) => 0.1 * ahead as f64,
        None if minors.len() > 1 => 0.5,
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::Position;

    fn promise_of(fen: &str) -> f64 {
        let board = Position::from_fen(fen).unwrap();
        promise(&board.pieces(Color::White), board.pieces(Color::Black).all())
    }

    #[test]
    fn a_king_in_the_corner_promises_more_than_one_in_the_middle() {
        let corner = promise_of("7k/R7/5K2/8/8/8/8/8 w - - 0 1");
        let middle = promise_of("8/8/8/4k3/8/1R6/1K6/8 w - - 0 1");
        assert!(corner > middle + 0.2, "{corner} {middle}");
    }

    #[test]
    fn a_pawn_promises_more_the_further_it_has_come_and_a_queen_most() {
        let promises = ["8/8/8/8/8/8/P3K3/7k", "8/P7/8/8/8/8/4K3/7k", "8/Q7/8/8/8/8/4K3/7k"]
            .map(|board| promise_of(&format!("{board} w - - 0 1")));
        assert!(promises.is_sorted(), "{promises:?}");
    }

    #[test]
    fn a_promise_is_never_above_one() {
        for board in ["7k/8/5KQ1/8/8/8/8/8", "8/8/3Q4/2RK4/8/8/8/k7", "8/8/8/8/8/8/4K3/k7"] {
            let promise = promise_of(&format!("{board} w - - 0 1"));
            assert!((0.0..=1.0).contains(&promise), "{promise}");
        }
    }
}
