//! How likely each man of the other side is on each square.

use cozy_chess::{Piece, Square};

use crate::Hidden;

/// For each kind of man and each square, how likely such a man of the other side stands there.
///
/// ```
/// use krieg_belief::{EnemyMap, Hidden};
/// use krieg_core::{Color, Piece, Position, Square};
/// let board = Hidden::of(&Position::start(), Color::Black);
/// let map = EnemyMap::of([(board, 1.0)]);
/// assert_eq!(map.chance(Piece::King, Square::E8), 1.0);
/// assert_eq!(map.occupied(Square::E7), 1.0);
/// assert_eq!(map.occupied(Square::E4), 0.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct EnemyMap {
    chances: [[f64; Square::NUM]; Piece::NUM],
}

impl EnemyMap {
    /// The average of boards with these weights; nothing anywhere, if there are none.
    pub fn of(boards: impl IntoIterator<Item = (Hidden, f64)>) -> Self {
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
        EnemyMap { chances }
    }

    /// How likely a man of this kind stands there.
    pub fn chance(&self, piece: Piece, square: Square) -> f64 {
        self.chances[piece as usize][square as usize]
    }

    /// How likely anybody stands there.
    pub fn occupied(&self, square: Square) -> f64 {
        self.chances.iter().map(|of_kind| of_kind[square as usize]).sum()
    }
}
