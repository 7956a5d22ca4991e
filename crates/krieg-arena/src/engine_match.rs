//! Matches between chess engines over UCI: pairs of games from one opening with reversed colours.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use krieg_chess::uci::{Client, EngineCommand, EngineError, Go, Timeouts};
use krieg_chess::{Classical, Engine, OpeningGenerator, PositionHistory, SearchOptions};
use krieg_core::{Color, Move, Position};
use krieg_time::{Clock, TimeControl};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A match between two engines.
#[derive(Debug, Clone)]
pub struct EngineMatch {
    /// The engine whose score is counted, and its opponent.
    pub engines: [EngineCommand; 2],
    /// The time control of both engines.
    pub control: TimeControl,
    /// The seed of the openings.
    pub seed: u64,
    /// Number of games played at the same time. Only one of the two engines of a game thinks at
    /// any moment, so one game per core.
    pub concurrency: usize,
    /// How late a move may be before its engine loses on time. It covers what the operating system
    /// needs to pass messages between two processes.
    pub time_margin: Duration,
    /// Whether a game ends when both engines have agreed for several moves on who is winning.
    pub adjudicate: bool,
}

/// How a game between engines ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineGameEnding {
    /// Checkmate.
    Checkmate,
    /// Stalemate, repetition, fifty moves, insufficient material, or too many moves.
    Draw,
    /// Both engines saw the game as decided.
    Adjudicated,
    /// An engine lost on time.
    Time,
    /// An engine crashed, stopped responding or played an illegal move.
    Failure,
}

impl fmt::Display for EngineGameEnding {
    /// The word in the file of games; files of earlier versions have the same words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EngineGameEnding::Checkmate => "mate",
            EngineGameEnding::Draw => "draw",
            EngineGameEnding::Adjudicated => "agreed",
            EngineGameEnding::Time => "time",
            EngineGameEnding::Failure => "failure",
        })
    }
}

/// A finished game between engines. It is displayed as one line of the file of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineGame {
    /// Its number. Games 2k and 2k+1 have the same opening.
    pub number: u64,
    /// The first engine's points, in halves.
    pub half_points: u8,
    /// The first engine's colour.
    pub color: Color,
    /// How it ended.
    pub ending: EngineGameEnding,
    /// The opening position.
    pub start: Position,
    /// The moves after the opening.
    pub moves: Vec<Move>,
    /// What went wrong, if an engine failed or lost on time.
    pub failure: Option<String>,
}

impl fmt::Display for EngineGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let color = if self.color == Color::White { 'w' } else { 'b' };
        let EngineGame { number, half_points, ending, start, .. } = self;
        write!(f, "{number} {half_points} {color} {ending} {start}")?;
        self.moves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// The result of a game that is read back from its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineGameResult {
    /// The number of the game.
    pub number: u64,
    /// The first engine's points, in halves.
    pub half_points: u8,
    /// The first engine's colour.
    pub color: Color,
    /// The word for how the game ended.
    pub ending: String,
}

impl EngineGameResult {
    /// Reads a line that [`EngineGame`] wrote; `None` if it is not one.
    pub fn read(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let number = words.next()?.parse().ok()?;
        let half_points = words.next()?.parse().ok().filter(|points| *points <= 2)?;
        let color = if words.next()? == "w" { Color::White } else { Color::Black };
        Some(EngineGameResult { number, half_points, color, ending: words.next()?.to_string() })
    }

    /// The engine that lost on time: 0 for the first, 1 for the second.
    pub fn lost_on_time(&self) -> Option<usize> {
        let is_on_time = self.ending == EngineGameEnding::Time.to_string();
        is_on_time.then_some(usize::from(self.half_points == 2))
    }
}

impl From<&EngineGame> for EngineGameResult {
    fn from(game: &EngineGame) -> Self {
        let &EngineGame { number, half_points, color, ending, .. } = game;
        EngineGameResult { number, half_points, color, ending: ending.to_string() }
    }
}

/// A game that is not over after this many plies is a draw.
const MAX_PLIES: usize = 500;
/// Evaluation in centipawns from which both engines must see the same side as winning…
const DECISIVE_SCORE: i32 = 1_000;
/// …for this many consecutive plies, before the game is adjudicated.
const DECISIVE_PLIES: usize = 8;

