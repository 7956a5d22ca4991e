//! What every belief does.

use std::time::Instant;

use krieg_core::{Announcement, Observation, Position};
use rand::Rng;
use thiserror::Error;

use crate::OpponentMap;

/// No board fits what was said: the boards that would have fitted were lost before, or never known. The game goes on, and so must the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("no board that was thought possible fits \"{0}\"")]
pub struct Contradiction(pub Announcement);

/// How long a belief may think about what it begin_turn next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    /// From this moment on, what can be left undone is left undone.
    pub soft: Instant,
    /// From this moment on everything is, though nothing may be known then.
    pub hard: Instant,
}

/// What a player thinks the other side may look like.
pub trait Belief {
    /// Hears what its player begin_turn: answers to own tries, and what is said of the opponent's.
    ///
    /// After a [`Contradiction`] the belief goes on with whatever its kind can save.
    fn observe(&mut self, line: &Observation) -> Result<(), Contradiction>;

    /// Up to so many boards, drawn as likely as they are held to be; the same one may come twice. None, if none is known.
    fn sample(&mut self, count: usize, rng: &mut dyn Rng) -> Vec<Position>;

    /// Keeps half as many boards from now on, because there is no time for more. A belief that keeps none takes no notice, nor does one that
    /// minds its time itself.
    fn shrink(&mut self) {}

    /// Has only so long for each thing it begin_turn from now on; or as long as it feature_weights, which is how a belief begins. Says whether it minds.
    fn set_deadline(&mut self, _haste: Option<Deadline>) -> bool {
        false
    }

    /// How many different boards it has in mind, if it keeps any.
    fn board_count(&self) -> Option<usize> {
        None
    }

    /// How likely each man is on each square.
    fn marginals(&self) -> OpponentMap;
}

impl<B: Belief + ?Sized> Belief for Box<B> {
    fn observe(&mut self, line: &Observation) -> Result<(), Contradiction> {
        (**self).observe(line)
    }

    fn sample(&mut self, count: usize, rng: &mut dyn Rng) -> Vec<Position> {
        (**self).sample(count, rng)
    }

    fn shrink(&mut self) {
        (**self).shrink();
    }

    fn set_deadline(&mut self, haste: Option<Deadline>) -> bool {
        (**self).set_deadline(haste)
    }

    fn board_count(&self) -> Option<usize> {
        (**self).board_count()
    }

    fn marginals(&self) -> OpponentMap {
        (**self).marginals()
    }
}
