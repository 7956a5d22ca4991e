//! The pieces that a move adds to and removes from the board, for incremental evaluation.

use cozy_chess::{Board, Color, File, Move as BoardMove, Piece, Rank, Square};

/// A piece on a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlacedPiece {
    pub color: Color,
    pub piece: Piece,
    pub square: Square,
}

/// One or two pieces.
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

/// The difference between the boards before and after a legal move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoardDelta {
    pub added: PlacedPieces,
    pub removed: PlacedPieces,
}

impl BoardDelta {
    /// The difference that `mv` makes on the board `before`.
    #[inline]
    pub fn of(before: &Board, mv: BoardMove) -> Self {
        let color = before.side_to_move();
        let own = |piece, square| PlacedPiece { color, piece, square };
        if before.colors(color).has(mv.to) {
            // Castling is encoded as the king capturing its own rook.
            let rank = mv.from.rank();
            let (king, rook) =
                if mv.to.file() > mv.from.file() { (File::G, File::F) } else { (File::C, File::D) };
            return BoardDelta {
                added: PlacedPieces {
                    first: own(Piece::King, Square::new(king, rank)),
                    second: Some(own(Piece::Rook, Square::new(rook, rank))),
                },
                removed: PlacedPieces {
                    first: own(Piece::King, mv.from),
                    second: Some(own(Piece::Rook, mv.to)),
                },
            };
        }
        let piece = before.piece_on(mv.from).unwrap_or(Piece::Pawn);
        let victim = |piece, square| PlacedPiece { color: !color, piece, square };
        let captured = match before.piece_on(mv.to) {
            Some(captured) => Some(victim(captured, mv.to)),
            None if piece == Piece::Pawn && mv.from.file() != mv.to.file() => {
                // En passant.
                let square = Square::new(mv.to.file(), Rank::Fifth.relative_to(color));
                Some(victim(Piece::Pawn, square))
            }
            None => None,
        };
        let arriving = own(mv.promotion.unwrap_or(piece), mv.to);
        BoardDelta {
            added: PlacedPieces { first: arriving, second: None },
            removed: PlacedPieces { first: own(piece, mv.from), second: captured },
        }
    }
}
