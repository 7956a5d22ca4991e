//! The `bench` command: searches a fixed set of positions to a fixed depth.
//!
//! With one thread the node count is deterministic, so it also shows whether a change to the
//! program has changed the search.

use std::sync::Arc;
use std::time::{Duration, Instant};

use krieg_core::Position;

use crate::eval::Evaluate;
use crate::search::{Engine, PositionHistory, SearchControl, SearchLimits};

/// Default depth of the benchmark.
pub const BENCH_DEPTH: u32 = 13;

/// Positions from openings to endgames, most of them from self-play games.
const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "rnbqk2r/ppp1bppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 2 5",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10",
    "r2q1rk1/1bp1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 w - - 1 10",
    "2r2rk1/pp1bqpp1/2nppn1p/2p3N1/1bP5/1PN3P1/PBQPPPBP/3R1RK1 w - - 0 13",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "3r1rk1/p3qppp/2bb4/2p5/3p4/1P2P3/PBQN1PPP/2R2RK1 w - - 0 1",
    "5rk1/1pp3pp/p1n1p3/3pP2q/3P1P2/2PB1Q1P/P5P1/4R1K1 b - - 2 24",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/4p1p1/1p1pP2p/3P1P1P/2P2KP1/8/8 w - - 0 40",
    "4rrk1/1p1nq3/p7/2p1P1pp/3P2bp/3Q1Bn1/PPPB4/1K2R1NR w - - 40 21",
    "8/1p3pp1/7p/5P1P/2k3P1/8/2K2P2/8 w - - 0 1",
    "3R4/5pk1/6p1/4p2p/1r2P2P/5PP1/6K1/8 w - - 3 45",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
];

/// The result of a benchmark.
#[derive(Debug, Clone, Copy)]
pub struct BenchResult {
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Total time of the searches.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes per second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Searches every position to this depth, after clearing the engine's tables. `on_position` is
/// called with each position, its best move and its node count.
pub fn bench<E: Evaluate>(
    engine: &mut Engine<E>,
    depth: u32,
    control: &Arc<SearchControl>,
    mut on_position: impl FnMut(&str, &str, u64),
) -> BenchResult {
    engine.clear();
    let start = Instant::now();
    let mut nodes = 0;
    for fen in POSITIONS {
        let Ok(position) = Position::from_fen(fen) else { continue };
        if control.is_stopped() {
            break;
        }
        let history = PositionHistory::new(&position);
        let report = engine.search(&history, &SearchLimits::depth(depth), control, |_| {});
        nodes += report.nodes;
        let best = report.best_move().map(|mv| position.player_move(mv).to_string());
        on_position(fen, &best.unwrap_or_default(), report.nodes);
    }
    BenchResult { nodes, time: start.elapsed() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_valid() {
        for fen in POSITIONS {
            assert!(Position::from_fen(fen).is_ok(), "{fen}");
        }
    }
}
