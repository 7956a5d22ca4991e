//! The engine: a transposition table and the threads that search with it (Lazy SMP).

use std::iter::repeat_n;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::iterative_deepening::Iteration;
use super::time_manager::TimeManager;
use super::worker::{HardLimits, SearchWorker};
use super::{
    PositionHistory, PrincipalVariation, SearchControl, SearchLimits, SearchOptions, SearchReport,
};
use crate::eval::Evaluate;
use crate::moves::legal_moves;
use crate::score::{MAX_PLY, Score};
use crate::tt::TranspositionTable;

/// A chess engine.
///
/// ```
/// use krieg_chess::{
///     Engine, Network, PositionHistory, Score, SearchControl, SearchLimits, SearchOptions,
/// };
/// use krieg_core::Position;
/// let mut engine = Engine::new(Network::default(), SearchOptions::default(), 1 << 20);
/// let position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")?;
/// let history = PositionHistory::new(&position);
/// let control = SearchControl::default().into();
/// let report = engine.search(&history, &SearchLimits::depth(4), &control, |_| {});
/// assert_eq!(position.player_move(report.best_move().unwrap()).to_string(), "d1d8");
/// assert_eq!(report.variations[0].score, Score::mate_in(1));
/// # Ok::<(), krieg_core::FenError>(())
/// ```
pub struct Engine<E: Evaluate> {
    eval: E,
    options: SearchOptions,
    table: Arc<TranspositionTable>,
    workers: Vec<SearchWorker<E>>,
}

impl<E: Evaluate> Engine<E> {
    /// An engine with a transposition table of this size.
    pub fn new(eval: E, options: SearchOptions, hash_bytes: usize) -> Self {
        let table = Arc::new(TranspositionTable::with_bytes(hash_bytes));
        Engine { eval, options, table, workers: Vec::new() }
    }

    /// The evaluation.
    pub fn evaluation(&self) -> &E {
        &self.eval
    }

    /// The search options.
    pub fn options(&self) -> SearchOptions {
        self.options
    }

    /// Changes the search options.
    pub fn set_options(&mut self, options: SearchOptions) {
        self.options = options;
        self.workers.truncate(options.threads.max(1));
        for worker in &mut self.workers {
            worker.options = options;
        }
    }

    /// Replaces the transposition table by an empty one of this size. Returns false and uses a
    /// table of 1 MiB if the memory cannot be allocated.
    #[must_use]
    pub fn set_hash_bytes(&mut self, bytes: usize) -> bool {
        self.workers.clear();
        // Frees the old table before the new one is allocated.
        self.table = Arc::new(TranspositionTable::with_bytes(1 << 20));
        match TranspositionTable::try_with_bytes(bytes) {
            Some(table) => {
                self.table = Arc::new(table);
                true
            }
            None => false,
        }
    }

    /// Replaces the evaluation and clears all tables.
    pub fn set_evaluation(&mut self, eval: E) {
        self.eval = eval;
        self.workers.clear();
        self.clear();
    }

    /// Clears the transposition table and the history tables, as before a new game.
    pub fn clear(&mut self) {
        for worker in &mut self.workers {
            worker.table = Arc::new(TranspositionTable::with_bytes(0));
            worker.clear_history();
        }
        if let Some(table) = Arc::get_mut(&mut self.table) {
            table.clear();
        }
        for worker in &mut self.workers {
            worker.table = self.table.clone();
        }
    }

    /// Searches for the best move. `on_iteration` is called after each iteration of the first
    /// thread.
    pub fn search(
        &mut self,
        history: &PositionHistory,
        limits: &SearchLimits,
        control: &Arc<SearchControl>,
        mut on_iteration: impl FnMut(&SearchReport),
    ) -> SearchReport {
        let start = limits.start.unwrap_or_else(Instant::now);
        let board = history.board();
        let mut root_moves = legal_moves(board);
        if !limits.search_moves.is_empty() {
            root_moves.retain(|mv| limits.search_moves.contains(mv));
        }
        let threads = self.options.threads.max(1);
        while self.workers.len() < threads {
            let worker = SearchWorker::new(self.table.clone(), self.eval.clone(), self.options);
            self.workers.push(worker);
        }
        self.table.new_generation();
        let hard_limits = HardLimits {
            start,
            nodes: limits.nodes.unwrap_or(u64::MAX),
            time: limits.time.map(|time| time.hard),
        };
        let shared_nodes = Arc::new(AtomicU64::new(0));
        for worker in &mut self.workers {
            worker.history.age();
            let (control, nodes) = (control.clone(), shared_nodes.clone());
            worker.prepare(board, history.keys(), hard_limits, control, nodes);
        }
        let max_depth = limits.depth.unwrap_or(MAX_PLY as u32).clamp(1, MAX_PLY as u32) as i32;
        let multi_pv = self.options.multi_pv.max(1);
        let mut time_manager = TimeManager::new(limits, root_moves.len());
        let (main, helpers) = self.workers.split_at_mut(1);
        let main = &mut main[0];
        let helper_control = Arc::new(SearchControl::default());
        let last = std::thread::scope(|scope| {
            // Stops the helpers when the main thread ends, even by a panic.
            let _stop = StopOnDrop(&helper_control);
            for (id, helper) in helpers.iter_mut().enumerate() {
                // Helpers have no limits of their own except the nodes of all threads.
                helper.control = helper_control.clone();
                helper.limits.time = None;
                let root_moves = &root_moves;
                // If the system cannot start a thread, the search runs with fewer.
                let _ = std::thread::Builder::new().spawn_scoped(scope, move || {
                    // Every second helper is a ply ahead, so that the threads diverge and fill the
                    // transposition table for each other.
                    let first_depth = 1 + id as i32 % 2;
                    let depths = (first_depth..=max_depth).chain(repeat_n(max_depth, 2));
                    helper.iterative_deepening(board, root_moves, depths, multi_pv, |_, _| false);
                    helper.flush_nodes();
                });
            }
            main.iterative_deepening(
                board,
                &root_moves,
                1..=max_depth,
                multi_pv,
                |main, iteration| {
                    main.flush_nodes();
                    on_iteration(&main.report(iteration));
                    time_manager.should_stop(iteration, start, control)
                },
            )
        });
        main.flush_nodes();
        let mut report = main.report(&last);
        if report.variations.is_empty() && !root_moves.is_empty() {
            // Not even the first iteration was completed: any legal move is better than none.
            let moves = vec![root_moves[0]];
            report.variations.push(PrincipalVariation { score: Score::DRAW, depth: 0, moves });
        }
        report
    }
}

impl<E: Evaluate> SearchWorker<E> {
    fn report(&self, iteration: &Iteration) -> SearchReport {
        SearchReport {
            depth: iteration.depth as u32,
            seldepth: self.seldepth as u32,
            variations: iteration.variations.clone(),
            nodes: self.shared_nodes.load(Ordering::Relaxed),
            time: self.limits.start.elapsed(),
            hashfull: self.table.hashfull(),
        }
    }
}

/// Stops a search when dropped.
struct StopOnDrop<'a>(&'a SearchControl);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
