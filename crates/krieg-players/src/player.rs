//! The interface of a player.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use krieg_core::{Color, Observation, Setup, Try, View};
use krieg_time::{Clock, TimeControl};
use thiserror::Error;

use crate::GameSettings;

/// What a player is told at the start of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// The player's colour.
    pub color: Color,
    /// The ruleset, the draw rules, and the initial position.
    pub setup: Setup,
    /// The time control.
    pub control: TimeControl,
    /// The seed of all random numbers of the player.
    pub seed: u64,
}

impl Seat {
    /// A seat in a game with these settings. The player's seed is derived from the game's seed and
    /// the colour, so the two players draw different random numbers.
    #[must_use]
    pub fn new(color: Color, settings: &GameSettings, game_seed: u64) -> Self {
        Seat {
            color,
            setup: settings.setup.clone(),
            control: settings.control,
            seed: mix(game_seed ^ mix(1 + color as u64)),
        }
    }

    /// The player's view at the start of the game.
    ///
    /// ```
    /// use krieg_core::Color;
    /// use krieg_players::{GameSettings, Seat};
    /// let seat = Seat::new(Color::Black, &GameSettings::default(), 1);
    /// assert_eq!(seat.view().pieces().all().len(), 16);
    /// ```
    #[must_use]
    pub fn view(&self) -> View {
        let Setup { ruleset, draws, start } = &self.setup;
        View::new(*ruleset, start.pieces(self.color), &start.opening(ruleset, *draws))
    }
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood, 2014): similar inputs give unrelated outputs.
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// What a player does on its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// It submits a try.
    Try(Try),
    /// It resigns.
    Resign,
}

impl From<Try> for Choice {
    fn from(tried: Try) -> Self {
        Choice::Try(tried)
    }
}

/// Why a player cannot go on: its program exited, does not answer, or breaks the protocol. The
/// player loses the game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct PlayerError(pub String);

/// A player of Kriegspiel.
///
/// A player receives the observations of its side and submits tries. It never receives the
/// position.
///
/// ```
/// use krieg_core::{Observation, Try, View};
/// use krieg_players::{Choice, GameRunner, GameSettings, Player, PlayerError, Random, Seat};
/// use krieg_time::Clock;
///
/// /// Submits the first sensible try.
/// struct First;
///
/// impl Player for First {
///     fn begin(&mut self, _seat: &Seat) -> Result<(), PlayerError> {
///         Ok(())
///     }
///     fn observe(&mut self, _observation: &Observation) -> Result<(), PlayerError> {
///         Ok(())
///     }
///     fn choose(&mut self, view: &View, _clock: &Clock) -> Result<Choice, PlayerError> {
///         Ok(view.tries().iter().next().map_or(Choice::Resign, |mv| Try::Move(mv).into()))
///     }
/// }
///
/// let game = GameRunner::new(GameSettings::default(), 1).play([&mut First, &mut Random::new()]);
/// assert!(game.record().outcome().is_some());
/// ```
pub trait Player: Send {
    /// Receives the name of the opponent of the next game, if it is known. Most players ignore it.
    fn set_opponent(&mut self, _opponent: &str) {}

    /// Begins a game. Nothing of an earlier game may have an effect, unless the player is meant to
    /// remember opponents.
    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError>;

    /// Receives an announcement that this player hears: the answer to its own try, or one about the
    /// opponent. The last observation of a game says how it ended.
    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError>;

    /// Chooses a try. The view contains all observations so far. The player's time on `clock` runs
    /// from the moment of the call.
    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError>;

    /// Thinks on the opponent's time until `stop` is set, and then returns at once: the time that
    /// it takes longer is charged to its own clock. Called only in timed games, because the result
    /// depends on the time. Most players do nothing.
    fn ponder(&mut self, _stop: &AtomicBool) {}

    /// Whether the player would accept a draw, by the analysis for its last choice. Most players
    /// never do.
    fn accepts_draw(&self) -> bool {
        false
    }

    /// A comment on the last choice, for logs and spectators.
    fn remark(&self) -> Option<String> {
        None
    }
}

/// Runs `act` while the player ponders. Returns the result of `act`, and how long the player went
/// on pondering after that.
pub fn while_pondering<T>(player: &mut dyn Player, act: impl FnOnce() -> T) -> (T, Duration) {
    let stop = AtomicBool::new(false);
    let (result, end) = thread::scope(|scope| {
        scope.spawn(|| player.ponder(&stop));
        // Also stops the player if `act` panics: otherwise the scope would never end.
        let stop_on_drop = StopOnDrop(&stop);
        let result = act();
        drop(stop_on_drop);
        (result, Instant::now())
    });
    (result, end.elapsed())
}

/// Sets a stop flag when it is dropped.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Stands in for a player whose program does not start. It loses every game by forfeit.
#[derive(Debug, Clone)]
pub struct UnavailablePlayer(pub PlayerError);

impl Player for UnavailablePlayer {
    fn begin(&mut self, _seat: &Seat) -> Result<(), PlayerError> {
        Err(self.0.clone())
    }

    fn observe(&mut self, _observation: &Observation) -> Result<(), PlayerError> {
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

    /// Ponders until it is stopped.
    struct Ponderer;

    impl Player for Ponderer {
        fn begin(&mut self, _seat: &Seat) -> Result<(), PlayerError> {
            Ok(())
        }

        fn observe(&mut self, _observation: &Observation) -> Result<(), PlayerError> {
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
    fn pondering_stops_when_the_opponent_has_chosen_or_panics() {
        assert_eq!(while_pondering(&mut Ponderer, || 3).0, 3);
        assert_eq!(while_pondering(&mut Random::new(), || 4).0, 4);
        let failed = std::panic::catch_unwind(|| while_pondering(&mut Ponderer, || panic!("so")));
        assert!(failed.is_err());
    }
}
