//! What a position is worth without looking ahead.
//!
//! There are two ways: a [`Network`], and [`Classical`], which counts features. [`Evaluation`] is
//! whichever was asked for. A feature is counted in one place ([`pieces`], [`pawns`]), named and weighed in another
//! ([`weights`]). Every weight is a [`TaperedValue`]; how far the game has gone from opening to ending says
//! how the two are mixed.

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

/// A way to value positions, and the seam where another one is put in.
///
/// The search carries a `State` along with each board and changes it move by move, so that what
/// can be updated is not computed anew. An evaluator may keep caches, but they must not change
/// what it says.
pub trait Evaluate: Clone + Send {
    /// What is kept up to date along a line of play.
    type State: Clone + Send;

    /// The state of a board nothing is known about yet.
    fn refresh(&self, board: &Board) -> Self::State;

    /// The state of `after`, which a legal move on `before` leads to.
    fn update(
        &self,
        state: &Self::State,
        before: &Board,
        mv: BoardMove,
        after: &Board,
    ) -> Self::State;

    /// The value of the board for the side to move, in hundredths of a pawn, between
    /// -[`MAX_EVAL`](crate::MAX_EVAL) and [`MAX_EVAL`](crate::MAX_EVAL).
    fn evaluate(&mut self, board: &Board, state: &Self::State) -> i32;
}
