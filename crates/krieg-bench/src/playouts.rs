//! Random games, umpired and bare, for as long as the clock says.

use std::time::{Duration, Instant};

use cozy_chess::{Board, Move as BoardMove};
use krieg_core::{Position, Ruleset, Umpire, Verdict};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// What was done in how long.
#[derive(Debug, Clone, Copy, Default)]
pub struct Work {
    pub games: u64,
    pub plies: u64,
    pub attempts: u64,
    pub seconds: f64,
}

impl Work {
    pub fn plies_per_second(&self) -> f64 {
        self.plies as f64 / self.seconds
    }

    pub fn attempts_per_second(&self) -> f64 {
        self.attempts as f64 / self.seconds
    }
}

/// Whole games until the time is up.
fn until(limit: Duration, mut play_one: impl FnMut(&mut Work)) -> Work {
    let mut work = Work::default();
    let started = Instant::now();
    while started.elapsed() < limit {
        play_one(&mut work);
        work.games += 1;
    }
    work.seconds = started.elapsed().as_secs_f64();
    work
}

/// Games of plain chess: list the legal moves, play one of them, until none is left or fifty
/// moves are over. This is the least that any program on this library could do.
pub fn bare_chess(limit: Duration, rng: &mut Xoshiro256PlusPlus) -> Work {
    let mut moves: Vec<BoardMove> = Vec::with_capacity(256);
    until(limit, |work| {
        let mut board = Board::default();
        loop {
            moves.clear();
            board.generate_moves(|of_one_man| {
                moves.extend(of_one_man);
                false
            });
            if moves.is_empty() || board.halfmove_clock() >= 100 {
                break;
            }
            board.play_unchecked(moves[rng.random_range(0..moves.len())]);
            work.plies += 1;
            work.attempts += 1;
        }
    })
}

/// Umpired games: each side draws from its sensible tries until one stands. The umpire counts
/// pawn tries, names checks, looks for the end and keeps both views at every ply.
pub fn umpired(ruleset: Ruleset, limit: Duration, rng: &mut Xoshiro256PlusPlus) -> Work {
    until(limit, |work| {
        let mut umpire = Umpire::new(ruleset, Position::start());
        while umpire.outcome().is_none() {
            let tries = umpire.view(umpire.turn()).tries();
            let drawn = tries.nth(rng.random_range(0..tries.len()));
            let mv = drawn.expect("a number below their count names a try");
            let said = umpire.judge(mv.into()).expect("sensible tries are accepted");
            work.attempts += 1;
            work.plies += u64::from(said.verdict == Verdict::Moved);
        }
    })
}
