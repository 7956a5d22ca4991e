//! Former names of public items, kept while other crates move to the new ones.

use krieg_core::{Color, Game, Setup, Try, View};
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

#[doc(hidden)]
#[deprecated(note = "renamed to `TEST_POSITIONS`")]
pub const LIVELY: [&str; 12] = crate::TEST_POSITIONS;

#[doc(hidden)]
#[deprecated(note = "renamed to `seeded_rng`")]
pub fn hat(seed: u64) -> Xoshiro256PlusPlus {
    crate::seeded_rng(seed)
}

#[doc(hidden)]
#[deprecated(note = "renamed to `random_try`")]
pub fn draw_try(view: &View, rng: &mut impl Rng) -> Try {
    crate::random_try(view, rng)
}

#[doc(hidden)]
#[deprecated(note = "renamed to `random_setup`")]
pub fn draw_setup(rng: &mut impl Rng) -> Setup {
    crate::random_setup(rng)
}

#[doc(hidden)]
#[deprecated(note = "renamed to `random_game`")]
pub fn draw_game(setup: Setup, seed: u64, max_tries: usize) -> Game {
    crate::random_game(setup, seed, max_tries)
}

#[doc(hidden)]
#[deprecated(note = "renamed to `play_indistinguishable_games`")]
pub fn lead_twin_games(setup: Setup, player: Color, seed: u64, look: impl FnMut(&Game, &Game)) {
    crate::play_indistinguishable_games(setup, player, seed, look);
}
