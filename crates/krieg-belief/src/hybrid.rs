//! A pool that is filled up when it runs low (HS: Parker, Nau, Subrahmanian, 2005; with the two checks of Foret, 2021, section 5.4.3).

use krieg_core::{Color, Observation, Position, Setup, View};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    Belief, BoardSet, Contradiction, Densities, LastObservation, OpponentBoard, OpponentContext,
    OpponentMap, WeightedBelief,
};

/// Boards that fit everything heard, and, when few of them are left, boards that fit what was heard last.
///
/// It is not filled up while no board was ever left out, for then it holds them all; nor when the other side has so few men left that it
/// most likely does.
#[derive(Debug, Clone)]
pub struct Hybrid {
    pool: BoardSet,
    sampler: LastObservation,
    rng: Xoshiro256PlusPlus,
    /// How often it had to be filled up.
    refills: u32,
    /// Only when nothing is left.
    only_when_empty: bool,
}

/// With fewer men than this on the other side, a pool is not filled up as long as anything is in it.
const FEW_MEN: u32 = 4;

/// How often a board is put together in one refill.
const MOST_ATTEMPTS: usize = 1_500;

impl Hybrid {
    /// The belief of a player as a game begins, with room for so many boards.
    pub fn new(setup: &Setup, player: Color, most: usize, densities: Densities, seed: u64) -> Self {
        Hybrid {
            pool: BoardSet::new(setup, player, most, seed),
            sampler: LastObservation::new(setup, player, densities),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x5eed),
            refills: 0,
            only_when_empty: false,
        }
    }

    /// The same, filled up only when nothing is left: what Foret (2021, section 5.4.2) calls AOSP.
    pub fn refill_only_when_empty(mut self) -> Self {
        self.only_when_empty = true;
        self
    }

    /// How often it had to be filled up.
    pub fn refills(&self) -> u32 {
        self.refills
    }

    /// Fills the pool up, if it has run low and should be. Only when it is the player's turn is there something to go by.
    fn refill(&mut self) {
        let is_low = self.pool.len() * 2 < self.pool.capacity() && !self.pool.is_complete();
        let enemies = self.pool.boards().first().map_or(u32::MAX, |board| board.all().len());
        let is_early = is_low && enemies > FEW_MEN && !self.only_when_empty;
        let is_wanted = self.pool.is_empty() || is_early;
        if !is_wanted || !self.pool.view().is_my_turn() {
            return;
        }
        self.refills += 1;
        let enemy = !self.pool.view().player();
        let wanted = self.pool.capacity() - self.pool.len().min(self.pool.capacity());
        // Where hardly any board fits, a few must do: whoever believes has a game to play.
        let mut attempts = MOST_ATTEMPTS.min(self.pool.capacity());
        let draws = std::iter::from_fn(|| self.sampler.draw(&mut attempts, &mut self.rng));
        let found: Vec<OpponentBoard> =
            draws.take(wanted).map(|board| OpponentBoard::of(&board, enemy)).collect();
        self.pool.insert_all(found);
    }
}

impl Belief for Hybrid {
    fn observe(&mut self, line: &Observation) -> Result<(), Contradiction> {
        self.sampler.observe(line)?;
        let heard = self.pool.observe(line);
        self.refill();
        heard
    }

    fn sample(&mut self, count: usize, rng: &mut dyn Rng) -> Vec<Position> {
        self.pool.sample(count, rng)
    }

    fn shrink(&mut self) {
        self.pool.shrink();
    }

    fn board_count(&self) -> Option<usize> {
        Some(self.pool.len())
    }

    fn marginals(&self) -> OpponentMap {
        self.pool.marginals()
    }
}

impl WeightedBelief for Hybrid {
    fn view(&self) -> &View {
        self.pool.view()
    }

    fn weighted_boards(&self) -> Box<dyn Iterator<Item = (OpponentBoard, f64)> + '_> {
        self.pool.weighted_boards()
    }

    fn is_complete(&self) -> bool {
        self.pool.is_complete()
    }

    fn opponent_context(&self) -> OpponentContext {
        self.pool.opponent_context()
    }

    fn opponent_context_to_move(&self) -> Option<OpponentContext> {
        self.pool.opponent_context_to_move()
    }
}
