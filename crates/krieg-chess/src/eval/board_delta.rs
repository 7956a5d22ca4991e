//! What a move changes on the board, man by man: for evaluations that are brought up to date.

use cozy_chess::{Board, Color, File, Move as BoardMove, Piece, Rank, Square};

/// A man on a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlacedPiece {
    pub color: Color,
    pub piece: Piece,
    pub square: Square,
}

/// One man or two.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedPieces {
    first: PlacedPiece,
    second: Option<PlacedPiece>,
}

impl PlacedPieces {
    pub fn iter(self) -> impl Iterator<Item = PlacedPiece> {
        std::iter::once(self.first).chain(self.second)
    }
}

/// The men a legal move puts on squares, and those it takes from theirs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoardDelta {
    pub come: PlacedPieces,
    pub gone: PlacedPieces,
}

impl BoardDelta {
    /// What `mv` does to `before`.
    #[inline]
    pub fn of(before: &Board, mv: BoardMove) -> Self {
        let color = before.side_to_move();
        let man = |piece, square| PlacedPiece { color, piece, square };
        if before.colors(color).has(mv.to) {
            // Castling: the king takes its own rook.
            let rank = mv.from.rank();
            let (king, rook) =
                if mv.to.file() > mv.from.file() { (File::G, File::F) } else { (File::C, File::D) };
            return BoardDelta {
                come: PlacedPieces {
                    first: man(Piece::King, Square::new(king, rank)),
                    second: Some(man(Piece::Rook, Square::new(rook, rank))),
                },
                gone: PlacedPieces {
                    first: man(Piece::King, mv.from),
                    second: Some(man(Piece::Rook, mv.to)),
                },
            };
        }
        let piece = before.piece_on(mv.from).unwrap_or(Piece::Pawn);
        let victim = |piece, square| PlacedPiece { color: !color, piece, square };
        let taken = match before.piece_on(mv.to) {
            Some(taken) => Some(victim(taken, mv.to)),
            None if piece == Piece::Pawn && mv.from.file() != mv.to.file() => {
                let passed_by = Square::new(mv.to.file(), Rank::Fifth.relative_to(color));
                Some(victim(Piece::Pawn, passed_by))
            }
            None => None,
        };
        BoardDelta {
            come: PlacedPieces { first: man(mv.promotion.unwrap_or(piece), mv.to), second: None },
            gone: PlacedPieces { first: man(piece, mv.from), second: taken },
        }
    }
}
