//! Counting the captures that pawns really have, fast.

use cozy_chess::{
    BitBoard, Board, Color, File, Move as BoardMove, Piece, Rank, Square, get_line_rays,
    get_pawn_attacks,
};

/// The pawn tries of the side to move: its legal captures by pawns, en passant included, where
/// the four promotions of one capture count once and a capture forbidden by a pin counts nought.
///
/// ```
/// use krieg_core::{Position, Square};
/// // e5 may take d6 or, in passing, f6. The pawn on b4 would take c5, but it is pinned.
/// let position = Position::from_fen("1r2k3/8/3p4/2p1Pp2/1P6/8/8/1K6 w - f6 0 1")?;
/// assert_eq!(position.pawn_tries().count, 2);
/// assert_eq!(position.pawn_tries().from, Square::E5.bitboard());
/// # Ok::<(), krieg_core::FenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PawnTries {
    /// How many distinct (from, to) captures there are.
    pub count: u8,
    /// The pawns that have one.
    pub from: BitBoard,
    /// Whether one of them is en passant.
    pub en_passant: bool,
}

impl PawnTries {
    pub(crate) fn on(board: &Board) -> Self {
        let us = board.side_to_move();
        let king = board.king(us);
        let pawns = board.colored_pieces(us, Piece::Pawn);
        let checkers = board.checkers();
        // A capture must take the checker: pawns capture on a man's square, never between two.
        let saves_the_king = match checkers.len() {
            0 => BitBoard::FULL,
            1 => checkers,
            _ => return PawnTries::default(),
        };
        let prey = board.colors(!us) & saves_the_king;

        let free = pawns & !board.pinned();
        let (towards_a, towards_h) = pawn_diagonals(free, us);
        let (towards_a, towards_h) = (towards_a & prey, towards_h & prey);
        // Looking back from the prey along the same diagonals finds the pawns again.
        let (from_h, _) = pawn_diagonals(towards_h, !us);
        let (_, from_a) = pawn_diagonals(towards_a, !us);
        let mut tries = PawnTries {
            count: (towards_a.len() + towards_h.len()) as u8,
            from: from_h | from_a,
            en_passant: false,
        };

        for pawn in pawns & board.pinned() {
            let hits = get_pawn_attacks(pawn, us) & prey & get_line_rays(king, pawn);
            // A pinned man cannot answer a check: the pin's line meets the check's only in the king.
            if checkers.is_empty() && !hits.is_empty() {
                tries.count += hits.len() as u8;
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

/// Where pawns of this colour strike: towards the a-file, and towards the h-file.
///
/// ```
/// use krieg_core::{Color, Square, pawn_diagonals};
/// let pawn = Square::E4.bitboard();
/// let (d5, f5) = (Square::D5.bitboard(), Square::F5.bitboard());
/// assert_eq!(pawn_diagonals(pawn, Color::White), (d5, f5));
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
