//! Two numbers in one: what something is worth in the middlegame, and what in the endgame.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame value, added and subtracted together in one machine word.
///
/// ```
/// use krieg_chess::Pair;
/// let rook = Pair::new(480, 530) - Pair::new(10, -5);
/// assert_eq!((rook.middle(), rook.end()), (470, 535));
/// assert_eq!(rook * -2, -(rook + rook));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Pair(i32);

impl Pair {
    /// A pair. Either value must fit 16 bits, and so must every sum on the way.
    pub const fn new(middle: i32, end: i32) -> Self {
        Pair((end << 16).wrapping_add(middle))
    }

    /// The middlegame value.
    pub const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame value. Half a unit is added since a negative lower half borrows from it.
    pub const fn end(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl Add for Pair {
    type Output = Pair;
    fn add(self, other: Pair) -> Pair {
        Pair(self.0.wrapping_add(other.0))
    }
}

impl Sub for Pair {
    type Output = Pair;
    fn sub(self, other: Pair) -> Pair {
        Pair(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Pair {
    type Output = Pair;
    fn neg(self) -> Pair {
        Pair(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Pair {
    type Output = Pair;
    fn mul(self, times: i32) -> Pair {
        Pair(self.0.wrapping_mul(times))
    }
}

impl AddAssign for Pair {
    fn add_assign(&mut self, other: Pair) {
        *self = *self + other;
    }
}

impl SubAssign for Pair {
    fn sub_assign(&mut self, other: Pair) {
        *self = *self - other;
    }
}
