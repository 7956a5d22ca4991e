//! Opponent models: the probabilities of the opponent's moves.

use std::fmt;

use cozy_chess::{BitBoard, Color, Move as BoardMove, Piece, Square};
use krieg_core::Position;

use crate::{OpponentBoard, OpponentMixture};

/// What the opponent knows when choosing a move, beyond their own pieces: recent announcements and
/// moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpponentContext {
    /// Where the opponent lost a piece before each of their last turns, the present one first.
    pub losses: [Option<Square>; OpponentContext::REMEMBERED],
    /// Where the opponent captured a piece in their last turn.
    pub captured_on: Option<Square>,
    /// Whether the opponent was told that they have a pawn try.
    pub has_pawn_try: bool,
    /// The opponent's last move, which differs from board to board; `None` if it is unknown.
    pub last_move: Option<BoardMove>,
    /// Number of moves the opponent has made.
    pub move_count: u16,
}

impl OpponentContext {
    /// Number of turns for which losses are remembered.
    pub const REMEMBERED: usize = 4;

    /// Where the opponent has just lost a piece.
    pub fn lost_on(&self) -> Option<Square> {
        self.losses[0]
    }

    /// Starts the opponent's turn, with the square where they have just lost a piece, and whether
    /// they were told that they have a pawn try.
    pub fn begin_turn(&mut self, lost_on: Option<Square>, has_pawn_try: bool) {
        self.losses.rotate_right(1);
        self.losses[0] = lost_on;
        self.has_pawn_try = has_pawn_try;
    }

    /// Ends the opponent's turn with this move and the square of a capture.
    pub fn record_move(&mut self, mv: Option<BoardMove>, captured_on: Option<Square>) {
        self.last_move = mv;
        self.captured_on = captured_on;
        self.move_count = self.move_count.saturating_add(1);
    }
}

/// A model of how the opponent chooses a move: a probability for each legal move.
pub trait OpponentPolicy {
    /// Pushes a weight for each of these legal moves, in the same order. The weights are
    /// proportional to the probabilities and must be positive: every legal move is possible.
    fn weigh_moves(
        &mut self,
        board: &Position,
        context: &OpponentContext,
        moves: &[BoardMove],
        weights: &mut Vec<f64>,
    );

    /// Adds the evidence of one board for the posterior over opponent types. The board is the one
    /// whose moves were weighed last, and has this weight. `consistent` are the indices of the
    /// moves that fit the announcement, each with the number of moves that it stands for.
    fn add_evidence(&mut self, _board_weight: f64, _consistent: &[(usize, f64)]) {}

    /// Updates the posterior after the evidence of all boards of a turn was added.
    fn update_posterior(&mut self) {}

    /// The amount by which the log-probability of a board is less than the probabilities of its
    /// moves imply: some boards are unlikely results of a plan, though each move is plausible.
    /// `own` are the squares of the player's pieces, and `opponent` is the opponent's colour.
    fn board_penalty(&self, _board: &OpponentBoard, _own: BitBoard, _opponent: Color) -> f64 {
        0.0
    }

    /// The share of the penalty that applies now, from 0 to 1. It changes with the posterior.
    fn penalty_share(&self) -> f64 {
        1.0
    }

    /// The mixture of opponent types behind the policy, if it is one.
    fn mixture(&self) -> Option<&OpponentMixture> {
        None
    }
}

impl<M: OpponentPolicy + ?Sized> OpponentPolicy for Box<M> {
    fn weigh_moves(
        &mut self,
        board: &Position,
        context: &OpponentContext,
        moves: &[BoardMove],
        weights: &mut Vec<f64>,
    ) {
        (**self).weigh_moves(board, context, moves, weights);
    }

    fn add_evidence(&mut self, board_weight: f64, consistent: &[(usize, f64)]) {
        (**self).add_evidence(board_weight, consistent);
    }

    fn update_posterior(&mut self) {
        (**self).update_posterior();
    }

    fn board_penalty(&self, board: &OpponentBoard, own: BitBoard, opponent: Color) -> f64 {
        (**self).board_penalty(board, own, opponent)
    }

    fn penalty_share(&self) -> f64 {
        (**self).penalty_share()
    }

    fn mixture(&self) -> Option<&OpponentMixture> {
        (**self).mixture()
    }
}

/// Every legal move has the same probability.
#[derive(Debug, Clone, Copy, Default)]
pub struct UniformPolicy;

impl OpponentPolicy for UniformPolicy {
    fn weigh_moves(
        &mut self,
        _board: &Position,
        _context: &OpponentContext,
        moves: &[BoardMove],
        weights: &mut Vec<f64>,
    ) {
        weights.extend(moves.iter().map(|_| 1.0));
    }
}

