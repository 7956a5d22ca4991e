//! Static exchange evaluation: what a capture wins or loses once both sides have taken back on
//! its square with their least men first.

use cozy_chess::{
    BitBoard, Board, Color, Move as BoardMove, Piece, Rank, Square, get_bishop_moves,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};

/// What a man counts for in exchanges.
pub(crate) const SEE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// An exchange after its first move.
struct Opened {
    /// What the first move wins.
    gain: i32,
    /// What stands on the square now, to be taken.
    standing: i32,
    occupied: BitBoard,
}

impl Opened {
    /// Nothing, if nobody moves, or if a king castles: that is written as taking the own rook.
    fn by(board: &Board, mv: BoardMove) -> Option<Self> {
        let mover = board.side_to_move();
        let man = board.piece_on(mv.from).filter(|_| !board.colors(mover).has(mv.to))?;
        let mut occupied = board.occupied() ^ mv.from.bitboard();
        let mut gain = match board.piece_on(mv.to) {
            Some(victim) => SEE_VALUES[victim as usize],
            None if man == Piece::Pawn && mv.from.file() != mv.to.file() => {
                occupied ^= Square::new(mv.to.file(), Rank::Fifth.relative_to(mover)).bitboard();
                SEE_VALUES[Piece::Pawn as usize]
            }
            None => 0,
        };
        let mut standing = SEE_VALUES[man as usize];
        if let Some(promoted) = mv.promotion {
            gain += SEE_VALUES[promoted as usize] - SEE_VALUES[Piece::Pawn as usize];
            standing = SEE_VALUES[promoted as usize];
        }
        occupied |= mv.to.bitboard();
        Some(Opened { gain, standing, occupied })
    }
}

/// Whether the mover comes out of the exchange with at least `wanted`.
pub(crate) fn see_ge(board: &Board, mv: BoardMove, wanted: i32) -> bool {
    let mover = board.side_to_move();
    let Some(Opened { gain, standing, mut occupied }) = Opened::by(board, mv) else {
        return board.colors(mover).has(mv.to) && wanted <= 0; // castling
    };

    // `balance` is what the side that has just taken is ahead of `wanted`, if it may stop here.
    let mut balance = gain - wanted;
    if balance < 0 {
        return false;
    }
    balance -= standing;
    if balance >= 0 {
        return true;
    }
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let mut attackers = attackers(board, mv.to, occupied) & occupied;
    let mut side = !mover;
    loop {
        let own = attackers & board.colors(side);
        let Some((man, from)) = least(board, own) else { break };
        if man == Piece::King && !(attackers & board.colors(!side)).is_empty() {
            break; // the king may not take what is defended
        }
        occupied ^= from.bitboard();
        if matches!(man, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= get_bishop_moves(mv.to, occupied) & diagonal;
        }
        if matches!(man, Piece::Rook | Piece::Queen) {
            attackers |= get_rook_moves(mv.to, occupied) & straight;
        }
        attackers &= occupied;
        side = !side;
        balance = -balance - 1 - SEE_VALUES[man as usize];
        if balance >= 0 {
            break;
        }
    }
    // Whoever is to take and cannot, or need not, has lost the exchange.
    side != mover
}

/// What the mover wins or loses by this move, in hundredths of a pawn, if both sides then take back on its square for as long as it pays.
///
/// Neither pins nor checks are looked at.
///
/// ```
/// use krieg_chess::static_exchange_value;
/// use krieg_core::Position;
/// let guarded = Position::from_fen("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1")?;
/// let mv = guarded.board_move("d1d5".parse()?);
/// assert_eq!(static_exchange_value(guarded.board(), mv), 100 - 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn static_exchange_value(board: &Board, mv: BoardMove) -> i32 {
    let Some(Opened { gain: first, mut standing, mut occupied }) = Opened::by(board, mv) else {
        return 0; // castling
    };
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    // What each capture takes, one after the other; no more than all men can take part.
    let mut taken = [0; 32];
    taken[0] = first;
    let mut count = 1;
    let mut attackers = attackers(board, mv.to, occupied) & occupied;
    let mut side = !board.side_to_move();
    while let Some((man, from)) = least(board, attackers & board.colors(side)) {
        if man == Piece::King && !(attackers & board.colors(!side)).is_empty() {
            break; // the king may not take what is defended
        }
        taken[count] = standing;
        count += 1;
        standing = SEE_VALUES[man as usize];
        occupied ^= from.bitboard();
        attackers |= (get_bishop_moves(mv.to, occupied) & diagonal)
            | (get_rook_moves(mv.to, occupied) & straight);
        attackers &= occupied;
        side = !side;
    }
    // From the end: whoever loses by taking does not take.
    let replies = taken[1..count].iter().rev().fold(0, |after, &takes| (takes - after).max(0));
    first - replies
}

