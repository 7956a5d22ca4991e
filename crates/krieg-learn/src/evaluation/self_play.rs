//! Self-play games of the engine.

use std::sync::{Arc, mpsc};

use krieg_chess::{
    Engine, Evaluate, OpeningGenerator, PositionHistory, SearchControl, SearchLimits, SearchOptions,
};
use krieg_core::Color;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::GameLine;

/// The settings of self-play games.
#[derive(Debug, Clone)]
pub struct SelfPlay {
    /// Nodes per move.
    pub nodes: u64,
    /// Seed of the random openings.
    pub seed: u64,
    /// Minimum and maximum number of random plies at the start of a game.
    pub random_plies: (u32, u32),
    /// Number of simultaneous games. The games do not depend on it.
    pub threads: usize,
}

impl Default for SelfPlay {
    fn default() -> Self {
        SelfPlay { nodes: 4_000, seed: 1, random_plies: (8, 8), threads: 1 }
    }
}

/// A game is adjudicated as won if the score, in centipawns, is at least this for
/// [`DECIDED_PLIES`] plies.
const DECIDED: i32 = 900;
const MINUS_DECIDED: i32 = -DECIDED;
const DECIDED_PLIES: i32 = 6;
/// A game is adjudicated as a draw after this number of plies.
const MAX_PLIES: usize = 300;
/// Maximum score of an opening, in centipawns: decided openings are not useful for training.
const MAX_OPENING_SCORE: i32 = 249;
/// Size of the engine's transposition table.
const TABLE_BYTES: usize = 4 << 20;
/// Number of finished games that a thread may be ahead.
const QUEUE: usize = 16;

/// Plays the games with these numbers and passes them to `visit` in order, until it returns false.
/// A game is determined by the settings and its number.
pub fn self_play<E: Evaluate>(
    evaluation: &E,
    settings: &SelfPlay,
    numbers: std::ops::Range<u64>,
    mut visit: impl FnMut(u64, GameLine) -> bool,
) {
    let threads = settings.threads.max(1) as u64;
    // Each thread plays every n-th game into its own channel. Reading in turn keeps the order.
    std::thread::scope(|scope| {
        let channels: Vec<_> = (0..threads)
            .map(|worker| {
                let (send, receive) = mpsc::sync_channel(QUEUE);
                let numbers = numbers.clone();
                let evaluation = evaluation.clone();
                scope.spawn(move || {
                    let mut engine = Engine::new(evaluation, SearchOptions::default(), TABLE_BYTES);
                    for number in (numbers.start + worker..numbers.end).step_by(threads as usize) {
                        if send.send(play_game(&mut engine, settings, number)).is_err() {
                            break;
                        }
                    }
                });
                receive
            })
            .collect();
        for number in numbers.clone() {
            let worker = ((number - numbers.start) % threads) as usize;
            let Ok(game) = channels[worker].recv() else { break };
            if !visit(number, game) {
                break;
            }
        }
        drop(channels);
    });
}

/// Plays the game with this number.
fn play_game<E: Evaluate>(engine: &mut Engine<E>, settings: &SelfPlay, number: u64) -> GameLine {
    let seed = settings.seed.wrapping_mul(1_000_003).wrapping_add(number);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let control = Arc::new(SearchControl::default());
    engine.clear();
    let (min, max) = settings.random_plies;
    let range = max.saturating_sub(min);
    let plies = min + if range > 0 { rng.random_range(0..=range) } else { 0 };
    let opening = OpeningGenerator { plies, nodes: settings.nodes, max_score: MAX_OPENING_SCORE };
    let start = opening.generate(engine, &mut rng);
    let mut history = PositionHistory::new(&start);
    let mut moves = Vec::new();
    // Consecutive plies with a decisive score; negative if Black is ahead.
    let mut decided = 0;
    let white_half_points = loop {
        let position = history.position();
        let (turn, board) = (position.turn(), position.board());
        if !position.can_move() {
            let is_mate = !board.checkers().is_empty();
            break if !is_mate { 1 } else { won_by(!turn) };
        }
        if history.is_draw() || moves.len() >= MAX_PLIES {
            break 1;
        }
        let limits = SearchLimits::nodes(settings.nodes);
        let report = engine.search(&history, &limits, &control, |_| {});
        let Some(variation) = report.variations.first() else { break 1 };
        let value = variation.score.value();
        let for_white = if turn == Color::White { value } else { -value };
        decided = match for_white {
            DECIDED.. => decided.max(0) + 1,
            ..=MINUS_DECIDED => decided.min(0) - 1,
            _ => 0,
        };
        let mv = position.player_move(variation.moves[0]);
        moves.push((mv, value));
        if i32::abs(decided) >= DECIDED_PLIES {
            break won_by(if decided > 0 { Color::White } else { Color::Black });
        }
        if history.play(mv).is_err() {
            break 1;
        }
    };
    GameLine { start, moves, white_half_points }
}

/// White's half points if this colour has won.
fn won_by(color: Color) -> u8 {
    match color {
        Color::White => 2,
        Color::Black => 0,
    }
}
