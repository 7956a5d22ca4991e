//! Static exchange evaluation (SEE): the material result of a capture when both sides recapture on
//! its square, least valuable piece first, for as long as it pays.
//!
//! Pins and checks are ignored.

use cozy_chess::{
    BitBoard, Board, Color, Move as BoardMove, Piece, Rank, Square, get_bishop_moves,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};

/// Piece values in centipawns, from pawn to king.
pub(crate) const SEE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// An exchange after its first move.
struct Exchange {
    /// Material gained by the first move.
    gain: i32,
    /// Value of the piece on the target square, which the opponent may capture.
    at_risk: i32,
    /// Occupied squares after the first move.
    occupied: BitBoard,
}

impl Exchange {
    /// Makes the first move. `None` if there is no piece to move, or for castling, which is encoded
    /// as the king capturing its own rook.
    fn start(board: &Board, mv: BoardMove) -> Option<Self> {
        let mover = board.side_to_move();
        let piece = board.piece_on(mv.from).filter(|_| !board.colors(mover).has(mv.to))?;
        let mut occupied = board.occupied() ^ mv.from.bitboard();
        let mut gain = match board.piece_on(mv.to) {
            Some(victim) => SEE_VALUES[victim as usize],
            // En passant.
            None if piece == Piece::Pawn && mv.from.file() != mv.to.file() => {
                occupied ^= Square::new(mv.to.file(), Rank::Fifth.relative_to(mover)).bitboard();
                SEE_VALUES[Piece::Pawn as usize]
            }
            None => 0,
        };
        let mut at_risk = SEE_VALUES[piece as usize];
        if let Some(promoted) = mv.promotion {
            gain += SEE_VALUES[promoted as usize] - SEE_VALUES[Piece::Pawn as usize];
            at_risk = SEE_VALUES[promoted as usize];
        }
        occupied |= mv.to.bitboard();
        Some(Exchange { gain, at_risk, occupied })
    }
}

/// Whether the static exchange value of a move is at least `threshold`. Faster than computing the
/// value with [`static_exchange_value`].
pub(crate) fn see_ge(board: &Board, mv: BoardMove, threshold: i32) -> bool {
    let mover = board.side_to_move();
    let Some(Exchange { gain, at_risk, mut occupied }) = Exchange::start(board, mv) else {
        return board.colors(mover).has(mv.to) && threshold <= 0; // castling
    };

    // Even if nothing is recaptured, the gain must reach the threshold.
    let mut balance = gain - threshold;
    if balance < 0 {
        return false;
    }
    // From here on, `balance` is by how much the side that captured last exceeds its threshold if
    // it loses the piece that it captured with.
    balance -= at_risk;
    if balance >= 0 {
        return true;
    }
    let diagonal_sliders = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let orthogonal_sliders = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let mut attackers = attackers(board, mv.to, occupied) & occupied;
    let mut side = !mover;
    loop {
        let own = attackers & board.colors(side);
        let Some((piece, from)) = least_valuable(board, own) else { break };
        if piece == Piece::King && !(attackers & board.colors(!side)).is_empty() {
            break; // the king cannot capture a defended piece
        }
        occupied ^= from.bitboard();
        // X-ray attacks: sliders behind the piece that has just captured join the exchange.
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= get_bishop_moves(mv.to, occupied) & diagonal_sliders;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            attackers |= get_rook_moves(mv.to, occupied) & orthogonal_sliders;
        }
        attackers &= occupied;
        side = !side;
        balance = -balance - 1 - SEE_VALUES[piece as usize];
        if balance >= 0 {
            break;
        }
    }
    // The side to capture has no good capture left and loses the exchange.
    side != mover
}

/// Static exchange value of a move in centipawns: the material that the mover wins or loses if both
/// sides recapture on its square, least valuable piece first, for as long as it pays.
///
/// Pins and checks are ignored. Castling has the value 0.
///
/// ```
/// use krieg_chess::static_exchange_value;
/// use krieg_core::Position;
/// let defended = Position::from_fen("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1")?;
/// let mv = defended.board_move("d1d5".parse()?);
/// assert_eq!(static_exchange_value(defended.board(), mv), 100 - 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn static_exchange_value(board: &Board, mv: BoardMove) -> i32 {
    let Some(Exchange { gain: first, mut at_risk, mut occupied }) = Exchange::start(board, mv)
    else {
        return 0; // castling
    };
    let diagonal_sliders = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let orthogonal_sliders = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    // The swap list: the value captured by each move of the exchange. At most all 32 pieces take
    // part.
    let mut captured = [0; 32];
    captured[0] = first;
    let mut count = 1;
    let mut attackers = attackers(board, mv.to, occupied) & occupied;
    let mut side = !board.side_to_move();
    while let Some((piece, from)) = least_valuable(board, attackers & board.colors(side)) {
        if piece == Piece::King && !(attackers & board.colors(!side)).is_empty() {
            break; // the king cannot capture a defended piece
        }
        captured[count] = at_risk;
        count += 1;
        at_risk = SEE_VALUES[piece as usize];
        occupied ^= from.bitboard();
        attackers |= (get_bishop_moves(mv.to, occupied) & diagonal_sliders)
            | (get_rook_moves(mv.to, occupied) & orthogonal_sliders);
        attackers &= occupied;
        side = !side;
    }
    // Backward through the swap list: a side that would lose by capturing does not capture.
    let replies = captured[1..count].iter().rev().fold(0, |after, &victim| (victim - after).max(0));
    first - replies
}

