//! Evaluation of single positions by quiescence search alone.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use krieg_core::Position;

use super::worker::{HardLimits, SearchWorker};
use super::{SearchControl, SearchOptions};
use crate::eval::Evaluate;
use crate::score::{INFINITE, Score};
use crate::tt::TranspositionTable;

/// Evaluates positions by quiescence search, in a few microseconds each. For callers that evaluate
/// thousands of positions and search none of them deeply.
///
/// ```
/// use krieg_chess::{Network, QuiescenceEvaluator};
/// use krieg_core::Position;
/// let mut evaluator = QuiescenceEvaluator::new(Network::default());
/// let hanging = Position::from_fen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")?;
/// let safe = Position::from_fen("4k3/8/8/2q5/4P3/8/8/4K3 w - - 0 1")?;
/// assert!(evaluator.evaluate(&hanging) > evaluator.evaluate(&safe));
/// # Ok::<(), krieg_core::FenError>(())
/// ```
pub struct QuiescenceEvaluator<E: Evaluate> {
    worker: SearchWorker<E>,
    control: Arc<SearchControl>,
    nodes: Arc<AtomicU64>,
}

/// Size of the transposition table. Positions sampled from a belief repeat often.
const TABLE_BYTES: usize = 1 << 20;

impl<E: Evaluate> QuiescenceEvaluator<E> {
    /// An evaluator with an empty transposition table.
    pub fn new(eval: E) -> Self {
        let table = Arc::new(TranspositionTable::with_bytes(TABLE_BYTES));
        let worker = SearchWorker::new(table, eval, SearchOptions::default());
        QuiescenceEvaluator { worker, control: Arc::default(), nodes: Arc::default() }
    }

    /// Clears the transposition table and the history tables, so that later values do not depend
    /// on earlier positions.
    pub fn clear(&mut self) {
        self.worker.clear_table();
        self.worker.clear_history();
    }

    /// The score of a position for the side to move. Draws by rule are not detected.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let limits = HardLimits { start: Instant::now(), nodes: u64::MAX, time: None };
        let (board, worker) = (position.board(), &mut self.worker);
        worker.prepare(board, &[], limits, self.control.clone(), self.nodes.clone());
        let state = worker.eval.refresh(board);
        Score::from_value(worker.quiescence::<false>(board, &state, 0, -INFINITE, INFINITE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Network;

    #[test]
    fn a_cleared_evaluator_repeats_its_values() {
        let boards = crate::testing::random_boards(60, 9);
        let positions: Vec<Position> =
            boards.iter().filter_map(|board| Position::from_fen(&board.to_string()).ok()).collect();
        let mut evaluator = QuiescenceEvaluator::new(Network::default());
        let evaluate_all = |evaluator: &mut QuiescenceEvaluator<_>| {
            evaluator.clear();
            positions.iter().map(|position| evaluator.evaluate(position)).collect::<Vec<_>>()
        };
        assert_eq!(evaluate_all(&mut evaluator), evaluate_all(&mut evaluator));
        let mated = Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").unwrap();
        assert_eq!(evaluator.evaluate(&mated), Score::mated_in(0));
    }
}
