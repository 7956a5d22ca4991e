//! A self-play game on one line of text, and its quiet positions.

use std::fmt;
use std::str::FromStr;

use krieg_chess::is_tactical;
use krieg_core::{Color, Move, Position, excerpt};
use thiserror::Error;

/// A game: its first position, each move with its value for the mover, and its result.
///
/// It is written on one line: result, FEN, then moves with values.
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
    /// The position before the first move.
    pub start: Position,
    /// Each move, and its value for the mover in centipawns.
    pub moves: Vec<(Move, i32)>,
    /// White's result in half points.
    pub white_half_points: u8,
}

/// Why a line is not a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is not a game: a result, a FEN, then moves and values are expected")]
pub struct GameLineError(String);

/// The results by White's half points.
const RESULTS: [&str; 3] = ["0-1", "1/2-1/2", "1-0"];

impl fmt::Display for GameLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", RESULTS[usize::from(self.white_half_points.min(2))], self.start)?;
        self.moves.iter().try_for_each(|(mv, value)| write!(f, " {mv} {value}"))
    }
}

impl FromStr for GameLine {
    type Err = GameLineError;

    fn from_str(text: &str) -> Result<Self, GameLineError> {
        parse(text).ok_or_else(|| GameLineError(excerpt(text)))
    }
}

fn parse(text: &str) -> Option<GameLine> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let half_points = RESULTS.iter().position(|result| Some(result) == words.first())? as u8;
    let start = Position::from_fen(&words.get(1..7)?.join(" ")).ok()?;
    let mut position = start.clone();
    let mut moves = Vec::new();
    for pair in words[7..].chunks(2) {
        let mv: Move = pair[0].parse().ok()?;
        position.play(mv).ok()?;
        moves.push((mv, pair.get(1)?.parse().ok()?));
    }
    Some(GameLine { start, moves, white_half_points: half_points })
}

/// A quiet position, and the value that the search found for the side to move, in centipawns.
pub(super) struct QuietPosition {
    pub position: Position,
    pub value: i32,
}

/// Positions with a larger value, in centipawns, are decided and not used.
const MAX_VALUE: i32 = 1_500;

/// The quiet positions of a game: no check, no tactical best move, no bare king, and undecided.
pub(super) fn quiet_positions(game: &GameLine) -> impl Iterator<Item = QuietPosition> {
    let mut next = Some(game.start.clone());
    game.moves.iter().filter_map(move |&(mv, value)| {
        let position = next.take()?;
        let mut after = position.clone();
        next = after.play(mv).is_ok().then_some(after);
        let board = position.board();
        let is_quiet = board.checkers().is_empty() && !is_tactical(board, position.board_move(mv));
        let has_bare_king = Color::ALL.into_iter().any(|color| board.colors(color).len() == 1);
        let is_used = is_quiet && value.abs() < MAX_VALUE && !has_bare_king;
        is_used.then_some(QuietPosition { position, value })
    })
}
