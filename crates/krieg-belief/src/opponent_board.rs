//! The other side of a board.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};
use krieg_core::{PieceSet, Position};

/// The men of the side that a player does not see, with their rights to castle and a double step just made, by whichever side.
///
/// Together with the player's own men and whose turn it is, this is a [`Position`] but for its clocks. A man is a code of three bits on its
/// square, so that packing and unpacking are a few operations on sets of squares, and two boards are compared in four words.
///
/// ```
/// use krieg_belief::OpponentBoard;
/// use krieg_core::{Color, Position};
/// let start = Position::start();
/// let black = OpponentBoard::of(&start, Color::Black);
/// assert_eq!(std::mem::size_of::<OpponentBoard>(), 32);
/// assert_eq!(black.position(&start.men(Color::White), Color::White), Some(start));
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

/// A map of boards. Their [key](OpponentBoard::key) is spread well already, so that nothing is left for the map to spread.
pub(crate) type BoardMap<T> = HashMap<OpponentBoard, T, BuildHasherDefault<Keyed>>;

/// Takes the key of a board as it is.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Keyed(u64);

impl Hasher for Keyed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("a board is hashed by its key alone");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// The three bits of each kind of man, in the order of [`Piece::ALL`].
const CODES: [u8; Piece::NUM] = [0b001, 0b010, 0b011, 0b100, 0b101, 0b110];

impl OpponentBoard {
    /// These men, with no double step just made.
    pub fn new(men: &PieceSet) -> Self {
        OpponentBoard::pack(men.color(), |piece| men.pieces(piece), men.castling(), None)
    }

    /// This colour's side of a position.
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

    /// Where the men of one kind stand.
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
    pub(crate) fn on_diagonals(&self) -> BitBoard {
        let [a, b, c] = self.planes;
        a & (b | c)
    }

    /// Rooks and queens.
    pub(crate) fn on_lines(&self) -> BitBoard {
        let [_, b, c] = self.planes;
        c & !b
    }

    /// Takes men of one kind up from these squares, or puts them down where there are none.
    #[inline]
    pub(crate) fn toggle(&mut self, piece: Piece, squares: BitBoard) {
        for (plane, bit) in self.planes.iter_mut().zip([1, 2, 4]) {
            if CODES[piece as usize] & bit != 0 {
                *plane ^= squares;
            }
        }
    }

    /// Where anybody stands.
    pub fn all(&self) -> BitBoard {
        let [a, b, c] = self.planes;
        a | b | c
    }

    /// The same with a man put elsewhere, if there is one. Whoever stood there is gone.
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
        self.with_castling_in_place()
    }

    /// Whoever castles has king and rook at home.
    fn with_castling_in_place(mut self) -> Self {
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

    /// The same with a man of another kind on this square.
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
        self.with_castling_in_place()
    }

    /// As men.
    pub fn piece_set(&self) -> PieceSet {
        PieceSet::new(self.color, Piece::ALL.map(|piece| self.pieces(piece)), self.castling)
    }

    /// The whole board, with these men on the other side, if it is a position.
    pub fn position(&self, own: &PieceSet, turn: Color) -> Option<Position> {
        let enemy = self.piece_set();
        let (white, black) = if self.color == Color::White { (&enemy, own) } else { (own, &enemy) };
        Position::from_pieces(white, black, turn, self.en_passant)
    }

    /// A number that is the same for equal boards and, most likely, another one for others.
    pub(crate) fn key(&self) -> u64 {
        let [a, b, c] = self.planes;
        let flags = u64::from(self.castling.0)
            | u64::from(self.castling.1) << 1
            | self.en_passant.map_or(0, |file| (1 + file as u64) << 2);
        // Multiplying by odd numbers with many bits, and folding, spreads every bit over the key.
        let mut key = (a.0 ^ flags.rotate_right(6)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        key = (key ^ key >> 29 ^ b.0).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        key = (key ^ key >> 32 ^ c.0).wrapping_mul(0x94d0_49bb_1331_11eb);
        key ^ key >> 31
    }
}
