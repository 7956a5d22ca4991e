//! The numbering of an endgame's canonical placements. Table files store one block per placement,
//! in this order.

use krieg_core::Square;

use crate::endgame::{Endgame, MAX_NON_KING_PIECES};
use crate::placement::Placement;
use crate::symmetry::Symmetry;

/// A bijection between the canonical placements of an endgame and the numbers from 0 on.
///
/// ```
/// use krieg_core::Square;
/// use krieg_tablebase::{Placement, PlacementIndex};
/// let index = PlacementIndex::new("krk".parse()?);
/// let placement: Placement = "Kd4 Re4".parse()?;
/// let (number, symmetry) = index.number(&"Ke5 Re4".parse()?);
/// assert_eq!(index.placement(number), Some(placement));
/// assert_eq!(symmetry.map_square(Square::E5), Square::D4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct PlacementIndex {
    endgame: Endgame,
    /// The number for each key, or `NO_NUMBER`.
    numbers: Vec<u32>,
    /// The key for each number.
    keys: Vec<u32>,
}

/// The number of a key that is not a canonical placement.
const NO_NUMBER: u32 = u32::MAX;

impl PlacementIndex {
    /// Numbers all canonical placements of an endgame in ascending order of their keys.
    pub fn new(endgame: Endgame) -> Self {
        let key_count = king_slots(endgame) << (6 * endgame.non_king_count());
        let mut index =
            PlacementIndex { endgame, numbers: vec![NO_NUMBER; key_count], keys: Vec::new() };
        for key in 0..key_count as u32 {
            let Some(placement) = index.placement_of_key(key) else { continue };
            if placement.canonical().0 == placement && index.key(&placement) == key {
                index.numbers[key as usize] = index.keys.len() as u32;
                index.keys.push(key);
            }
        }
        index
    }

    /// Number of canonical placements.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no placement; false for every endgame.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The endgame.
    pub fn endgame(&self) -> Endgame {
        self.endgame
    }

    /// The canonical placement with this number.
    pub fn placement(&self, number: usize) -> Option<Placement> {
        self.placement_of_key(*self.keys.get(number)?)
    }

    /// The number of a placement's canonical form, and the symmetry that maps the placement to it.
    pub fn number(&self, placement: &Placement) -> (usize, Symmetry) {
        let (canonical, symmetry) = placement.canonical();
        (self.numbers[self.key(&canonical) as usize] as usize, symmetry)
    }

    /// The king's slot, followed by six bits per non-king piece.
    fn key(&self, canonical: &Placement) -> u32 {
        let king = canonical.king();
        let slot = if self.endgame.has_pawns() {
            (king.rank() as u32) * 4 + king.file() as u32
        } else {
            u32::from(TRIANGLE[king as usize])
        };
        canonical.non_king_pieces().fold(slot, |key, (_, square)| key << 6 | square as u32)
    }

    fn placement_of_key(&self, key: u32) -> Option<Placement> {
        let len = self.endgame.non_king_count();
        let slot = (key >> (6 * len)) as usize;
        let king = if self.endgame.has_pawns() {
            Square::index(slot / 4 * 8 + slot % 4)
        } else {
            Square::index(TRIANGLE.iter().position(|&known| usize::from(known) == slot)?)
        };
        let mut squares = [Square::A1; MAX_NON_KING_PIECES];
        for (i, square) in squares[..len].iter_mut().enumerate() {
            *square = Square::index((key >> (6 * (len - 1 - i)) & 63) as usize);
        }
        Placement::new(self.endgame, king, &squares[..len])
    }
}

/// Number of squares on which the king of a canonical placement can be.
fn king_slots(endgame: Endgame) -> usize {
    if endgame.has_pawns() { 32 } else { 10 }
}

/// The slot of each square in the triangle a1–d1–d4, or `u8::MAX` outside of it.
const TRIANGLE: [u8; 64] = {
    let mut slots = [u8::MAX; 64];
    let mut next = 0;
    let mut rank = 0;
    while rank < 4 {
        let mut file = rank;
        while file < 4 {
            slots[rank * 8 + file] = next;
            next += 1;
            file += 1;
        }
        rank += 1;
    }
    slots
};

#[cfg(test)]
mod tests {
    use super::*;

    fn index(name: &str) -> PlacementIndex {
        PlacementIndex::new(name.parse().unwrap())
    }

    #[test]
    fn the_literature_counts_630_placements_of_king_and_rook() {
        let index = index("krk");
        let all = (0..index.len()).map(|n| index.placement(n).unwrap());
        assert_eq!(all.map(|placement| placement.multiplicity()).sum::<u64>(), 630);
        // Six king squares with 63 rook squares each; four on the diagonal, where 56 of the 63 rook
        // squares form pairs of mirror images.
        assert_eq!(index.len(), 6 * 63 + 4 * (7 + 28));
    }

    #[test]
    fn every_symmetric_image_has_the_number_of_its_canonical_placement() {
        for name in ["krk", "kbnk", "knnk", "kpk"] {
            let index = index(name);
            for number in 0..index.len() {
                let placement = index.placement(number).unwrap();
                let symmetries = if name == "kpk" { &Symmetry::ALL[..2] } else { &Symmetry::ALL };
                for &symmetry in symmetries {
                    let transformed = placement.transformed(symmetry);
                    let (found, back) = index.number(&transformed);
                    assert_eq!(found, number, "{transformed}");
                    assert_eq!(transformed.transformed(back), placement);
                }
            }
        }
    }
}
