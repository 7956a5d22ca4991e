//! One side's pieces and attacks, oriented so that its pawns move up the board.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_rook_moves,
};

/// One side's pieces, and the squares they attack.
#[derive(Debug, Clone, Copy)]
pub(super) struct OrientedSide {
    pub by_piece: [BitBoard; Piece::NUM],
    /// All pieces of the side.
    pub all: BitBoard,
    pub king: Square,
    /// Squares attacked by pawns.
    pub pawn_attacks: BitBoard,
    /// Squares attacked by any piece.
    pub attacked: BitBoard,
    /// Number of attacks by pieces (king and pawns excluded) on the squares around the other king.
    pub king_zone_attacks: u32,
}

impl OrientedSide {
    /// This side of the board.
    pub fn new(board: &Board, color: Color) -> Self {
        let orient = |set: BitBoard| if color == Color::White { set } else { set.flip_ranks() };
        let square = |at: Square| if color == Color::White { at } else { at.flip_rank() };
        let by_piece = Piece::ALL.map(|piece| orient(board.colored_pieces(color, piece)));
        let all = orient(board.colors(color));
        let occupied = orient(board.occupied());
        let king = square(board.king(color));
        let opponent_king_zone = get_king_moves(square(board.king(!color)));
        let pawn_attacks = pawn_attacks(by_piece[Piece::Pawn as usize]);
        let mut side = OrientedSide {
            by_piece,
            all,
            king,
            pawn_attacks,
            attacked: pawn_attacks | get_king_moves(king),
            king_zone_attacks: 0,
        };
        let mut add_attacks = |piece: Piece, attacks: &dyn Fn(Square) -> BitBoard| {
            for from in by_piece[piece as usize] {
                let attacked = attacks(from);
                side.attacked |= attacked;
                side.king_zone_attacks += (attacked & opponent_king_zone).len();
            }
        };
        add_attacks(Piece::Knight, &get_knight_moves);
        add_attacks(Piece::Bishop, &|from| get_bishop_moves(from, occupied));
        add_attacks(Piece::Rook, &|from| get_rook_moves(from, occupied));
        add_attacks(Piece::Queen, &|from| {
            get_bishop_moves(from, occupied) | get_rook_moves(from, occupied)
        });
        side
    }

    /// The same side oriented for the other player: its pawns move down the board.
    pub fn flipped(&self) -> Self {
        OrientedSide {
            by_piece: self.by_piece.map(BitBoard::flip_ranks),
            all: self.all.flip_ranks(),
            king: self.king.flip_rank(),
            pawn_attacks: self.pawn_attacks.flip_ranks(),
            attacked: self.attacked.flip_ranks(),
            ..*self
        }
    }

    /// The pieces of this kind.
    pub fn pieces(&self, piece: Piece) -> BitBoard {
        self.by_piece[piece as usize]
    }

    /// The number of pieces of this kind.
    pub fn count(&self, piece: Piece) -> f32 {
        self.pieces(piece).len() as f32
    }

    /// The side's material in points.
    pub fn points(&self) -> f32 {
        points(self.by_piece, BitBoard::FULL)
    }

    /// The side's material on these squares, in points.
    pub fn points_on(&self, squares: BitBoard) -> f32 {
        points(self.by_piece, squares)
    }
}

/// Classical piece values. They only scale the features; the weights are fitted.
pub(super) const POINTS: [f32; Piece::NUM] = [1.0, 3.0, 3.0, 5.0, 9.0, 0.0];

fn points(by_piece: [BitBoard; Piece::NUM], squares: BitBoard) -> f32 {
    by_piece.iter().zip(POINTS).map(|(set, value)| (*set & squares).len() as f32 * value).sum()
}

/// The squares attacked by pawns that move up the board.
pub(super) fn pawn_attacks(pawns: BitBoard) -> BitBoard {
    let left = (pawns & !File::A.bitboard()).0 << 7;
    let right = (pawns & !File::H.bitboard()).0 << 9;
    BitBoard(left | right)
}

/// These squares and all above them on their files.
pub(super) fn fill_up(set: BitBoard) -> BitBoard {
    let mut bits = set.0;
    bits |= bits << 8;
    bits |= bits << 16;
    bits |= bits << 32;
    BitBoard(bits)
}

/// These squares and all below them on their files.
pub(super) fn fill_down(set: BitBoard) -> BitBoard {
    fill_up(set.flip_ranks()).flip_ranks()
}

/// The Chebyshev distance: king moves from one square to the other on an empty board.
pub(super) fn distance(from: Square, to: Square) -> i32 {
    let files = (from.file() as i32 - to.file() as i32).abs();
    let ranks = (from.rank() as i32 - to.rank() as i32).abs();
    files.max(ranks)
}
