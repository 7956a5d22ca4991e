//! A set of boards that is refilled when it runs low (HS: Parker, Nau, Subrahmanian, 2005; with the
//! two checks of Foret, 2021, section 5.4.3).

use krieg_core::{Color, Observation, Position, Setup, View};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    Belief, BoardSet, Contradiction, Densities, LastObservation, OpponentBoard, OpponentContext,
    OpponentMap, WeightedBelief,
};

/// Boards that fit all observations, and, if few of them are left, boards that fit the last
/// observation.
///
/// The set is not refilled while it is complete, nor while the opponent has so few pieces that it
/// is most likely complete.
#[derive(Debug, Clone)]
pub struct Hybrid {
    boards: BoardSet,
    last_observation: LastObservation,
    rng: Xoshiro256PlusPlus,
    /// Number of refills so far.
    refills: u32,
    /// Refill only an empty set.
    only_when_empty: bool,
}

/// If the opponent has at most this number of pieces, only an empty set is refilled.
const FEW_PIECES: u32 = 4;

/// Maximum number of boards drawn in one refill.
const MAX_ATTEMPTS: usize = 1_500;

impl Hybrid {
    /// The belief of a player at the start of a game, with room for this number of boards.
    #[must_use]
    pub fn new(
        setup: &Setup,
        player: Color,
        capacity: usize,
        densities: Densities,
        seed: u64,
    ) -> Self {
        Hybrid {
            boards: BoardSet::new(setup, player, capacity, seed),
            last_observation: LastObservation::new(setup, player, densities),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x5eed),
            refills: 0,
            only_when_empty: false,
        }
    }

    /// Refills the set only when it is empty, which Foret (2021, section 5.4.2) calls AOSP.
    #[must_use]
    pub fn refill_only_when_empty(mut self) -> Self {
        self.only_when_empty = true;
        self
    }

    /// Number of refills so far.
    pub fn refills(&self) -> u32 {
        self.refills
    }

    /// Refills the set if it is low, on the player's turn. On the opponent's turn the last
    /// observation does not determine enough.
    fn refill(&mut self) {
        let boards = &self.boards;
        let is_low = boards.len() * 2 < boards.capacity() && !boards.is_complete();
        let pieces = boards.boards().first().map_or(u32::MAX, |board| board.all().len());
        let is_early = is_low && pieces > FEW_PIECES && !self.only_when_empty;
        let is_needed = boards.is_empty() || is_early;
        if !is_needed || !boards.view().is_my_turn() {
            return;
        }
        self.refills += 1;
        let opponent = !boards.view().player();
        let wanted = boards.capacity() - boards.len().min(boards.capacity());
        // The attempts are limited because the player waits for the result.
        let mut attempts = MAX_ATTEMPTS.min(boards.capacity());
        let draws = std::iter::from_fn(|| self.last_observation.draw(&mut attempts, &mut self.rng));
        let found: Vec<OpponentBoard> =
            draws.take(wanted).map(|board| OpponentBoard::of(&board, opponent)).collect();
        self.boards.insert_all(found);
    }
}

impl Belief for Hybrid {
    fn observe(&mut self, observation: &Observation) -> Result<(), Contradiction> {
        self.last_observation.observe(observation)?;
        let result = self.boards.observe(observation);
        self.refill();
        result
    }

    fn sample(&mut self, count: usize, rng: &mut dyn Rng) -> Vec<Position> {
        self.boards.sample(count, rng)
    }

    fn shrink(&mut self) {
        self.boards.shrink();
    }

    fn board_count(&self) -> Option<usize> {
        Some(self.boards.len())
    }

    fn marginals(&self) -> OpponentMap {
        self.boards.marginals()
    }
}

impl WeightedBelief for Hybrid {
    fn view(&self) -> &View {
        self.boards.view()
    }

    fn weighted_boards(&self) -> Box<dyn Iterator<Item = (OpponentBoard, f64)> + '_> {
        self.boards.weighted_boards()
    }

    fn is_complete(&self) -> bool {
        self.boards.is_complete()
    }

    fn opponent_context(&self) -> OpponentContext {
        self.boards.opponent_context()
    }

    fn opponent_context_to_move(&self) -> Option<OpponentContext> {
        self.boards.opponent_context_to_move()
    }
}
