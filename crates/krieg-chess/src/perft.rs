//! Counting positions: how the rules underneath are checked against those of others.

use cozy_chess::Board;

use crate::order::legal_moves;

/// How many ways there are to play on for so many plies.
///
/// ```
/// use krieg_chess::perft;
/// assert_eq!(perft(&Default::default(), 4), 197_281);
/// ```
pub fn perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        let mut count = 0;
        board.generate_moves(|moves| {
            count += moves.len() as u64;
            false
        });
        return count;
    }
    let mut count = 0;
    for mv in legal_moves(board) {
        let mut after = board.clone();
        after.play_unchecked(mv);
        count += perft(&after, depth - 1);
    }
    count
}
