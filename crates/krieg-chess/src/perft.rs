//! Perft: counts the leaf nodes of the game tree, to check move generation against other engines.

use cozy_chess::Board;

use crate::moves::legal_moves;

/// Number of move sequences of `depth` plies from this position.
///
/// ```
/// use krieg_chess::perft;
/// assert_eq!(perft(&Default::default(), 4), 197_281);
/// ```
#[must_use]
pub fn perft(board: &Board, depth: u32) -> u64 {
    cancellable_perft(board, depth, &|| false).unwrap_or(0)
}

/// Like [`perft`], but returns `None` as soon as `is_cancelled` returns true.
pub(crate) fn cancellable_perft(
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
        // Bulk counting: moves of the last ply are counted, not made.
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
        count += cancellable_perft(&after, depth - 1, is_cancelled)?;
    }
    Some(count)
}
