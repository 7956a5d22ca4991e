//! Playing what is missing, on as many threads as one likes.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use krieg_players::{Absent, Player, SpecError, Table};

use crate::log::LoggedGame;
use crate::plan::Plan;

/// Games that may be over and not yet told of, so that a slow disk makes players wait and memory does not grow.
const MOST_WAITING: usize = 256;

/// Plays the games of these numbers, so many at a time, and tells of each as it ends, in any order. When somebody sets
/// `stop`, no new game begins, and those under way are played out and told of. When `tell` says no, nothing more
/// is told.
pub fn run(
    plan: &Plan,
    numbers: &[u64],
    jobs: usize,
    stop: &AtomicBool,
    mut tell: impl FnMut(LoggedGame) -> bool,
) -> Result<(), SpecError> {
    let next = AtomicUsize::new(0);
    let (send, games) = mpsc::sync_channel(MOST_WAITING);
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, numbers.len().max(1)) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                let mut seats = Seats::new(plan);
                while !stop.load(Ordering::Relaxed)
                    && let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let played = seats.play(number);
                    let has_failed = played.is_err();
                    if send.send(played).is_err() || has_failed {
                        return;
                    }
                }
            });
        }
        drop(send);
        for played in games {
            if !tell(played?) {
                break;
            }
        }
        Ok(())
    })
}

/// One thread's players. Each is made when it is first needed and plays one game after the other.
struct Seats<'a> {
    plan: &'a Plan,
    players: Vec<Option<Box<dyn Player>>>,
}

impl<'a> Seats<'a> {
    fn new(plan: &'a Plan) -> Self {
        Seats { plan, players: plan.players.iter().map(|_| None).collect() }
    }

    fn play(&mut self, number: u64) -> Result<LoggedGame, SpecError> {
        let fixture = self.plan.fixture(number);
        let mut absent = Vec::new();
        for at in [fixture.white, fixture.black] {
            if self.players[at].is_none() {
                self.players[at] = Some(match self.plan.players[at].make() {
                    // A program that started before and does not now has lost this game; the next one finds it, perhaps.
                    Err(SpecError::NoStart(fault)) => {
                        absent.push(at);
                        Box::new(Absent(fault))
                    }
                    made => made?,
                });
            }
        }
        let table = Table::new(self.plan.conditions(&fixture), self.plan.seed_of(&fixture));
        let both = self.players.get_disjoint_mut([fixture.white, fixture.black]);
        let Ok([Some(white), Some(black)]) = both else { unreachable!("both have been made") };
        let name = |at: usize| self.plan.players[at].to_string();
        white.meet(&name(fixture.black));
        black.meet(&name(fixture.white));
        let game = table.play([&mut **white, &mut **black]);
        absent.into_iter().for_each(|at| self.players[at] = None);
        Ok(LoggedGame::of(number, &game))
    }
}
