//! Plays games on several threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use krieg_players::{GameRunner, Player, SpecError, UnavailablePlayer};

use crate::logged_game::LoggedGame;
use crate::tournament::Tournament;

/// Finished games that may wait for `on_game`. With a slow disk the players then wait, and memory
/// does not grow.
const MAX_PENDING_GAMES: usize = 256;

/// Plays the games with these numbers, `concurrency` at a time, and calls `on_game` after each, in
/// any order. When `stop` is set no new game starts, and the games in progress are finished. When
/// `on_game` returns false, it is not called again.
pub fn play_games(
    tournament: &Tournament,
    numbers: &[u64],
    concurrency: usize,
    stop: &AtomicBool,
    mut on_game: impl FnMut(LoggedGame) -> bool,
) -> Result<(), SpecError> {
    let next = AtomicUsize::new(0);
    let (sender, games) = mpsc::sync_channel(MAX_PENDING_GAMES);
    std::thread::scope(|scope| {
        for _ in 0..concurrency.clamp(1, numbers.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut worker = Worker::new(tournament);
                while !stop.load(Ordering::Relaxed)
                    && let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let game = worker.play(number);
                    let has_failed = game.is_err();
                    if sender.send(game).is_err() || has_failed {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for game in games {
            if !on_game(game?) {
                break;
            }
        }
        Ok(())
    })
}

/// One thread and its players. A player is created when it is first needed and then reused.
struct Worker<'a> {
    tournament: &'a Tournament,
    players: Vec<Option<Box<dyn Player>>>,
}

impl<'a> Worker<'a> {
    fn new(tournament: &'a Tournament) -> Self {
        Worker { tournament, players: tournament.players.iter().map(|_| None).collect() }
    }

    fn play(&mut self, number: u64) -> Result<LoggedGame, SpecError> {
        let scheduled = self.tournament.game(number);
        let mut unavailable = Vec::new();
        for index in [scheduled.white, scheduled.black] {
            if self.players[index].is_none() {
                self.players[index] = Some(match self.tournament.players[index].make() {
                    // An external program that does not start forfeits this game. The next game
                    // tries to start it again.
                    Err(SpecError::StartFailed(error)) => {
                        unavailable.push(index);
                        Box::new(UnavailablePlayer(error))
                    }
                    made => made?,
                });
            }
        }
        let settings = self.tournament.game_settings(&scheduled);
        let runner = GameRunner::new(settings, self.tournament.game_seed(&scheduled));
        let both = self.players.get_disjoint_mut([scheduled.white, scheduled.black]);
        let Ok([Some(white), Some(black)]) = both else { unreachable!("both were just created") };
        let name = |index: usize| self.tournament.players[index].to_string();
        white.set_opponent(&name(scheduled.black));
        black.set_opponent(&name(scheduled.white));
        let game = runner.play_timed([&mut **white, &mut **black]);
        unavailable.into_iter().for_each(|index| self.players[index] = None);
        Ok(LoggedGame::of(number, &game))
    }
}
