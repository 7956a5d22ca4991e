//! One retrograde pass at one placement: the king sets that are won one move deeper.

use super::antichain::Antichain;
use super::combinations::{ClassSet, Combinations, restricted_sets};
use super::placement_state::PlacementState;
use super::superset_index::SupersetIndex;
use crate::attack_map::AttackMap;
use crate::placement::Placement;
use crate::symmetry::Symmetry;

/// A king set that a pass has found to be won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WonSet {
    /// The squares of the lone king.
    pub kings: u64,
    /// The try to make first, as its number among the tries of the placement.
    pub first_try: u8,
}

/// A try that some king of the placement refuses.
#[derive(Debug)]
struct RefusableTry {
    number: u8,
    refused_by: u64,
    /// The sets for each announcement after an accepted try.
    classes: Vec<Vec<ClassSet>>,
    /// The sets that may be left after a refusal: parts of sets that are won here by other tries.
    refused: Antichain,
    /// How many of the found sets `refused` takes into account.
    seen: usize,
}

/// The state of a successor placement, and the symmetry to its canonical form.
pub type SuccessorState<'a> = (&'a PlacementState, Symmetry);

/// Extends one placement at a time. Its buffers are reused for the next.
#[derive(Debug, Default)]
pub struct PassWorker {
    found: Vec<WonSet>,
    /// All sets that are won at the placement, the found ones included.
    won: SupersetIndex,
    combinations: Combinations,
    unions: Vec<u64>,
    buffer: Vec<u64>,
}

impl PassWorker {
    /// The maximal sets that are newly won at `placement`, given its `state` and the states of its
    /// successors.
    pub fn extend<'a>(
        &mut self,
        placement: &Placement,
        state: &PlacementState,
        successor_state: impl Fn(&Placement) -> SuccessorState<'a>,
    ) -> Vec<WonSet> {
        let mut safe = None;
        let mut refusable = Vec::new();
        let mut never_refused = Vec::new();
        let mut has_new = false;
        let mut next = 0_u8;
        placement.for_each_try(|tried| {
            let number = next;
            next += 1;
            let successor = successor_state(&tried.successor);
            let is_successor_new = successor.0.has_new();
            has_new |= is_successor_new;
            if tried.refused_by == 0 {
                if is_successor_new {
                    never_refused.push((number, successor));
                }
                return;
            }
            let safe = *safe.get_or_insert_with(|| AttackMap::new(placement).safe);
            match tried.refused_by & safe {
                0 if is_successor_new => never_refused.push((number, successor)),
                0 => {}
                refused_by => refusable.push((number, successor, refused_by)),
            }
        });
        // A refusal leaves a subset of a set that is won here, so it contributes nothing unless a
        // successor has a new set.
        if !has_new {
            return Vec::new();
        }
        let safe = safe.unwrap_or_else(|| AttackMap::new(placement).safe);
        self.found.clear();
        self.won.reset(state.won.len() * 3 / 2);
        for &set in &state.won {
            self.won.add(set);
        }
        let mut refusable: Vec<RefusableTry> = refusable
            .into_iter()
            .map(|(number, successor, refused_by)| {
                RefusableTry::new(number, successor, refused_by, safe, &state.won)
            })
            .collect();
        // If several tries win the same set, a refusable one comes first: a refusal costs no move
        // and gives information.
        self.extend_refusable(&mut refusable);
        for (number, (successor, symmetry)) in never_refused {
            self.combinations.clear();
            for chain in &successor.forced {
                self.combinations.add_class(|class| restricted_sets(chain, symmetry, safe, class));
            }
            self.combine(number);
        }
        while self.extend_refusable(&mut refusable) {}
        self.maximal_found()
    }

    /// Combines the new sets of each refusable try. Returns whether another set was found.
    fn extend_refusable(&mut self, refusable: &mut [RefusableTry]) -> bool {
        let before = self.found.len();
        for tried in refusable.iter_mut() {
            for found in &self.found[tried.seen..] {
                tried.refused.add(found.kings & tried.refused_by);
            }
            tried.seen = self.found.len();
            self.combinations.clear();
            for class in &tried.classes {
                self.combinations.add_class(|sets| sets.extend_from_slice(class));
            }
            self.combinations.add_class(|sets| {
                let first_new = tried.refused.first_new();
                let refused = tried.refused.sets().iter().enumerate();
                let refused = refused.map(|(i, &kings)| ClassSet { kings, is_new: i >= first_new });
                sets.extend(refused.filter(|set| set.kings != 0));
            });
            self.combine(tried.number);
            tried.refused.mark_old();
            for set in tried.classes.iter_mut().flatten() {
                set.is_new = false;
            }
        }
        self.found.len() > before
    }

    /// Adds every union of the current combinations that is not a subset of a won set.
    fn combine(&mut self, first_try: u8) {
        if !self.combinations.has_new() {
            return;
        }
        self.unions.clear();
        self.combinations.combine(&self.won, &mut self.unions);
        for &kings in &self.unions {
            self.won.add(kings);
            self.found.push(WonSet { kings, first_try });
        }
    }

    /// The found sets that are not subsets of other found sets.
    fn maximal_found(&mut self) -> Vec<WonSet> {
        self.won.reset(self.found.len());
        for found in &self.found {
            self.won.add(found.kings);
        }
        let (index, buffer) = (&self.won, &mut self.buffer);
        let all = self.found.iter().enumerate();
        all.filter(|(i, found)| !index.has_superset(found.kings, Some(*i), buffer))
            .map(|(_, found)| *found)
            .collect()
    }
}

impl RefusableTry {
    fn new(
        number: u8,
        (successor, symmetry): SuccessorState,
        refused_by: u64,
        safe: u64,
        won: &[u64],
    ) -> Self {
        let mut classes = vec![Vec::new(); successor.forced.len()];
        for (chain, class) in successor.forced.iter().zip(&mut classes) {
            restricted_sets(chain, symmetry, safe & !refused_by, class);
        }
        let mut refused = Antichain::default();
        for &set in won {
            refused.add(set & refused_by);
        }
        refused.mark_old();
        RefusableTry { number, refused_by, classes, refused, seen: 0 }
    }
}
