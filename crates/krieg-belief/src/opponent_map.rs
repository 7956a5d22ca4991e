//! The probability of each opponent piece on each square.

use cozy_chess::{Piece, Square};

use crate::OpponentBoard;

/// For each kind of piece and each square, the probability that an opponent piece of that kind
/// stands there.
///
/// ```
/// use krieg_belief::{OpponentBoard, OpponentMap};
/// use krieg_core::{Color, Piece, Position, Square};
/// let board = OpponentBoard::of(&Position::start(), Color::Black);
/// let map = OpponentMap::of([(board, 1.0)]);
/// assert_eq!(map.probability(Piece::King, Square::E8), 1.0);
/// assert_eq!(map.occupancy(Square::E7), 1.0);
/// assert_eq!(map.occupancy(Square::E4), 0.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct OpponentMap {
    probabilities: [[f64; Square::NUM]; Piece::NUM],
}

impl OpponentMap {
    /// The map with these probabilities: for each kind of piece in the order of [`Piece::ALL`], the
    /// probability on each square.
    pub fn new(probabilities: [[f64; Square::NUM]; Piece::NUM]) -> Self {
        OpponentMap { probabilities }
    }

    /// The weighted average of these boards; all 0 if there are none.
    pub fn of(boards: impl IntoIterator<Item = (OpponentBoard, f64)>) -> Self {
        let mut probabilities = [[0.0; Square::NUM]; Piece::NUM];
        let mut sum = 0.0;
        for (board, weight) in boards {
            sum += weight;
            for piece in Piece::ALL {
                for square in board.pieces(piece) {
                    probabilities[piece as usize][square as usize] += weight;
                }
            }
        }
        if sum > 0.0 {
            probabilities.iter_mut().flatten().for_each(|probability| *probability /= sum);
        }
        OpponentMap { probabilities }
    }

    /// The probability of this kind of piece on this square.
    pub fn probability(&self, piece: Piece, square: Square) -> f64 {
        self.probabilities[piece as usize][square as usize]
    }

    /// The probability of any opponent piece on this square.
    pub fn occupancy(&self, square: Square) -> f64 {
        self.probabilities.iter().map(|of_kind| of_kind[square as usize]).sum()
    }
}
