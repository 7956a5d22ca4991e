//! How the opponent chooses his moves, as far as one can guess.

use std::fmt;

use cozy_chess::{BitBoard, Color, Move as BoardMove, Piece, Square};
use krieg_core::Position;

use crate::{OpponentBoard, OpponentMixture};

/// What the opponent knows as he chooses, beyond his own men: what he heard lately, and what he did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpponentContext {
    /// Where he lost a man before each of his last turns, the present one first.
    pub losses: [Option<Square>; OpponentContext::REMEMBERED],
    /// Where he took a man in his last turn.
    pub captured_on: Option<Square>,
    /// Whether he was told that a pawn of his can capture.
    pub has_pawn_try: bool,
    /// His last move, which differs from board to board; nothing, where it is not known.
    pub last_move: Option<BoardMove>,
    /// How many moves he has made.
    pub move_count: u16,
}

impl OpponentContext {
    /// Losses are remembered for so many turns.
    pub const REMEMBERED: usize = 4;

    /// Where he has just lost a man.
    pub fn lost_on(&self) -> Option<Square> {
        self.losses[0]
    }

    /// It becomes his turn: on this square he has lost a man, and he is told whether a pawn of his can capture.
    pub fn begin_turn(&mut self, lost_on: Option<Square>, has_pawn_try: bool) {
        self.losses.rotate_right(1);
        self.losses[0] = lost_on;
        self.has_pawn_try = has_pawn_try;
    }

    /// He has moved, and taken a man on this square.
    pub fn record_move(&mut self, mv: Option<BoardMove>, captured_on: Option<Square>) {
        self.last_move = mv;
        self.captured_on = captured_on;
        self.move_count = self.move_count.saturating_add(1);
    }
}

/// A guess at how likely the opponent plays each of his legal moves.
pub trait OpponentPolicy {
    /// For each of his legal moves on this board, in this order, pushes how likely he plays it, in parts of any whole. None may be nought
    /// or less: what is legal happens.
    fn weigh_moves(
        &mut self,
        board: &Position,
        situation: &OpponentContext,
        moves: &[BoardMove],
        weights: &mut Vec<f64>,
    );

    /// The moves weighed last were those of a board as likely as this, and on it those of these numbers would have sounded as what was
    /// heard, each as many times as it stands for others. A model that gets to know the opponent remembers it.
    fn add_evidence(&mut self, _likely: f64, _fitting: &[(usize, f64)]) {}

    /// All boards of a turn have been witnessed.
    fn update_posterior(&mut self) {}

    /// By how much the logarithm of the chance of such a board is less than the chances of the moves that led to it make it: what nobody plays for, though
    /// each move may be played. The player's own men stand on `own`, and the hidden ones are of color `he`.
    fn board_penalty(&self, _board: &OpponentBoard, _own: BitBoard, _he: Color) -> f64 {
        0.0
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
        situation: &OpponentContext,
        moves: &[BoardMove],
        weights: &mut Vec<f64>,
    ) {
        (**self).weigh_moves(board, situation, moves, weights);
    }

    fn add_evidence(&mut self, likely: f64, fitting: &[(usize, f64)]) {
        (**self).add_evidence(likely, fitting);
    }

    fn update_posterior(&mut self) {
        (**self).update_posterior();
    }

    fn board_penalty(&self, board: &OpponentBoard, own: BitBoard, he: Color) -> f64 {
        (**self).board_penalty(board, own, he)
    }

    fn mixture(&self) -> Option<&OpponentMixture> {
        (**self).mixture()
    }
}

/// Each legal move is as likely as any other.
#[derive(Debug, Clone, Copy, Default)]
pub struct UniformPolicy;

impl OpponentPolicy for UniformPolicy {
    fn weigh_moves(
        &mut self,
        _board: &Position,
        _situation: &OpponentContext,
        moves: &[BoardMove],
        weights: &mut Vec<f64>,
    ) {
        weights.extend(moves.iter().map(|_| 1.0));
    }
}

