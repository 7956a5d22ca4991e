//! Two numbers in one: what something is worth in the middlegame, and what in the endgame.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame value, added and subtracted together in one machine word.
///
/// ```
/// use krieg_chess::TaperedValue;
/// let rook = TaperedValue::new(480, 530) - TaperedValue::new(10, -5);
/// assert_eq!((rook.middlegame(), rook.endgame()), (470, 535));
/// assert_eq!(rook * -2, -(rook + rook));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct TaperedValue(i32);

impl TaperedValue {
    /// A pair. Either value must fit 16 bits, and so must every sum on the way.
    pub const fn new(middle: i32, end: i32) -> Self {
        TaperedValue((end << 16).wrapping_add(middle))
    }

    /// The middlegame value.
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame value. Half a unit is added since a negative lower half borrows from it.
    pub const fn endgame(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl Add for TaperedValue {
    type Output = TaperedValue;
    fn add(self, other: TaperedValue) -> TaperedValue {
        TaperedValue(self.0.wrapping_add(other.0))
    }
}

impl Sub for TaperedValue {
    type Output = TaperedValue;
    fn sub(self, other: TaperedValue) -> TaperedValue {
        TaperedValue(self.0.wrapping_sub(other.0))
    }
}

impl Neg for TaperedValue {
    type Output = TaperedValue;
    fn neg(self) -> TaperedValue {
        TaperedValue(self.0.wrapping_neg())
    }
}

impl Mul<i32> for TaperedValue {
    type Output = TaperedValue;
    fn mul(self, times: i32) -> TaperedValue {
        TaperedValue(self.0.wrapping_mul(times))
    }
}

impl AddAssign for TaperedValue {
    fn add_assign(&mut self, other: TaperedValue) {
        *self = *self + other;
    }
}

impl SubAssign for TaperedValue {
    fn sub_assign(&mut self, other: TaperedValue) {
        *self = *self - other;
    }
}
