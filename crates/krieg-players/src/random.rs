//! The player `random`, and the random choice among sensible tries.

use krieg_core::{Move, Observation, Try, View};
use krieg_time::Clock;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Choice, Parameter, Player, PlayerError, PlayerKind, Seat};

/// Makes a random sensible try, each with the same probability. The question "any?" counts as a try
/// under rulesets that have it.
#[derive(Debug, Clone)]
pub struct Random {
    sampler: TrySampler,
}

impl Random {
    /// The entry of `random` in the registry of players.
    pub const KIND: PlayerKind = PlayerKind {
        name: "random",
        about: "tries any sensible move, all with the same probability",
        parameters: &[Parameter::NO_TABLEBASES],
        make: |settings| settings.with_tablebases(Random::new()),
    };

    /// A player that waits for its first game.
    #[must_use]
    pub fn new() -> Self {
        Random { sampler: TrySampler::new(0) }
    }
}

impl Default for Random {
    fn default() -> Self {
        Random::new()
    }
}

impl Player for Random {
    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
        self.sampler = TrySampler::new(seat.seed);
        Ok(())
    }

    fn observe(&mut self, _observation: &Observation) -> Result<(), PlayerError> {
        Ok(())
    }

    fn choose(&mut self, view: &View, _clock: &Clock) -> Result<Choice, PlayerError> {
        Ok(self.sampler.draw(view))
    }
}

/// Draws tries from a seeded random number generator.
#[derive(Debug, Clone)]
pub(crate) struct TrySampler(Xoshiro256PlusPlus);

impl TrySampler {
    pub fn new(seed: u64) -> Self {
        TrySampler(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A random number below `count`, which must not be 0.
    pub fn number_below(&mut self, count: usize) -> usize {
        self.0.random_range(0..count)
    }

    /// A random sensible try. Without any, the player resigns.
    pub fn draw(&mut self, view: &View) -> Choice {
        let moves = view.tries().len();
        let count = moves + usize::from(view.can_ask_any());
        match count {
            0 => Choice::Resign,
            _ => match view.tries().nth(self.0.random_range(0..count)) {
                Some(mv) => Try::Move(mv).into(),
                None => Try::Any.into(),
            },
        }
    }

    /// A random move among the sensible ones that satisfy the predicate.
    pub fn draw_among(&mut self, view: &View, predicate: impl Fn(Move) -> bool) -> Option<Move> {
        let count = view.tries().iter().filter(|&mv| predicate(mv)).count();
        if count == 0 {
            return None;
        }
        let chosen = self.0.random_range(0..count);
        view.tries().iter().filter(|&mv| predicate(mv)).nth(chosen)
    }

    /// A random move among the sensible ones with the highest value, and that value.
    pub fn draw_best(&mut self, view: &View, value: impl Fn(Move) -> i32) -> Option<(Move, i32)> {
        let mut best = None;
        let mut equals = 0;
        for mv in view.tries().iter() {
            let value = value(mv);
            match best {
                Some((_, highest)) if value < highest => continue,
                Some((_, highest)) if value == highest => equals += 1,
                _ => equals = 1,
            }
            // Reservoir sampling: the nth of equal moves replaces the choice with probability 1/n.
            if self.0.random_range(0..equals) == 0 {
                best = Some((mv, value));
            }
        }
        best
    }
}
