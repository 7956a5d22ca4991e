//! A glance at one board: what it is worth once the captures are played out, and nothing more.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use krieg_core::Position;

use super::worker::{HardLimits, SearchWorker};
use super::{SearchControl, SearchOptions};
use crate::eval::Evaluate;
use crate::score::{INFINITE, Score};
use crate::tt::TranspositionTable;

/// Values boards at a glance, by quiescence alone: a few microseconds each, for whoever looks at thousands of them and
/// at none for long.
///
/// ```
/// use krieg_chess::{QuiescenceEvaluator, Network};
/// use krieg_core::Position;
/// let mut evaluator = QuiescenceEvaluator::new(Network::default());
/// let hanging = Position::from_fen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")?;
/// let safe = Position::from_fen("4k3/8/8/2q5/4P3/8/8/4K3 w - - 0 1")?;
/// assert!(evaluator.evaluate(&hanging) > evaluator.evaluate(&safe));
/// # Ok::<(), krieg_core::FenError>(())
/// ```
pub struct QuiescenceEvaluator<E: Evaluate> {
    searcher: SearchWorker<E>,
    control: Arc<SearchControl>,
    nodes: Arc<AtomicU64>,
}

/// Boards come again and again where they are drawn from a pool; so much is remembered of them.
const TABLE_BYTES: usize = 1 << 20;

impl<E: Evaluate> QuiescenceEvaluator<E> {
    /// Somebody who has seen nothing yet.
    pub fn new(eval: E) -> Self {
        let table = Arc::new(TranspositionTable::with_bytes(TABLE_BYTES));
        let searcher = SearchWorker::new(table, eval, SearchOptions::default());
        QuiescenceEvaluator { searcher, control: Arc::default(), nodes: Arc::default() }
    }

    /// Forgets everything, so that the next values do not depend on what was seen before.
    pub fn clear(&mut self) {
        self.searcher.clear_table();
        self.searcher.forget();
    }

    /// What the board is worth to the side to move. Draws are not looked for.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let bounds = HardLimits { start: Instant::now(), nodes: u64::MAX, hard: None };
        let (board, searcher) = (position.board(), &mut self.searcher);
        searcher.prepare(board, &[], bounds, self.control.clone(), self.nodes.clone());
        let state = searcher.eval.refresh(board);
        Score::from_value(searcher.quiescence::<false>(board, &state, 0, -INFINITE, INFINITE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Network;

    #[test]
    fn a_mated_side_is_mated_and_a_used_glance_sees_what_a_fresh_one_sees() {
        let boards = crate::testing::boards(60, 9);
        let boards = boards.iter().filter_map(|board| Position::from_fen(&board.to_string()).ok());
        let boards: Vec<Position> = boards.collect();
        let mut evaluator = QuiescenceEvaluator::new(Network::default());
        let look = |evaluator: &mut QuiescenceEvaluator<_>| {
            evaluator.clear();
            boards.iter().map(|board| evaluator.evaluate(board)).collect::<Vec<_>>()
        };
        assert_eq!(look(&mut evaluator), look(&mut evaluator));
        let mated = Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").unwrap();
        assert_eq!(evaluator.evaluate(&mated), Score::mated_in(0));
    }
}
