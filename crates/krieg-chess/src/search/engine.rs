//! The engine: a table, threads that search, and the clock above them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cozy_chess::{Board, Move as BoardMove};
use krieg_core::{Move, Position, is_insufficient_material, repetition_key};

use super::iterative_deepening::Iteration;
use super::worker::{HardLimits, SearchWorker};
use super::{PrincipalVariation, SearchControl, SearchLimits, SearchOptions};
use crate::eval::Evaluate;
use crate::move_picker::legal_moves;
use crate::score::MAX_PLY;
use crate::tt::TranspositionTable;

/// A position and the ones it came about by, which matter for repetition.
///
/// ```
/// use krieg_chess::PositionHistory;
/// use krieg_core::Position;
/// let mut played = PositionHistory::new(&Position::start());
/// played.play("e2e4".parse()?)?;
/// assert!(played.play("e2e4".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct PositionHistory {
    position: Position,
    keys: Vec<u64>,
}

impl PositionHistory {
    /// Nothing came before this position.
    pub fn new(position: &Position) -> Self {
        PositionHistory { position: position.clone(), keys: Vec::new() }
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) -> Result<(), krieg_core::IllegalMove> {
        let key = repetition_key(self.position.board());
        self.position.play(mv)?;
        if self.position.board().halfmove_clock() == 0 {
            self.keys.clear(); // nothing before this can come again
        } else {
            self.keys.push(key);
        }
        Ok(())
    }

    fn board(&self) -> &Board {
        self.position.board()
    }

    /// Whether the position was on the board twice before.
    pub fn is_threefold_repetition(&self) -> bool {
        let now = repetition_key(self.board());
        self.keys.iter().filter(|&&key| key == now).count() >= 2
    }

    /// Whether the game is drawn here though there are moves to play: by the fifty moves, by
    /// repetition, or for want of men to mate.
    pub fn is_draw(&self) -> bool {
        self.board().halfmove_clock() >= 100
            || is_insufficient_material(self.board())
            || self.is_threefold_repetition()
    }
}

/// What a search has found so far.
#[derive(Debug, Clone)]
pub struct SearchReport {
    /// The last depth that was searched to its end.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub seldepth: u32,
    /// The best lines, the best first. Empty only where there is no legal move.
    pub variations: Vec<PrincipalVariation>,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: usize,
}

impl SearchReport {
    /// The best move.
    pub fn best_move(&self) -> Option<BoardMove> {
        self.variations.first()?.moves.first().copied()
    }

    /// The reply expected to it.
    pub fn ponder_move(&self) -> Option<BoardMove> {
        self.variations.first()?.moves.get(1).copied()
    }

    /// Nodes in a second.
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

/// A chess engine with its memory.
///
/// ```
/// use krieg_chess::{Engine, Network, SearchLimits, SearchOptions, PositionHistory, Score, SearchControl};
/// use krieg_core::Position;
/// let mut engine = Engine::new(Network::default(), SearchOptions::default(), 1 << 20);
/// let position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")?;
/// let report = engine.search(&PositionHistory::new(&position), &SearchLimits::depth(4), &SearchControl::default().into(), |_| {});
/// assert_eq!(position.player_move(report.best_move().unwrap()).to_string(), "d1d8");
/// assert_eq!(report.variations[0].score, Score::mate_in(1));
/// # Ok::<(), krieg_core::FenError>(())
/// ```
pub struct Engine<E: Evaluate> {
    eval: E,
    options: SearchOptions,
    table: Arc<TranspositionTable>,
    searchers: Vec<SearchWorker<E>>,
}

impl<E: Evaluate> Engine<E> {
    /// An engine with a table of so many bytes.
    pub fn new(eval: E, options: SearchOptions, table_bytes: usize) -> Self {
        let table = Arc::new(TranspositionTable::with_bytes(table_bytes));
        Engine { eval, options, table, searchers: Vec::new() }
    }

    /// How it values positions.
    pub fn evaluation(&self) -> &E {
        &self.eval
    }

    /// How it searches.
    pub fn options(&self) -> SearchOptions {
        self.options
    }

    /// Search differently from now on.
    pub fn set_options(&mut self, options: SearchOptions) {
        self.options = options;
        self.searchers.truncate(options.threads.max(1));
        for searcher in &mut self.searchers {
            searcher.options = options;
        }
    }

    /// A new table of so many bytes. If there is no room for it, says so, and makes do with a small one.
    pub fn set_hash_bytes(&mut self, bytes: usize) -> bool {
        self.searchers.clear();
        self.table = Arc::new(TranspositionTable::with_bytes(1 << 20)); // the old one goes before the new one comes
        match TranspositionTable::try_with_bytes(bytes) {
            Some(table) => {
                self.table = Arc::new(table);
                true
            }
            None => false,
        }
    }

    /// Another evaluation; everything learnt with the old one is forgotten.
    pub fn set_evaluation(&mut self, eval: E) {
        self.eval = eval;
        self.searchers.clear();
        self.clear();
    }

    /// Forgets everything, as before a new game.
    pub fn clear(&mut self) {
        for searcher in &mut self.searchers {
            searcher.table = Arc::new(TranspositionTable::with_bytes(0));
            searcher.forget();
        }
        if let Some(table) = Arc::get_mut(&mut self.table) {
            table.clear();
        }
        for searcher in &mut self.searchers {
            searcher.table = self.table.clone();
        }
    }

