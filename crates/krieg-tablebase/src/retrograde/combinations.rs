//! The unions of one set per announcement class, for one try.

use super::antichain::{Antichain, is_subset};
use super::superset_index::SupersetIndex;
use crate::symmetry::Symmetry;

/// One set of an announcement class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassSet {
    /// The squares of the lone king.
    pub kings: u64,
    /// Whether the set was added in the last pass.
    pub is_new: bool,
}

/// Fills `sets` with the maximal sets of a class, mapped back through the symmetry and restricted
/// to `allowed` squares. Empty sets are left out.
pub fn restricted_sets(
    class: &Antichain,
    symmetry: Symmetry,
    allowed: u64,
    sets: &mut Vec<ClassSet>,
) {
    sets.clear();
    let mut is_restricted = false;
    for (i, &canonical) in class.sets().iter().enumerate() {
        let unmapped = symmetry.unmap_set(canonical);
        let kings = unmapped & allowed;
        is_restricted |= kings != unmapped;
        if kings == 0 {
            continue;
        }
        // As long as no set has lost a square, the sets are an antichain.
        if is_restricted {
            // New sets come last, so a new set is dropped if an old one already contains it.
            if sets.iter().any(|known| is_subset(kings, known.kings)) {
                continue;
            }
            sets.retain(|known| !is_subset(known.kings, kings));
        }
        sets.push(ClassSet { kings, is_new: i >= class.first_new() });
    }
}

/// The sets of all classes of one try, and the buffers to combine them.
#[derive(Debug, Default)]
pub struct Combinations {
    /// The sets of each class. Vectors after the first `len` are reusable buffers.
    classes: Vec<Vec<ClassSet>>,
    /// Number of classes.
    len: usize,
    /// For each class, the union of all sets of this and the following classes.
    union_from: Vec<u64>,
    /// For each class, whether this or a following class has a new set.
    has_new_from: Vec<bool>,
    /// For each class, the known supersets of what is chosen from the classes before it.
    superset_lists: Vec<Vec<u64>>,
}

impl Combinations {
    /// Removes all classes.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds the class that `fill` writes. An empty class is not added.
    pub fn add_class(&mut self, fill: impl FnOnce(&mut Vec<ClassSet>)) {
        if self.len == self.classes.len() {
            self.classes.push(Vec::new());
        }
        let class = &mut self.classes[self.len];
        class.clear();
        fill(class);
        self.len += usize::from(!class.is_empty());
    }

    /// Whether any class has a new set.
    pub fn has_new(&self) -> bool {
        self.classes[..self.len].iter().flatten().any(|set| set.is_new)
    }

    /// Appends to `unions` every union of one set per class that has a new set in it and is not a
    /// subset of a known set.
    pub fn combine(&mut self, known: &SupersetIndex, unions: &mut Vec<u64>) {
        // Starting with the class that has the most sets prunes the most.
        self.classes[..self.len].sort_by_key(|class| std::cmp::Reverse(class.len()));
        self.union_from.clear();
        self.union_from.resize(self.len + 1, 0);
        self.has_new_from.clear();
        self.has_new_from.resize(self.len + 1, false);
        for i in (0..self.len).rev() {
            let class = &self.classes[i];
            self.union_from[i] =
                class.iter().fold(self.union_from[i + 1], |all, set| all | set.kings);
            self.has_new_from[i] = self.has_new_from[i + 1] || class.iter().any(|set| set.is_new);
        }
        // One list per class, and one to look ahead.
        self.superset_lists.resize_with(self.superset_lists.len().max(self.len + 2), Vec::new);
        known.list_all(&mut self.superset_lists[0]);
        for list in &mut self.superset_lists[1..] {
            list.clear();
            list.resize(known.width(), 0);
        }
        let mut lists = std::mem::take(&mut self.superset_lists);
        self.combine_from(known, &mut lists, 0, 0, false, unions);
        self.superset_lists = lists;
    }

    /// Combines the classes from `level` on with `union`. The first list holds the known supersets
    /// of `union`.
    fn combine_from(
        &self,
        known: &SupersetIndex,
        lists: &mut [Vec<u64>],
        level: usize,
        union: u64,
        has_new: bool,
        unions: &mut Vec<u64>,
    ) {
        if level == self.len {
            return;
        }
        for set in &self.classes[level] {
            let has_new = has_new || set.is_new;
            if !has_new && !self.has_new_from[level + 1] {
                continue;
            }
            let union = union | set.kings;
            let [before, here, ahead, ..] = lists else { return };
            here.copy_from_slice(before);
            if !known.retain_supersets(here, set.kings) {
                self.combine_all_from(level + 1, union, has_new, unions);
                continue;
            }
            // If a known set contains every possible continuation, there is nothing to find.
            ahead.copy_from_slice(here);
            if !known.retain_supersets(ahead, self.union_from[level + 1] & !union) {
                self.combine_from(known, &mut lists[1..], level + 1, union, has_new, unions);
            }
        }
    }

    /// Like [`Combinations::combine_from`], for a union without a known superset.
    fn combine_all_from(&self, level: usize, union: u64, has_new: bool, unions: &mut Vec<u64>) {
        if level == self.len {
            unions.push(union);
            return;
        }
        for set in &self.classes[level] {
            let has_new = has_new || set.is_new;
            if has_new || self.has_new_from[level + 1] {
                self.combine_all_from(level + 1, union | set.kings, has_new, unions);
            }
        }
    }
}
