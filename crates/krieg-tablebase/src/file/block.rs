//! The entries of one disposition, in few bytes.
//!
//! Sets of kings that are won at one disposition are much alike: most differ from an earlier one by two or three squares. So each is
//! written as *which* earlier one, and what to change.

use crate::file::bits::{BitReader, BitWriter};

/// One entry of a table: from this disposition, a king on any of these squares is mated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The squares of the lone king.
    pub kings: u64,
    /// The most moves, not tries, that mate takes.
    pub distance: u16,
    /// What to try first: its number among the steps of the disposition.
    pub first: u8,
}

/// How far back an entry may look for one it resembles, and the bits to say so.
const WINDOW: usize = 256;
const BACK_BITS: u32 = 8;
/// Up to so many squares are changed one by one or in pairs; if more, the set is written out.
const MOST_CHANGES: u32 = 7;
const CHANGES_BITS: u32 = 3;
const FIRST_BITS: u32 = 7;
const PAIR_BITS: u32 = 11;
const SQUARE_BITS: u32 = 6;

/// All pairs of squares, the lower one first, in the order of the higher one.
static PAIRS: [u64; 1 << PAIR_BITS] = {
    let mut pairs = [0; 1 << PAIR_BITS];
    let (mut high, mut next) = (1, 0);
    while high < 64 {
        let mut low = 0;
        while low < high {
            pairs[next] = 1 << high | 1 << low;
            next += 1;
            low += 1;
        }
        high += 1;
    }
    pairs
};

fn pair_number(low: u32, high: u32) -> u64 {
    u64::from(high * (high - 1) / 2 + low)
}

/// Puts entries into the order in which they are written: by distance, first try, and set.
pub fn sort(entries: &mut [Entry]) {
    entries.sort_unstable_by_key(|entry| (entry.distance, entry.first, entry.kings));
}

/// Whether an entry can be written at all.
pub fn fits(entry: &Entry) -> bool {
    entry.distance > 0 && entry.first < 1 << FIRST_BITS && entry.kings != 0
}

/// Writes entries that are in order and fit.
pub fn encode(entries: &[Entry]) -> Vec<u8> {
    let mut bits = BitWriter::default();
    let mut distance = 0;
    let before: Vec<u64> = entries.iter().map(|entry| entry.kings).collect();
    let mut number = 0;
    for level in entries.chunk_by(|a, b| a.distance == b.distance) {
        bits.put_count(u32::from(level[0].distance - distance));
        distance = level[0].distance;
        let groups = || level.chunk_by(|a, b| a.first == b.first);
        bits.put_count(groups().count() as u32);
        for group in groups() {
            bits.put(u64::from(group[0].first), FIRST_BITS);
            bits.put_count(group.len() as u32);
            let numbers = number..number + group.len();
            number = numbers.end;
            let likes: Vec<Like> = numbers
                .map(|i| Like::find(before[i], &before[i.max(WINDOW) - WINDOW..i]))
                .collect();
            for like in &likes {
                bits.put(u64::from(like.back), BACK_BITS);
                bits.put(u64::from(like.changes), CHANGES_BITS);
            }
            for like in &likes {
                like.put_changes(&mut bits);
            }
        }
    }
    bits.finish()
}

/// How a set is told: as one before it, changed, or, with no changes, as it is.
struct Like {
    back: u32,
    changes: u32,
    /// The squares to change, or the set.
    squares: u64,
}

impl Like {
    fn find(kings: u64, before: &[u64]) -> Like {
        // The number of changes above, how far back below: the least of these is the nearest. Without branches, since nothing foretells them and all of the window is gone through for every set.
        let nearest = before.iter().rev().zip(0_u32..).fold(u32::MAX, |least, (known, back)| {
            least.min((known ^ kings).count_ones() << 16 | back)
        });
        let (changes, back) = (nearest >> 16, nearest & 0xffff);
        if !(1..=MOST_CHANGES).contains(&changes) {
            return Like { back: 0, changes: 0, squares: kings };
        }
        Like { back, changes, squares: before[before.len() - 1 - back as usize] ^ kings }
    }

    fn put_changes(&self, bits: &mut BitWriter) {
        if self.changes == 0 {
            bits.put(self.squares & 0xffff_ffff, 32);
            bits.put(self.squares >> 32, 32);
            return;
        }
        let mut changed = self.squares;
        while changed != 0 {
            let low = changed.trailing_zeros();
            changed &= changed - 1;
            if changed == 0 {
                bits.put(u64::from(low), SQUARE_BITS);
            } else {
                bits.put(pair_number(low, changed.trailing_zeros()), PAIR_BITS);
                changed &= changed - 1;
            }
        }
    }
}

/// The entries of a block, unpacked: all sets in a row, so that a search runs over them without a pause, and beside them whose they are.
#[derive(Debug, Clone, Default)]
pub struct Unpacked {
    sets: Vec<u64>,
    groups: Vec<Group>,
}

/// Sets of one distance that begin with one try.
#[derive(Debug, Clone, Copy)]
struct Group {
    distance: u16,
    first: u8,
    /// Where its sets end.
    end: u32,
}

impl Unpacked {
    /// The entries, nearest mates first.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        let starts = std::iter::once(0).chain(self.groups.iter().map(|group| group.end));
        self.groups.iter().zip(starts).flat_map(|(group, start)| {
            let Group { distance, first, end } = *group;
            let sets = &self.sets[start as usize..end as usize];
            sets.iter().map(move |&kings| Entry { kings, distance, first })
        })
    }

    /// Of the entries up to a distance that hold all these kings and begin as `wanted`, the one with the nearest mate; of those, the one with
    /// the fewest kings (Favini 2010, section 7.3.2).
    pub fn best(&self, kings: u64, within: u16, wanted: impl Fn(u8) -> bool) -> Option<Entry> {
        let mut found: Option<Entry> = None;
        let mut start = 0;
        for &Group { distance, first, end } in &self.groups {
            if distance > found.map_or(within, |found| found.distance) {
                break;
            }
            let sets = &self.sets[start..end as usize];
            start = end as usize;
            for &set in sets.iter().filter(|&&set| kings & !set == 0) {
                let fewer = found.is_none_or(|found| set.count_ones() < found.kings.count_ones());
                if fewer && wanted(first) {
                    found = Some(Entry { kings: set, distance, first });
                }
            }
        }
        found
    }
}

