//! Antichains: collections of sets of which none contains another.

/// Whether `small` is a subset of `large`.
#[inline]
pub fn is_subset(small: u64, large: u64) -> bool {
    small & !large == 0
}

/// The maximal ones of the sets that were added. Sets are new until [`Antichain::mark_old`].
#[derive(Debug, Clone, Default)]
pub struct Antichain {
    sets: Vec<u64>,
    /// The index of the first new set.
    first_new: usize,
}

impl Antichain {
    /// The sets, the new ones last.
    pub fn sets(&self) -> &[u64] {
        &self.sets
    }

    /// The index of the first new set.
    pub fn first_new(&self) -> usize {
        self.first_new
    }

    /// Whether there is a new set.
    pub fn has_new(&self) -> bool {
        self.first_new < self.sets.len()
    }

    /// Marks all sets as old.
    pub fn mark_old(&mut self) {
        self.first_new = self.sets.len();
    }

    /// Adds a new set and removes its subsets, unless a superset is present. Returns whether it was
    /// added.
    pub fn add(&mut self, set: u64) -> bool {
        if self.sets.iter().any(|&known| is_subset(set, known)) {
            return false;
        }
        let first_new = self.first_new;
        let mut kept = 0;
        for i in 0..self.sets.len() {
            if i == first_new {
                self.first_new = kept;
            }
            if !is_subset(self.sets[i], set) {
                self.sets[kept] = self.sets[i];
                kept += 1;
            }
        }
        if first_new == self.sets.len() {
            self.first_new = kept;
        }
        self.sets.truncate(kept);
        self.sets.push(set);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_maximal_sets_are_kept() {
        let mut chain = Antichain::default();
        assert!(chain.add(0b0011));
        assert!(chain.add(0b0101));
        chain.mark_old();
        assert!(!chain.add(0b0001), "a subset of both");
        assert!(!chain.has_new());
        assert!(chain.add(0b0111), "a superset of both");
        assert_eq!(chain.sets(), [0b0111]);
        assert_eq!(chain.first_new(), 0);
        assert!(chain.add(0b1000));
        chain.mark_old();
        assert!(chain.add(0b10000));
        assert_eq!(chain.first_new(), 2);
        assert_eq!(chain.sets().len(), 3);
    }
}
