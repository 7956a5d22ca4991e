//! Batch evaluation: a value for every legal move on each of many boards.
//!
//! A Kriegspiel player asks this of hundreds of boards sampled from its belief, many times per
//! second. Such boards are similar, so neighbouring boards share a transposition table. The boards
//! are divided into groups independently of the number of threads, and each group starts with an
//! empty table. With a budget of nodes, the result is therefore the same on any number of cores.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cozy_chess::Board;
use krieg_core::{Move, Position};

use crate::eval::{Evaluate, Network};
use crate::score::{MAX_EVAL, Score};
use crate::search::{HardLimits, SearchOptions, SearchWorker};
use crate::tt::TranspositionTable;

/// The budget of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// Nodes for each board. The result is deterministic.
    NodesPerBoard(u64),
    /// Time for all boards together.
    Time(Duration),
}

/// A move and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// Its score for the side to move.
    pub score: Score,
    /// The depth of the last exact score, in plies. Moves other than the best may have a smaller
    /// depth than the best; their score is then the last exact one or, if lower, an upper bound
    /// found since, and never exceeds that of a move searched deeper.
    pub depth: u32,
}

/// Number of boards that share a transposition table.
const GROUP_SIZE: usize = 16;
/// Size of that transposition table.
const TABLE_BYTES: usize = 2 << 20;

/// Evaluates batches of boards on several threads. It keeps the tables of the search, so reusing an
/// evaluator saves their allocation.
///
/// ```
/// use krieg_chess::{BatchEvaluator, Budget, Network};
/// use krieg_core::Position;
/// let evaluator = BatchEvaluator::new(Network::default(), 2).with_exact_margin(30);
/// let scores = evaluator.evaluate(&[Position::start()], Budget::NodesPerBoard(1_000));
/// assert_eq!(scores[0].len(), 20);
/// ```
pub struct BatchEvaluator<E: Evaluate> {
    workers: Vec<Mutex<SearchWorker<E>>>,
    exact_margin: i32,
}

impl<E: Evaluate> BatchEvaluator<E> {
    /// Default of [`BatchEvaluator::with_exact_margin`], in centipawns.
    pub const EXACT_MARGIN: i32 = 0;

    /// An evaluator with this number of threads.
    pub fn new(eval: E, threads: usize) -> Self {
        let worker = |_| {
            let table = Arc::new(TranspositionTable::with_bytes(TABLE_BYTES));
            Mutex::new(SearchWorker::new(table, eval.clone(), SearchOptions::default()))
        };
        BatchEvaluator {
            workers: (0..threads.max(1)).map(worker).collect(),
            exact_margin: Self::EXACT_MARGIN,
        }
    }

    /// Requests exact scores of all moves within this margin of the best move, in centipawns. A
    /// larger margin costs depth.
    #[must_use]
    pub fn with_exact_margin(mut self, margin: i32) -> Self {
        self.exact_margin = margin.clamp(0, MAX_EVAL);
        self
    }

    /// The scores of every legal move on each board, best first. A board without legal moves has
    /// none.
    pub fn evaluate(&self, boards: &[Position], budget: Budget) -> Vec<Vec<ScoredMove>> {
        let start = Instant::now();
        let (distinct, indices) = distinct(boards);
        let groups: Vec<&[&Position]> = distinct.chunks(GROUP_SIZE).collect();
        let next_group = AtomicUsize::new(0);
        let results: Vec<Mutex<Vec<Vec<ScoredMove>>>> =
            groups.iter().map(|_| Mutex::default()).collect();
        let threads = self.workers.len().min(groups.len()).max(1);
        let unevaluated = AtomicUsize::new(distinct.len());
        let budget = BatchBudget { budget, start, threads, unevaluated };
        std::thread::scope(|scope| {
            for worker in &self.workers[..threads] {
                let (groups, next_group, results, budget) =
                    (&groups, &next_group, &results, &budget);
                scope.spawn(move || {
                    let mut worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
                    loop {
                        let index = next_group.fetch_add(1, Ordering::Relaxed);
                        let Some(group) = groups.get(index) else { break };
                        worker.clear_table();
                        let scored: Vec<_> = group
                            .iter()
                            .map(|position| {
                                let limits = budget.next_board();
                                evaluate_board(&mut worker, position, limits, self.exact_margin)
                            })
                            .collect();
                        if let Ok(mut result) = results[index].lock() {
                            *result = scored;
                        }
                    }
                });
            }
        });
        let scored: Vec<Vec<ScoredMove>> = results
            .into_iter()
            .flat_map(|group| group.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect();
        indices.into_iter().map(|index| scored[index].clone()).collect()
    }
}

/// Evaluates a batch with the built-in network on all cores.
///
/// For repeated calls, keep a [`BatchEvaluator`], which reuses its tables.
///
/// ```
/// use krieg_chess::{Budget, Score, evaluate_batch};
/// use krieg_core::Position;
/// let boards = [
///     Position::start(),
///     Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")?,
/// ];
/// let scores = evaluate_batch(&boards, Budget::NodesPerBoard(500));
/// assert_eq!(scores[0].len(), 20);
/// assert_eq!(scores[1][0].mv.to_string(), "d1d8");
/// assert_eq!(scores[1][0].score, Score::mate_in(1));
/// # Ok::<(), krieg_core::FenError>(())
/// ```
#[must_use]
pub fn evaluate_batch(boards: &[Position], budget: Budget) -> Vec<Vec<ScoredMove>> {
    BatchEvaluator::new(Network::default(), cores()).evaluate(boards, budget)
}

/// Number of processor cores available to the program.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Removes duplicates: the distinct boards in the order of first appearance, and for each board its
/// index among them.
fn distinct(boards: &[Position]) -> (Vec<&Position>, Vec<usize>) {
    let mut seen: HashMap<Board, usize> = HashMap::new();
    let mut distinct = Vec::new();
    let indices = boards
        .iter()
        .map(|position| {
            let mut board = position.board().clone();
            board.set_fullmove_number(1); // the move number does not affect the evaluation
            match seen.entry(board) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    distinct.push(position);
                    *new.insert(distinct.len() - 1)
                }
            }
        })
        .collect();
    (distinct, indices)
}

