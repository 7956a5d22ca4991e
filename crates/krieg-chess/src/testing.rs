//! Boards for the tests of this crate: random games, looked at along the way.

use cozy_chess::Board;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::order::legal_moves;

/// So many boards from random games, none of them at its end.
pub(crate) fn boards(count: usize, seed: u64) -> Vec<Board> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut board = Board::default();
        for _ in 0..rng.random_range(4..120) {
            let moves = legal_moves(&board);
            if moves.is_empty() {
                break;
            }
            board.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
        if !legal_moves(&board).is_empty() {
            boards.push(board);
        }
    }
    boards
}
