//! Prior probabilities of tries: a softmax over handcrafted logits.

use krieg_chess::static_exchange_value;
use krieg_core::{Move, Piece, PieceSet, Position, Promotion, View};

use super::edge::Edge;
use super::transition::AnnouncementSummary;
use crate::marshal::learned_prior::LearnedPolicy;

/// Logit per pawn that the exchange on the target square wins.
const LOGIT_PER_PAWN: f32 = 0.6;
/// Logit of castling: a king in the centre is found sooner than one in the corner.
const CASTLING_LOGIT: f32 = 2.5;
/// Logit of a try that is legal on none of the sampled boards.
const ILLEGAL_LOGIT: f32 = -6.0;
/// Bound on the exchange value of one board, in pawns.
const MAX_EXCHANGE: f32 = 9.0;

/// The logit of a try from the player's own pieces and the last announcement alone.
fn heuristic_logit(own: &PieceSet, mv: Move, announced: AnnouncementSummary) -> f32 {
    let Some(piece) = own.piece_on(mv.from) else { return 0.0 };
    let mut logit = match piece {
        Piece::Pawn => 0.2,
        Piece::Knight | Piece::Bishop => 0.3,
        Piece::Rook => 0.0,
        Piece::Queen => -0.2,
        Piece::King => -0.6,
    };
    if piece == Piece::King && (mv.from.file() as i32 - mv.to.file() as i32).abs() > 1 {
        logit += CASTLING_LOGIT;
    }
    let can_capture = piece != Piece::Pawn || own.is_pawn_capture(mv);
    if can_capture && announced.recapture_square == Some(mv.to) {
        // The least valuable piece recaptures first.
        logit += 4.0 - 0.3 * piece as u8 as f32;
    }
    if piece == Piece::Pawn {
        let is_capture = own.is_pawn_capture(mv);
        if is_capture && announced.has_pawn_try {
            logit += 3.0;
        } else if is_capture {
            logit -= 0.5;
        }
        let rank = mv.to.rank().relative_to(own.color()) as usize;
        logit += [0.0, 0.0, 0.0, 0.0, 0.1, 0.4, 0.8, 2.0][rank];
        logit += match mv.promotion {
            None => 0.0,
            Some(Promotion::Queen) => 2.0,
            Some(Promotion::Knight) => -2.0,
            Some(_) => -4.0,
        };
    }
    logit
}

/// The tries of a view with priors from the player's own pieces and the last announcement. Used at
/// inner nodes.
pub fn heuristic_priors(view: &View, announced: AnnouncementSummary) -> Vec<Edge> {
    let own = view.pieces();
    let edges = view.tries().iter().map(|mv| Edge::new(mv, heuristic_logit(own, mv, announced)));
    softmax(edges.collect())
}

/// The tries of a view with priors that also count the mean exchange value over sampled boards on
/// which the try is legal. Used at the root.
pub fn sampled_priors<'a>(
    view: &View,
    announced: AnnouncementSummary,
    boards: impl Iterator<Item = &'a Position> + Clone,
) -> Vec<Edge> {
    let own = view.pieces();
    let edges = view.tries().iter().map(|mv| {
        let (mut sum, mut count) = (0.0, 0.0);
        for board in boards.clone() {
            let on_board = board.board_move(mv);
            if board.board().is_legal(on_board) {
                count += 1.0;
                sum += (static_exchange_value(board.board(), on_board) as f32 / 100.0)
                    .clamp(-MAX_EXCHANGE, MAX_EXCHANGE);
            }
        }
        let logit = if count > 0.0 { LOGIT_PER_PAWN * sum / count } else { ILLEGAL_LOGIT };
        Edge::new(mv, heuristic_logit(own, mv, announced) + logit)
    });
    softmax(edges.collect())
}

/// Mixes the policy of the learned network into priors. Their sum remains 1.
pub fn mix_priors(edges: &mut [Edge], learned: &LearnedPolicy) {
    let share = learned.share;
    for edge in edges {
        edge.prior = (1.0 - share) * edge.prior + share * learned.probability(edge.mv);
    }
}

/// Turns logits in `prior` into probabilities and sorts the edges by them, the highest first.
fn softmax(mut edges: Vec<Edge>) -> Vec<Edge> {
    let highest = edges.iter().map(|edge| edge.prior).fold(f32::MIN, f32::max);
    edges.iter_mut().for_each(|edge| edge.prior = (edge.prior - highest).exp());
    let sum: f32 = edges.iter().map(|edge| edge.prior).sum();
    edges.iter_mut().for_each(|edge| edge.prior /= sum);
    edges.sort_by(|a, b| b.prior.total_cmp(&a.prior));
    edges
}
