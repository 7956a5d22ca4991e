//! What a player is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use krieg_core::{Color, Observation, Setup, Try, View};
use krieg_time::{Clock, TimeControl};
use thiserror::Error;

use crate::GameSettings;

/// What a player knows as it sits down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// Which men are its own.
    pub color: Color,
    /// The ruleset, the draws, and where the game begins.
    pub setup: Setup,
    /// The time control.
    pub control: TimeControl,
    /// Where all its random numbers come from.
    pub seed: u64,
}

impl Seat {
    /// A seat at a game under these conditions. The player's seed is drawn from the game's, so that two players
    /// do not draw the same numbers.
    pub fn new(color: Color, conditions: &GameSettings, game_seed: u64) -> Self {
        Seat {
            color,
            setup: conditions.setup.clone(),
            control: conditions.control,
            seed: mix(game_seed ^ mix(1 + color as u64)),
        }
    }

    /// What this player sees as the game begins.
    ///
    /// ```
    /// use krieg_time::TimeControl;
    /// use krieg_core::{Color, Setup};
    /// use krieg_players::Seat;
    /// let (color, control) = (Color::Black, TimeControl::Unlimited);
    /// let seat = Seat { color, setup: Setup::default(), control, seed: 1 };
    /// assert_eq!(seat.view().men().all().len(), 16);
    /// ```
    pub fn view(&self) -> View {
        let Setup { ruleset, draws, start } = &self.setup;
        View::new(*ruleset, start.pieces(self.color), &start.opening(ruleset, *draws))
    }
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood, 2014): near numbers become unlike ones.
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// What a player does when it is its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// It tries this.
    Try(Try),
    /// It gives up.
    Resign,
}

impl From<Try> for Choice {
    fn from(tried: Try) -> Self {
        Choice::Try(tried)
    }
}

/// What is wrong with a player that cannot go on: its program died, hangs, or cheats. The game is lost.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct PlayerError(pub String);

/// Somebody who plays Kriegspiel.
pub trait Player: Send {
    /// Is told the name of whoever sits down opposite, before the game begins, where he has one. Most players do not mind.
    fn set_opponent(&mut self, _opponent: &str) {}

    /// A game begins. Nothing of an earlier one may remain, unless the player was told to remember.
    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError>;

    /// The umpire said something that this player hears, be it an answer to its own try or
    /// not. The last thing said in a game tells how it ended.
    fn observe(&mut self, line: &Observation) -> Result<(), PlayerError>;

    /// What to try now. The view holds all that was heard so far; of `clock`, one's own side counts down from
    /// the moment of the question.
    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError>;

    /// Thinks while the opponent does, until `stop` is set, and then returns as soon as it can: what it takes longer goes on its own clock. Asked only where
    /// a clock runs, since nobody knows how far it comes. Most players rest.
    fn ponder(&mut self, _stop: &AtomicBool) {}

    /// Whether it would agree to a draw, going by what it found out for its last choice. Most players play on.
    fn accepts_draw(&self) -> bool {
        false
    }

    /// A word about the last choice, for whoever looks over the player's shoulder.
    fn remark(&self) -> Option<String> {
        None
    }
}

/// Lets one player think while something else is done, such as asking the other one; and says how long the player went on after that.
pub fn while_pondering<T>(player: &mut dyn Player, act: impl FnOnce() -> T) -> (T, Duration) {
    let stop = AtomicBool::new(false);
    let (done, since) = thread::scope(|scope| {
        scope.spawn(|| player.ponder(&stop));
        // Even if that fails: otherwise the player would think for ever.
        let stopping = Stopping(&stop);
        let done = act();
        drop(stopping);
        (done, Instant::now())
    });
    (done, since.elapsed())
}

/// Tells somebody to stop as soon as it is dropped.
struct Stopping<'a>(&'a AtomicBool);

impl Drop for Stopping<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A player who does not come: the program that should play has not started. Whoever sits down against him has won.
#[derive(Debug, Clone)]
pub struct UnavailablePlayer(pub PlayerError);

impl Player for UnavailablePlayer {
    fn begin(&mut self, _seat: &Seat) -> Result<(), PlayerError> {
        Err(self.0.clone())
    }

    fn observe(&mut self, _line: &Observation) -> Result<(), PlayerError> {
        Err(self.0.clone())
    }

    fn choose(&mut self, _view: &View, _clock: &Clock) -> Result<Choice, PlayerError> {
        Err(self.0.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    /// Thinks until it is told to stop.
    struct Thinker;

    impl Player for Thinker {
        fn begin(&mut self, _seat: &Seat) -> Result<(), PlayerError> {
            Ok(())
        }

        fn observe(&mut self, _line: &Observation) -> Result<(), PlayerError> {
            Ok(())
        }

        fn choose(&mut self, _view: &View, _clock: &Clock) -> Result<Choice, PlayerError> {
            Ok(Choice::Resign)
        }

        fn ponder(&mut self, stop: &AtomicBool) {
            while !stop.load(Ordering::Relaxed) {
                thread::yield_now();
            }
        }
    }

    #[test]
    fn whoever_thinks_on_the_others_time_stops_when_he_is_done_or_fails() {
        assert_eq!(while_pondering(&mut Thinker, || 3).0, 3);
        assert_eq!(while_pondering(&mut Random::new(), || 4).0, 4);
        let failed = std::panic::catch_unwind(|| while_pondering(&mut Thinker, || panic!("so")));
        assert!(failed.is_err());
    }
}
