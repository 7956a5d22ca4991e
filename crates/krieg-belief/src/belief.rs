//! What every belief does.

use std::time::Instant;

use krieg_core::{Announcement, Line, Position};
use rand::Rng;
use thiserror::Error;

use crate::EnemyMap;

/// No board fits what was said: the boards that would have fitted were lost before, or never known. The game goes on, and so must the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("no board that was thought possible fits \"{0}\"")]
pub struct Contradiction(pub Announcement);

/// How long a belief may think about what it hears next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Haste {
    /// From this moment on, what can be left undone is left undone.
    pub soft: Instant,
    /// From this moment on everything is, though nothing may be known then.
    pub hard: Instant,
}

/// What a player thinks the other side may look like.
pub trait Belief {
    /// Hears what its player hears: answers to own tries, and what is said of the opponent's.
    ///
    /// After a [`Contradiction`] the belief goes on with whatever its kind can save.
    fn hear(&mut self, line: &Line) -> Result<(), Contradiction>;

    /// Up to so many boards, drawn as likely as they are held to be; the same one may come twice. None, if none is known.
    fn sample(&mut self, count: usize, rng: &mut dyn Rng) -> Vec<Position>;

    /// Keeps half as many boards from now on, because there is no time for more. A belief that keeps none takes no notice, nor does one that
    /// minds its time itself.
    fn shrink(&mut self) {}

    /// Has only so long for each thing it hears from now on; or as long as it likes, which is how a belief begins. Says whether it minds.
    fn hurry(&mut self, _haste: Option<Haste>) -> bool {
        false
    }

    /// How many different boards it has in mind, if it keeps any.
    fn known(&self) -> Option<usize> {
        None
    }

    /// How likely each man is on each square.
    fn map(&self) -> EnemyMap;
}

impl<B: Belief + ?Sized> Belief for Box<B> {
    fn hear(&mut self, line: &Line) -> Result<(), Contradiction> {
        (**self).hear(line)
    }

    fn sample(&mut self, count: usize, rng: &mut dyn Rng) -> Vec<Position> {
        (**self).sample(count, rng)
    }

    fn shrink(&mut self) {
        (**self).shrink();
    }

    fn hurry(&mut self, haste: Option<Haste>) -> bool {
        (**self).hurry(haste)
    }

    fn known(&self) -> Option<usize> {
        (**self).known()
    }

    fn map(&self) -> EnemyMap {
        (**self).map()
    }
}
