//! What is drawn by lot, so that the same seed always draws the same.

use krieg_core::BitBoard;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Lots for one disposition. They do not depend on what was drawn for others, so the work may be shared out in any way.
#[derive(Debug)]
pub struct Lots(Xoshiro256PlusPlus);

impl Lots {
    /// The lots for this seed and this number.
    pub fn new(seed: u64, number: u64) -> Self {
        let apart = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Lots(Xoshiro256PlusPlus::seed_from_u64(seed ^ apart))
    }

    /// A number below `count`; 0 if that is 0.
    pub fn below(&mut self, count: usize) -> usize {
        if count == 0 { 0 } else { self.0.random_range(0..count) }
    }

    /// Whether this one is drawn, where `wanted` of `total` are.
    pub fn draws(&mut self, wanted: u64, total: u64) -> bool {
        wanted >= total || self.0.random_range(0..total) < wanted
    }

    /// How many fall to this one, where `wanted` are shared out among `total`.
    pub fn share(&mut self, wanted: u64, total: u64) -> u64 {
        let total = total.max(1);
        wanted / total + u64::from(self.draws(wanted % total, total))
    }

    /// One of these.
    pub fn one_of<'a, T>(&mut self, some: &'a [T]) -> Option<&'a T> {
        some.get(self.below(some.len()))
    }

    /// So many of these squares, or all if they are fewer.
    pub fn some_squares(&mut self, of: u64, count: usize) -> u64 {
        let mut squares: Vec<_> = BitBoard(of).into_iter().collect();
        let mut drawn = 0;
        for _ in 0..count.min(squares.len()) {
            let place = self.below(squares.len());
            drawn |= squares.swap_remove(place).bitboard().0;
        }
        drawn
    }

    /// A set of kings of any size among `legal`, often akin to one of the sets that are won; `None` if there is no square.
    pub fn kings(&mut self, legal: u64, won: &[u64]) -> Option<u64> {
        let all = legal.count_ones() as usize;
        let most = if won.is_empty() { 3 } else { 6 };
        let drawn = match self.below(most) {
            0 => legal,
            1 => {
                let count = 1 + self.below(3);
                self.some_squares(legal, count)
            }
            2 => {
                let count = 1 + self.below(all);
                self.some_squares(legal, count)
            }
            3 => {
                let of = self.one_of(won).copied().unwrap_or(legal);
                let count = 1 + self.below(of.count_ones() as usize);
                self.some_squares(of, count)
            }
            4 => self.one_of(won).copied().unwrap_or(0) | self.some_squares(legal, 1),
            _ => self.one_of(won).copied().unwrap_or(0) | self.one_of(won).copied().unwrap_or(0),
        };
        (drawn != 0).then_some(drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lots_are_the_same_again_and_fall_within_what_they_are_drawn_from() {
        let draw = || {
            let mut lots = Lots::new(7, 3);
            (0..100).map(|_| lots.kings(0xff00_00ff, &[0xf, 0xf000])).collect::<Vec<_>>()
        };
        assert_eq!(draw(), draw());
        assert!(draw().into_iter().flatten().all(|set| set & !0xff00_f0ff == 0));
        assert_eq!(Lots::new(1, 1).kings(0, &[]), None);
    }

    #[test]
    fn what_is_shared_out_is_about_what_was_wanted() {
        let given: u64 = (0..1000).map(|number| Lots::new(5, number).share(2500, 1000)).sum();
        assert!((2400..2600).contains(&given), "{given}");
        assert_eq!(Lots::new(5, 0).share(10, 0), 10);
    }
}
