//! What the opponent owes who has asked "any?" and heard "yes": a capture with a pawn, or one try at it.

use cozy_chess::{Move as BoardMove, Piece, get_pawn_attacks};
use krieg_core::{AfterYes, Position};

/// Makes these legal moves as likely as they are to somebody who has to pay first. Who owes one try finds a legal capture as often as it is one of those that make
/// sense to him; if it is refused he plays what he likes.
pub fn pay(after_yes: AfterYes, board: &Position, moves: &[BoardMove], weights: &mut [f64]) {
    let he = board.turn();
    let pawns = board.board().colored_pieces(he, Piece::Pawn);
    let takes = |mv: &BoardMove| pawns.has(mv.from) && mv.from.file() != mv.to.file();
    let (mut by_pawn, mut all) = (0.0, 0.0);
    for (mv, weight) in moves.iter().zip(&*weights) {
        all += weight;
        if takes(mv) {
            by_pawn += weight;
        }
    }
    let legal = board.pawn_tries().count;
    if legal == 0 {
        return;
    }
    let found = match after_yes {
        AfterYes::UntilOneIsLegal => 1.0,
        AfterYes::OneTry => {
            let aims = |pawn| (get_pawn_attacks(pawn, he) - board.board().colors(he)).len();
            let sensible: u32 = pawns.into_iter().map(aims).sum();
            f64::from(legal) / f64::from(sensible.max(1))
        }
    };
    let of_takes = found * all / by_pawn + (1.0 - found);
    for (mv, weight) in moves.iter().zip(weights) {
        *weight *= if takes(mv) { of_takes } else { 1.0 - found };
    }
}
