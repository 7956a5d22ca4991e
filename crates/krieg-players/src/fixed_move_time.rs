//! A player with an hourglass of its own beside the clock on the table.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use krieg_core::{Observation, Verdict, View};
use krieg_time::{Clock, TimeControl};

use crate::{Choice, Player, PlayerError, Seat};

/// Plays as another player does, and thinks about a move for as long as its hourglass runs, be there a clock or none. So players can meet who think for
/// different times. Where less is left on the table than in the glass, the table counts.
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
    a_move: Duration,
    /// How much has run out in this turn.
    run_out: Duration,
}

impl FixedMoveTime {
    /// This player, with so long for each move.
    pub fn new(player: Box<dyn Player>, a_move: Duration) -> Self {
        FixedMoveTime { player, a_move, run_out: Duration::ZERO }
    }
}

impl Player for FixedMoveTime {
    fn set_opponent(&mut self, opponent: &str) {
        self.player.set_opponent(opponent);
    }

    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
        self.run_out = Duration::ZERO;
        let control = match seat.control {
            TimeControl::Move(shorter) if shorter < self.a_move => seat.control,
            _ => TimeControl::Move(self.a_move),
        };
        self.player.begin(&Seat { control, ..seat.clone() })
    }

    fn observe(&mut self, line: &Observation) -> Result<(), PlayerError> {
        let begun = Instant::now();
        let heard = self.player.observe(line);
        if line.announcement.verdict == Verdict::Moved {
            self.run_out = Duration::ZERO;
        }
        self.run_out += begun.elapsed();
        heard
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        let begun = Instant::now();
        let left = self.a_move.saturating_sub(self.run_out);
        let glass = Clock::resume(TimeControl::Move(self.a_move), [left; 2], [0; 2]);
        let on_table = clock.remaining(view.player());
        let clock = if on_table.is_some_and(|time| time < left) { clock } else { &glass };
        let choice = self.player.choose(view, clock);
        self.run_out += begun.elapsed();
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

    /// Tries anything, and notes what it is told about time.
    struct Watch {
        player: Random,
        seen: Arc<Mutex<Vec<Duration>>>,
    }

    impl Player for Watch {
        fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
            let TimeControl::Move(time) = seat.control else { panic!("{:?}", seat.control) };
            self.seen.lock().unwrap().push(time);
            self.player.begin(seat)
        }

        fn observe(&mut self, line: &Observation) -> Result<(), PlayerError> {
            self.player.observe(line)
        }

        fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
            self.seen.lock().unwrap().extend(clock.remaining(view.player()));
            // No clock is too coarse to see that.
            std::thread::sleep(Duration::from_millis(1));
            self.player.choose(view, clock)
        }
    }

    /// What a player with a glass of 60 ms is told in the first turns of a game at a table with this control.
    fn seen_at(control: TimeControl) -> (Vec<Duration>, Game) {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let watch = Watch { player: Random::new(), seen: seen.clone() };
        let mut paced = FixedMoveTime::new(Box::new(watch), Duration::from_millis(60));
        let conditions = GameSettings { control, draw_after: Some(8), ..GameSettings::default() };
        let game = GameRunner::new(conditions, 2).play([&mut paced, &mut Random::new()]);
        (std::mem::take(&mut *seen.lock().unwrap()), game)
    }

    #[test]
    fn the_glass_is_turned_for_every_move_and_runs_on_after_a_refusal() {
        let (seen, game) = seen_at(TimeControl::Unlimited);
        let glass = Duration::from_millis(60);
        assert_eq!(seen[0], glass, "as it sits down");
        let mine =
            game.record().entries().iter().filter(|entry| entry.announcement.by == Color::White);
        let verdicts: Vec<Verdict> = mine.map(|entry| entry.announcement.verdict).collect();
        assert_eq!(verdicts.len(), seen.len() - 1);
        assert!(verdicts.contains(&Verdict::Refused), "somebody is refused in these games");
        let is_turned = |pair: &[Duration]| pair[0] < pair[1];
        for (pair, verdict) in seen[1..].windows(2).zip(verdicts) {
            assert!(pair[1] <= glass);
            assert!(verdict == Verdict::Moved || !is_turned(pair), "{pair:?} after a refusal");
        }
        assert!(seen.windows(2).any(is_turned), "{seen:?}");
    }

    #[test]
    fn a_clock_with_less_on_it_counts() {
        let (seen, _) = seen_at(TimeControl::Move(Duration::from_millis(50)));
        assert!(seen.iter().all(|time| *time <= Duration::from_millis(50)), "{seen:?}");
    }
}
