//! The opponent's obligation after the answer "yes" to "any?": a pawn capture, or one try at it.

use cozy_chess::{Move as BoardMove, Piece, get_pawn_attacks};
use krieg_core::{AnyObligation, Position};

/// Reweights the opponent's legal moves for a turn with this obligation.
///
/// Under `UntilOneIsLegal` the move is a pawn capture. Under `OneTry` the opponent tries one
/// sensible pawn capture; if it is refused, any move may follow. That one try is legal with the
/// probability that a uniformly chosen sensible pawn capture is legal.
pub fn apply_obligation(
    after_yes: AnyObligation,
    board: &Position,
    moves: &[BoardMove],
    weights: &mut [f64],
) {
    let opponent = board.turn();
    let pawns = board.board().colored_pieces(opponent, Piece::Pawn);
    let is_pawn_capture = |mv: &BoardMove| pawns.has(mv.from) && mv.from.file() != mv.to.file();
    let (mut pawn_capture_sum, mut sum) = (0.0, 0.0);
    for (mv, weight) in moves.iter().zip(&*weights) {
        sum += weight;
        if is_pawn_capture(mv) {
            pawn_capture_sum += weight;
        }
    }
    let legal = board.pawn_tries().count;
    if legal == 0 {
        return;
    }
    let success = match after_yes {
        AnyObligation::UntilOneIsLegal => 1.0,
        AnyObligation::OneTry => {
            let targets =
                |pawn| (get_pawn_attacks(pawn, opponent) - board.board().colors(opponent)).len();
            let sensible: u32 = pawns.into_iter().map(targets).sum();
            f64::from(legal) / f64::from(sensible.max(1))
        }
    };
    let pawn_capture_factor = success * sum / pawn_capture_sum + (1.0 - success);
    for (mv, weight) in moves.iter().zip(weights) {
        *weight *= if is_pawn_capture(mv) { pawn_capture_factor } else { 1.0 - success };
    }
}
