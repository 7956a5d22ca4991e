//! A middlegame and an endgame value in one machine word, for tapered evaluation.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame value, which are added and subtracted together in one machine word.
/// The evaluation interpolates between the two by the phase of the game.
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
    /// Both values. Each must fit into 16 bits, as must all intermediate sums.
    #[must_use]
    pub const fn new(middlegame: i32, endgame: i32) -> Self {
        TaperedValue((endgame << 16).wrapping_add(middlegame))
    }

    /// The middlegame value.
    #[must_use]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame value.
    #[must_use]
    pub const fn endgame(self) -> i32 {
        // A negative lower half has borrowed from the upper one. Rounding restores it.
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
    fn mul(self, factor: i32) -> TaperedValue {
        TaperedValue(self.0.wrapping_mul(factor))
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
