//! One side's men: all that a player can see of the board.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_pawn_quiets, get_rook_moves,
};

use crate::{Move, Promotion, Tries};

/// The men of one colour, and whether they may still castle.
///
/// ```
/// use krieg_core::{Color, Piece, Position, Square};
/// let men = Position::start().men(Color::White);
/// assert_eq!(men.all().len(), 16);
/// assert_eq!(men.on(Square::E1), Some(Piece::King));
/// assert_eq!(men.on(Square::E8), None, "Black's king is not among White's men");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Men {
    color: Color,
    by_piece: [BitBoard; Piece::NUM],
    all: BitBoard,
    short_castling: bool,
    long_castling: bool,
}

impl Men {
    pub(crate) fn of(board: &Board, color: Color) -> Self {
        let rights = board.castle_rights(color);
        Men {
            color,
            by_piece: Piece::ALL.map(|piece| board.colored_pieces(color, piece)),
            all: board.colors(color),
            short_castling: rights.short.is_some(),
            long_castling: rights.long.is_some(),
        }
    }

    /// Men as somebody imagines them: where those of each kind stand, and whether they may still castle towards the
    /// h-file and towards the a-file. No two may stand on one square.
    ///
    /// ```
    /// use krieg_core::{BitBoard, Color, Men, Piece, Square};
    /// let mut squares = [BitBoard::EMPTY; Piece::NUM];
    /// squares[Piece::King as usize] = Square::E8.bitboard();
    /// let men = Men::new(Color::Black, squares, (false, false));
    /// assert_eq!(men.on(Square::E8), Some(Piece::King));
    /// ```
    pub fn new(color: Color, by_piece: [BitBoard; Piece::NUM], castling: (bool, bool)) -> Self {
        let all = by_piece.into_iter().fold(BitBoard::EMPTY, |all, squares| all | squares);
        let (short_castling, long_castling) = castling;
        Men { color, by_piece, all, short_castling, long_castling }
    }

    /// Whose men these are.
    pub fn color(&self) -> Color {
        self.color
    }

    /// The squares where they stand.
    pub fn all(&self) -> BitBoard {
        self.all
    }

    /// The squares where the men of one kind stand.
    ///
    /// ```
    /// use krieg_core::{Color, Piece, Position, bitboard};
    /// let men = Position::start().men(Color::White);
    /// assert_eq!(men.pieces(Piece::Knight), bitboard! {
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

    /// The man on a square, if it is one of these.
    pub fn on(&self, square: Square) -> Option<Piece> {
        if !self.all.has(square) {
            return None;
        }
        Piece::ALL.into_iter().find(|&piece| self.pieces(piece).has(square))
    }

    /// The letter of the man on a square, upper case for White and lower case for Black.
    ///
    /// ```
    /// use krieg_core::{Color, Position, Square};
    /// assert_eq!(Position::start().men(Color::White).letter(Square::E1), Some('K'));
    /// assert_eq!(Position::start().men(Color::Black).letter(Square::E8), Some('k'));
    /// ```
    pub fn letter(&self, square: Square) -> Option<char> {
        let letter = char::from(self.on(square)?);
        Some(match self.color {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter,
        })
    }

    /// Whether the move is one of a pawn of these along its diagonal.
    ///
    /// ```
    /// use krieg_core::{Color, Position};
    /// let men = Position::start().men(Color::White);
    /// assert!(men.is_pawn_capture("e2d3".parse()?));
    /// assert!(!men.is_pawn_capture("e2e4".parse()?));
    /// # Ok::<(), krieg_core::MoveError>(())
    /// ```
    pub fn is_pawn_capture(&self, mv: Move) -> bool {
        self.pieces(Piece::Pawn).has(mv.from) && mv.from.file() != mv.to.file()
    }

    /// The right to castle towards the h-file, and towards the a-file.
    ///
    /// ```
    /// use krieg_core::{Color, Position};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1")?;
    /// assert_eq!(position.men(Color::White).castling(), (false, true));
    /// # Ok::<(), krieg_core::FenError>(())
    /// ```
    pub fn castling(&self) -> (bool, bool) {
        (self.short_castling, self.long_castling)
    }

    fn toggle(&mut self, piece: Piece, square: Square) {
        self.by_piece[piece as usize] ^= square.bitboard();
        self.all ^= square.bitboard();
    }

