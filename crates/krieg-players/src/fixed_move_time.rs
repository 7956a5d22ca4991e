//! A player with a time of its own for each move, beside the clock of the game.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use krieg_core::{Observation, Verdict, View};
use krieg_time::{Clock, TimeControl};

use crate::{Choice, Player, PlayerError, Seat};

/// Gives another player a fixed time per move, whether or not the game is timed. So players with
/// different times can meet. If the clock of the game has less time left, that counts.
///
/// ```
/// use krieg_players::PlayerSpec;
/// let slow: PlayerSpec = "marshal(movetime=2000)".parse()?;
/// let fast: PlayerSpec = "marshal(movetime=20)".parse()?;
/// # let _ = (slow.make()?, fast.make()?);
/// # Ok::<(), krieg_players::SpecError>(())
/// ```
pub struct FixedMoveTime {
    player: Box<dyn Player>,
    time_per_move: Duration,
    /// The time used in this turn.
    used: Duration,
}

impl FixedMoveTime {
    /// This player with this much time per move.
    #[must_use]
    pub fn new(player: Box<dyn Player>, time_per_move: Duration) -> Self {
        FixedMoveTime { player, time_per_move, used: Duration::ZERO }
    }
}

impl Player for FixedMoveTime {
    fn set_opponent(&mut self, opponent: &str) {
        self.player.set_opponent(opponent);
    }

    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
        self.used = Duration::ZERO;
        let control = match seat.control {
            TimeControl::Move(shorter) if shorter < self.time_per_move => seat.control,
            _ => TimeControl::Move(self.time_per_move),
        };
        self.player.begin(&Seat { control, ..seat.clone() })
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        let start = Instant::now();
        let result = self.player.observe(observation);
        if observation.announcement.verdict == Verdict::Moved {
            self.used = Duration::ZERO;
        }
        self.used += start.elapsed();
        result
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        let start = Instant::now();
        let left = self.time_per_move.saturating_sub(self.used);
        let own_clock = Clock::resume(TimeControl::Move(self.time_per_move), [left; 2], [0; 2]);
        let game_time = clock.remaining(view.player());
        let clock = if game_time.is_some_and(|time| time < left) { clock } else { &own_clock };
        let choice = self.player.choose(view, clock);
        self.used += start.elapsed();
        choice
    }

    fn ponder(&mut self, stop: &AtomicBool) {
        self.player.ponder(stop);
    }

    fn accepts_draw(&self) -> bool {
        self.player.accepts_draw()
    }

    fn remark(&self) -> Option<String> {
        self.player.remark()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameRunner, GameSettings, Random};
    use krieg_core::{Color, Game};
    use std::sync::{Arc, Mutex};

    /// Tries anything, and records the times that it is given.
    struct TimeRecorder {
        player: Random,
        times: Arc<Mutex<Vec<Duration>>>,
    }

    impl Player for TimeRecorder {
        fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
            let TimeControl::Move(time) = seat.control else { panic!("{:?}", seat.control) };
            self.times.lock().unwrap().push(time);
            self.player.begin(seat)
        }

        fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
            self.player.observe(observation)
        }

        fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
            self.times.lock().unwrap().extend(clock.remaining(view.player()));
            // Longer than the resolution of any clock.
            std::thread::sleep(Duration::from_millis(1));
            self.player.choose(view, clock)
        }
    }

    /// The times that a player with 60 ms per move is given at the start of a game with this
    /// control.
    fn times_with(control: TimeControl) -> (Vec<Duration>, Game) {
        let times = Arc::new(Mutex::new(Vec::new()));
        let recorder = TimeRecorder { player: Random::new(), times: times.clone() };
        let mut player = FixedMoveTime::new(Box::new(recorder), Duration::from_millis(60));
        let settings = GameSettings { control, draw_after: Some(8), ..GameSettings::default() };
        let game = GameRunner::new(settings, 2).play([&mut player, &mut Random::new()]);
        (std::mem::take(&mut *times.lock().unwrap()), game)
    }

    #[test]
    fn the_time_starts_anew_after_a_move_and_runs_on_after_a_refusal() {
        let (times, game) = times_with(TimeControl::Unlimited);
        let per_move = Duration::from_millis(60);
        assert_eq!(times[0], per_move, "at the start of the game");
        let entries = game.record().entries().iter();
        let own = entries.filter(|entry| entry.announcement.by == Color::White);
        let verdicts: Vec<Verdict> = own.map(|entry| entry.announcement.verdict).collect();
        assert_eq!(verdicts.len(), times.len() - 1);
        assert!(verdicts.contains(&Verdict::Refused), "some try is refused in this game");
        let is_reset = |pair: &[Duration]| pair[0] < pair[1];
        for (pair, verdict) in times[1..].windows(2).zip(verdicts) {
            assert!(pair[1] <= per_move);
            assert!(verdict == Verdict::Moved || !is_reset(pair), "{pair:?} after a refusal");
        }
        assert!(times.windows(2).any(is_reset), "{times:?}");
    }

    #[test]
    fn a_shorter_time_on_the_clock_of_the_game_counts() {
        let (times, _) = times_with(TimeControl::Move(Duration::from_millis(50)));
        assert!(times.iter().all(|time| *time <= Duration::from_millis(50)), "{times:?}");
    }
}
