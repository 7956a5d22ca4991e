//! The pieces of one colour: what a player sees of the board.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_pawn_quiets, get_rook_moves,
};

use crate::{Move, Promotion, Tries};

/// The pieces of one colour, with their castling rights.
///
/// ```
/// use krieg_core::{Color, Piece, Position, Square};
/// let white = Position::start().pieces(Color::White);
/// assert_eq!(white.all().len(), 16);
/// assert_eq!(white.piece_on(Square::E1), Some(Piece::King));
/// assert_eq!(white.piece_on(Square::E8), None, "Black's king is not one of White's pieces");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PieceSet {
    color: Color,
    by_piece: [BitBoard; Piece::NUM],
    all: BitBoard,
    short_castling: bool,
    long_castling: bool,
}

impl PieceSet {
    pub(crate) fn of(board: &Board, color: Color) -> Self {
        let rights = board.castle_rights(color);
        PieceSet {
            color,
            by_piece: Piece::ALL.map(|piece| board.colored_pieces(color, piece)),
            all: board.colors(color),
            short_castling: rights.short.is_some(),
            long_castling: rights.long.is_some(),
        }
    }

    /// A set made of one bitboard per kind of piece, and of the castling rights towards the
    /// h-file and the a-file. The bitboards must be disjoint.
    ///
    /// ```
    /// use krieg_core::{BitBoard, Color, Piece, PieceSet, Square};
    /// let mut by_piece = [BitBoard::EMPTY; Piece::NUM];
    /// by_piece[Piece::King as usize] = Square::E8.bitboard();
    /// let black = PieceSet::new(Color::Black, by_piece, (false, false));
    /// assert_eq!(black.piece_on(Square::E8), Some(Piece::King));
    /// ```
    pub fn new(color: Color, by_piece: [BitBoard; Piece::NUM], castling: (bool, bool)) -> Self {
        let all = by_piece.into_iter().fold(BitBoard::EMPTY, |all, squares| all | squares);
        let (short_castling, long_castling) = castling;
        PieceSet { color, by_piece, all, short_castling, long_castling }
    }

    /// The colour of the pieces.
    pub fn color(&self) -> Color {
        self.color
    }

    /// The squares of all pieces.
    pub fn all(&self) -> BitBoard {
        self.all
    }

    /// The squares of the pieces of one kind.
    ///
    /// ```
    /// use krieg_core::{Color, Piece, Position, bitboard};
    /// let white = Position::start().pieces(Color::White);
    /// assert_eq!(white.pieces(Piece::Knight), bitboard! {
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . X . . . . X .
    /// });
    /// ```
    pub fn pieces(&self, piece: Piece) -> BitBoard {
        self.by_piece[piece as usize]
    }

