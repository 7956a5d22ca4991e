//! The umpire's position: the pieces of both sides, with the rules of chess.

use std::fmt;
use std::str::FromStr;

use cozy_chess::{
    Board, BoardBuilder, CastleRights, Color, File, Move as BoardMove, Piece, Rank, Square,
    get_king_moves,
};

use crate::{Checks, FenError, Move, PawnTries, PieceSet, Promotion, fen};

/// A chess position with the pieces of both sides.
///
/// This is the only type of the crate that holds hidden information. A player gets a
/// [`View`](crate::View), which has no access to the position.
///
/// ```
/// use krieg_core::{Color, Position};
/// let mut position = Position::start();
/// assert!(position.is_legal("e2e4".parse()?));
/// position.play("e2e4".parse()?)?;
/// assert_eq!(position.turn(), Color::Black);
/// assert_eq!(
///     position.to_string(),
///     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Position(Board);

/// The move is not legal in this position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not legal here")]
pub struct IllegalMove(pub Move);

impl Position {
    /// The standard start position.
    pub fn start() -> Self {
        Position(Board::startpos())
    }

    /// Reads a FEN. All six fields are required.
    ///
    /// ```
    /// use krieg_core::Position;
    /// let fen = "8/8/8/3k4/8/3K4/8/7R w - - 0 1";
    /// assert_eq!(Position::from_fen(fen)?.to_string(), fen);
    /// let adjacent_kings = "8/8/8/3k4/3K4/8/8/7R w - - 0 1";
    /// assert!(Position::from_fen(adjacent_kings).is_err());
    /// # Ok::<(), krieg_core::FenError>(())
    /// ```
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        fen::read(fen).map(Position)
    }

    /// The position with these pieces, if it is valid: the sets are disjoint, each side has one
    /// king, the kings are not adjacent, the side not to move is not in check, and so on. With
    /// `en_passant`, the opponent's pawn on that file has just made a double step. The half-move
    /// clock is 0 and the move number 1.
    ///
    /// ```
    /// use krieg_core::{Color, Position};
    /// let start = Position::start();
    /// let [white, black] = Color::ALL.map(|color| start.pieces(color));
    /// assert_eq!(Position::from_pieces(&white, &black, Color::White, None), Some(start));
    /// ```
    pub fn from_pieces(
        white: &PieceSet,
        black: &PieceSet,
        turn: Color,
        en_passant: Option<File>,
    ) -> Option<Self> {
        if !white.all().is_disjoint(black.all()) {
            return None;
        }
        let mut builder = BoardBuilder::empty();
        builder.side_to_move = turn;
        for pieces in [white, black] {
            let color = pieces.color();
            for piece in Piece::ALL {
                for square in pieces.pieces(piece) {
                    builder.board[square as usize] = Some((piece, color));
                }
            }
            let (short, long) = pieces.castling();
            builder.castle_rights[color as usize] =
                CastleRights { short: short.then_some(File::H), long: long.then_some(File::A) };
        }
        builder.en_passant =
            en_passant.map(|file| Square::new(file, Rank::Sixth.relative_to(turn)));
        let board = builder.build().ok()?;
        let are_apart = !get_king_moves(board.king(Color::White)).has(board.king(Color::Black));
        (are_apart && board.checkers().len() <= 2).then_some(Position(board))
    }

    /// The `cozy-chess` board, for chess engines. Its moves write castling as king takes rook.
    ///
    /// ```
    /// use krieg_core::{Piece, Position};
    /// assert_eq!(Position::start().board().pieces(Piece::Pawn).len(), 16);
    /// ```
    pub fn board(&self) -> &Board {
        &self.0
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.0.side_to_move()
    }

    /// The pieces of one side.
    ///
    /// ```
    /// use krieg_core::{Color, Position};
    /// assert_eq!(Position::start().pieces(Color::Black).all().len(), 16);
    /// ```
    pub fn pieces(&self, color: Color) -> PieceSet {
        PieceSet::of(&self.0, color)
    }

    /// The pawn tries of the side to move.
    ///
    /// ```
    /// use krieg_core::Position;
    /// assert_eq!(Position::start().pawn_tries().count, 0);
    /// ```
    pub fn pawn_tries(&self) -> PawnTries {
        PawnTries::on(&self.0)
    }

    /// The checks on the side to move.
    ///
    /// ```
    /// use krieg_core::{Direction, Position};
    /// let position = Position::from_fen("4k3/8/8/7B/8/8/8/4RK2 b - - 0 1")?;
    /// let directions: Vec<_> = position.checks().iter().collect();
    /// assert_eq!(directions, [Direction::File, Direction::ShortDiagonal]);
    /// # Ok::<(), krieg_core::FenError>(())
    /// ```
    pub fn checks(&self) -> Checks {
        Checks::on(&self.0)
    }

    /// Whether the move is legal.
    ///
    /// ```
    /// use krieg_core::Position;
    /// assert!(!Position::start().is_legal("e2e5".parse()?));
    /// # Ok::<(), krieg_core::MoveError>(())
    /// ```
    pub fn is_legal(&self, mv: Move) -> bool {
        self.0.is_legal(self.board_move(mv))
    }

    /// Whether the side to move has a legal move.
    ///
    /// ```
    /// use krieg_core::Position;
    /// assert!(Position::start().can_move());
    /// ```
    pub fn can_move(&self) -> bool {
        self.0.generate_moves(|_| true)
    }

    /// Plays a move if it is legal.
    ///
    /// ```
    /// use krieg_core::{IllegalMove, Position};
    /// let mut position = Position::start();
    /// let mv = "e2e5".parse()?;
    /// assert_eq!(position.play(mv), Err(IllegalMove(mv)));
    /// # Ok::<(), krieg_core::MoveError>(())
    /// ```
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let board_move = self.board_move(mv);
        self.0.try_play(board_move).map_err(|_| IllegalMove(mv))
    }

    /// Plays a move that is known to be legal. With an illegal move the resulting position is
    /// unspecified.
    ///
    /// ```
    /// use krieg_core::Position;
    /// let mut position = Position::start();
    /// position.play_legal(position.board_move("e2e4".parse()?));
    /// assert_eq!(position.turn(), krieg_core::Color::Black);
    /// # Ok::<(), krieg_core::MoveError>(())
    /// ```
    pub fn play_legal(&mut self, legal: BoardMove) {
        self.0.play_unchecked(legal);
    }

    /// All legal moves.
    ///
    /// ```
    /// use krieg_core::Position;
    /// assert_eq!(Position::start().legal_moves().len(), 20);
    /// ```
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.0.generate_moves(|piece_moves| {
            moves.extend(piece_moves.into_iter().map(|mv| self.player_move(mv)));
            false
        });
        moves
    }

    /// The move in the notation of `cozy-chess`, where castling is written as king takes rook. A
    /// king's move of two squares that is not castling is returned unchanged, and is illegal.
    ///
    /// ```
    /// use krieg_core::Position;
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
    /// let castling = position.board_move("e1g1".parse()?);
    /// assert_eq!(castling.to_string(), "e1h1");
    /// assert_eq!(position.player_move(castling).to_string(), "e1g1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn board_move(&self, mv: Move) -> BoardMove {
        let mut to = mv.to;
        if let Some(rook) = self.castling_rook(mv.from, mv.to) {
            to = rook;
        } else if self.0.colors(self.turn()).has(mv.to) {
            // A move to an own piece's square, such as e1h1, is not castling in our notation. A
            // move from a square to itself is illegal on every board.
            to = mv.from;
        }
        BoardMove { from: mv.from, to, promotion: mv.promotion.map(Piece::from) }
    }

    /// The inverse of [`Position::board_move`]: castling is written as the king's move.
    ///
    /// ```
    /// use krieg_core::Position;
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")?;
    /// let king_takes_rook = position.board_move("e1c1".parse()?);
    /// assert_eq!(position.player_move(king_takes_rook).to_string(), "e1c1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn player_move(&self, mv: BoardMove) -> Move {
        let is_castling =
            mv.from == self.0.king(self.turn()) && self.0.colors(self.turn()).has(mv.to);
        let to = match (is_castling, mv.to.file() > mv.from.file()) {
            (false, _) => mv.to,
            (true, true) => Square::new(File::G, mv.from.rank()),
            (true, false) => Square::new(File::C, mv.from.rank()),
        };
        Move { from: mv.from, to, promotion: mv.promotion.and_then(Promotion::from_piece) }
    }

    fn castling_rook(&self, from: Square, to: Square) -> Option<Square> {
        let turn = self.turn();
        let home = Rank::First.relative_to(turn);
        if from.file() != File::E || from.rank() != home || to.rank() != home {
            return None;
        }
        let rights = self.0.castle_rights(turn);
        let rook = match to.file() {
            File::G => rights.short,
            File::C => rights.long,
            _ => None,
        }?;
        (from == self.0.king(turn)).then(|| Square::new(rook, home))
    }
}

impl Default for Position {
    fn default() -> Self {
        Position::start()
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        Position::from_fen(fen)
    }
}
