//! PieceSet that stand elsewhere, because one move of a game was exchanged for another.

use cozy_chess::{Move as BoardMove, Square};

use crate::OpponentBoard;

/// PieceSet that stand elsewhere than in the game that was.
#[derive(Debug, Clone, Copy)]
pub struct Displacement {
    /// Who stood here in that game stands there in this one. At most two are displaced by one move.
    men: [Option<(Square, Square)>; 2],
}

impl Displacement {
    /// One move in place of another.
    pub fn new(was: BoardMove, is: BoardMove) -> Self {
        let men = if was.from == is.from {
            [Some((was.to, is.to)), None]
        } else {
            [Some((was.to, was.from)), Some((is.from, is.to))]
        };
        Displacement { men }
    }

    /// A later move of that game: the same man goes to the same square, wherever he stands now.
    pub fn translate(&mut self, was: BoardMove) -> BoardMove {
        for man in &mut self.men {
            if let Some((stood, stands)) = *man
                && stood == was.from
            {
                *man = None;
                return BoardMove { from: stands, ..was };
            }
        }
        was
    }

    /// The board at the end of that game with the men where they are now: nearly what comes of playing it, and much faster. Whoever was
    /// captured meanwhile is no more.
    pub fn put(&self, end: &OpponentBoard) -> OpponentBoard {
        self.men
            .iter()
            .flatten()
            .fold(*end, |board, &(stood, stands)| board.with_piece_moved(stood, stands))
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
    fn another_man_moved_and_the_first_goes_on_from_home() {
        let mut displaced = Displacement::new(mv("g8f6"), mv("a7a6"));
        let start = OpponentBoard::of(&Position::start(), Color::Black);
        assert!(displaced.put(&start).pieces(Piece::Pawn).has(Square::A6));
        assert_eq!(displaced.translate(mv("b7b6")), mv("b7b6"));
        assert_eq!(displaced.translate(mv("f6e4")), mv("g8e4"), "and that will be found illegal");
    }

    #[test]
    fn the_same_man_went_elsewhere() {
        let mut displaced = Displacement::new(mv("g8f6"), mv("g8h6"));
        assert_eq!(displaced.translate(mv("f6g4")), mv("h6g4"));
    }
}
