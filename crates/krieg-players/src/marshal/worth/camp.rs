//! One side of a board, turned so that its pawns go up.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_rook_moves,
};

/// One side's men, and what they attack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Camp {
    pub by_piece: [BitBoard; Piece::NUM],
    pub men: BitBoard,
    pub king: Square,
    /// What pawns attack.
    pub by_pawns: BitBoard,
    /// What anybody attacks.
    pub attacked: BitBoard,
    /// How often pieces attack a square about the enemy king.
    pub siege: u32,
}

impl Camp {
    /// This side of the board.
    pub fn new(board: &Board, color: Color) -> Self {
        let turned = |set: BitBoard| if color == Color::White { set } else { set.flip_ranks() };
        let square = |at: Square| if color == Color::White { at } else { at.flip_rank() };
        let by_piece = Piece::ALL.map(|piece| turned(board.colored_pieces(color, piece)));
        let men = turned(board.colors(color));
        let occupied = turned(board.occupied());
        let king = square(board.king(color));
        let about_enemy = get_king_moves(square(board.king(!color)));
        let by_pawns = pawn_attacks(by_piece[Piece::Pawn as usize]);
        let mut camp = Camp {
            by_piece,
            men,
            king,
            by_pawns,
            attacked: by_pawns | get_king_moves(king),
            siege: 0,
        };
        let mut look = |piece: Piece, reach: &dyn Fn(Square) -> BitBoard| {
            for from in by_piece[piece as usize] {
                let reached = reach(from);
                camp.attacked |= reached;
                camp.siege += (reached & about_enemy).len();
            }
        };
        look(Piece::Knight, &get_knight_moves);
        look(Piece::Bishop, &|from| get_bishop_moves(from, occupied));
        look(Piece::Rook, &|from| get_rook_moves(from, occupied));
        look(Piece::Queen, &|from| {
            get_bishop_moves(from, occupied) | get_rook_moves(from, occupied)
        });
        camp
    }

    /// The same side as the other one sees it: its pawns go down.
    pub fn turned(&self) -> Self {
        Camp {
            by_piece: self.by_piece.map(BitBoard::flip_ranks),
            men: self.men.flip_ranks(),
            king: self.king.flip_rank(),
            by_pawns: self.by_pawns.flip_ranks(),
            attacked: self.attacked.flip_ranks(),
            ..*self
        }
    }

    /// The men of this kind.
    pub fn pieces(&self, piece: Piece) -> BitBoard {
        self.by_piece[piece as usize]
    }

    /// How many of this kind there are.
    pub fn count(&self, piece: Piece) -> f32 {
        self.pieces(piece).len() as f32
    }

    /// The men in points, the king for nothing.
    pub fn points(&self) -> f32 {
        points(self.by_piece, BitBoard::FULL)
    }

    /// Those of the men who are on these squares, in points.
    pub fn points_on(&self, squares: BitBoard) -> f32 {
        points(self.by_piece, squares)
    }
}

/// What men count for by the old rule: enough to compare men by, while the weights are what is learned.
pub(super) const POINTS: [f32; Piece::NUM] = [1.0, 3.0, 3.0, 5.0, 9.0, 0.0];

fn points(by_piece: [BitBoard; Piece::NUM], squares: BitBoard) -> f32 {
    by_piece.iter().zip(POINTS).map(|(set, worth)| (*set & squares).len() as f32 * worth).sum()
}

/// What pawns that go up attack.
pub(super) fn pawn_attacks(pawns: BitBoard) -> BitBoard {
    let left = (pawns & !File::A.bitboard()).0 << 7;
    let right = (pawns & !File::H.bitboard()).0 << 9;
    BitBoard(left | right)
}

/// These squares and all above them.
pub(super) fn above(set: BitBoard) -> BitBoard {
    let mut bits = set.0;
    bits |= bits << 8;
    bits |= bits << 16;
    bits |= bits << 32;
    BitBoard(bits)
}

/// These squares and all below them.
pub(super) fn below(set: BitBoard) -> BitBoard {
    above(set.flip_ranks()).flip_ranks()
}

/// King's steps from one square to another.
pub(super) fn distance(from: Square, to: Square) -> i32 {
    let files = (from.file() as i32 - to.file() as i32).abs();
    let ranks = (from.rank() as i32 - to.rank() as i32).abs();
    files.max(ranks)
}
