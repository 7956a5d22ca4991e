//! Many boards at once: a value for every legal move on every board.
//!
//! This is the question a player of Kriegspiel asks of hundreds of boards he imagines, many times
//! a second. Such boards are much alike, so neighbours share a transposition table. They are taken in groups
//! that do not depend on the number of threads, and each group begins with an empty table: for a budget of
//! nodes the answer is the same on one core and on many.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cozy_chess::Board;
use krieg_core::{Move, Position};

use crate::eval::{Evaluate, Network};
use crate::score::Score;
use crate::search::{HardLimits, SearchOptions, SearchWorker};
use crate::tt::TranspositionTable;

/// What a batch may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// Nodes for each board. The answer is always the same.
    NodesPerBoard(u64),
    /// Time for all boards together.
    Time(Duration),
}

/// A move and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// What it is worth to the mover.
    pub score: Score,
    /// The depth at which that was found, in plies. For a move that is not the best it may be less
    /// than for the others; the score then is the last exact one or, if lower, a bound found since, and
    /// never above that of a move that was searched deeper.
    pub depth: u32,
}

/// Boards that share a table.
const GROUP: usize = 16;
const TABLE_BYTES: usize = 2 << 20;

/// An evaluator of batches, with the memory it needs.
pub struct BatchEvaluator<E: Evaluate> {
    searchers: Vec<Mutex<SearchWorker<E>>>,
    spread: i32,
}

impl<E: Evaluate> BatchEvaluator<E> {
    /// Moves that may be this close to the best, in hundredths of a pawn, are valued exactly.
    pub const EXACT_MARGIN: i32 = 0;

    /// An evaluator with so many threads.
    pub fn new(eval: E, threads: usize) -> Self {
        let searcher = |_| {
            let table = Arc::new(TranspositionTable::with_bytes(TABLE_BYTES));
            Mutex::new(SearchWorker::new(table, eval.clone(), SearchOptions::default()))
        };
        BatchEvaluator {
            searchers: (0..threads.max(1)).map(searcher).collect(),
            spread: Self::EXACT_MARGIN,
        }
    }

    /// The same with another spread.
    pub fn with_exact_margin(mut self, spread: i32) -> Self {
        self.spread = spread.clamp(0, crate::score::MAX_EVAL);
        self
    }

    /// The values of every legal move on every board, the best first. A board without legal moves
    /// has none.
    pub fn evaluate(&self, boards: &[Position], budget: Budget) -> Vec<Vec<ScoredMove>> {
        let start = Instant::now();
        let (distinct, which) = distinct(boards);
        let groups: Vec<&[&Position]> = distinct.chunks(GROUP).collect();
        let next = AtomicUsize::new(0);
        let done: Vec<Mutex<Vec<Vec<ScoredMove>>>> =
            groups.iter().map(|_| Mutex::default()).collect();
        let threads = self.searchers.len().min(groups.len()).max(1);
        let purse = Purse { budget, start, threads, left: AtomicUsize::new(distinct.len()) };
        std::thread::scope(|scope| {
            for searcher in &self.searchers[..threads] {
                let (groups, next, done, purse) = (&groups, &next, &done, &purse);
                scope.spawn(move || {
                    let mut searcher = searcher.lock().unwrap_or_else(|broken| broken.into_inner());
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(group) = groups.get(at) else { break };
                        searcher.clear_table();
                        let valued: Vec<_> = group
                            .iter()
                            .map(|position| {
                                value(&mut searcher, position, purse.open(), self.spread)
                            })
                            .collect();
                        if let Ok(mut place) = done[at].lock() {
                            *place = valued;
                        }
                    }
                });
            }
        });
        let valued: Vec<Vec<ScoredMove>> = done
            .into_iter()
            .flat_map(|group| group.into_inner().unwrap_or_else(|broken| broken.into_inner()))
            .collect();
        which.into_iter().map(|at| valued[at].clone()).collect()
    }
}

/// Evaluates a batch with the built-in evaluation on all cores.
///
/// Whoever asks often keeps a [`BatchEvaluator`], which saves making its memory anew.
///
/// ```
/// use krieg_chess::{Budget, Score, evaluate_batch};
/// use krieg_core::Position;
/// let boards = [
///     Position::start(),
///     Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")?,
/// ];
/// let values = evaluate_batch(&boards, Budget::NodesPerBoard(500));
/// assert_eq!(values[0].len(), 20);
/// assert_eq!(values[1][0].mv.to_string(), "d1d8");
/// assert_eq!(values[1][0].score, Score::mate_in(1));
/// # Ok::<(), krieg_core::FenError>(())
/// ```
pub fn evaluate_batch(boards: &[Position], budget: Budget) -> Vec<Vec<ScoredMove>> {
    BatchEvaluator::new(Network::default(), cores()).evaluate(boards, budget)
}