/// He takes back where he has lost a man, and takes with a pawn where he is told that one can, more often than he plays any other move.
#[derive(Debug, Clone, Copy)]
pub struct RecapturePolicy {
    /// How many times as likely as another move he takes back.
    pub recapture_weight: f64,
    /// How many times as likely he captures with a pawn.
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
        situation: &OpponentContext,
        moves: &[BoardMove],
        weights: &mut Vec<f64>,
    ) {
        let pawns = board.board().pieces(Piece::Pawn);
        weights.extend(moves.iter().map(|mv| {
            if situation.lost_on() == Some(mv.to) {
                return self.recapture_weight;
            }
            let is_pawn_capture = pawns.has(mv.from) && mv.from.file() != mv.to.file();
            if situation.has_pawn_try && is_pawn_capture { self.pawn_capture_weight } else { 1.0 }
        }));
    }
}

/// What is legal happens, however bad it is.
const LEAST: f64 = 1e-6;

/// He looks at the board as if he saw it all, and plays better moves more often; and he takes back.
///
/// `values` pushes what each move is worth to him, from 0, lost, to 1, won.
pub struct ValuePolicy<F> {
    /// What each of these moves is worth to whoever is to move.
    pub values: F,
    /// How much better a move is that is played 2.7 times as often.
    pub temperature: f64,
    /// How he takes back.
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
        situation: &OpponentContext,
        moves: &[BoardMove],
        weights: &mut Vec<f64>,
    ) {
        let first = weights.len();
        (self.values)(board, moves, weights);
        // Compared with the best, so that nothing grows beyond all bounds, however small the temperature.
        let best = weights[first..].iter().copied().fold(f64::MIN, f64::max);
        for value in &mut weights[first..] {
            *value = ((*value - best) / self.temperature).exp().max(LEAST);
        }
        let mut taking_back = Vec::with_capacity(moves.len());
        self.recapture.weigh_moves(board, situation, moves, &mut taking_back);
        for (weight, times) in weights[first..].iter_mut().zip(taking_back) {
            *weight *= times;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(
        model: &mut dyn OpponentPolicy,
        situation: &OpponentContext,
        moves: &[&str],
    ) -> Vec<f64> {
        let fen = "4k3/8/8/8/3P4/2p5/8/1N2K3 b - - 0 1";
        let board = Position::from_fen(fen).unwrap();
        let moves: Vec<BoardMove> = moves.iter().map(|mv| mv.parse().unwrap()).collect();
        let mut weights = Vec::new();
        model.weigh_moves(&board, situation, &moves, &mut weights);
        weights
    }

    #[test]
    fn he_takes_back_and_takes_with_pawns() {
        let moves = ["c3c2", "c3b2", "e8e7"];
        let mut model = RecapturePolicy { recapture_weight: 30.0, pawn_capture_weight: 10.0 };
        let plain = OpponentContext::default();
        assert_eq!(weights(&mut model, &plain, &moves), [1.0, 1.0, 1.0]);
        let told = OpponentContext { has_pawn_try: true, ..plain };
        assert_eq!(weights(&mut model, &told, &moves), [1.0, 10.0, 1.0]);
        let mut lost = plain;
        lost.begin_turn(Some(Square::E7), false);
        assert_eq!(weights(&mut model, &lost, &moves), [1.0, 1.0, 30.0]);
    }

    #[test]
    fn better_moves_are_played_more_often() {
        let values = |_: &Position, _: &[BoardMove], values: &mut Vec<f64>| {
            values.extend([0.5, 0.6]);
        };
        let recapture = RecapturePolicy::default();
        let mut model = ValuePolicy { values, temperature: 0.1, recapture };
        let weights = weights(&mut model, &OpponentContext::default(), &["c3c2", "e8e7"]);
        assert!((weights[1] / weights[0] - 1f64.exp()).abs() < 1e-9, "{weights:?}");
    }
}
