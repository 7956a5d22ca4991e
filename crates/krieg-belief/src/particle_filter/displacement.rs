//! Pieces that stand on other squares because one move of a trajectory was exchanged.

use cozy_chess::{Move as BoardMove, Square};

use crate::OpponentBoard;

/// Pieces that stand on other squares than in the original trajectory.
#[derive(Debug, Clone, Copy)]
pub struct Displacement {
    /// The square of a piece in the original trajectory, and its square in the new one. One
    /// exchanged move displaces at most two pieces.
    pieces: [Option<(Square, Square)>; 2],
}

impl Displacement {
    /// One move in place of another.
    pub fn new(old: BoardMove, new: BoardMove) -> Self {
        let pieces = if old.from == new.from {
            [Some((old.to, new.to)), None]
        } else {
            [Some((old.to, old.from)), Some((new.from, new.to))]
        };
        Displacement { pieces }
    }

    /// The same later move in the new trajectory: the same piece goes to the same square, from
    /// where it stands there. From then on it is no longer displaced.
    pub fn translate(&mut self, old: BoardMove) -> BoardMove {
        for piece in &mut self.pieces {
            if let Some((from, now)) = *piece
                && from == old.from
            {
                *piece = None;
                return BoardMove { from: now, ..old };
            }
        }
        old
    }

    /// Moves the displaced pieces on the last board of the original trajectory. This approximates a
    /// replay of the new trajectory, and is much faster. A piece that was captured is missing.
    pub fn apply(&self, end: &OpponentBoard) -> OpponentBoard {
        self.pieces
            .iter()
            .flatten()
            .fold(*end, |board, &(from, now)| board.with_piece_moved(from, now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Color, Piece, Position};

    fn mv(text: &str) -> BoardMove {
        text.parse().unwrap()
    }

    #[test]
    fn another_piece_moves_and_the_first_one_continues_from_its_origin() {
        let mut displacement = Displacement::new(mv("g8f6"), mv("a7a6"));
        let start = OpponentBoard::of(&Position::start(), Color::Black);
        assert!(displacement.apply(&start).pieces(Piece::Pawn).has(Square::A6));
        assert_eq!(displacement.translate(mv("b7b6")), mv("b7b6"));
        let translated = displacement.translate(mv("f6e4"));
        assert_eq!(translated, mv("g8e4"), "the replay will reject it as illegal");
    }

    #[test]
    fn the_same_piece_moves_elsewhere() {
        let mut displacement = Displacement::new(mv("g8f6"), mv("g8h6"));
        assert_eq!(displacement.translate(mv("f6g4")), mv("h6g4"));
    }
}
