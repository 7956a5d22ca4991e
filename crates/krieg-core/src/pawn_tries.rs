//! Counts the legal pawn captures of the side to move, with bitboards instead of move generation.

use cozy_chess::{
    BitBoard, Board, Color, File, Move as BoardMove, Piece, Rank, Square, get_line_rays,
    get_pawn_attacks,
};

/// The pawn tries of the side to move: its legal pawn captures, including en passant. The four
/// promotions of one capture count once, and a capture that a pin forbids does not count.
///
/// ```
/// use krieg_core::{Position, Square};
/// // e5 can capture on d6, or en passant on f6. The pawn on b4 is pinned, so b4xc5 is illegal.
/// let position = Position::from_fen("1r2k3/8/3p4/2p1Pp2/1P6/8/8/1K6 w - f6 0 1")?;
/// let tries = position.pawn_tries();
/// assert_eq!((tries.count, tries.en_passant), (2, true));
/// assert_eq!(tries.from, Square::E5.bitboard());
/// # Ok::<(), krieg_core::FenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PawnTries {
    /// The number of distinct pairs of origin and target square.
    pub count: u8,
    /// The pawns that have a legal capture.
    pub from: BitBoard,
    /// Whether one of the captures is en passant.
    pub en_passant: bool,
}

impl PawnTries {
    pub(crate) fn on(board: &Board) -> Self {
        let us = board.side_to_move();
        let king = board.king(us);
        let pawns = board.colored_pieces(us, Piece::Pawn);
        let checkers = board.checkers();
        // In check, a capture must take the checking piece: a pawn capture lands on an occupied
        // square, so it cannot interpose. In double check only the king can move.
        let evasions = match checkers.len() {
            0 => BitBoard::FULL,
            1 => checkers,
            _ => return PawnTries::default(),
        };
        let victims = board.colors(!us) & evasions;

        let unpinned = pawns & !board.pinned();
        let (towards_a, towards_h) = pawn_diagonals(unpinned, us);
        let (towards_a, towards_h) = (towards_a & victims, towards_h & victims);
        // The same diagonals, followed back from the victims, give the capturing pawns.
        let (from_h, _) = pawn_diagonals(towards_h, !us);
        let (_, from_a) = pawn_diagonals(towards_a, !us);
        let mut tries = PawnTries {
            count: (towards_a.len() + towards_h.len()) as u8,
            from: from_h | from_a,
            en_passant: false,
        };

        for pawn in pawns & board.pinned() {
            let captures = get_pawn_attacks(pawn, us) & victims & get_line_rays(king, pawn);
            // A pinned pawn cannot capture the checking piece: the line of the pin and the line
            // of the check meet only on the king's square.
            if checkers.is_empty() && !captures.is_empty() {
                tries.count += captures.len() as u8;
                tries.from |= pawn.bitboard();
            }
        }

        if let Some(file) = board.en_passant() {
            let to = Square::new(file, Rank::Sixth.relative_to(us));
            for pawn in get_pawn_attacks(to, !us) & pawns {
                if board.is_legal(BoardMove { from: pawn, to, promotion: None }) {
                    tries.count += 1;
                    tries.from |= pawn.bitboard();
                    tries.en_passant = true;
                }
            }
        }
        tries
    }
}

/// The squares attacked by pawns of one colour: towards the a-file, and towards the h-file.
///
/// ```
/// use krieg_core::{Color, Square, bitboard, pawn_diagonals};
/// let pawns = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . X . . .
///     . . . . . . . .
///     . . . . . . . X
///     . . . . . . . .
/// };
/// let (towards_a, towards_h) = pawn_diagonals(pawns, Color::White);
/// assert_eq!(towards_a, Square::D5.bitboard() | Square::G3.bitboard());
/// assert_eq!(towards_h, Square::F5.bitboard());
/// ```
#[inline]
pub fn pawn_diagonals(pawns: BitBoard, color: Color) -> (BitBoard, BitBoard) {
    let not_a = (pawns & !File::A.bitboard()).0;
    let not_h = (pawns & !File::H.bitboard()).0;
    match color {
        Color::White => (BitBoard(not_a << 7), BitBoard(not_h << 9)),
        Color::Black => (BitBoard(not_a >> 9), BitBoard(not_h >> 7)),
    }
}