/// Unpacks a block, nearest mates first, and stops early if `enough` says so of the sets of a distance. `None` if this is no block.
pub fn decode(bytes: &[u8], mut enough: impl FnMut(u16, &[u64]) -> bool) -> Option<Unpacked> {
    let mut bits = BitReader::new(bytes);
    let mut out = Unpacked::default();
    // Four bytes an entry is about right, and room costs nothing.
    out.sets.reserve(bytes.len() / 3);
    let mut distance = 0_u16;
    // What is left of the last byte is nought, and no count begins with nothing but noughts.
    while let Some(further) = bits.take_count() {
        distance = distance.checked_add(u16::try_from(further).ok()?)?;
        let start = out.sets.len();
        for _ in 0..bits.take_count()? {
            let first = bits.take(FIRST_BITS) as u8;
            take_sets(&mut bits, &mut out.sets)?;
            out.groups.push(Group { distance, first, end: u32::try_from(out.sets.len()).ok()? });
        }
        if enough(distance, &out.sets[start..]) {
            break;
        }
    }
    Some(out)
}

/// By number of changes, the bits that tell them; without any, the set is written out.
const CHANGED_BITS: [u32; 1 << CHANGES_BITS] = {
    let mut bits = [64; 1 << CHANGES_BITS];
    let mut changes = 1;
    while changes < 1 << CHANGES_BITS {
        bits[changes] = changes as u32 / 2 * PAIR_BITS + changes as u32 % 2 * SQUARE_BITS;
        changes += 1;
    }
    bits
};

/// The sets of a group. What each is like and in how many squares it differs stands before all the squares, so that where the next one
/// is does not wait for this one; nor is there a branch on the number of changes, since nothing foretells it. With that a question takes two thirds of the time (`benches/runs`).
fn take_sets(bits: &mut BitReader, sets: &mut Vec<u64>) -> Option<()> {
    const HEAD: u32 = BACK_BITS + CHANGES_BITS;
    let count = bits.take_count()?;
    let mut changes = bits.clone();
    changes.skip_many(count, HEAD);
    if changes.is_past_end() {
        return None;
    }
    for _ in 0..count {
        let head = bits.take(HEAD);
        let number = (head >> BACK_BITS) as usize;
        let word = changes.peek();
        if number == 0 {
            sets.push(changes.take(32) | changes.take(32) << 32);
            continue;
        }
        changes.skip(CHANGED_BITS[number]);
        let back = head as usize & ((1 << BACK_BITS) - 1);
        let known = *sets.get(sets.len().checked_sub(back + 1)?)?;
        sets.push(known ^ changed_squares(word, number as u32));
    }
    if changes.is_past_end() {
        return None;
    }
    *bits = changes;
    Some(())
}

/// The squares told in these bits: three pairs and one, or fewer, are 39 bits, which one look holds.
#[inline(always)]
fn changed_squares(word: u64, number: u32) -> u64 {
    const PAIR: u64 = (1 << PAIR_BITS) - 1;
    // The last numbers are no pair of squares.
    const NO_PAIR: u64 = PAIR;
    let pair = |which: u32| {
        let is_there = number / 2 > which;
        let index = if is_there { word >> (which * PAIR_BITS) & PAIR } else { NO_PAIR };
        PAIRS[index as usize]
    };
    let last = word >> (number / 2 * PAIR_BITS) & 63;
    pair(0) ^ pair(1) ^ pair(2) ^ (u64::from(number & 1) << last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_entries() -> Vec<Entry> {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 11
        };
        let mut kings = 0xff00_ff00;
        let mut entries: Vec<Entry> = (0..1000)
            .map(|i| {
                for _ in 0..next() % 9 {
                    kings ^= 1 << (next() % 64);
                }
                if i % 50 == 0 {
                    kings = next() ^ next() << 40;
                }
                Entry { kings, distance: 1 + (next() % 40) as u16, first: (next() % 100) as u8 }
            })
            .collect();
        sort(&mut entries);
        entries.dedup_by_key(|entry| entry.kings);
        entries
    }

    #[test]
    fn entries_are_read_as_they_were_written() {
        for entries in [some_entries(), some_entries()[..1].to_vec(), Vec::new()] {
            let bytes = encode(&entries);
            let read = decode(&bytes, |_, _| false).unwrap();
            assert_eq!(read.entries().collect::<Vec<_>>(), entries);
        }
    }

    #[test]
    fn reading_stops_at_the_distance_that_is_enough() {
        let entries = some_entries();
        let read = decode(&encode(&entries), |distance, _| distance >= 7).unwrap();
        let near: Vec<Entry> = entries.into_iter().filter(|entry| entry.distance <= 7).collect();
        assert_eq!(read.entries().collect::<Vec<_>>(), near);
    }

    #[test]
    fn nonsense_is_read_to_an_end_without_harm() {
        for entries in [some_entries()] {
            let bytes = encode(&entries);
            for i in 0..bytes.len() {
                let mut altered = bytes.clone();
                altered[i] ^= 0x55;
                let _ = decode(&altered, |_, _| false);
                let _ = decode(&bytes[..i], |_, _| false);
            }
        }
    }
}