    /// The piece on a square, if it belongs to this set.
    ///
    /// ```
    /// use krieg_core::{Color, Piece, Position, Square};
    /// let black = Position::start().pieces(Color::Black);
    /// assert_eq!(black.piece_on(Square::D8), Some(Piece::Queen));
    /// assert_eq!(black.piece_on(Square::D1), None, "that is White's queen");
    /// ```
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        if !self.all.has(square) {
            return None;
        }
        Piece::ALL.into_iter().find(|&piece| self.pieces(piece).has(square))
    }

    /// The FEN letter of the piece on a square: upper case for White, lower case for Black.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Square};
    /// assert_eq!(Position::start().pieces(Color::White).letter(Square::E1), Some('K'));
    /// assert_eq!(Position::start().pieces(Color::Black).letter(Square::E8), Some('k'));
    /// ```
    pub fn letter(&self, square: Square) -> Option<char> {
        let letter = char::from(self.piece_on(square)?);
        Some(match self.color {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter,
        })
    }

    /// Whether the move is a diagonal move of one of these pawns.
    ///
    /// ```
    /// use krieg_core::{Color, Position};
    /// let white = Position::start().pieces(Color::White);
    /// assert!(white.is_pawn_capture("e2d3".parse()?));
    /// assert!(!white.is_pawn_capture("e2e4".parse()?));
    /// # Ok::<(), krieg_core::MoveError>(())
    /// ```
    pub fn is_pawn_capture(&self, mv: Move) -> bool {
        self.pieces(Piece::Pawn).has(mv.from) && mv.from.file() != mv.to.file()
    }

    /// The castling rights: towards the h-file (short) and towards the a-file (long).
    ///
    /// ```
    /// use krieg_core::{Color, Position};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1")?;
    /// assert_eq!(position.pieces(Color::White).castling(), (false, true));
    /// # Ok::<(), krieg_core::FenError>(())
    /// ```
    pub fn castling(&self) -> (bool, bool) {
        (self.short_castling, self.long_castling)
    }

    fn toggle(&mut self, piece: Piece, square: Square) {
        self.by_piece[piece as usize] ^= square.bitboard();
        self.all ^= square.bitboard();
    }

    /// The square on this colour's first rank.
    fn home(&self, file: File) -> Square {
        Square::new(file, Rank::First.relative_to(self.color))
    }

    /// Removes the castling right of a corner, after its rook moved or was captured.
    fn clear_castling_right(&mut self, corner: Square) {
        if corner == self.home(File::H) {
            self.short_castling = false;
        } else if corner == self.home(File::A) {
            self.long_castling = false;
        }
    }

    /// Plays a legal move of one of these pieces. A move of another piece changes nothing.
    ///
    /// ```
    /// use krieg_core::{Color, Piece, Position, Square};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")?;
    /// let mut white = position.pieces(Color::White);
    /// white.play("e1g1".parse().expect("a move"));
    /// assert_eq!(white.piece_on(Square::F1), Some(Piece::Rook));
    /// assert_eq!(white.castling(), (false, false));
    /// # Ok::<(), krieg_core::FenError>(())
    /// ```
    pub fn play(&mut self, mv: Move) {
        let Some(piece) = self.piece_on(mv.from) else { return };
        self.toggle(piece, mv.from);
        self.toggle(mv.promotion.map_or(piece, Piece::from), mv.to);
        if piece == Piece::King {
            let (from, to) = (mv.from.file(), mv.to.file());
            if from == File::E && to == File::G {
                self.toggle(Piece::Rook, self.home(File::H));
                self.toggle(Piece::Rook, self.home(File::F));
            } else if from == File::E && to == File::C {
                self.toggle(Piece::Rook, self.home(File::A));
                self.toggle(Piece::Rook, self.home(File::D));
            }
            self.short_castling = false;
            self.long_castling = false;
        }
        self.clear_castling_right(mv.from);
    }

    /// Removes the captured piece from its square.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Square};
    /// let mut white = Position::start().pieces(Color::White);
    /// white.remove_captured(Square::H1);
    /// assert_eq!(white.all().len(), 15);
    /// assert_eq!(white.castling(), (false, true), "the rook on h1 is gone");
    /// ```
    pub fn remove_captured(&mut self, square: Square) {
        if let Some(piece) = self.piece_on(square) {
            self.toggle(piece, square);
            self.clear_castling_right(square);
        }
    }

    /// Lists the moves these pieces could make on a board without the opponent's pieces. Diagonal
    /// pawn moves are listed only for the pawns in `may_capture`.
    pub(crate) fn list_tries(&self, may_capture: BitBoard, tries: &mut Tries) {
        tries.clear();
        let open = !self.all;
        let seventh_rank = Rank::Seventh.relative_to(self.color);
        for pawn in self.pieces(Piece::Pawn) {
            let mut to = get_pawn_quiets(pawn, self.color, self.all);
            if may_capture.has(pawn) {
                to |= get_pawn_attacks(pawn, self.color) & open;
            }
            if pawn.rank() == seventh_rank {
                for promotion in Promotion::ALL {
                    tries.add_pawn(pawn, to, Some(promotion));
                }
            } else {
                tries.add_pawn(pawn, to, None);
            }
        }
        for knight in self.pieces(Piece::Knight) {
            tries.add_piece(knight, get_knight_moves(knight) & open);
        }
        for bishop in self.pieces(Piece::Bishop) {
            tries.add_piece(bishop, get_bishop_moves(bishop, self.all) & open);
        }
        for rook in self.pieces(Piece::Rook) {
            tries.add_piece(rook, get_rook_moves(rook, self.all) & open);
        }
        for queen in self.pieces(Piece::Queen) {
            let to = get_bishop_moves(queen, self.all) | get_rook_moves(queen, self.all);
            tries.add_piece(queen, to & open);
        }
        for king in self.pieces(Piece::King) {
            tries.add_piece(king, (get_king_moves(king) & open) | self.castling_targets(king));
        }
    }

    /// The squares the king may try to castle to: those with the castling right and without an
    /// own piece between king and rook.
    fn castling_targets(&self, king: Square) -> BitBoard {
        let mut targets = BitBoard::EMPTY;
        for (right, rook, to) in
            [(self.short_castling, File::H, File::G), (self.long_castling, File::A, File::C)]
        {
            if right && get_between_rays(king, self.home(rook)).is_disjoint(self.all) {
                targets |= self.home(to).bitboard();
            }
        }
        targets
    }

    /// The pieces of one kind that could reach `to` on a board without the opponent's pieces,
    /// whatever was refused before. If there are several, a move in algebraic notation is
    /// ambiguous to the player.
    ///
    /// ```
    /// use krieg_core::{Color, Piece, Position, Square};
    /// // White does not see the bishop on c1, so for White both rooks may reach d1.
    /// let position = Position::from_fen("4k3/8/8/8/8/8/4K3/R1b4R w - - 0 1")?;
    /// let rooks = position.pieces(Color::White).reaching(Piece::Rook, Square::D1);
    /// assert_eq!(rooks, Square::A1.bitboard() | Square::H1.bitboard());
    /// # Ok::<(), krieg_core::FenError>(())
    /// ```
    pub fn reaching(&self, piece: Piece, to: Square) -> BitBoard {
        let tries = self.tries();
        let reaches = |from| tries.iter().any(|mv| mv.from == from && mv.to == to);
        self.pieces(piece).into_iter().filter(|&from| reaches(from)).collect()
    }

    /// All moves these pieces could make on a board without the opponent's pieces, including
    /// every diagonal move of a pawn.
    ///
    /// ```
    /// use krieg_core::{Color, Position};
    /// // Twenty legal moves, and 14 diagonal moves of the eight pawns.
    /// assert_eq!(Position::start().pieces(Color::White).tries().len(), 20 + 14);
    /// ```
    pub fn tries(&self) -> Tries {
        let mut tries = Tries::none();
        self.list_tries(BitBoard::FULL, &mut tries);
        tries
    }
}
