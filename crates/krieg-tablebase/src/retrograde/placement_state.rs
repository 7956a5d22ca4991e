//! What the retrograde analysis knows of one placement.

use super::antichain::Antichain;
use super::superset_index::SupersetIndex;
use crate::attack_map::AttackMap;
use crate::placement::Placement;

/// One placement as two kinds of node: an OR node with the attacker to move, and one AND node per
/// announcement class with the defender to move.
#[derive(Debug, Clone, Default)]
pub struct PlacementState {
    /// The maximal won sets with the attacker to move.
    pub won: Vec<u64>,
    /// For each announcement class, the maximal sets of squares from which every reply of the lone
    /// king leads into a won set. The new ones were added in the last pass.
    pub forced: Vec<Antichain>,
    /// For each undefended piece, its square and the distance to mate after its capture.
    pub captures: Vec<(u8, u16)>,
}

/// The distance after a capture when the win is not forced.
pub const NO_MATE: u16 = u16::MAX;

impl PlacementState {
    /// The state before the first pass: only mates are known. `captures` lists the undefended
    /// pieces and the distances to mate after their capture.
    pub fn new(map: &AttackMap, captures: Vec<(u8, u16)>) -> Self {
        let forced = vec![Antichain::default(); map.announcement_classes.len()];
        let mut state = PlacementState { won: Vec::new(), forced, captures };
        state.add_forced(map, 0, 1);
        state
    }

    /// Number of sets in memory.
    pub fn set_count(&self) -> usize {
        self.won.len() + self.forced.iter().map(|chain| chain.sets().len()).sum::<usize>()
    }

    /// Whether this placement may contribute to the pass after `depth`, or to a later one.
    pub fn may_contribute_after(&self, depth: u16) -> bool {
        self.has_new()
            || self.captures.iter().any(|&(_, distance)| distance != NO_MATE && distance > depth)
    }

    /// The pieces after whose capture there is no mate within `depth` moves.
    fn forbidden_captures(&self, depth: u16) -> u64 {
        self.captures
            .iter()
            .filter(|&&(_, distance)| distance > depth)
            .fold(0, |set, &(square, _)| set | 1 << square)
    }

    /// Adds, for each class, the squares from which every reply leads into `won`.
    fn add_forced(&mut self, map: &AttackMap, won: u64, depth: u16) {
        let forced = map.forced_into(won, self.forbidden_captures(depth - 1));
        for (chain, class) in self.forced.iter_mut().zip(&map.announcement_classes) {
            let in_class = forced & class;
            if in_class != 0 {
                chain.add(in_class);
            }
        }
    }

    /// Whether any class has a new set.
    pub fn has_new(&self) -> bool {
        self.forced.iter().any(Antichain::has_new)
    }

    /// Whether a capture leads to a mate in exactly `depth` moves, so that it is no longer a
    /// forbidden capture from then on.
    fn allows_capture_at(&self, depth: u16) -> bool {
        self.captures.iter().any(|&(_, distance)| distance == depth)
    }

    /// Adds the sets that were found to be won within `depth` moves and prepares the next pass.
    pub fn advance(&mut self, placement: &Placement, found: &[u64], depth: u16) {
        for chain in &mut self.forced {
            chain.mark_old();
        }
        let allows_capture = self.allows_capture_at(depth);
        if found.is_empty() && !allows_capture {
            return;
        }
        if !found.is_empty() {
            let mut index = SupersetIndex::default();
            index.reset(found.len());
            for &set in found {
                index.add(set);
            }
            let mut buffer = Vec::new();
            self.won.retain(|&old| !index.has_superset(old, None, &mut buffer));
            self.won.extend_from_slice(found);
        }
        let map = AttackMap::new(placement);
        if allows_capture {
            // With one forbidden capture less, every won set has more predecessors.
            self.add_forced(&map, 0, depth + 1);
            for i in 0..self.won.len() {
                self.add_forced(&map, self.won[i], depth + 1);
            }
        } else {
            for &set in found {
                self.add_forced(&map, set, depth + 1);
            }
        }
    }
}
