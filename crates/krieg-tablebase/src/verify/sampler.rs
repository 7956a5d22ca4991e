//! Reproducible random samples.

use krieg_core::BitBoard;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The random numbers for one placement. They do not depend on those of other placements, so the
/// samples do not depend on how the work is distributed over threads.
#[derive(Debug)]
pub struct Sampler(Xoshiro256PlusPlus);

impl Sampler {
    /// The random numbers for a seed and the number of a placement.
    pub fn new(seed: u64, number: u64) -> Self {
        let stream = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Sampler(Xoshiro256PlusPlus::seed_from_u64(seed ^ stream))
    }

    /// A number below `count`; 0 if `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        if count == 0 { 0 } else { self.0.random_range(0..count) }
    }

    /// Whether an item is in a sample of `wanted` out of `total`.
    pub fn includes(&mut self, wanted: u64, total: u64) -> bool {
        wanted >= total || self.0.random_range(0..total) < wanted
    }

    /// The share of one item if `wanted` samples are distributed over `total` items.
    pub fn share(&mut self, wanted: u64, total: u64) -> u64 {
        let total = total.max(1);
        wanted / total + u64::from(self.includes(wanted % total, total))
    }

    /// A random item; `None` if there are no items.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// `count` random squares of a set, or all of them if there are fewer.
    pub fn squares(&mut self, set: u64, count: usize) -> u64 {
        let mut squares: Vec<_> = BitBoard(set).into_iter().collect();
        let mut chosen = 0;
        for _ in 0..count.min(squares.len()) {
            let index = self.below(squares.len());
            chosen |= squares.swap_remove(index).bitboard().0;
        }
        chosen
    }

    /// A random set of legal king squares, which is often similar to one of the won sets; `None` if
    /// it would be empty.
    pub fn kings(&mut self, legal: u64, won: &[u64]) -> Option<u64> {
        let all = legal.count_ones() as usize;
        let kinds = if won.is_empty() { 3 } else { 6 };
        let kings = match self.below(kinds) {
            0 => legal,
            1 => {
                let count = 1 + self.below(3);
                self.squares(legal, count)
            }
            2 => {
                let count = 1 + self.below(all);
                self.squares(legal, count)
            }
            3 => {
                let set = self.choose(won).copied().unwrap_or(legal);
                let count = 1 + self.below(set.count_ones() as usize);
                self.squares(set, count)
            }
            4 => self.choose(won).copied().unwrap_or(0) | self.squares(legal, 1),
            _ => self.choose(won).copied().unwrap_or(0) | self.choose(won).copied().unwrap_or(0),
        };
        (kings != 0).then_some(kings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_reproducible_and_within_their_sets() {
        let draw = || {
            let mut sampler = Sampler::new(7, 3);
            (0..100).map(|_| sampler.kings(0xff00_00ff, &[0xf, 0xf000])).collect::<Vec<_>>()
        };
        assert_eq!(draw(), draw());
        assert!(draw().into_iter().flatten().all(|set| set & !0xff00_f0ff == 0));
        assert_eq!(Sampler::new(1, 1).kings(0, &[]), None);
    }

    #[test]
    fn shares_add_up_to_about_the_wanted_number() {
        let total: u64 = (0..1000).map(|number| Sampler::new(5, number).share(2500, 1000)).sum();
        assert!((2400..2600).contains(&total), "{total}");
        assert_eq!(Sampler::new(5, 0).share(10, 0), 10);
    }
}
