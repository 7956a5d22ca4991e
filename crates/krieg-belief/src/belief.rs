//! The trait of all beliefs.

use std::time::Instant;

use krieg_core::{Announcement, Observation, Position};
use rand::Rng;
use thiserror::Error;

use crate::OpponentMap;

/// No board of the belief fits an announcement: the boards that would fit were lost before, or
/// never known. The belief recovers as well as it can, so a player can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("no possible board fits the announcement \"{0}\"")]
pub struct Contradiction(pub Announcement);

/// The time limit of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    /// Optional work is skipped from this moment on.
    pub soft: Instant,
    /// All work stops from this moment on, even if no board is known then.
    pub hard: Instant,
}

/// A player's belief about the opponent's pieces: a representation of the possible boards.
///
/// ```
/// use krieg_belief::{Belief, Densities, Hybrid};
/// use krieg_core::{Color, Game, Observation, Piece, Setup, Square};
/// use rand::SeedableRng;
/// use rand_xoshiro::Xoshiro256PlusPlus;
///
/// let setup = Setup::default();
/// let mut belief: Box<dyn Belief> =
///     Box::new(Hybrid::new(&setup, Color::White, 1_000, Densities::default(), 1));
/// let mut game = Game::new(setup);
///
/// let tried = "e2e4".parse()?;
/// let announcement = game.judge(tried)?;
/// belief.observe(&Observation { tried: Some(tried), announcement, spent_ms: None })?;
/// // Black's move is hidden, but White is told that there is a pawn try: it was d5 or f5.
/// let announcement = game.judge("d7d5".parse()?)?;
/// belief.observe(&Observation { tried: None, announcement, spent_ms: None })?;
///
/// assert_eq!(belief.board_count(), Some(2));
/// assert_eq!(belief.marginals().probability(Piece::Pawn, Square::D5), 0.5);
/// let boards = belief.sample(10, &mut Xoshiro256PlusPlus::seed_from_u64(1));
/// assert!(boards.iter().all(|board| board.is_legal("g1f3".parse().unwrap())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Belief {
    /// Updates the belief with the player's next observation: an answer to an own try, or an
    /// announcement in the opponent's turn.
    ///
    /// After a [`Contradiction`] the belief can still be used.
    fn observe(&mut self, observation: &Observation) -> Result<(), Contradiction>;

    /// Draws up to `count` positions according to their probabilities, possibly the same one
    /// several times. Empty if no board is known.
    fn sample(&mut self, count: usize, rng: &mut dyn Rng) -> Vec<Position>;

    /// Halves the capacity, because there is no time for more boards. Beliefs that store no boards
    /// or obey a deadline ignore this.
    fn shrink(&mut self) {}

    /// Sets the deadline of each further update; `None`, which is the initial value, removes it.
    /// Returns whether the belief obeys deadlines.
    fn set_deadline(&mut self, _deadline: Option<Deadline>) -> bool {
        false
    }

    /// Number of different boards, if the belief stores boards.
    fn board_count(&self) -> Option<usize> {
        None
    }

    /// The probability of each opponent piece on each square.
    fn marginals(&self) -> OpponentMap;
}

impl<B: Belief + ?Sized> Belief for Box<B> {
    fn observe(&mut self, observation: &Observation) -> Result<(), Contradiction> {
        (**self).observe(observation)
    }

    fn sample(&mut self, count: usize, rng: &mut dyn Rng) -> Vec<Position> {
        (**self).sample(count, rng)
    }

    fn shrink(&mut self) {
        (**self).shrink();
    }

    fn set_deadline(&mut self, deadline: Option<Deadline>) -> bool {
        (**self).set_deadline(deadline)
    }

    fn board_count(&self) -> Option<usize> {
        (**self).board_count()
    }

    fn marginals(&self) -> OpponentMap {
        (**self).marginals()
    }
}
