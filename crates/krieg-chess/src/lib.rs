//! # A chess engine

mod batch;
pub mod clock;
pub mod contest;
mod eval;
mod exchange;
mod history;
mod mate;
mod openings;
mod order;
mod perft;
mod score;
mod search;
mod table;
#[cfg(test)]
mod testing;
pub mod tune;
pub mod uci;

pub use batch::{Batch, Budget, Valued, evaluate_batch};
pub use eval::{
    Breakdown, Classical, Evaluate, GROUPS, Group, Pair, WEIGHTS, Weights, WeightsError,
    cannot_be_won,
};
pub use mate::{MateSearch, Verdict as MateVerdict};
pub use openings::Opening;
pub use perft::perft;
pub use score::{DEEPEST, LIMIT, Score};
pub use search::{Engine, Limits, Line, Method, Options, Played, Report, Signal};
pub use table::Table;
