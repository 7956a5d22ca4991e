//! Sets of which none lies within another.

/// Whether all of `small` is in `large`.
#[inline]
pub fn is_within(small: u64, large: u64) -> bool {
    small & !large == 0
}

/// Sets of squares of which none lies within another. Those that came last are fresh until somebody says otherwise.
#[derive(Debug, Clone, Default)]
pub struct Antichain {
    sets: Vec<u64>,
    /// From here on they are fresh.
    fresh: usize,
}

impl Antichain {
    /// The sets, the fresh ones last.
    pub fn sets(&self) -> &[u64] {
        &self.sets
    }

    /// Where the fresh ones begin.
    pub fn first_fresh(&self) -> usize {
        self.fresh
    }

    /// Whether any set is fresh.
    pub fn is_fresh(&self) -> bool {
        self.fresh < self.sets.len()
    }

    /// No set is fresh any more.
    pub fn settle(&mut self) {
        self.fresh = self.sets.len();
    }

    /// Adds a set as a fresh one, unless it lies within another. Those within it go.
    pub fn add(&mut self, set: u64) -> bool {
        if self.sets.iter().any(|&known| is_within(set, known)) {
            return false;
        }
        let fresh = self.fresh;
        let mut kept = 0;
        for i in 0..self.sets.len() {
            if i == fresh {
                self.fresh = kept;
            }
            if !is_within(self.sets[i], set) {
                self.sets[kept] = self.sets[i];
                kept += 1;
            }
        }
        if fresh == self.sets.len() {
            self.fresh = kept;
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
    fn what_lies_within_another_is_not_kept() {
        let mut chain = Antichain::default();
        assert!(chain.add(0b0011));
        assert!(chain.add(0b0101));
        chain.settle();
        assert!(!chain.add(0b0001), "within both");
        assert!(!chain.is_fresh());
        assert!(chain.add(0b0111), "holds both");
        assert_eq!(chain.sets(), [0b0111]);
        assert_eq!(chain.first_fresh(), 0);
        assert!(chain.add(0b1000));
        chain.settle();
        assert!(chain.add(0b10000));
        assert_eq!(chain.first_fresh(), 2);
        assert_eq!(chain.sets().len(), 3);
    }
}