    /// Searches for the best move. `report` is told after every iteration of the first thread.
    pub fn search(
        &mut self,
        played: &PositionHistory,
        limits: &SearchLimits,
        control: &Arc<SearchControl>,
        mut report: impl FnMut(&SearchReport),
    ) -> SearchReport {
        let start = limits.start.unwrap_or_else(Instant::now);
        let board = played.board();
        let mut root_moves = legal_moves(board);
        if !limits.search_moves.is_empty() {
            root_moves.retain(|mv| limits.search_moves.contains(mv));
        }
        let threads = self.options.threads.max(1);
        while self.searchers.len() < threads {
            self.searchers.push(SearchWorker::new(
                self.table.clone(),
                self.eval.clone(),
                self.options,
            ));
        }
        self.table.new_generation();
        let bounds = HardLimits {
            start,
            nodes: limits.nodes.unwrap_or(u64::MAX),
            hard: limits.time.map(|time| time.hard),
        };
        let common = Arc::new(AtomicU64::new(0));
        for searcher in &mut self.searchers {
            searcher.history.fade();
            searcher.prepare(board, &played.keys, bounds, control.clone(), common.clone());
        }
        let deepest = limits.depth.unwrap_or(MAX_PLY as u32).clamp(1, MAX_PLY as u32) as i32;
        let multi_pv = self.options.multi_pv.max(1);
        let mut pace = Pace::new(limits, root_moves.len());
        let (first, helpers) = self.searchers.split_at_mut(1);
        let first = &mut first[0];
        let is_cancelled = Arc::new(SearchControl::default());
        let last = std::thread::scope(|scope| {
            // However the first thread ends, the others end with it.
            let _ending = StopOnDrop(&is_cancelled);
            for (id, helper) in helpers.iter_mut().enumerate() {
                // Helpers end when the first thread does, whatever ended it.
                helper.control = is_cancelled.clone();
                helper.limits.hard = None;
                let root_moves = &root_moves;
                // A thread that the system does not grant is done without.
                let _ = std::thread::Builder::new().spawn_scoped(scope, move || {
                    // Every second helper is a ply ahead, so that the table fills in front of the others.
                    let depths =
                        (1 + id as i32 % 2..=deepest).chain(std::iter::repeat_n(deepest, 2));
                    helper.iterative_deepening(board, root_moves, depths, multi_pv, |_, _| false);
                    helper.flush_nodes();
                });
            }
            first.iterative_deepening(
                board,
                &root_moves,
                1..=deepest,
                multi_pv,
                |searcher, iteration| {
                    searcher.flush_nodes();
                    report(&searcher.report(iteration));
                    pace.is_enough(iteration, start, control)
                },
            )
        });
        first.flush_nodes();
        let mut found = first.report(&last);
        if found.variations.is_empty() && !root_moves.is_empty() {
            // Not even one ply was finished: any legal move is better than none.
            let moves = vec![root_moves[0]];
            found.variations.push(PrincipalVariation {
                score: crate::Score::DRAW,
                depth: 0,
                moves,
            });
        }
        found
    }
}

impl<E: Evaluate> SearchWorker<E> {
    fn report(&self, iteration: &Iteration) -> SearchReport {
        SearchReport {
            depth: iteration.depth as u32,
            seldepth: self.seldepth as u32,
            variations: iteration.lines.clone(),
            nodes: self.shared_nodes.load(Ordering::Relaxed),
            time: self.limits.start.elapsed(),
            hashfull: self.table.hashfull(),
        }
    }
}

/// Tells the helpers to end, come what may.
struct StopOnDrop<'a>(&'a SearchControl);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Decides after each iteration whether another is worth its time.
struct Pace {
    soft: Option<Duration>,
    is_forced: bool,
    best: Option<BoardMove>,
    steady: u32,
    score: Option<i32>,
}

impl Pace {
    fn new(limits: &SearchLimits, choices: usize) -> Self {
        // Where all the time may be used, none is saved by stopping early.
        let soft = limits.time.filter(|time| time.soft < time.hard).map(|time| time.soft);
        Pace { soft, is_forced: choices == 1 && soft.is_some(), best: None, steady: 0, score: None }
    }

    fn is_enough(
        &mut self,
        iteration: &Iteration,
        start: Instant,
        control: &SearchControl,
    ) -> bool {
        let Some(line) = iteration.lines.first() else { return false };
        let best = line.moves.first().copied();
        self.steady = if best == self.best { self.steady + 1 } else { 0 };
        self.best = best;
        let score = line.score.value();
        let fallen = self.score.map_or(0, |last| (last - score).clamp(0, 80));
        self.score = Some(score);
        let Some(soft) = self.soft else { return false };
        if control.is_pondering() {
            return false;
        }
        let used = start.elapsed().saturating_sub(control.ponder_hit_time());
        if self.is_forced && iteration.depth >= 6 {
            return true;
        }
        // Less time for a move that has long been the best and takes most of the work; more when
        // the best move changes or the value falls.
        let steadiness = [1.5, 1.2, 1.0, 0.9, 0.8][self.steady.min(4) as usize];
        let doubt = (1.6 - iteration.effort).clamp(0.7, 1.3);
        let alarm = 1.0 + f64::from(fallen) / 120.0;
        used.as_secs_f64() >= soft.as_secs_f64() * steadiness * doubt * alarm * 0.7
    }
}
