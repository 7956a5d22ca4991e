//! # A chess engine that evaluates many boards
//!
//! A Kriegspiel player does not know the board. It samples boards from its belief and asks of each
//! how good every move is. This crate answers that question. It is a conventional chess engine with
//! one addition: [`evaluate_batch`] evaluates *every* legal move on *every* board of a batch, on
//! all cores, and with a budget of nodes its result is deterministic.
//!
//! ```
//! use krieg_chess::{Budget, evaluate_batch};
//! use krieg_core::Position;
//!
//! // White's king and rook are known; the black king is on one of two squares.
//! let boards = ["7k/8/6K1/8/8/8/8/R7 w - - 0 1", "5k2/8/6K1/8/8/8/8/R7 w - - 0 1"]
//!     .map(|fen| Position::from_fen(fen).unwrap());
//! let scores = evaluate_batch(&boards, Budget::NodesPerBoard(1_000));
//! assert_eq!(scores[0][0].mv.to_string(), "a1a8"); // mate, if the king is on h8
//! assert_eq!(scores[0][0].score.mate(), Some(1));
//! ```
//!
//! ## Layers, from the bottom up
//! - A static evaluation implements [`Evaluate`]. The engine plays with a small [`Network`] (NNUE),
//!   whose accumulator is updated incrementally. The [`Classical`] evaluation counts features, each
//!   with a weight for the middlegame and one for the endgame. Both were trained on self-play games
//!   by `krieg-learn`.
//! - [`Engine`] is the search: iterative deepening and alpha-beta with a [`TranspositionTable`]
//!   that all threads share. [`Method`] selects principal variation search, MTD(f) or plain
//!   alpha-beta.
//! - [`BatchEvaluator`] searches many boards, [`QuiescenceEvaluator`] resolves only captures, and
//!   [`MateSearch`] proves or disproves forced mates by proof-number search.
//! - [`uci`] implements the Universal Chess Interface, as an engine ([`uci::serve`]) and as a
//!   client of other engines ([`uci::Client`]).
//!
//! Internally, boards and moves are those of `cozy-chess`, which encodes castling as the king
//! capturing its own rook. The interfaces for other crates use [`Position`](krieg_core::Position)
//! and [`Move`](krieg_core::Move) of `krieg-core`.

mod batch;
mod correction_history;
pub mod eval;
mod history;
mod mate;
mod move_picker;
mod moves;
mod opening_generator;
mod perft;
mod score;
mod search;
mod see;
#[cfg(test)]
mod testing;
mod threats;
mod tt;
pub mod uci;

pub use batch::{BatchEvaluator, Budget, ScoredMove, cores, evaluate_batch};
pub use eval::{
    Breakdown, Classical, Evaluate, Evaluation, EvaluationError, EvaluationState, GROUPS, Network,
    NetworkBreakdown, NetworkError, TaperedValue, WEIGHT_COUNT, Weights, WeightsError,
};
pub use mate::{MateResult, MateSearch};
pub use moves::is_tactical;
pub use opening_generator::OpeningGenerator;
pub use perft::perft;
pub use score::{LOGISTIC_SCALE, MAX_EVAL, MAX_PLY, Score, expected_score};
pub use search::{
    Engine, Method, PositionHistory, PrincipalVariation, QuiescenceEvaluator, SearchControl,
    SearchLimits, SearchOptions, SearchReport, UnknownMethod,
};
pub use see::static_exchange_value;
pub use tt::TranspositionTable;