/// How many cores there are.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Each board once, in the order of first appearance, and for every board which of them it is.
fn distinct(boards: &[Position]) -> (Vec<&Position>, Vec<usize>) {
    let mut seen: HashMap<Board, usize> = HashMap::new();
    let mut distinct = Vec::new();
    let which = boards
        .iter()
        .map(|position| {
            let mut board = position.board().clone();
            board.set_fullmove_number(1); // how many moves were made matters to nobody
            match seen.entry(board) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    distinct.push(position);
                    *new.insert(distinct.len() - 1)
                }
            }
        })
        .collect();
    (distinct, which)
}

/// What may be spent.
struct Purse {
    budget: Budget,
    start: Instant,
    threads: usize,
    /// Boards that have got nothing yet.
    left: AtomicUsize,
}

impl Purse {
    /// The bounds of the next board.
    fn open(&self) -> HardLimits {
        match self.budget {
            Budget::NodesPerBoard(nodes) => HardLimits { start: self.start, nodes, hard: None },
            Budget::Time(time) => {
                let now = Instant::now();
                let rest = time.saturating_sub(now - self.start);
                let left = self.left.fetch_sub(1, Ordering::Relaxed).max(1);
                // The threads spend at the same time; towards the end there are fewer boards than threads.
                let share = rest.mul_f64((self.threads as f64 / left as f64).min(1.0));
                HardLimits { start: now, nodes: u64::MAX, hard: Some(share) }
            }
        }
    }
}

fn value<E: Evaluate>(
    searcher: &mut SearchWorker<E>,
    position: &Position,
    bounds: HardLimits,
    spread: i32,
) -> Vec<ScoredMove> {
    searcher
        .evaluate_all_moves(position.board(), bounds, spread)
        .into_iter()
        .map(|found| ScoredMove {
            mv: position.player_move(found.mv),
            score: Score::from_value(found.value),
            depth: found.depth,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(count: usize) -> Vec<Position> {
        crate::testing::boards(count, 5)
            .into_iter()
            .filter_map(|board| Position::from_fen(&board.to_string()).ok())
            .collect()
    }

    #[test]
    fn every_legal_move_has_a_value() {
        let boards = positions(60);
        let values = evaluate_batch(&boards, Budget::NodesPerBoard(300));
        for (board, values) in boards.iter().zip(&values) {
            let mut legal = board.legal_moves();
            let mut valued: Vec<Move> = values.iter().map(|valued| valued.mv).collect();
            legal.sort();
            valued.sort();
            assert_eq!(valued, legal);
            assert!(values.is_sorted_by(|a, b| a.score >= b.score));
        }
    }

    #[test]
    fn threads_do_not_change_the_answer() {
        let boards = positions(90);
        let with = |threads| {
            BatchEvaluator::new(Network::default(), threads)
                .evaluate(&boards, Budget::NodesPerBoard(400))
        };
        let one = with(1);
        assert_eq!(one, with(2));
        assert_eq!(one, with(3));
    }

    #[test]
    fn an_evaluator_that_has_worked_answers_as_a_fresh_one() {
        let boards = positions(40);
        let batch = BatchEvaluator::new(Network::default(), 2);
        let budget = Budget::NodesPerBoard(400);
        assert_eq!(batch.evaluate(&boards, budget), batch.evaluate(&boards, budget));
    }

    #[test]
    fn equal_boards_are_evaluated_once_and_answered_each() {
        let start = Position::start();
        let later =
            Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 9").unwrap();
        let other = positions(1).remove(0);
        let boards = [start.clone(), other, later, start];
        let (distinct, which) = distinct(&boards);
        assert_eq!((distinct.len(), which), (2, vec![0, 1, 0, 0]));
        let values = evaluate_batch(&boards, Budget::NodesPerBoard(200));
        assert_eq!(values[0], values[2]);
        assert_eq!(values[0], values[3]);
    }

    #[test]
    fn a_mated_side_has_nothing_to_value() {
        let mated = Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").unwrap();
        assert_eq!(evaluate_batch(&[mated], Budget::NodesPerBoard(100)), [vec![]]);
        assert!(evaluate_batch(&[], Budget::NodesPerBoard(100)).is_empty());
    }

    #[test]
    fn time_is_shared_by_all_boards() {
        let boards = positions(50);
        let values = evaluate_batch(&boards, Budget::Time(Duration::from_millis(100)));
        assert!(values.iter().all(|values| values.iter().all(|valued| valued.depth >= 1)));
        let none = evaluate_batch(&boards, Budget::Time(Duration::ZERO));
        assert!(
            none.iter()
                .zip(&boards)
                .all(|(values, board)| values.len() == board.legal_moves().len())
        );
    }
}