    fn home(&self, file: File) -> Square {
        Square::new(file, Rank::First.relative_to(self.color))
    }

    /// A rook that left its corner, alive or dead, castles no more.
    fn corner_left(&mut self, square: Square) {
        if square == self.home(File::H) {
            self.short_castling = false;
        } else if square == self.home(File::A) {
            self.long_castling = false;
        }
    }

    /// One of these men makes a move that the umpire found legal.
    pub(crate) fn play(&mut self, mv: Move) {
        let Some(piece) = self.on(mv.from) else { return };
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
        self.corner_left(mv.from);
    }

    /// The man on this square was captured.
    pub(crate) fn lose(&mut self, square: Square) {
        if let Some(piece) = self.on(square) {
            self.toggle(piece, square);
            self.corner_left(square);
        }
    }

    /// Writes down what these men could do if nobody else were on the board. Only the pawns in
    /// `may_capture` try their diagonals.
    pub(crate) fn list_tries(&self, may_capture: BitBoard, tries: &mut Tries) {
        tries.clear();
        let open = !self.all;
        let last_but_one = Rank::Seventh.relative_to(self.color);
        for pawn in self.pieces(Piece::Pawn) {
            let mut to = get_pawn_quiets(pawn, self.color, self.all);
            if may_capture.has(pawn) {
                to |= get_pawn_attacks(pawn, self.color) & open;
            }
            if pawn.rank() == last_but_one {
                for promotion in Promotion::ALL {
                    tries.add_pawn(pawn, to, Some(promotion));
                }
            } else {
                tries.add_pawn(pawn, to, None);
            }
        }
        for knight in self.pieces(Piece::Knight) {
            tries.add_man(knight, get_knight_moves(knight) & open);
        }
        for bishop in self.pieces(Piece::Bishop) {
            tries.add_man(bishop, get_bishop_moves(bishop, self.all) & open);
        }
        for rook in self.pieces(Piece::Rook) {
            tries.add_man(rook, get_rook_moves(rook, self.all) & open);
        }
        for queen in self.pieces(Piece::Queen) {
            let to = get_bishop_moves(queen, self.all) | get_rook_moves(queen, self.all);
            tries.add_man(queen, to & open);
        }
        for king in self.pieces(Piece::King) {
            tries.add_man(king, (get_king_moves(king) & open) | self.castling_steps(king));
        }
    }

    /// Where the king may try to castle to: the right is there, and no own man is in the way.
    fn castling_steps(&self, king: Square) -> BitBoard {
        let mut steps = BitBoard::EMPTY;
        for (right, rook, to) in
            [(self.short_castling, File::H, File::G), (self.long_castling, File::A, File::C)]
        {
            if right && get_between_rays(king, self.home(rook)).is_disjoint(self.all) {
                steps |= self.home(to).bitboard();
            }
        }
        steps
    }

    /// The own men of the same kind that could reach `to` over a board with nobody else on it,
    /// whatever was refused before. This is what makes a move ambiguous to its player.
    ///
    /// ```
    /// use krieg_core::{Color, Piece, Position, Square};
    /// // White cannot see the bishop on c1, so to him either rook may reach d1.
    /// let position = Position::from_fen("4k3/8/8/8/8/8/4K3/R1b4R w - - 0 1")?;
    /// let rooks = position.men(Color::White).reaching(Piece::Rook, Square::D1);
    /// assert_eq!(rooks, Square::A1.bitboard() | Square::H1.bitboard());
    /// # Ok::<(), krieg_core::FenError>(())
    /// ```
    pub fn reaching(&self, piece: Piece, to: Square) -> BitBoard {
        let tries = self.tries();
        let reaches = |from| tries.iter().any(|mv| mv.from == from && mv.to == to);
        self.pieces(piece).into_iter().filter(|&from| reaches(from)).collect()
    }

    /// All that these men could do on a board with nobody else on it, every diagonal of a pawn
    /// included.
    ///
    /// ```
    /// use krieg_core::{Color, Position};
    /// // Twenty moves, and the diagonals of eight pawns.
    /// assert_eq!(Position::start().men(Color::White).tries().len(), 20 + 14);
    /// ```
    pub fn tries(&self) -> Tries {
        let mut tries = Tries::none();
        self.list_tries(BitBoard::FULL, &mut tries);
        tries
    }
}
