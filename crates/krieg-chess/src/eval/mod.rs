//! What a position is worth without looking ahead.
//!
//! There are two ways: a [`Network`], and [`Classical`], which counts features. [`Evaluation`] is
//! whichever was asked for. A feature is counted in one place ([`pieces`], [`pawns`]), named and weighed in another
//! ([`weights`]). Every weight is a [`Pair`]; how far the game has gone from opening to ending says
//! how the two are mixed.

mod changes;
mod classical;
mod endings;
mod evaluation;
mod network;
mod pair;
mod pawns;
mod pieces;
mod sets;
mod tally;
mod weights;

use cozy_chess::{Board, Move as BoardMove};

pub use classical::{Breakdown, Classical, Features};
pub use evaluation::{Evaluation, EvaluationError, Kept};
pub use network::{
    BUCKETS, HIDDEN, INPUTS, Network, NetworkError, ONE, OUTPUT_ONE, Outlook, Parameters, Row,
    SQUARED, UNIT, Worth, bucket, input,
};
pub use pair::Pair;
pub use weights::{GROUPS, WEIGHTS, Weights, WeightsError};

/// A way to value positions, and the seam where another one is put in.
///
/// The search carries a `State` along with each board and changes it move by move, so that what
/// can be updated is not computed anew. An evaluator may keep caches, but they must not change
/// what it says.
pub trait Evaluate: Clone + Send {
    /// What is kept up to date along a line of play.
    type State: Clone + Send;

    /// The state of a board nothing is known about yet.
    fn begin(&self, board: &Board) -> Self::State;

    /// The state of `after`, which a legal move on `before` leads to.
    fn advance(
        &self,
        state: &Self::State,
        before: &Board,
        mv: BoardMove,
        after: &Board,
    ) -> Self::State;

    /// The value of the board for the side to move, in hundredths of a pawn, between
    /// -[`LIMIT`](crate::LIMIT) and [`LIMIT`](crate::LIMIT).
    fn value(&mut self, board: &Board, state: &Self::State) -> i32;
}