/// Recaptures, and pawn captures after an announced pawn try, are more probable than other moves.
#[derive(Debug, Clone, Copy)]
pub struct RecapturePolicy {
    /// Weight of a recapture; other moves have weight 1.
    pub recapture_weight: f64,
    /// Weight of a pawn capture after an announced pawn try.
    pub pawn_capture_weight: f64,
}

impl Default for RecapturePolicy {
    fn default() -> Self {
        RecapturePolicy { recapture_weight: 30.0, pawn_capture_weight: 15.0 }
    }
}

impl OpponentPolicy for RecapturePolicy {
    fn weigh_moves(
        &mut self,
        board: &Position,
        context: &OpponentContext,
        moves: &[BoardMove],
        weights: &mut Vec<f64>,
    ) {
        let pawns = board.board().pieces(Piece::Pawn);
        weights.extend(moves.iter().map(|mv| {
            if context.lost_on() == Some(mv.to) {
                return self.recapture_weight;
            }
            let is_pawn_capture = pawns.has(mv.from) && mv.from.file() != mv.to.file();
            if context.has_pawn_try && is_pawn_capture { self.pawn_capture_weight } else { 1.0 }
        }));
    }
}

/// Minimum weight of a legal move, however bad it is.
const MIN_WEIGHT: f64 = 1e-6;

/// The softmax of move values, as if the opponent saw the board, multiplied by a
/// [`RecapturePolicy`].
pub struct ValuePolicy<F> {
    /// Pushes the expected score of each move for the player to move, from 0 to 1.
    pub values: F,
    /// The difference in expected score that makes a move _e_ ≈ 2.7 times as probable.
    pub temperature: f64,
    /// The factors for recaptures and pawn captures.
    pub recapture: RecapturePolicy,
}

impl<F> fmt::Debug for ValuePolicy<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValuePolicy")
            .field("temperature", &self.temperature)
            .finish_non_exhaustive()
    }
}

impl<F: FnMut(&Position, &[BoardMove], &mut Vec<f64>)> OpponentPolicy for ValuePolicy<F> {
    fn weigh_moves(
        &mut self,
        board: &Position,
        context: &OpponentContext,
        moves: &[BoardMove],
        weights: &mut Vec<f64>,
    ) {
        let first = weights.len();
        (self.values)(board, moves, weights);
        // The best value is subtracted, so that nothing overflows at a low temperature.
        let best = weights[first..].iter().copied().fold(f64::MIN, f64::max);
        for value in &mut weights[first..] {
            *value = ((*value - best) / self.temperature).exp().max(MIN_WEIGHT);
        }
        let mut factors = Vec::with_capacity(moves.len());
        self.recapture.weigh_moves(board, context, moves, &mut factors);
        for (weight, factor) in weights[first..].iter_mut().zip(factors) {
            *weight *= factor;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(
        model: &mut dyn OpponentPolicy,
        context: &OpponentContext,
        moves: &[&str],
    ) -> Vec<f64> {
        let fen = "4k3/8/8/8/3P4/2p5/8/1N2K3 b - - 0 1";
        let board = Position::from_fen(fen).unwrap();
        let moves: Vec<BoardMove> = moves.iter().map(|mv| mv.parse().unwrap()).collect();
        let mut weights = Vec::new();
        model.weigh_moves(&board, context, &moves, &mut weights);
        weights
    }

    #[test]
    fn recaptures_and_announced_pawn_captures_have_higher_weights() {
        let moves = ["c3c2", "c3b2", "e8e7"];
        let mut model = RecapturePolicy { recapture_weight: 30.0, pawn_capture_weight: 10.0 };
        let plain = OpponentContext::default();
        assert_eq!(weights(&mut model, &plain, &moves), [1.0, 1.0, 1.0]);
        let with_pawn_try = OpponentContext { has_pawn_try: true, ..plain };
        assert_eq!(weights(&mut model, &with_pawn_try, &moves), [1.0, 10.0, 1.0]);
        let mut after_loss = plain;
        after_loss.begin_turn(Some(Square::E7), false);
        assert_eq!(weights(&mut model, &after_loss, &moves), [1.0, 1.0, 30.0]);
    }

    #[test]
    fn better_moves_have_higher_weights() {
        let values = |_: &Position, _: &[BoardMove], values: &mut Vec<f64>| {
            values.extend([0.5, 0.6]);
        };
        let recapture = RecapturePolicy::default();
        let mut model = ValuePolicy { values, temperature: 0.1, recapture };
        let weights = weights(&mut model, &OpponentContext::default(), &["c3c2", "e8e7"]);
        assert!((weights[1] / weights[0] - 1f64.exp()).abs() < 1e-9, "{weights:?}");
    }
}
