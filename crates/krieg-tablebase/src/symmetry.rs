//! The eight symmetries of the board.

use krieg_core::Square;

/// A rotation or reflection of the board.
///
/// A symmetry is a combination of three reflections, applied in this order: of the files, of the
/// ranks, and across the diagonal a1–h8. One bit stands for each reflection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The identity.
    pub const IDENTITY: Symmetry = Symmetry(0);
    /// Exchanges the files: a with h, b with g, and so on.
    pub const MIRROR_FILES: Symmetry = Symmetry(1);
    /// Exchanges the ranks: 1 with 8, 2 with 7, and so on.
    pub const MIRROR_RANKS: Symmetry = Symmetry(2);
    /// Exchanges ranks with files: the reflection across the diagonal a1–h8.
    pub const TRANSPOSE: Symmetry = Symmetry(4);
    /// All eight symmetries. Only the first two are symmetries of an endgame with pawns.
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

    /// This symmetry followed by `next`, which must come later in the order of reflections.
    pub(crate) fn then(self, next: Symmetry) -> Symmetry {
        debug_assert!(self.0 < next.0 && self.0 & next.0 == 0);
        Symmetry(self.0 | next.0)
    }

    fn includes(self, reflection: Symmetry) -> bool {
        self.0 & reflection.0 != 0
    }

    /// The image of a square.
    pub fn map_square(self, square: Square) -> Square {
        let mut index = square as usize;
        if self.includes(Symmetry::MIRROR_FILES) {
            index ^= 7;
        }
        if self.includes(Symmetry::MIRROR_RANKS) {
            index ^= 56;
        }
        if self.includes(Symmetry::TRANSPOSE) {
            index = index >> 3 | (index & 7) << 3;
        }
        Square::index(index)
    }

    /// The square of which this is the image.
    pub fn unmap_square(self, square: Square) -> Square {
        let mut index = square as usize;
        if self.includes(Symmetry::TRANSPOSE) {
            index = index >> 3 | (index & 7) << 3;
        }
        if self.includes(Symmetry::MIRROR_RANKS) {
            index ^= 56;
        }
        if self.includes(Symmetry::MIRROR_FILES) {
            index ^= 7;
        }
        Square::index(index)
    }

    /// The image of a set of squares.
    #[inline]
    pub fn map_set(self, mut set: u64) -> u64 {
        if self.includes(Symmetry::MIRROR_FILES) {
            set = mirror_files(set);
        }
        if self.includes(Symmetry::MIRROR_RANKS) {
            set = set.swap_bytes();
        }
        if self.includes(Symmetry::TRANSPOSE) {
            set = transpose(set);
        }
        set
    }

    /// The set of squares of which this is the image.
    #[inline]
    pub fn unmap_set(self, mut set: u64) -> u64 {
        if self.includes(Symmetry::TRANSPOSE) {
            set = transpose(set);
        }
        if self.includes(Symmetry::MIRROR_RANKS) {
            set = set.swap_bytes();
        }
        if self.includes(Symmetry::MIRROR_FILES) {
            set = mirror_files(set);
        }
        set
    }
}

/// Reverses the bits of every byte.
#[inline]
fn mirror_files(set: u64) -> u64 {
    set.reverse_bits().swap_bytes()
}

/// Transposes the 8×8 bit matrix by exchanging blocks of 4×4, 2×2 and 1×1 squares.
#[inline]
fn transpose(mut set: u64) -> u64 {
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
    fn sets_are_mapped_like_their_squares_and_back() {
        for symmetry in Symmetry::ALL {
            for square in Square::ALL {
                let image = symmetry.map_square(square);
                assert_eq!(symmetry.map_set(1 << square as u64), 1 << image as u64);
                assert_eq!(symmetry.unmap_square(image), square);
                assert_eq!(symmetry.unmap_set(1 << image as u64), 1 << square as u64);
            }
        }
    }

    #[test]
    fn all_symmetries_differ() {
        let set = 1 << Square::B1 as u64 | 1 << Square::C3 as u64;
        let mut images: Vec<u64> = Symmetry::ALL.iter().map(|s| s.map_set(set)).collect();
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), 8);
    }
}
