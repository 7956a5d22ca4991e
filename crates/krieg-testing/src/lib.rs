//! Random games for tests: players who draw their tries from a hat, now and then something
//! senseless, positions where much can happen, and pairs of games that sound the same to one player.

mod twins;

pub use twins::lead_twin_games;

use krieg_core::{
    Color, DrawRules, Game, Move, Position, Promotion, Ruleset, Setup, Square, Try, View,
};
use proptest::test_runner::{Config as ProptestConfig, RngSeed};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Positions that reach promotion, en passant, pins, castling, double check, mate and stalemate
/// within a few moves of random play.
pub const LIVELY: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // En passant: open, and forbidden by a pin along the rank, the file and the diagonal.
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "6k1/8/5b2/3pP3/3K4/8/8/8 w - d6 0 1",
    // Castling with and without an unseen obstacle.
    "r3k2r/8/8/8/8/8/8/R3K1nR w KQkq - 0 1",
    // Discovered and double checks.
    "3k4/3P4/2BNB3/8/3R4/8/3Q4/K7 w - - 0 1",
    // Little left: mates, stalemates and bare kings.
    "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/1k6/p7/K6n b - - 0 1",
];

/// So many cases of a property, the same ones in every run.
pub fn cases(count: u32) -> ProptestConfig {
    ProptestConfig {
        cases: count,
        rng_seed: RngSeed::Fixed(2005),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// The generator that everything here draws from.
pub fn hat(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// A try for the player who is to move: mostly sensible, sometimes "any?", now and then nonsense.
pub fn draw_try(view: &View, rng: &mut impl Rng) -> Try {
    let tries = view.tries();
    match rng.random_range(0..20) {
        0 => Try::Move(draw_nonsense(rng)),
        1..4 if view.may_ask() => Try::Any,
        _ => match tries.len() {
            0 => Try::Move(draw_nonsense(rng)),
            count => tries.nth(rng.random_range(0..count)).expect("below the count").into(),
        },
    }
}

fn draw_nonsense(rng: &mut impl Rng) -> Move {
    let mut square = || Square::index(rng.random_range(0..Square::NUM));
    let (from, to) = (square(), square());
    let promotion = match rng.random_range(0..10) {
        n @ 0..4 => Some(Promotion::ALL[n]),
        _ => None,
    };
    Move { from, to, promotion }
}

/// A setup drawn from the seed: any ruleset, any lively position, any draw rules.
pub fn draw_setup(rng: &mut impl Rng) -> Setup {
    let fen = LIVELY[rng.random_range(0..LIVELY.len())];
    Setup {
        ruleset: Ruleset::ALL[rng.random_range(0..Ruleset::ALL.len())],
        draws: DrawRules {
            fifty_moves: rng.random(),
            threefold: rng.random(),
            insufficient_material: rng.random(),
        },
        start: Position::from_fen(fen).expect("a lively position is a position"),
    }
}

/// A whole game of up to so many tries, with names, a seed, sometimes a clock, and any ending.
pub fn draw_game(setup: Setup, seed: u64, most_tries: usize) -> Game {
    let mut rng = hat(seed);
    let mut game = Game::new(setup);
    let has_clock: bool = rng.random();
    game.set_seed(Some(seed));
    for (name, value) in [("White", "Ann \"the\" Rook"), ("Black", "Björn\\"), ("Lamp", "on")] {
        game.set_tag(name, value).expect("a good tag");
    }
    let mut tries = 0;
    while game.umpire().outcome().is_none() && tries < most_tries {
        let tried = draw_try(game.umpire().view(game.umpire().turn()), &mut rng);
        let spent = has_clock.then(|| rng.random_range(0..90_000));
        if game.judge_timed(tried, spent).is_ok() {
            tries += 1;
        }
    }
    let player = if rng.random() { Color::White } else { Color::Black };
    // Where the game is over already, these change nothing.
    let _ = match rng.random_range(0..5) {
        0 => game.resign(player),
        1 => game.flag(player),
        2 => game.abandon(player),
        3 => game.agree_to_draw(),
        _ => return game,
    };
    game
}
