//! Matches between chess engines over UCI: pairs of games from one opening with colours changed.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use krieg_core::{Color, Move, Position};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::clock::{Clock, TimeControl};
use crate::eval::Classical;
use crate::openings::Opening;
use crate::search::{Engine, Options, Played};
use crate::uci::{Client, Deadlines, EngineCommand, Failure, Go};

/// How a match is played.
#[derive(Debug, Clone)]
pub struct Contest {
    /// The engine whose score is counted, and its opponent.
    pub engines: [EngineCommand; 2],
    /// The same for both.
    pub control: TimeControl,
    /// Where the openings come from.
    pub seed: u64,
    /// Games at a time. Only one of two engines thinks at any moment, so one for each core.
    pub concurrency: usize,
    /// How late a move may come before the flag falls; where each move has its own time, this is
    /// for what the operating system does between two processes.
    pub tolerance: Duration,
    /// Whether a game ends once both engines have long held it for decided.
    pub adjudicate: bool,
}

/// How a game of a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Mate.
    Mate,
    /// Stalemate, repetition, fifty moves, too little material, or too many moves.
    Draw,
    /// Both engines held it for decided.
    Agreed,
    /// A flag fell.
    Time,
    /// An engine crashed, hung or played nonsense.
    Failure,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            End::Mate => "mate",
            End::Draw => "draw",
            End::Agreed => "agreed",
            End::Time => "time",
            End::Failure => "failure",
        })
    }
}

/// A game of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContestGame {
    /// Its number; two games from the same opening follow each other.
    pub number: u64,
    /// The first engine's points, in halves.
    pub points: u8,
    /// Which side the first engine had.
    pub side: Color,
    /// How it ended.
    pub end: End,
    /// Where it began.
    pub start: Position,
    /// What was played.
    pub moves: Vec<Move>,
    /// What went wrong, if something did.
    pub trouble: Option<String>,
}

impl fmt::Display for ContestGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = if self.side == Color::White { 'w' } else { 'b' };
        write!(f, "{} {} {side} {} {}", self.number, self.points, self.end, self.start)?;
        self.moves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// Of a line that [`ContestGame`] wrote, the number, the points and the end.
pub fn read_points(line: &str) -> Option<(u64, u8, String)> {
    let mut words = line.split_whitespace();
    let number = words.next()?.parse().ok()?;
    let points = words.next()?.parse().ok().filter(|points| *points <= 2)?;
    words.next()?;
    Some((number, points, words.next()?.to_string()))
}

const LONGEST: usize = 500;
/// Both engines see this much for the same side, so many plies in a row.
const DECIDED: i32 = 1_000;
const DECIDED_PLIES: usize = 8;

impl Contest {
    /// Plays the games of these numbers, and tells of each as it ends.
    pub fn play(
        &self,
        numbers: &[u64],
        tell: impl FnMut(ContestGame) + Send,
    ) -> Result<(), Failure> {
        let next = AtomicU64::new(0);
        let tell = Mutex::new(tell);
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.concurrency.max(1).min(numbers.len()))
                .map(|_| {
                    scope.spawn(|| -> Result<(), Failure> {
                        let [first, second] = &self.engines;
                        let mut deadlines = Deadlines::default();
                        deadlines.grace += self.tolerance;
                        let mut clients = [
                            Client::start(first.clone(), deadlines)?,
                            Client::start(second.clone(), deadlines)?,
                        ];
                        loop {
                            let at = next.fetch_add(1, Ordering::Relaxed) as usize;
                            let Some(&number) = numbers.get(at) else { return Ok(()) };
                            let game = self.one_game(&mut clients, number);
                            if let Ok(mut tell) = tell.lock() {
                                tell(game);
                            }
                        }
                    })
                })
                .collect();
            workers.into_iter().try_for_each(|worker| match worker.join() {
                Ok(ended) => ended,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })
    }

    /// The opening of this game: the same for both games of a pair.
    fn opening(&self, number: u64) -> Position {
        let seed = self.seed.wrapping_mul(1_000_003).wrapping_add(number / 2);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut engine = Engine::new(Classical::default(), Options::default(), 1 << 20);
        Opening { plies: 7, nodes: 20_000, most: 60 }.draw(&mut engine, &mut rng)
    }

    fn one_game(&self, clients: &mut [Client; 2], number: u64) -> ContestGame {
        let start = self.opening(number);
        let side = if number.is_multiple_of(2) { Color::White } else { Color::Black };
        let mut game = ContestGame {
            number,
            points: 1,
            side,
            end: End::Draw,
            start: start.clone(),
            moves: Vec::new(),
            trouble: None,
        };
        for (at, client) in clients.iter_mut().enumerate() {
            if let Err(failure) = client.new_game() {
                return game.lost_by(at, End::Failure, failure.to_string());
            }
        }
        let mut played = Played::new(&start);
        let mut clock = Clock::new(self.control);
        let mut decided = 0;
        loop {
            let position = played.position();
            let (turn, board) = (position.turn(), position.board());
            let mover = usize::from(turn != side);
            if !position.can_move() {
                if !board.checkers().is_empty() {
                    game.end = End::Mate;
                    game.points = if mover == 0 { 0 } else { 2 };
                }
                return game;
            }
            if played.is_drawn() || game.moves.len() >= LONGEST {
                return game;
            }
            let go = Go::Clock(clock.clone());
            let answer = match clients[mover].go(&start, &game.moves, &go) {
                Ok(answer) => answer,
                Err(failure) => return game.lost_by(mover, End::Failure, failure.to_string()),
            };
            if let Err(fell) = clock.used(turn, Duration::ZERO, answer.took)
                && fell.late > self.tolerance
            {
                return game.lost_by(mover, End::Time, fell.to_string());
            }
            clock.pressed(turn);
            let Some(mv) = answer.best else { return game };
            let value = answer.score.map_or(0, |score| score.number());
            let for_white = if turn == Color::White { value } else { -value };
            decided = if for_white.abs() < DECIDED {
                0
            } else if i32::signum(decided) == for_white.signum() {
                decided + for_white.signum()
            } else {
                for_white.signum()
            };
            game.moves.push(mv);
            if self.adjudicate && decided.unsigned_abs() as usize >= DECIDED_PLIES {
                let winner = if decided > 0 { Color::White } else { Color::Black };
                game.end = End::Agreed;
                game.points = if winner == side { 2 } else { 0 };
                return game;
            }
            if played.play(mv).is_err() {
                return game.lost_by(mover, End::Failure, format!("{mv} is illegal"));
            }
        }
    }
}

impl ContestGame {
    fn lost_by(mut self, loser: usize, end: End, trouble: String) -> Self {
        self.end = end;
        self.points = if loser == 0 { 0 } else { 2 };
        self.trouble = Some(trouble);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_line_is_read_again() {
        let game = ContestGame {
            number: 7,
            points: 2,
            side: Color::Black,
            end: End::Mate,
            start: Position::start(),
            moves: vec!["e2e4".parse().unwrap()],
            trouble: None,
        };
        assert_eq!(read_points(&game.to_string()), Some((7, 2, "mate".to_string())));
    }
}
