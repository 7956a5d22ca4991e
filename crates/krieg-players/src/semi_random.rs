//! The player `semi-random`, a rule-based player: the benchmark of Favini's thesis (2010), section
//! 4.6. Most early Kriegspiel programs were of this kind.

use krieg_core::{Announcement, Color, Observation, Square, Try, Verdict, View};
use krieg_time::Clock;

use crate::random::TrySampler;
use crate::{Choice, Parameter, Player, PlayerError, PlayerKind, Seat};

/// Recaptures on the square on which it has just lost a piece. Otherwise it makes a pawn capture if
/// the umpire has announced one, and otherwise a random try. Under rulesets with "any?" it asks
/// first.
#[derive(Debug, Clone)]
pub struct SemiRandom {
    sampler: TrySampler,
    policy: SemiRandomPolicy,
}

impl SemiRandom {
    /// The entry of `semi-random` in the registry of players.
    pub const KIND: PlayerKind = PlayerKind {
        name: "semi-random",
        about: "recaptures, uses its pawn tries, and otherwise plays at random",
        parameters: &[Parameter::NO_TABLEBASES],
        make: |settings| settings.with_tablebases(SemiRandom::new()),
    };

    /// A player that waits for its first game.
    #[must_use]
    pub fn new() -> Self {
        SemiRandom { sampler: TrySampler::new(0), policy: SemiRandomPolicy::new(Color::White) }
    }
}

impl Default for SemiRandom {
    fn default() -> Self {
        SemiRandom::new()
    }
}

impl Player for SemiRandom {
    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
        *self = SemiRandom {
            sampler: TrySampler::new(seat.seed),
            policy: SemiRandomPolicy::new(seat.color),
        };
        Ok(())
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        self.policy.observe(&observation.announcement);
        Ok(())
    }

    fn choose(&mut self, view: &View, _clock: &Clock) -> Result<Choice, PlayerError> {
        Ok(self.policy.choose(view, &mut self.sampler))
    }
}

/// The rules of `semi-random` without the state of a player, for fast simulations.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SemiRandomPolicy {
    color: Color,
    lost_on: Option<Square>,
}

impl SemiRandomPolicy {
    pub fn new(color: Color) -> Self {
        SemiRandomPolicy { color, lost_on: None }
    }

    pub fn observe(&mut self, announcement: &Announcement) {
        if announcement.verdict == Verdict::Moved {
            let is_loss = announcement.by != self.color;
            self.lost_on = announcement.capture.filter(|_| is_loss).map(|capture| capture.square);
        }
    }

    pub fn choose(&self, view: &View, sampler: &mut TrySampler) -> Choice {
        if view.can_ask_any() {
            return Try::Any.into();
        }
        let recapture = self.lost_on.and_then(|lost| sampler.draw_among(view, |mv| mv.to == lost));
        let chosen = recapture.or_else(|| {
            has_pawn_try(view).then(|| {
                let own = view.pieces();
                sampler.draw_among(view, |mv| own.is_pawn_capture(mv))
            })?
        });
        match chosen {
            Some(mv) => Try::Move(mv).into(),
            None => sampler.draw(view),
        }
    }
}

/// Whether the umpire has announced that one of the player's pawns can capture.
pub(crate) fn has_pawn_try(view: &View) -> bool {
    view.pawn_tries().has_pawn_try() || view.any_answer() == Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameRunner, GameSettings};
    use krieg_core::{Position, Ruleset, Setup};

    /// The tries of the first turn, up to the accepted one.
    fn first_turn(fen: &str, ruleset: Ruleset) -> Vec<String> {
        let start = Position::from_fen(fen).unwrap();
        let setup = Setup { ruleset, start, ..Setup::default() };
        let settings = GameSettings { setup, ..GameSettings::default() };
        let mut players = [SemiRandom::new(), SemiRandom::new()];
        let [white, black] = &mut players;
        let game = GameRunner::new(settings, 5).play([white, black]);
        let entries = game.record().entries();
        let until =
            entries.iter().position(|entry| entry.announcement.verdict == Verdict::Moved).unwrap();
        entries[..=until].iter().map(|entry| entry.tried.to_string()).collect()
    }

    #[test]
    fn a_pawn_try_is_used() {
        let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
        let tried = first_turn(fen, Ruleset::ICC);
        assert_eq!(tried.last().unwrap(), "e4d5");
        assert!(tried.iter().all(|tried| tried == "e4d5" || tried == "e4f5"), "{tried:?}");
    }

    #[test]
    fn any_is_asked_first() {
        let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
        let tried = first_turn(fen, Ruleset::BERKELEY_ANY);
        assert_eq!((tried[0].as_str(), tried.last().unwrap().as_str()), ("any?", "e4d5"));
    }

    #[test]
    fn a_lost_piece_is_recaptured() {
        // White captures on d5, and the queen recaptures.
        let fen = "3qk3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
        let start = Position::from_fen(fen).unwrap();
        let setup = Setup { start, ..Setup::default() };
        let settings = GameSettings { setup, ..GameSettings::default() };
        for seed in 0..20 {
            let [white, black] = &mut [SemiRandom::new(), SemiRandom::new()];
            let game = GameRunner::new(settings.clone(), seed).play([white, black]);
            let moved = game.record().entries().iter();
            let moved: Vec<_> =
                moved.filter(|entry| entry.announcement.verdict == Verdict::Moved).collect();
            assert_eq!(moved[1].tried.to_string(), "d8d5");
        }
    }
}
