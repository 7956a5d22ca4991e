//! How likely each man of the other side is on each square.

use cozy_chess::{Piece, Square};

use crate::OpponentBoard;

/// For each kind of man and each square, how likely such a man of the other side stands there.
///
/// ```
/// use krieg_belief::{OpponentMap, OpponentBoard};
/// use krieg_core::{Color, Piece, Position, Square};
/// let board = OpponentBoard::of(&Position::start(), Color::Black);
/// let map = OpponentMap::of([(board, 1.0)]);
/// assert_eq!(map.probability(Piece::King, Square::E8), 1.0);
/// assert_eq!(map.occupancy(Square::E7), 1.0);
/// assert_eq!(map.occupancy(Square::E4), 0.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct OpponentMap {
    chances: [[f64; Square::NUM]; Piece::NUM],
}

impl OpponentMap {
    /// The average of boards with these weights; nothing anywhere, if there are none.
    pub fn of(boards: impl IntoIterator<Item = (OpponentBoard, f64)>) -> Self {
        let mut chances = [[0.0; Square::NUM]; Piece::NUM];
        let mut sum = 0.0;
        for (board, weight) in boards {
            sum += weight;
            for piece in Piece::ALL {
                for square in board.pieces(piece) {
                    chances[piece as usize][square as usize] += weight;
                }
            }
        }
        if sum > 0.0 {
            chances.iter_mut().flatten().for_each(|chance| *chance /= sum);
        }
        OpponentMap { chances }
    }

    /// How likely a man of this kind stands there.
    pub fn probability(&self, piece: Piece, square: Square) -> f64 {
        self.chances[piece as usize][square as usize]
    }

    /// How likely anybody stands there.
    pub fn occupancy(&self, square: Square) -> f64 {
        self.chances.iter().map(|of_kind| of_kind[square as usize]).sum()
    }
}
