//! Start positions that lead to what random play from the start position rarely reaches.

use krieg_core::Position;
use krieg_testing::{TEST_POSITIONS, mirrored};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

/// More positions, beside those of all tests.
const POSITIONS: [&str; 38] = [
    // En passant: pinned on the diagonal, legal along the pin, one of two pawns pinned, capturing
    // the checking pawn, not ending a check, and with another try.
    "6kb/8/8/3pP3/8/2K5/8/8 w - d6 0 1",
    "1b4k1/8/8/3pP3/8/8/7K/8 w - d6 0 1",
    "b5k1/8/8/3pP3/8/8/6K1/8 w - d6 0 1",
    "8/8/8/K1PpP2r/8/8/8/6k1 w - d6 0 1",
    "4r1k1/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "6k1/8/8/3pP3/4K3/8/8/8 w - d6 0 1",
    "4b1k1/8/8/3pP3/K7/8/8/8 w - d6 0 1",
    "4r1k1/8/1p6/P2pP3/8/8/8/4K3 w - d6 0 1",
    "8/4k3/8/3pP3/8/8/8/2K1R3 w - d6 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "4k3/2p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
    // Promotions: by capture, pinned, with the loss of a rook that could castle.
    "1n3k2/PPPP4/8/8/8/8/pppp4/1N3K2 w - - 0 1",
    "2r2k2/1P1P4/8/8/8/8/6p1/4K2R w K - 0 1",
    "3b4/2P5/1K6/8/8/6k1/5p2/4B3 w - - 0 1",
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    // Castling: through attacked squares, in check, with an attack on b1 only.
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/p6p/b7/8/8/B7/P6P/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/1b6/8/8/R3K2R w KQkq - 0 1",
    "rN2k1Nr/p6p/8/8/8/8/P6P/Rn2K1nR w KQkq - 0 1",
    "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
    // Double checks: file and knight, file and diagonal, rank and knight, diagonal and knight.
    "4k3/8/4N3/8/8/4R3/8/4K3 w - - 0 1",
    "4k3/8/4B3/8/8/4R3/8/4K3 w - - 0 1",
    "R2N3k/8/8/8/8/8/8/4K3 w - - 0 1",
    "6k1/8/8/3N4/8/8/B7/4K3 w - - 0 1",
    // Double checks at the start: a pawn could capture one of the checkers; both are on the rank.
    "4r1k1/8/8/8/8/3n4/2P5/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/r3K2r w - - 0 1",
    // Endings.
    "8/8/8/4k3/8/8/8/3QK3 w - - 0 1",
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    "7k/8/5K2/8/8/8/8/R7 w - - 0 1",
    "8/8/8/8/8/1k1bb3/8/K7 b - - 0 1",
    "7k/5K2/8/6P1/8/8/8/8 w - - 0 1",
    "5k2/5P2/8/4K3/8/8/8/8 w - - 0 1",
    "8/8/3k4/3n4/3N4/3K4/8/8 w - - 0 1",
    "k7/pp6/8/8/8/8/2r3PP/7K b - - 0 1",
    // Half-move clocks near a hundred, and at a hundred with too little material.
    "8/8/4k3/8/8/3K3N/8/8 w - - 100 80",
    "3qk3/2P1P3/8/8/8/8/2p1p3/3QK3 w - - 97 80",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 90 60",
];

/// Maximum number of random moves that are played before a game begins.
const MAX_MOVES: usize = 40;

/// All positions of the lists, with and without exchanged colours.
pub fn special_positions() -> Vec<Position> {
    let listed = TEST_POSITIONS.iter().chain(&POSITIONS);
    listed
        .map(|fen| Position::from_fen(fen).unwrap_or_else(|error| panic!("{error}")))
        .flat_map(|position| [mirrored(&position), position])
        .collect()
}

/// A random start position: the standard one in half of the games, a special one in the others,
/// and in one of four games after some random moves.
pub fn random_start(rng: &mut impl Rng) -> Position {
    let mut position = Position::start();
    if rng.random() {
        position = special_positions().choose(rng).expect("the lists are not empty").clone();
    }
    if rng.random_range(0..4) == 0 {
        for _ in 0..rng.random_range(1..=MAX_MOVES) {
            let moves = position.legal_moves();
            let Some(&mv) = moves.choose(rng) else { break };
            position.play(mv).expect("the move is legal");
        }
    }
    position
}
