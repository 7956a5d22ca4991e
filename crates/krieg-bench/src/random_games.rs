//! Random games for a limited time, by the umpire and as plain chess.

use std::time::{Duration, Instant};

use cozy_chess::{Board, Move as BoardMove};
use krieg_core::{Position, Ruleset, Umpire, Verdict};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The amount of work done, and the time it took.
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

/// Plays complete games until the time limit.
fn repeat_until(limit: Duration, mut play_one: impl FnMut(&mut Work)) -> Work {
    let mut work = Work::default();
    let started = Instant::now();
    while started.elapsed() < limit {
        play_one(&mut work);
        work.games += 1;
    }
    work.seconds = started.elapsed().as_secs_f64();
    work
}

/// Plays plain chess: generates the legal moves and plays one of them, until there is none or the
/// fifty-move rule applies. This is the minimum work of any program with this chess library.
pub fn plain_chess(limit: Duration, rng: &mut Xoshiro256PlusPlus) -> Work {
    let mut moves: Vec<BoardMove> = Vec::with_capacity(256);
    repeat_until(limit, |work| {
        let mut board = Board::default();
        loop {
            moves.clear();
            board.generate_moves(|piece_moves| {
                moves.extend(piece_moves);
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

/// Plays umpired games: each side draws from its sensible tries until one is accepted. The umpire
/// counts pawn tries, announces checks, detects the end and updates both views at every ply.
pub fn umpired(ruleset: Ruleset, limit: Duration, rng: &mut Xoshiro256PlusPlus) -> Work {
    repeat_until(limit, |work| {
        let mut umpire = Umpire::new(ruleset, Position::start());
        while umpire.outcome().is_none() {
            let tries = umpire.view(umpire.turn()).tries();
            let drawn = tries.nth(rng.random_range(0..tries.len()));
            let mv = drawn.expect("the index is less than the number of tries");
            let announcement = umpire.judge(mv.into()).expect("sensible tries are accepted");
            work.attempts += 1;
            work.plies += u64::from(announcement.verdict == Verdict::Moved);
        }
    })
}