fn least_valuable(board: &Board, pieces: BitBoard) -> Option<(Piece, Square)> {
    Piece::ALL.into_iter().find_map(|piece| {
        let square = (pieces & board.pieces(piece)).next_square()?;
        Some((piece, square))
    })
}

/// Pieces of both sides that attack a square.
fn attackers(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let diagonal_sliders = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let orthogonal_sliders = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    (get_knight_moves(square) & board.pieces(Piece::Knight))
        | (get_king_moves(square) & board.pieces(Piece::King))
        | (get_bishop_moves(square, occupied) & diagonal_sliders)
        | (get_rook_moves(square, occupied) & orthogonal_sliders)
        | (get_pawn_attacks(square, Color::Black) & board.colored_pieces(Color::White, Piece::Pawn))
        | (get_pawn_attacks(square, Color::White) & board.colored_pieces(Color::Black, Piece::Pawn))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The static exchange value by recursion over legal moves.
    fn reference_value(board: &Board, mv: BoardMove) -> i32 {
        let value = |piece: Option<Piece>| piece.map_or(0, |piece| SEE_VALUES[piece as usize]);
        let is_en_passant = board.piece_on(mv.from) == Some(Piece::Pawn)
            && mv.from.file() != mv.to.file()
            && board.piece_on(mv.to).is_none();
        let gain = value(board.piece_on(mv.to))
            + if is_en_passant { SEE_VALUES[0] } else { 0 }
            + mv.promotion.map_or(0, |piece| SEE_VALUES[piece as usize] - SEE_VALUES[0]);
        let mut after = board.clone();
        after.play_unchecked(mv);
        let mut best = 0; // recapturing is optional
        let mut least_value = i32::MAX;
        after.generate_moves(|moves| {
            for reply in moves {
                // Least valuable piece first and no promotions, as in the fast versions.
                let capturer = value(after.piece_on(reply.from));
                if reply.to != mv.to || capturer >= least_value || reply.promotion.is_some() {
                    continue;
                }
                least_value = capturer;
                best = reference_value(&after, reply).max(0);
            }
            false
        });
        gain - best
    }

    #[test]
    fn known_exchanges_have_their_values() {
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
            assert!(see_ge(&board, mv, value), "{fen} {mv} is at least {value}");
            assert!(!see_ge(&board, mv, value + 1), "{fen} {mv} is at most {value}");
            assert_eq!(static_exchange_value(&board, mv), value, "{fen} {mv}");
        }
    }

    #[test]
    fn fast_versions_agree_with_the_recursion() {
        let mut compared = 0;
        for board in crate::testing::random_boards(400, 7) {
            let pinned = !board.pinned().is_empty() || !board.checkers().is_empty();
            board.generate_moves(|moves| {
                for mv in moves {
                    let is_capture = board.colors(!board.side_to_move()).has(mv.to);
                    // The fast versions ignore pins, checks and promotions, so only exchanges
                    // without them are compared.
                    if !is_capture || pinned || mv.promotion.is_some() || !is_quiet(&board, mv) {
                        continue;
                    }
                    let reference = reference_value(&board, mv);
                    compared += 1;
                    assert!(see_ge(&board, mv, reference), "{board} {mv} {reference}");
                    assert!(!see_ge(&board, mv, reference + 1), "{board} {mv} {reference}");
                    assert_eq!(static_exchange_value(&board, mv), reference, "{board} {mv}");
                }
                false
            });
        }
        assert!(compared > 200, "{compared}");
    }

    /// Whether no continuation of the exchange involves a pin, a check or a promotion.
    fn is_quiet(board: &Board, mv: BoardMove) -> bool {
        let mut after = board.clone();
        after.play_unchecked(mv);
        let mut all_quiet = after.pinned().is_empty()
            && after.checkers().is_empty()
            && after.null_move().is_some_and(|other| other.pinned().is_empty());
        after.generate_moves(|moves| {
            for reply in moves {
                if all_quiet && reply.to == mv.to {
                    all_quiet = reply.promotion.is_none() && is_quiet(&after, reply);
                }
            }
            false
        });
        all_quiet
    }
}