fn least(board: &Board, pieces: BitBoard) -> Option<(Piece, Square)> {
    Piece::ALL.into_iter().find_map(|piece| {
        let square = (pieces & board.pieces(piece)).next_square()?;
        Some((piece, square))
    })
}

fn attackers(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    (get_knight_moves(square) & board.pieces(Piece::Knight))
        | (get_king_moves(square) & board.pieces(Piece::King))
        | (get_bishop_moves(square, occupied) & diagonal)
        | (get_rook_moves(square, occupied) & straight)
        | (get_pawn_attacks(square, Color::Black) & board.colored_pieces(Color::White, Piece::Pawn))
        | (get_pawn_attacks(square, Color::White) & board.colored_pieces(Color::Black, Piece::Pawn))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exchange played out in full: the largest gain the mover can be sure of on this square.
    fn played_out(board: &Board, mv: BoardMove) -> i32 {
        let worth = |piece: Option<Piece>| piece.map_or(0, |piece| SEE_VALUES[piece as usize]);
        let passes_by = board.piece_on(mv.from) == Some(Piece::Pawn)
            && mv.from.file() != mv.to.file()
            && board.piece_on(mv.to).is_none();
        let gain = worth(board.piece_on(mv.to))
            + if passes_by { SEE_VALUES[0] } else { 0 }
            + mv.promotion.map_or(0, |piece| SEE_VALUES[piece as usize] - SEE_VALUES[0]);
        let mut after = board.clone();
        after.play_unchecked(mv);
        let mut best = 0; // nobody must take back
        let mut least_worth = i32::MAX;
        after.generate_moves(|moves| {
            for reply in moves {
                // The least man first, and queens only from promotion, as the fast version does.
                let man = worth(after.piece_on(reply.from));
                if reply.to != mv.to || man >= least_worth || reply.promotion.is_some() {
                    continue;
                }
                least_worth = man;
                best = played_out(&after, reply).max(0);
            }
            false
        });
        gain - best
    }

    #[test]
    fn exchanges_known_by_heart() {
        for (fen, mv, value) in [
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
            ("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
            ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", 100),
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 320),
        ] {
            let board: Board = fen.parse().unwrap();
            let mv = mv.parse().unwrap();
            assert!(see_ge(&board, mv, value), "{fen} {mv} wins {value}");
            assert!(!see_ge(&board, mv, value + 1), "{fen} {mv} wins no more than {value}");
            assert_eq!(static_exchange_value(&board, mv), value, "{fen} {mv}");
        }
    }

    #[test]
    fn the_fast_answer_is_that_of_playing_it_out() {
        let mut compared = 0;
        for board in crate::testing::boards(400, 7) {
            let pinned = !board.pinned().is_empty() || !board.checkers().is_empty();
            board.generate_moves(|moves| {
                for mv in moves {
                    let is_capture = board.colors(!board.side_to_move()).has(mv.to);
                    // The fast version looks neither at pins nor at checks; boards without any
                    // near the exchange are where both must agree.
                    if !is_capture || pinned || mv.promotion.is_some() || !calm(&board, mv) {
                        continue;
                    }
                    let slow = played_out(&board, mv);
                    compared += 1;
                    assert!(see_ge(&board, mv, slow), "{board} {mv} {slow}");
                    assert!(!see_ge(&board, mv, slow + 1), "{board} {mv} {slow}");
                    assert_eq!(static_exchange_value(&board, mv), slow, "{board} {mv}");
                }
                false
            });
        }
        assert!(compared > 200, "{compared}");
    }

    /// Whether no exchange on the square meets a pin, a check or a promotion.
    fn calm(board: &Board, mv: BoardMove) -> bool {
        let mut after = board.clone();
        after.play_unchecked(mv);
        let mut is_calm = after.pinned().is_empty()
            && after.checkers().is_empty()
            && after.null_move().is_some_and(|other| other.pinned().is_empty());
        after.generate_moves(|moves| {
            for reply in moves {
                if is_calm && reply.to == mv.to {
                    is_calm = reply.promotion.is_none() && calm(&after, reply);
                }
            }
            false
        });
        is_calm
    }
}
