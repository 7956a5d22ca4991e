//! Static evaluation.
//!
//! There are two evaluations: a neural [`Network`], and the [`Classical`] evaluation by counted
//! features. [`Evaluation`] is either of them, chosen at run time. Features are counted in
//! `pieces.rs` and `pawns.rs`, and named and weighted in `weights.rs`. Every weight is a
//! [`TaperedValue`], a pair of a middlegame and an endgame value, between which the evaluation
//! interpolates by the phase of the game.

mod bitboards;
mod board_delta;
mod classical;
mod endgames;
mod evaluation;
mod feature_sink;
mod network;
mod pawns;
mod pieces;
mod tapered;
mod weights;

use cozy_chess::{Board, Move as BoardMove};

pub use classical::{Breakdown, Classical, Features};
pub use evaluation::{Evaluation, EvaluationError, EvaluationState};
pub use network::{
    ACTIVATION_SCALE, CENTIPAWN_SCALE, HIDDEN_UNITS, HiddenVector, INPUT_FEATURES, Network,
    NetworkBreakdown, NetworkError, OUTPUT_BUCKETS, OUTPUT_SCALE, OUTPUT_WEIGHT_SCALE, Parameters,
    Perspective, feature_index, output_bucket,
};
pub use tapered::TaperedValue;
pub use weights::{GROUPS, WEIGHT_COUNT, Weights, WeightsError};

/// A static evaluation. Another kind of evaluation implements this trait.
///
/// The search keeps a `State` with each board and updates it incrementally after each move. An
/// evaluation may keep caches, but they must not affect its values.
///
/// ```
/// use cozy_chess::Board;
/// use krieg_chess::{Evaluate, Network};
/// let mut network = Network::default();
/// let before = Board::default();
/// let state = network.refresh(&before);
/// let mut after = before.clone();
/// let mv = "e2e4".parse().unwrap();
/// after.play(mv);
/// let updated = network.update(&state, &before, mv, &after);
/// assert_eq!(updated, network.refresh(&after));
/// assert!(network.evaluate(&after, &updated).abs() < 100);
/// ```
pub trait Evaluate: Clone + Send {
    /// The state that is updated incrementally, for example an accumulator.
    type State: Clone + Send;

    /// Computes the state of a board from scratch.
    fn refresh(&self, board: &Board) -> Self::State;

    /// Computes the state of `after`, to which the legal move `mv` leads, from that of `before`.
    fn update(
        &self,
        state: &Self::State,
        before: &Board,
        mv: BoardMove,
        after: &Board,
    ) -> Self::State;

    /// The evaluation for the side to move in centipawns, from -[`MAX_EVAL`](crate::MAX_EVAL) to
    /// [`MAX_EVAL`](crate::MAX_EVAL).
    fn evaluate(&mut self, board: &Board, state: &Self::State) -> i32;
}
