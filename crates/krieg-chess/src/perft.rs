//! Counting positions: how the rules underneath are checked against those of others.

use cozy_chess::Board;

use crate::move_picker::legal_moves;

/// How many ways there are to play on for so many plies.
///
/// ```
/// use krieg_chess::perft;
/// assert_eq!(perft(&Default::default(), 4), 197_281);
/// ```
pub fn perft(board: &Board, depth: u32) -> u64 {
    perft_until(board, depth, &|| false).unwrap_or(0)
}

/// The same, unless `is_cancelled` says that nobody waits any more.
pub(crate) fn perft_until(
    board: &Board,
    depth: u32,
    is_cancelled: &dyn Fn() -> bool,
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if depth > 3 && is_cancelled() {
        return None;
    }
    if depth == 1 {
        let mut count = 0;
        board.generate_moves(|moves| {
            count += moves.len() as u64;
            false
        });
        return Some(count);
    }
    let mut count = 0;
    for mv in legal_moves(board) {
        let mut after = board.clone();
        after.play_unchecked(mv);
        count += perft_until(&after, depth - 1, is_cancelled)?;
    }
    Some(count)
}
