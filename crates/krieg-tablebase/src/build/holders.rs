//! Who holds a set: for many sets, quickly, which of them contain another.

/// A list of sets, kept the other way round: for every square, the sets that hold it, as bits. Those that hold *all* squares of a set are found
/// by putting the rows of its squares upon each other, sixty-four sets at a time, and mostly nobody is left after a few of them.
#[derive(Debug, Default)]
pub struct Holders {
    /// Words in a row.
    width: usize,
    len: usize,
    /// A row for each square.
    rows: Vec<u64>,
}

impl Holders {
    /// Forgets all sets, and makes room for so many.
    pub fn reset(&mut self, room: usize) {
        self.width = room.div_ceil(64).max(1);
        self.len = 0;
        self.rows.clear();
        self.rows.resize(64 * self.width, 0);
    }

    /// How many words a list of holders has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Adds a set.
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

    fn widen(&mut self) {
        let wider = self.width * 2;
        let mut rows = vec![0; 64 * wider];
        for (old, new) in self.rows.chunks_exact(self.width).zip(rows.chunks_exact_mut(wider)) {
            new[..self.width].copy_from_slice(old);
        }
        self.rows = rows;
        self.width = wider;
    }

    /// Everybody, as a list of holders.
    pub fn everybody(&self, holders: &mut Vec<u64>) {
        holders.clear();
        holders.resize(self.width, 0);
        for (i, word) in holders.iter_mut().enumerate() {
            *word = match self.len.saturating_sub(i * 64) {
                0 => 0,
                left if left >= 64 => !0,
                left => (1 << left) - 1,
            };
        }
    }

    /// Keeps of `holders` those that hold all of a set. Says whether anybody is left.
    #[inline]
    pub fn keep(&self, holders: &mut [u64], set: u64) -> bool {
        let mut rest = set;
        while rest != 0 {
            let row = &self.rows[rest.trailing_zeros() as usize * self.width..][..self.width];
            rest &= rest - 1;
            let mut any = 0;
            for (word, held) in holders.iter_mut().zip(row) {
                *word &= held;
                any |= *word;
            }
            if any == 0 {
                return false;
            }
        }
        holders.iter().any(|&word| word != 0)
    }

    /// Whether somebody holds all of a set; not counting the one who was added as number `but`.
    pub fn any_holds(&self, set: u64, but: Option<usize>, room: &mut Vec<u64>) -> bool {
        self.everybody(room);
        if let Some(number) = but {
            room[number / 64] &= !(1 << (number % 64));
        }
        self.keep(room, set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_hold_a_set_are_those_who_contain_it() {
        let mut state = 7_u64;
        let sets: Vec<u64> = (0..300)
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                state | state >> 7
            })
            .collect();
        let mut holders = Holders::default();
        holders.reset(10);
        for &set in &sets {
            holders.add(set);
        }
        let mut room = Vec::new();
        for (i, &set) in sets.iter().enumerate() {
            for part in [set, set & 0xffff, set & 0xff00ff, 1 << (i % 64), 0] {
                let plain = sets.iter().any(|&known| part & !known == 0);
                assert_eq!(holders.any_holds(part, None, &mut room), plain);
                let others =
                    sets.iter().enumerate().any(|(j, &known)| j != i && part & !known == 0);
                assert_eq!(holders.any_holds(part, Some(i), &mut room), others);
            }
        }
    }
}