impl EngineMatch {
    /// Plays the games with these numbers and calls `on_game` after each.
    pub fn play(
        &self,
        numbers: &[u64],
        on_game: impl FnMut(EngineGame) + Send,
    ) -> Result<(), EngineError> {
        let next = AtomicU64::new(0);
        let on_game = Mutex::new(on_game);
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.concurrency.max(1).min(numbers.len()))
                .map(|_| {
                    scope.spawn(|| -> Result<(), EngineError> {
                        let [first, second] = &self.engines;
                        let mut timeouts = Timeouts::default();
                        timeouts.grace += self.time_margin;
                        let mut clients = [
                            Client::start(first.clone(), timeouts)?,
                            Client::start(second.clone(), timeouts)?,
                        ];
                        loop {
                            let index = next.fetch_add(1, Ordering::Relaxed) as usize;
                            let Some(&number) = numbers.get(index) else { return Ok(()) };
                            let game = self.play_game(&mut clients, number);
                            if let Ok(mut on_game) = on_game.lock() {
                                on_game(game);
                            }
                        }
                    })
                })
                .collect();
            workers.into_iter().try_for_each(|worker| match worker.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })
    }

    /// The opening of a game, the same for both games of a pair.
    fn opening(&self, number: u64) -> Position {
        let seed = self.seed.wrapping_mul(1_000_003).wrapping_add(number / 2);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut engine = Engine::new(Classical::default(), SearchOptions::default(), 1 << 20);
        OpeningGenerator { plies: 7, nodes: 20_000, max_score: 60 }.generate(&mut engine, &mut rng)
    }

    fn play_game(&self, clients: &mut [Client; 2], number: u64) -> EngineGame {
        let start = self.opening(number);
        let color = if number.is_multiple_of(2) { Color::White } else { Color::Black };
        let mut game = EngineGame {
            number,
            half_points: 1,
            color,
            ending: EngineGameEnding::Draw,
            start: start.clone(),
            moves: Vec::new(),
            failure: None,
        };
        for (index, client) in clients.iter_mut().enumerate() {
            if let Err(failure) = client.new_game() {
                return game.lost_by(index, EngineGameEnding::Failure, failure.to_string());
            }
        }
        let mut history = PositionHistory::new(&start);
        let mut clock = Clock::new(self.control);
        let mut decisive_plies = 0;
        loop {
            let position = history.position();
            let (turn, board) = (position.turn(), position.board());
            let mover = usize::from(turn != color);
            if !position.can_move() {
                if !board.checkers().is_empty() {
                    game.ending = EngineGameEnding::Checkmate;
                    game.half_points = if mover == 0 { 0 } else { 2 };
                }
                return game;
            }
            if history.is_draw() || game.moves.len() >= MAX_PLIES {
                return game;
            }
            let go = Go::Clock(clock.clone());
            let answer = match clients[mover].go(&start, &game.moves, &go) {
                Ok(answer) => answer,
                Err(failure) => {
                    return game.lost_by(mover, EngineGameEnding::Failure, failure.to_string());
                }
            };
            if let Err(overrun) = clock.charge(turn, Duration::ZERO, answer.elapsed)
                && overrun.overshoot > self.time_margin
            {
                return game.lost_by(mover, EngineGameEnding::Time, overrun.to_string());
            }
            clock.press(turn);
            let Some(mv) = answer.best_move else { return game };
            let score = answer.score.map_or(0, |score| score.value());
            let for_white = if turn == Color::White { score } else { -score };
            decisive_plies = if for_white.abs() < DECISIVE_SCORE {
                0
            } else if i32::signum(decisive_plies) == for_white.signum() {
                decisive_plies + for_white.signum()
            } else {
                for_white.signum()
            };
            game.moves.push(mv);
            if self.adjudicate && decisive_plies.unsigned_abs() as usize >= DECISIVE_PLIES {
                let winner = if decisive_plies > 0 { Color::White } else { Color::Black };
                game.ending = EngineGameEnding::Adjudicated;
                game.half_points = if winner == color { 2 } else { 0 };
                return game;
            }
            if history.play(mv).is_err() {
                let reason = format!("{mv} is illegal");
                return game.lost_by(mover, EngineGameEnding::Failure, reason);
            }
        }
    }
}

impl EngineGame {
    fn lost_by(mut self, loser: usize, ending: EngineGameEnding, failure: String) -> Self {
        self.ending = ending;
        self.half_points = if loser == 0 { 0 } else { 2 };
        self.failure = Some(failure);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_game_is_read_back() {
        let game = EngineGame {
            number: 7,
            half_points: 2,
            color: Color::Black,
            ending: EngineGameEnding::Checkmate,
            start: Position::start(),
            moves: vec!["e2e4".parse().unwrap()],
            failure: None,
        };
        let result = EngineGameResult::read(&game.to_string()).unwrap();
        assert_eq!(result, EngineGameResult::from(&game));
        assert_eq!((result.number, result.half_points), (7, 2));
        assert_eq!((result.ending.as_str(), result.lost_on_time()), ("mate", None));
        let on_time = EngineGame { ending: EngineGameEnding::Time, ..game };
        assert_eq!(EngineGameResult::from(&on_time).lost_on_time(), Some(1));
        assert_eq!(EngineGameResult::read("7 3 b mate"), None);
    }
}
