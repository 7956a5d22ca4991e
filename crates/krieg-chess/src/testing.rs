//! Boards for the tests of this crate.

use cozy_chess::Board;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::moves::legal_moves;

/// Positions from random games, each with at least one legal move.
pub(crate) fn random_boards(count: usize, seed: u64) -> Vec<Board> {
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

/// The position with colours swapped and ranks mirrored.
pub(crate) fn colors_swapped(board: &Board) -> Board {
    let fen = board.to_string();
    let mut fields = fen.split(' ').map(str::to_string).collect::<Vec<_>>();
    let swap = |text: &str| -> String {
        let swapped = |c: char| {
            if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
        };
        text.chars().map(swapped).collect()
    };
    fields[0] = fields[0].split('/').rev().map(swap).collect::<Vec<_>>().join("/");
    fields[1] = if fields[1] == "w" { "b" } else { "w" }.to_string();
    fields[2] = swap(&fields[2]);
    fields[3] = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    fields.join(" ").parse().unwrap()
}

/// The position with files mirrored and without castling rights.
pub(crate) fn files_mirrored(board: &Board) -> Board {
    let fen = board.to_string();
    let mut fields = fen.split(' ').map(str::to_string).collect::<Vec<_>>();
    let rows = fields[0].split('/').map(|row| row.chars().rev().collect::<String>());
    fields[0] = rows.collect::<Vec<_>>().join("/");
    fields[2] = "-".to_string();
    fields[3] = "-".to_string();
    fields.join(" ").parse().unwrap()
}
