//! A glance at one board: what it is worth once the captures are played out, and nothing more.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use krieg_core::Position;

use super::searcher::{Bounds, Searcher};
use super::{Options, Signal};
use crate::eval::Evaluate;
use crate::score::{INFINITE, Score};
use crate::table::Table;

/// Values boards at a glance, by quiescence alone: a few microseconds each, for whoever looks at thousands of them and
/// at none for long.
///
/// ```
/// use krieg_chess::{Glance, Network};
/// use krieg_core::Position;
/// let mut glance = Glance::new(Network::default());
/// let hanging = Position::from_fen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")?;
/// let safe = Position::from_fen("4k3/8/8/2q5/4P3/8/8/4K3 w - - 0 1")?;
/// assert!(glance.value(&hanging) > glance.value(&safe));
/// # Ok::<(), krieg_core::FenError>(())
/// ```
pub struct Glance<E: Evaluate> {
    searcher: Searcher<E>,
    signal: Arc<Signal>,
    nodes: Arc<AtomicU64>,
}

/// Boards come again and again where they are drawn from a pool; so much is remembered of them.
const TABLE_BYTES: usize = 1 << 20;

impl<E: Evaluate> Glance<E> {
    /// Somebody who has seen nothing yet.
    pub fn new(eval: E) -> Self {
        let table = Arc::new(Table::with_bytes(TABLE_BYTES));
        let searcher = Searcher::new(table, eval, Options::default());
        Glance { searcher, signal: Arc::default(), nodes: Arc::default() }
    }

    /// Forgets everything, so that the next values do not depend on what was seen before.
    pub fn forget(&mut self) {
        self.searcher.begin_group();
        self.searcher.forget();
    }

    /// What the board is worth to the side to move. Draws are not looked for.
    pub fn value(&mut self, position: &Position) -> Score {
        let bounds = Bounds { begun: Instant::now(), nodes: u64::MAX, hard: None };
        let (board, searcher) = (position.board(), &mut self.searcher);
        searcher.prepare(board, &[], bounds, self.signal.clone(), self.nodes.clone());
        let state = searcher.eval.begin(board);
        Score::from_value(searcher.quiesce::<false>(board, &state, 0, -INFINITE, INFINITE))
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
        let mut glance = Glance::new(Network::default());
        let look = |glance: &mut Glance<_>| {
            glance.forget();
            boards.iter().map(|board| glance.value(board)).collect::<Vec<_>>()
        };
        assert_eq!(look(&mut glance), look(&mut glance));
        let mated = Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").unwrap();
        assert_eq!(glance.value(&mated), Score::mated_in(0));
    }
}
