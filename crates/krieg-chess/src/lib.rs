//! # A chess engine for many boards
//!
//! A player of Kriegspiel does not know the board, so he imagines many, and asks of each: how good is
//! each of my moves here? This crate answers. It is a chess engine as chess engines are, with one
//! question more: [`evaluate_batch`] values *every* legal move on *every* board of a batch, in
//! process, on all cores, and gives the same answer every time for a budget of nodes.
//!
//! ```
//! use krieg_chess::{Budget, evaluate_batch};
//! use krieg_core::Position;
//!
//! // White's king and rook are known; the black king is on one of two squares.
//! let boards = ["7k/8/6K1/8/8/8/8/R7 w - - 0 1", "5k2/8/6K1/8/8/8/8/R7 w - - 0 1"]
//!     .map(|fen| Position::from_fen(fen).unwrap());
//! let values = evaluate_batch(&boards, Budget::NodesPerBoard(1_000));
//! assert_eq!(values[0][0].mv.to_string(), "a1a8"); // mate, if it is on h8
//! assert_eq!(values[0][0].score.mate(), Some(1));
//! ```
//!
//! ## From the bottom up
//! - An evaluation ([`Evaluate`]) says what a position is worth without looking ahead. The engine plays
//!   with a small [`Network`], whose sums are brought up to date move by move; [`Classical`] counts features, each with
//!   a weight for the middlegame and one for the ending. Both were learnt from games of the engine against
//!   itself (`krieg-learn`).
//! - The search ([`Engine`]) looks ahead: alpha-beta with a shared transposition table ([`TranspositionTable`]), by
//!   principal-variation search, MTD(f) or plain alpha-beta ([`Method`]).
//! - [`MateSearch`] proves mates by proof numbers, and proves that there are none.
//! - [`clock`] has the time controls, the clock on the table, and how to divide one's time.
//! - [`uci`] speaks the Universal Chess Interface, as an engine ([`uci::serve`]) and to engines
//!   ([`uci::Client`]).
//!
//! Boards and moves inside are those of `cozy-chess`, where castling is king takes rook; at the borders that
//! others use they are `krieg-core`'s [`Position`](krieg_core::Position) and [`Move`](krieg_core::Move).

mod batch;
mod correction_history;
pub mod eval;
mod history;
mod mate;
mod move_picker;
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
pub use move_picker::is_tactical;
pub use opening_generator::OpeningGenerator;
pub use perft::perft;
pub use score::{LOGISTIC_SCALE, MAX_EVAL, MAX_PLY, Score, expected_score};
pub use search::{
    Engine, Method, PositionHistory, PrincipalVariation, QuiescenceEvaluator, SearchControl,
    SearchLimits, SearchOptions, SearchReport,
};
pub use see::static_exchange_value;
pub use tt::TranspositionTable;
