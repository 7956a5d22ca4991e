//! Random games for the tests of the other crates.
//!
//! [`random_game`] plays a whole game of random tries from a [`random_setup`].
//! [`play_indistinguishable_games`] plays two games in which one player makes the same observations
//! although the opponent's pieces differ. [`random_network_file`] writes a network with random
//! weights. Everything is drawn from a [`seeded_rng`], so a failing test can be repeated. The
//! configuration of proptest and the random number generator are re-exported, because they occur in
//! signatures.
//!
//! ```
//! use krieg_testing::{random_game, random_setup, seeded_rng};
//! let setup = random_setup(&mut seeded_rng(1));
//! let game = random_game(setup, 1, 100);
//! assert!(game.record().entries().len() <= 100);
//! ```

mod indistinguishable;
mod mirrored;
mod network_file;

pub use indistinguishable::play_indistinguishable_games;
pub use mirrored::mirrored;
pub use network_file::random_network_file;
pub use proptest::test_runner::Config as ProptestConfig;
pub use rand_xoshiro::Xoshiro256PlusPlus;

use krieg_core::{
    Color, DrawRules, Game, Move, Position, Promotion, Ruleset, Setup, Square, Try, View,
};
use proptest::test_runner::RngSeed;
use rand::{Rng, RngExt, SeedableRng};

/// Positions from which random play reaches promotion, en passant, pins, castling, double check,
/// checkmate and stalemate within a few moves.
pub const TEST_POSITIONS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // En passant: legal, and forbidden by a pin along the rank, the file and the diagonal.
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "6k1/8/5b2/3pP3/3K4/8/8/8 w - d6 0 1",
    // Castling, with and without a piece in the way that the player does not see.
    "r3k2r/8/8/8/8/8/8/R3K1nR w KQkq - 0 1",
    // Discovered and double checks.
    "3k4/3P4/2BNB3/8/3R4/8/3Q4/K7 w - - 0 1",
    // Few pieces: checkmates, stalemates and bare kings.
    "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/1k6/p7/K6n b - - 0 1",
];

/// A proptest configuration with `count` cases and a fixed seed: the same cases in every run.
pub fn cases(count: u32) -> ProptestConfig {
    ProptestConfig {
        cases: count,
        rng_seed: RngSeed::Fixed(2005),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// The random number generator used by all functions of this crate.
pub fn seeded_rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// A random try for the player to move: usually sensible, sometimes "any?", and in about one of
/// twenty cases a random pair of squares.
pub fn random_try(view: &View, rng: &mut impl Rng) -> Try {
    let tries = view.tries();
    match rng.random_range(0..20) {
        0 => Try::Move(random_move(rng)),
        1..4 if view.can_ask_any() => Try::Any,
        _ => match tries.len() {
            0 => Try::Move(random_move(rng)),
            count => tries.nth(rng.random_range(0..count)).expect("below the count").into(),
        },
    }
}

/// A move between two random squares, with a promotion in four of ten cases.
pub fn random_move(rng: &mut impl Rng) -> Move {
    let mut square = || Square::index(rng.random_range(0..Square::NUM));
    let (from, to) = (square(), square());
    let promotion = match rng.random_range(0..10) {
        n @ 0..4 => Some(Promotion::ALL[n]),
        _ => None,
    };
    Move { from, to, promotion }
}

/// A random ruleset, start position from [`TEST_POSITIONS`], and set of draw rules.
pub fn random_setup(rng: &mut impl Rng) -> Setup {
    let fen = TEST_POSITIONS[rng.random_range(0..TEST_POSITIONS.len())];
    Setup {
        ruleset: Ruleset::ALL[rng.random_range(0..Ruleset::ALL.len())],
        draws: DrawRules {
            fifty_moves: rng.random(),
            threefold: rng.random(),
            insufficient_material: rng.random(),
        },
        start: Position::from_fen(fen).expect("the test positions are valid"),
    }
}

/// A random game of at most `max_tries` tries, with tags, a seed, a clock in half of the games, and
/// any ending.
pub fn random_game(setup: Setup, seed: u64, max_tries: usize) -> Game {
    let mut rng = seeded_rng(seed);
    let mut game = Game::new(setup);
    let has_clock: bool = rng.random();
    game.set_seed(Some(seed));
    for (name, value) in [("White", "Ann \"the\" Rook"), ("Black", "Björn\\"), ("Lamp", "on")] {
        game.set_tag(name, value).expect("the tags are valid");
    }
    let mut tries = 0;
    while game.umpire().outcome().is_none() && tries < max_tries {
        let tried = random_try(game.umpire().view(game.umpire().turn()), &mut rng);
        let spent_ms = has_clock.then(|| rng.random_range(0..90_000));
        if game.judge_timed(tried, spent_ms).is_ok() {
            tries += 1;
        }
    }
    let player = if rng.random() { Color::White } else { Color::Black };
    // If the game is already over, these return an error and change nothing.
    let _ = match rng.random_range(0..5) {
        0 => game.resign(player),
        1 => game.flag(player),
        2 => game.abandon(player),
        3 => game.agree_to_draw(),
        _ => return game,
    };
    game
}
