//! The opponent's side of a board, in compact form.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};
use krieg_core::{PieceSet, Position};

/// The pieces that a player does not see, with their castling rights and the file of a double step
/// just made by either side.
///
/// Together with the player's own pieces and the side to move, this is a [`Position`] without its
/// clocks. A piece is a code of three bits on its square, so packing and unpacking take a few
/// bitboard operations, and two boards are compared in four words.
///
/// ```
/// use krieg_belief::OpponentBoard;
/// use krieg_core::{Color, Position};
/// let start = Position::start();
/// let black = OpponentBoard::of(&start, Color::Black);
/// assert_eq!(std::mem::size_of::<OpponentBoard>(), 32);
/// assert_eq!(black.position(&start.pieces(Color::White), Color::White), Some(start));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpponentBoard {
    planes: [BitBoard; 3],
    pub(crate) color: Color,
    pub(crate) castling: (bool, bool),
    pub(crate) en_passant: Option<File>,
}

impl Hash for OpponentBoard {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key());
    }
}

/// A hash map of boards. The [key](OpponentBoard::key) is well distributed, so it is not hashed
/// again.
pub(crate) type BoardMap<T> = HashMap<OpponentBoard, T, BuildHasherDefault<KeyHasher>>;

/// Uses the key of a board as its hash.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("a board is hashed by its key only");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// The code of each kind of piece, in the order of [`Piece::ALL`].
const CODES: [u8; Piece::NUM] = [0b001, 0b010, 0b011, 0b100, 0b101, 0b110];

impl OpponentBoard {
    /// The board with these pieces, without a double step.
    pub fn new(pieces: &PieceSet) -> Self {
        OpponentBoard::pack(pieces.color(), |piece| pieces.pieces(piece), pieces.castling(), None)
    }

    /// One side of a position.
    pub fn of(position: &Position, color: Color) -> Self {
        let board = position.board();
        let rights = board.castle_rights(color);
        let castling = (rights.short.is_some(), rights.long.is_some());
        let of = |piece| board.colored_pieces(color, piece);
        OpponentBoard::pack(color, of, castling, board.en_passant())
    }

    #[inline]
    fn pack(
        color: Color,
        of: impl Fn(Piece) -> BitBoard,
        castling: (bool, bool),
        en_passant: Option<File>,
    ) -> Self {
        let (bishops, queens, kings) = (of(Piece::Bishop), of(Piece::Queen), of(Piece::King));
        let planes = [
            of(Piece::Pawn) | bishops | queens,
            of(Piece::Knight) | bishops | kings,
            of(Piece::Rook) | queens | kings,
        ];
        OpponentBoard { planes, color, castling, en_passant }
    }

    /// The squares of one kind of piece.
    pub fn pieces(&self, piece: Piece) -> BitBoard {
        let [a, b, c] = self.planes;
        match piece {
            Piece::Pawn => a & !b & !c,
            Piece::Knight => b & !a & !c,
            Piece::Bishop => a & b,
            Piece::Rook => c & !a & !b,
            Piece::Queen => a & c,
            Piece::King => b & c,
        }
    }

    /// Bishops and queens.
    pub(crate) fn diagonal_sliders(&self) -> BitBoard {
        let [a, b, c] = self.planes;
        a & (b | c)
    }

    /// Rooks and queens.
    pub(crate) fn straight_sliders(&self) -> BitBoard {
        let [_, b, c] = self.planes;
        c & !b
    }

    /// Removes pieces of one kind from these squares, or adds them where there are none.
    #[inline]
    pub(crate) fn toggle(&mut self, piece: Piece, squares: BitBoard) {
        for (plane, bit) in self.planes.iter_mut().zip([1, 2, 4]) {
            if CODES[piece as usize] & bit != 0 {
                *plane ^= squares;
            }
        }
    }

    /// The occupied squares.
    pub fn all(&self) -> BitBoard {
        let [a, b, c] = self.planes;
        a | b | c
    }

    /// The board with a piece moved from one square to another, if there is one. A piece on the
    /// destination is removed.
    pub(crate) fn with_piece_moved(mut self, from: Square, to: Square) -> Self {
        let (from, to) = (from.bitboard(), to.bitboard());
        if from == to || (self.all() & from).is_empty() {
            return self;
        }
        for plane in &mut self.planes {
            let is_set = !(*plane & from).is_empty();
            *plane &= !(from | to);
            if is_set {
                *plane |= to;
            }
        }
        self.en_passant = None;
        self.with_valid_castling()
    }

    /// The board without castling rights whose king or rook has left its home square.
    fn with_valid_castling(mut self) -> Self {
        let rank = Rank::First.relative_to(self.color);
        let is_home = |piece, file| self.pieces(piece).has(Square::new(file, rank));
        let king = is_home(Piece::King, File::E);
        let (short, long) = self.castling;
        self.castling = (
            short && king && is_home(Piece::Rook, File::H),
            long && king && is_home(Piece::Rook, File::A),
        );
        self
    }

    /// The board with another kind of piece on this square.
    pub(crate) fn with_kind(mut self, square: Square, piece: Piece) -> Self {
        let codes = OpponentBoard::pack(
            self.color,
            |kind| if kind == piece { square.bitboard() } else { BitBoard::EMPTY },
            (false, false),
            None,
        );
        for (plane, code) in self.planes.iter_mut().zip(codes.planes) {
            *plane = (*plane & !square.bitboard()) | code;
        }
        self.with_valid_castling()
    }

    /// The pieces as a set.
    pub fn piece_set(&self) -> PieceSet {
        PieceSet::new(self.color, Piece::ALL.map(|piece| self.pieces(piece)), self.castling)
    }

    /// The position with these own pieces, if it is valid.
    pub fn position(&self, own: &PieceSet, turn: Color) -> Option<Position> {
        let opponent = self.piece_set();
        let (white, black) =
            if self.color == Color::White { (&opponent, own) } else { (own, &opponent) };
        Position::from_pieces(white, black, turn, self.en_passant)
    }

    /// A 64-bit key: equal boards have equal keys, and different boards most likely different ones.
    pub(crate) fn key(&self) -> u64 {
        let [a, b, c] = self.planes;
        let flags = u64::from(self.castling.0)
            | u64::from(self.castling.1) << 1
            | self.en_passant.map_or(0, |file| (1 + file as u64) << 2);
        // Multiplication by odd constants and folding distribute every bit over the key.
        let mut key = (a.0 ^ flags.rotate_right(6)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        key = (key ^ key >> 29 ^ b.0).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        key = (key ^ key >> 32 ^ c.0).wrapping_mul(0x94d0_49bb_1331_11eb);
        key ^ key >> 31
    }
}
