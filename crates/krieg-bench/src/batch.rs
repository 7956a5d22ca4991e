//! `krieg bench batch`: the cost and accuracy of values for all moves on many boards.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use krieg_chess::{
    BatchEvaluator, Budget, Engine, Network, PositionHistory, SearchControl, SearchLimits,
    SearchOptions, cores,
};
use krieg_core::{Move, Position};
use krieg_learn::evaluation::{SelfPlay, self_play};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::options::BenchBatchOptions;

/// Number of positions per game, so that the boards come from many games.
const BOARDS_PER_GAME: usize = 4;

/// Measures time and agreement with a long search for several budgets, and prints a table.
pub fn batch(options: &BenchBatchOptions) -> Result<()> {
    let threads = options.threads.unwrap_or_else(cores);
    eprintln!("playing games for {} boards", options.boards);
    let boards = boards(options, threads);
    eprintln!("searching each board for {} nodes", options.reference_nodes);
    let best = best_moves(&boards, options.reference_nodes, threads);
    let margin = options.exact_margin.unwrap_or(BatchEvaluator::<Network>::EXACT_MARGIN);
    let batch = BatchEvaluator::new(Network::default(), threads).with_exact_margin(margin);

    let mut out = std::io::stdout().lock();
    writeln!(out, "{} boards, {threads} threads, exact margin {margin}", boards.len())?;
    for nodes in [500, 2_000, 8_000] {
        let start = Instant::now();
        let found = best_moves(&boards, nodes, threads);
        let seconds = start.elapsed().as_secs_f64();
        let hits = found.iter().zip(&best).filter(|(found, best)| found == best).count();
        let share = hits as f64 / boards.len() as f64 * 100.0;
        writeln!(out, "best move only, {nodes} nodes: {seconds:.3} s, agreement {share:.1}%")?;
    }
    writeln!(
        out,
        "{:>14}  {:>8}  {:>9}  {:>7}  {:>6}",
        "budget", "time", "agreement", "top 3", "depth"
    )?;
    let nodes = [100, 250, 500, 1_000, 2_000, 4_000, 8_000].map(Budget::NodesPerBoard);
    let times = [125, 250, 500, 950, 2_000].map(|ms| Budget::Time(Duration::from_millis(ms)));
    for budget in nodes.into_iter().chain(times) {
        let mut seconds = Vec::new();
        let mut valued = Vec::new();
        for _ in 0..options.rounds.max(1) {
            let start = Instant::now();
            valued = batch.evaluate(&boards, budget);
            seconds.push(start.elapsed().as_secs_f64());
        }
        seconds.sort_by(f64::total_cmp);
        let share = |first: usize| {
            let hits = valued.iter().zip(&best).filter(|(values, best)| {
                values.iter().take(first).any(|valued| Some(valued.mv) == **best)
            });
            hits.count() as f64 / boards.len() as f64
        };
        let depth: u32 = valued.iter().filter_map(|values| Some(values.first()?.depth)).sum();
        let name = match budget {
            Budget::NodesPerBoard(nodes) => format!("{nodes} nodes"),
            Budget::Time(time) => format!("{} ms", time.as_millis()),
        };
        writeln!(
            out,
            "{name:>14}  {:>6.3} s  {:>8.1}%  {:>6.1}%  {:>6.1}",
            seconds[seconds.len() / 2],
            share(1) * 100.0,
            share(3) * 100.0,
            f64::from(depth) / boards.len() as f64
        )?;
    }
    Ok(())
}

/// Boards from self-play games of the engine, each with at least two legal moves.
fn boards(options: &BenchBatchOptions, threads: usize) -> Vec<Position> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let mut boards = Vec::new();
    let settings = SelfPlay { nodes: 1_000, seed: options.seed, threads, ..SelfPlay::default() };
    self_play(&Network::default(), &settings, 0..u64::MAX, |_, game| {
        for _ in 0..BOARDS_PER_GAME {
            let mut position = game.start.clone();
            for (mv, _) in &game.moves[..rng.random_range(0..=game.moves.len())] {
                // The moves of a game are legal, so this does not fail.
                if position.play(*mv).is_err() {
                    break;
                }
            }
            if position.legal_moves().len() > 1 {
                boards.push(position);
            }
        }
        boards.len() < options.boards
    });
    boards.truncate(options.boards);
    boards
}

/// The best move on each board by a search of this number of nodes.
fn best_moves(boards: &[Position], nodes: u64, threads: usize) -> Vec<Option<Move>> {
    let next = AtomicUsize::new(0);
    let mut found: Vec<(usize, Option<Move>)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1))
            .map(|_| {
                scope.spawn(|| {
                    let mut engine =
                        Engine::new(Network::default(), SearchOptions::default(), 16 << 20);
                    let control = Arc::new(SearchControl::default());
                    let mut found = Vec::new();
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(board) = boards.get(at) else { return found };
                        engine.clear();
                        let limits = SearchLimits::nodes(nodes);
                        let report =
                            engine.search(&PositionHistory::new(board), &limits, &control, |_| {});
                        found.push((at, report.best_move().map(|mv| board.player_move(mv))));
                    }
                })
            })
            .collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, _>| match worker.join() {
            Ok(found) => found,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        workers.into_iter().flat_map(join).collect()
    });
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, best)| best).collect()
}
