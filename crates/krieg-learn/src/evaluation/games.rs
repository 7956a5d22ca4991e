//! Games of the engine against itself, one a line.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, mpsc};

use krieg_core::{Color, Move, Position, excerpt};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

use krieg_chess::{
    Engine, Evaluate, OpeningGenerator, PositionHistory, SearchControl, SearchLimits,
    SearchOptions, is_tactical,
};

/// A game: where it began, each move with what the mover thought it was worth, and how it ended.
///
/// It is written on one line: result, position, moves.
///
/// ```
/// use krieg_learn::evaluation::GameLine;
/// let text = "1/2-1/2 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 a1a8 500 e8d7 -480";
/// let game: GameLine = text.parse()?;
/// assert_eq!(game.moves.len(), 2);
/// assert_eq!(game.to_string(), text);
/// # Ok::<(), krieg_learn::evaluation::GameLineError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GameLine {
    /// Where it began.
    pub start: Position,
    /// Each move, and its value in hundredths of a pawn to the mover.
    pub moves: Vec<(Move, i32)>,
    /// What White got, in half points.
    pub white: u8,
}

/// Why a line is no game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is no game: a result, a FEN, then moves and values are expected")]
pub struct GameLineError(String);

const RESULTS: [&str; 3] = ["0-1", "1/2-1/2", "1-0"];

impl fmt::Display for GameLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", RESULTS[usize::from(self.white.min(2))], self.start)?;
        self.moves.iter().try_for_each(|(mv, value)| write!(f, " {mv} {value}"))
    }
}

impl FromStr for GameLine {
    type Err = GameLineError;

    fn from_str(text: &str) -> Result<Self, GameLineError> {
        read(text).ok_or_else(|| GameLineError(excerpt(text)))
    }
}

fn read(text: &str) -> Option<GameLine> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let white = RESULTS.iter().position(|result| Some(result) == words.first())? as u8;
    let start = Position::from_fen(&words.get(1..7)?.join(" ")).ok()?;
    let mut at = start.clone();
    let mut moves = Vec::new();
    for pair in words[7..].chunks(2) {
        let mv: Move = pair[0].parse().ok()?;
        at.play(mv).ok()?;
        moves.push((mv, pair.get(1)?.parse().ok()?));
    }
    Some(GameLine { start, moves, white })
}

/// A position nothing is going on in, and what the search thought of it for the side to move.
pub(super) struct Quiet {
    pub position: Position,
    pub value: i32,
}

/// The quiet positions of a game: nobody in check, the best move no capture, nothing decided.
pub(super) fn quiet_positions(game: &GameLine) -> impl Iterator<Item = Quiet> {
    let mut next = Some(game.start.clone());
    game.moves.iter().filter_map(move |&(mv, value)| {
        let position = next.take()?;
        let mut after = position.clone();
        next = after.play(mv).is_ok().then_some(after);
        let board = position.board();
        let is_quiet = board.checkers().is_empty() && !is_tactical(board, position.board_move(mv));
        let has_bare_king = Color::ALL.into_iter().any(|color| board.colors(color).len() == 1);
        (is_quiet && value.abs() < 1_500 && !has_bare_king).then_some(Quiet { position, value })
    })
}

/// How games against itself are played.
#[derive(Debug, Clone)]
pub struct SelfPlay {
    /// Nodes for each move.
    pub nodes: u64,
    /// Where the random openings come from.
    pub seed: u64,
    /// The fewest and the most random plies before the engine takes over.
    pub random_plies: (u32, u32),
    /// Games played at a time.
    pub threads: usize,
}

impl Default for SelfPlay {
    fn default() -> Self {
        SelfPlay { nodes: 4_000, seed: 1, random_plies: (8, 8), threads: 1 }
    }
}

/// Beyond this the game is decided, if both sides see it so for a while.
const DECIDED: i32 = 900;
const MINUS_DECIDED: i32 = -DECIDED;
const DECIDED_PLIES: i32 = 6;
const LONGEST: usize = 300;

/// Plays games `from..to` and hands them over in order. `tell` says whether to go on.
pub fn self_play<E: Evaluate>(
    eval: &E,
    how: &SelfPlay,
    numbers: std::ops::Range<u64>,
    mut tell: impl FnMut(u64, GameLine) -> bool,
) {
    let threads = how.threads.max(1) as u64;
    // Each worker plays every n-th game into a channel of its own; taking turns keeps the order.
    std::thread::scope(|scope| {
        let channels: Vec<_> = (0..threads)
            .map(|worker| {
                let (send, receive) = mpsc::sync_channel(16);
                let numbers = numbers.clone();
                let eval = eval.clone();
                scope.spawn(move || {
                    let mut engine = Engine::new(eval, SearchOptions::default(), 4 << 20);
                    for number in (numbers.start + worker..numbers.end).step_by(threads as usize) {
                        if send.send(one_game(&mut engine, how, number)).is_err() {
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
            if !tell(number, game) {
                break;
            }
        }
        drop(channels);
    });
}

/// The game of this number: the same one always.
fn one_game<E: Evaluate>(engine: &mut Engine<E>, how: &SelfPlay, number: u64) -> GameLine {
    let mut rng =
        Xoshiro256PlusPlus::seed_from_u64(how.seed.wrapping_mul(1_000_003).wrapping_add(number));
    let control = Arc::new(SearchControl::default());
    engine.clear();
    // An opening that is decided teaches nothing.
    let (fewest, most) = how.random_plies;
    let spread = most.saturating_sub(fewest);
    let plies = fewest + if spread > 0 { rng.random_range(0..=spread) } else { 0 };
    let opening = OpeningGenerator { plies, nodes: how.nodes, max_score: 249 };
    let start = opening.generate(engine, &mut rng);
    let mut played = PositionHistory::new(&start);
    let mut moves = Vec::new();
    let mut decided = 0;
    let white = loop {
        let position = played.position();
        let (turn, board) = (position.turn(), position.board());
        if !position.can_move() {
            let is_mate = !board.checkers().is_empty();
            break if !is_mate { 1 } else { won_by(!turn) };
        }
        if played.is_draw() || moves.len() >= LONGEST {
            break 1;
        }
        let report = engine.search(&played, &SearchLimits::nodes(how.nodes), &control, |_| {});
        let Some(line) = report.variations.first() else { break 1 };
        let value = line.score.value();
        let for_white = if turn == Color::White { value } else { -value };
        decided = match for_white {
            DECIDED.. => decided.max(0) + 1,
            ..=MINUS_DECIDED => decided.min(0) - 1,
            _ => 0,
        };
        let mv = position.player_move(line.moves[0]);
        moves.push((mv, value));
        if i32::abs(decided) >= DECIDED_PLIES {
            break won_by(if decided > 0 { Color::White } else { Color::Black });
        }
        if played.play(mv).is_err() {
            break 1;
        }
    };
    GameLine { start, moves, white }
}

fn won_by(color: Color) -> u8 {
    match color {
        Color::White => 2,
        Color::Black => 0,
    }
}
