//! An index for superset queries: which of many sets contain a given set?

/// A bit matrix of sets with one row per square: bit *i* of a square's row says whether set *i*
/// contains the square.
///
/// The supersets of a set are the intersection of the rows of its squares, computed for 64 sets at
/// a time. It is usually empty after a few rows.
#[derive(Debug, Default)]
pub struct SupersetIndex {
    /// Number of words in a row.
    width: usize,
    len: usize,
    /// The rows of all 64 squares, one after the other.
    rows: Vec<u64>,
}

impl SupersetIndex {
    /// Removes all sets and reserves space for `capacity` new ones.
    pub fn reset(&mut self, capacity: usize) {
        self.width = capacity.div_ceil(64).max(1);
        self.len = 0;
        self.rows.clear();
        self.rows.resize(64 * self.width, 0);
    }

    /// Number of words in a bit list of sets.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Adds a set. Its number is the number of sets added before it.
    pub fn add(&mut self, set: u64) {
        if self.len == self.width * 64 {
            self.widen();
        }
        let (word, bit) = (self.len / 64, 1 << (self.len % 64));
        let mut rest = set;
        while rest != 0 {
            self.rows[rest.trailing_zeros() as usize * self.width + word] |= bit;
            rest &= rest - 1;
        }
        self.len += 1;
    }

    /// Doubles the width of the rows.
    fn widen(&mut self) {
        let wider = self.width * 2;
        let mut rows = vec![0; 64 * wider];
        for (old, new) in self.rows.chunks_exact(self.width).zip(rows.chunks_exact_mut(wider)) {
            new[..self.width].copy_from_slice(old);
        }
        self.rows = rows;
        self.width = wider;
    }

    /// Writes the bit list of all sets to `list`.
    pub fn list_all(&self, list: &mut Vec<u64>) {
        list.clear();
        list.resize(self.width, 0);
        for (i, word) in list.iter_mut().enumerate() {
            *word = match self.len.saturating_sub(i * 64) {
                0 => 0,
                left if left >= 64 => !0,
                left => (1 << left) - 1,
            };
        }
    }

    /// Removes from `list` all sets that are not supersets of `set`. Returns whether any are left.
    #[inline]
    pub fn retain_supersets(&self, list: &mut [u64], set: u64) -> bool {
        let mut rest = set;
        while rest != 0 {
            let row = &self.rows[rest.trailing_zeros() as usize * self.width..][..self.width];
            rest &= rest - 1;
            let mut any = 0;
            for (word, in_row) in list.iter_mut().zip(row) {
                *word &= in_row;
                any |= *word;
            }
            if any == 0 {
                return false;
            }
        }
        list.iter().any(|&word| word != 0)
    }

    /// Whether any set, except the one with the number `except`, contains `set`. Uses `buffer` for
    /// the bit list.
    pub fn has_superset(&self, set: u64, except: Option<usize>, buffer: &mut Vec<u64>) -> bool {
        self.list_all(buffer);
        if let Some(number) = except {
            buffer[number / 64] &= !(1 << (number % 64));
        }
        self.retain_supersets(buffer, set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_agree_with_a_linear_scan() {
        let mut state = 7_u64;
        let sets: Vec<u64> = (0..300)
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                state | state >> 7
            })
            .collect();
        let mut index = SupersetIndex::default();
        index.reset(10);
        for &set in &sets {
            index.add(set);
        }
        let mut buffer = Vec::new();
        for (i, &set) in sets.iter().enumerate() {
            for part in [set, set & 0xffff, set & 0xff00ff, 1 << (i % 64), 0] {
                let expected = sets.iter().any(|&known| part & !known == 0);
                assert_eq!(index.has_superset(part, None, &mut buffer), expected);
                let expected =
                    sets.iter().enumerate().any(|(j, &known)| j != i && part & !known == 0);
                assert_eq!(index.has_superset(part, Some(i), &mut buffer), expected);
            }
        }
    }
}
