//! Announced checks: the directions from which a king is attacked.

use std::fmt;

use cozy_chess::{Board, Square};

/// A direction of check, seen from the king's square.
///
/// ```
/// use krieg_core::{Direction, Square};
/// // For a king on e1 the short diagonal leads to h4, the long one to a5.
/// assert_eq!(Direction::between(Square::E1, Square::H4), Direction::ShortDiagonal);
/// assert_eq!(Direction::between(Square::E1, Square::A5), Direction::LongDiagonal);
/// assert_eq!(Direction::between(Square::E1, Square::F3), Direction::Knight);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// Along the rank.
    Rank,
    /// Along the file.
    File,
    /// Along the longer of the two diagonals through the king's square.
    LongDiagonal,
    /// Along the shorter of the two diagonals through the king's square.
    ShortDiagonal,
    /// By a knight.
    Knight,
}

impl Direction {
    /// Every direction, in the order in which the umpire announces them.
    pub const ALL: [Direction; 5] = [
        Direction::Rank,
        Direction::File,
        Direction::LongDiagonal,
        Direction::ShortDiagonal,
        Direction::Knight,
    ];

    /// The direction in which a checker on `checker` attacks a king on `king`.
    pub fn between(king: Square, checker: Square) -> Self {
        let (kf, kr) = (king.file() as i8, king.rank() as i8);
        let (df, dr) = (checker.file() as i8 - kf, checker.rank() as i8 - kr);
        if dr == 0 {
            Direction::Rank
        } else if df == 0 {
            Direction::File
        } else if df.abs() != dr.abs() {
            Direction::Knight
        } else {
            // A diagonal is longer the nearer it passes to the centre of the board. The two
            // distances have different parity, so the diagonals never have equal length.
            let rising = (kf - kr).abs();
            let falling = (kf + kr - 7).abs();
            let is_longer = if df == dr { rising < falling } else { falling < rising };
            if is_longer { Direction::LongDiagonal } else { Direction::ShortDiagonal }
        }
    }

    /// The name used in records and protocols.
    ///
    /// ```
    /// use krieg_core::Direction;
    /// assert_eq!(Direction::LongDiagonal.name(), "long-diagonal");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Direction::Rank => "rank",
            Direction::File => "file",
            Direction::LongDiagonal => "long-diagonal",
            Direction::ShortDiagonal => "short-diagonal",
            Direction::Knight => "knight",
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The checks on one king: none, one, or two.
///
/// ```
/// use krieg_core::{Checks, Direction};
/// let checks = Checks::new([Direction::Knight, Direction::File]);
/// assert_eq!(checks.iter().collect::<Vec<_>>(), [Direction::File, Direction::Knight]);
/// assert!(Checks::NONE.is_empty());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Checks([Option<Direction>; 2]);

impl Checks {
    /// No check.
    pub const NONE: Checks = Checks([None, None]);

    /// The first two of these checks. Their order does not matter.
    pub fn new(directions: impl IntoIterator<Item = Direction>) -> Self {
        let mut given = directions.into_iter();
        match (given.next(), given.next()) {
            (Some(a), Some(b)) => Checks([Some(a.min(b)), Some(a.max(b))]),
            (first, _) => Checks([first, None]),
        }
    }

    /// The checks on the side to move.
    pub(crate) fn on(board: &Board) -> Self {
        let checkers = board.checkers();
        if checkers.is_empty() {
            return Checks::NONE;
        }
        let king = board.king(board.side_to_move());
        Checks::new(checkers.into_iter().map(|checker| Direction::between(king, checker)))
    }

    /// Whether there is no check.
    pub fn is_empty(&self) -> bool {
        self.0[0].is_none()
    }

    /// The directions, in the order in which the umpire announces them.
    pub fn iter(&self) -> impl Iterator<Item = Direction> {
        self.0.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BitBoard;
    use cozy_chess::get_bishop_rays;

    #[test]
    fn long_diagonal_has_more_squares() {
        for king in Square::ALL {
            let rays = get_bishop_rays(king);
            let is_parallel = |a: Square, b: Square| {
                let step = |s: Square| {
                    (s.file() as i8 - king.file() as i8) * (s.rank() as i8 - king.rank() as i8) > 0
                };
                step(a) == step(b)
            };
            for checker in rays {
                let same_diagonal: BitBoard =
                    rays.into_iter().filter(|&s| is_parallel(s, checker)).collect();
                let is_long = 2 * same_diagonal.len() > rays.len();
                let direction = Direction::between(king, checker);
                assert_eq!(direction == Direction::LongDiagonal, is_long, "{king} {checker}");
                assert_eq!(direction == Direction::ShortDiagonal, !is_long, "{king} {checker}");
            }
        }
    }
}
