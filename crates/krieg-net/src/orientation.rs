//! The orientation of a player: both players see their own pieces at the bottom.

use krieg_core::{Color, Square};

/// Numbers the squares as a player sees them: a1 is 0 and h8 is 63 for White. For Black the ranks
/// are mirrored, so that a8 is 0. Files are the same for both.
///
/// ```
/// use krieg_core::{Color, Square};
/// use krieg_net::Orientation;
/// assert_eq!(Orientation::of(Color::White).index(Square::E2), 12);
/// assert_eq!(Orientation::of(Color::Black).index(Square::E7), 12);
/// assert_eq!(Orientation::of(Color::Black).square(12), Square::E7);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Orientation {
    mirror: u8,
}

impl Orientation {
    /// The orientation of a player.
    pub fn of(player: Color) -> Self {
        Orientation { mirror: if player == Color::White { 0 } else { 56 } }
    }

    /// The number of a square as the player sees it.
    pub fn index(self, square: Square) -> usize {
        usize::from(square as u8 ^ self.mirror)
    }

    /// The square with this number.
    ///
    /// # Panics
    ///
    /// If the number is above 63.
    pub fn square(self, index: usize) -> Square {
        Square::index(index ^ usize::from(self.mirror))
    }
}
