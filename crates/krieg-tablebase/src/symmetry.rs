//! The eight ways to turn and mirror the board.

use krieg_core::Square;

/// A way to turn or mirror the board: first left and right, then up and down are exchanged, then ranks and files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The board as it is.
    pub const NONE: Symmetry = Symmetry(0);
    /// Left and right exchanged.
    pub const LEFT_RIGHT: Symmetry = Symmetry(1);
    /// Up and down exchanged.
    pub const UP_DOWN: Symmetry = Symmetry(2);
    /// Ranks and files exchanged.
    pub const TRANSPOSED: Symmetry = Symmetry(4);
    /// All eight.
    pub const ALL: [Symmetry; 8] = [
        Symmetry(0),
        Symmetry(1),
        Symmetry(2),
        Symmetry(3),
        Symmetry(4),
        Symmetry(5),
        Symmetry(6),
        Symmetry(7),
    ];

    /// One exchange after the other; `then` must come later in the order in which exchanges are made.
    pub(crate) fn and(self, then: Symmetry) -> Symmetry {
        debug_assert!(self.0 < then.0 && self.0 & then.0 == 0);
        Symmetry(self.0 | then.0)
    }

    fn has(self, part: Symmetry) -> bool {
        self.0 & part.0 != 0
    }

    /// Where a square comes to lie.
    pub fn square(self, square: Square) -> Square {
        let mut index = square as usize;
        if self.has(Symmetry::LEFT_RIGHT) {
            index ^= 7;
        }
        if self.has(Symmetry::UP_DOWN) {
            index ^= 56;
        }
        if self.has(Symmetry::TRANSPOSED) {
            index = index >> 3 | (index & 7) << 3;
        }
        Square::index(index)
    }

    /// Where a square came from.
    pub fn undo_square(self, square: Square) -> Square {
        let mut index = square as usize;
        if self.has(Symmetry::TRANSPOSED) {
            index = index >> 3 | (index & 7) << 3;
        }
        if self.has(Symmetry::UP_DOWN) {
            index ^= 56;
        }
        if self.has(Symmetry::LEFT_RIGHT) {
            index ^= 7;
        }
        Square::index(index)
    }

    /// Where a set of squares comes to lie.
    #[inline]
    pub fn squares(self, mut set: u64) -> u64 {
        if self.has(Symmetry::LEFT_RIGHT) {
            set = left_right(set);
        }
        if self.has(Symmetry::UP_DOWN) {
            set = set.swap_bytes();
        }
        if self.has(Symmetry::TRANSPOSED) {
            set = transposed(set);
        }
        set
    }

    /// Where a set of squares came from.
    #[inline]
    pub fn undo_squares(self, mut set: u64) -> u64 {
        if self.has(Symmetry::TRANSPOSED) {
            set = transposed(set);
        }
        if self.has(Symmetry::UP_DOWN) {
            set = set.swap_bytes();
        }
        if self.has(Symmetry::LEFT_RIGHT) {
            set = left_right(set);
        }
        set
    }
}

/// The bits of every byte in reverse.
#[inline]
fn left_right(set: u64) -> u64 {
    set.reverse_bits().swap_bytes()
}

/// Blocks of four, two and one squares change places across the diagonal from a1 to h8.
#[inline]
fn transposed(mut set: u64) -> u64 {
    let exchange = |set: u64, mask: u64, by: u32| {
        let moved = mask & (set ^ (set << by));
        set ^ moved ^ (moved >> by)
    };
    set = exchange(set, 0x0f0f_0f0f_0000_0000, 28);
    set = exchange(set, 0x3333_0000_3333_0000, 14);
    exchange(set, 0x5500_5500_5500_5500, 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_goes_where_its_squares_go_and_comes_back() {
        for symmetry in Symmetry::ALL {
            for square in Square::ALL {
                let there = symmetry.square(square);
                assert_eq!(symmetry.squares(1 << square as u64), 1 << there as u64);
                assert_eq!(symmetry.undo_square(there), square);
                assert_eq!(symmetry.undo_squares(1 << there as u64), 1 << square as u64);
            }
        }
    }

    #[test]
    fn no_two_are_alike() {
        let picture = 1 << Square::B1 as u64 | 1 << Square::C3 as u64;
        let mut seen: Vec<u64> = Symmetry::ALL.iter().map(|s| s.squares(picture)).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 8);
    }
}