/// Divides the budget among the boards.
struct BatchBudget {
    budget: Budget,
    start: Instant,
    threads: usize,
    /// Number of boards whose evaluation has not started.
    unevaluated: AtomicUsize,
}

impl BatchBudget {
    /// The limits of the next board.
    fn next_board(&self) -> HardLimits {
        match self.budget {
            Budget::NodesPerBoard(nodes) => HardLimits { start: self.start, nodes, time: None },
            Budget::Time(time) => {
                let now = Instant::now();
                let time_left = time.saturating_sub(now - self.start);
                let boards_left = self.unevaluated.fetch_sub(1, Ordering::Relaxed).max(1);
                // The threads work in parallel; at the end there are fewer boards than threads.
                let share = (self.threads as f64 / boards_left as f64).min(1.0);
                let time = Some(time_left.mul_f64(share));
                HardLimits { start: now, nodes: u64::MAX, time }
            }
        }
    }
}

fn evaluate_board<E: Evaluate>(
    worker: &mut SearchWorker<E>,
    position: &Position,
    limits: HardLimits,
    exact_margin: i32,
) -> Vec<ScoredMove> {
    worker
        .evaluate_all_moves(position.board(), limits, exact_margin)
        .into_iter()
        .map(|entry| ScoredMove {
            mv: position.player_move(entry.mv),
            score: Score::from_value(entry.value),
            depth: entry.depth,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(count: usize) -> Vec<Position> {
        crate::testing::random_boards(count, 5)
            .into_iter()
            .filter_map(|board| Position::from_fen(&board.to_string()).ok())
            .collect()
    }

    #[test]
    fn every_legal_move_has_a_score() {
        let boards = positions(60);
        let scores = evaluate_batch(&boards, Budget::NodesPerBoard(300));
        for (board, scores) in boards.iter().zip(&scores) {
            let mut legal = board.legal_moves();
            let mut scored: Vec<Move> = scores.iter().map(|entry| entry.mv).collect();
            legal.sort();
            scored.sort();
            assert_eq!(scored, legal);
            assert!(scores.is_sorted_by(|a, b| a.score >= b.score));
        }
    }

    #[test]
    fn the_number_of_threads_does_not_change_the_result() {
        let boards = positions(90);
        let with_threads = |threads| {
            BatchEvaluator::new(Network::default(), threads)
                .evaluate(&boards, Budget::NodesPerBoard(400))
        };
        let one = with_threads(1);
        assert_eq!(one, with_threads(2));
        assert_eq!(one, with_threads(3));
    }

    #[test]
    fn a_reused_evaluator_repeats_its_result() {
        let boards = positions(40);
        let batch = BatchEvaluator::new(Network::default(), 2);
        let budget = Budget::NodesPerBoard(400);
        assert_eq!(batch.evaluate(&boards, budget), batch.evaluate(&boards, budget));
    }

    #[test]
    fn duplicate_boards_are_evaluated_once() {
        let start = Position::start();
        let later =
            Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 9").unwrap();
        let other = positions(1).remove(0);
        let boards = [start.clone(), other, later, start];
        let (distinct, indices) = distinct(&boards);
        assert_eq!((distinct.len(), indices), (2, vec![0, 1, 0, 0]));
        let scores = evaluate_batch(&boards, Budget::NodesPerBoard(200));
        assert_eq!(scores[0], scores[2]);
        assert_eq!(scores[0], scores[3]);
    }

    #[test]
    fn a_board_without_legal_moves_has_no_scores() {
        let mated = Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").unwrap();
        assert_eq!(evaluate_batch(&[mated], Budget::NodesPerBoard(100)), [vec![]]);
        assert!(evaluate_batch(&[], Budget::NodesPerBoard(100)).is_empty());
    }

    #[test]
    fn every_board_gets_a_share_of_the_time() {
        let boards = positions(50);
        let scores = evaluate_batch(&boards, Budget::Time(Duration::from_millis(100)));
        assert!(scores.iter().all(|scores| scores.iter().all(|entry| entry.depth >= 1)));
        let none = evaluate_batch(&boards, Budget::Time(Duration::ZERO));
        assert!(
            none.iter()
                .zip(&boards)
                .all(|(scores, board)| scores.len() == board.legal_moves().len())
        );
    }
}
