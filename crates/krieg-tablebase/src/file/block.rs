//! The compressed entries of one placement.
//!
//! The won king sets of a placement are similar: most differ from an earlier one in two or three
//! squares. So each set is stored as the difference from the most similar of the sets before it.

use super::bit_stream::{BitReader, BitWriter};

/// One entry of a table: from this placement, a king on any of these squares is mated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The set of king squares.
    pub kings: u64,
    /// Maximum number of moves to mate; refused tries are not counted.
    pub distance: u16,
    /// The try to make first, as its number among the tries of the placement.
    pub first_try: u8,
}

/// How many of the preceding sets may serve as a reference, and the bits that name one of them.
const WINDOW: usize = 256;
const REFERENCE_BITS: u32 = 8;
/// Maximum number of changed squares. A set that differs in more is stored in full.
const MAX_CHANGES: u32 = 7;
const CHANGES_BITS: u32 = 3;
const FIRST_TRY_BITS: u32 = 7;
const PAIR_BITS: u32 = 11;
const SQUARE_BITS: u32 = 6;

/// All pairs of squares, ordered by the higher square, then by the lower one.
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

/// Sorts entries into the stored order: by distance, first try, and set.
pub fn sort(entries: &mut [Entry]) {
    entries.sort_unstable_by_key(|entry| (entry.distance, entry.first_try, entry.kings));
}

/// Whether the format can represent an entry.
pub fn is_encodable(entry: &Entry) -> bool {
    entry.distance > 0 && entry.first_try < 1 << FIRST_TRY_BITS && entry.kings != 0
}

/// Compresses entries, which must be sorted and encodable.
pub fn encode(entries: &[Entry]) -> Vec<u8> {
    let mut bits = BitWriter::default();
    let mut distance = 0;
    let sets: Vec<u64> = entries.iter().map(|entry| entry.kings).collect();
    let mut number = 0;
    for level in entries.chunk_by(|a, b| a.distance == b.distance) {
        bits.put_count(u32::from(level[0].distance - distance));
        distance = level[0].distance;
        let groups = || level.chunk_by(|a, b| a.first_try == b.first_try);
        bits.put_count(groups().count() as u32);
        for group in groups() {
            bits.put(u64::from(group[0].first_try), FIRST_TRY_BITS);
            bits.put_count(group.len() as u32);
            let numbers = number..number + group.len();
            number = numbers.end;
            let deltas: Vec<Delta> =
                numbers.map(|i| Delta::find(sets[i], &sets[i.max(WINDOW) - WINDOW..i])).collect();
            for delta in &deltas {
                bits.put(u64::from(delta.reference), REFERENCE_BITS);
                bits.put(u64::from(delta.changes), CHANGES_BITS);
            }
            for delta in &deltas {
                delta.put_squares(&mut bits);
            }
        }
    }
    bits.finish()
}

/// A set as the difference from an earlier set, or in full if the number of changes is 0.
struct Delta {
    /// How far back the reference is, less 1.
    reference: u32,
    changes: u32,
    /// The changed squares, or the whole set.
    squares: u64,
}

impl Delta {
    /// Picks the most similar of the sets `before`.
    fn find(kings: u64, before: &[u64]) -> Delta {
        // The minimum of `changes << 16 | reference` is the most similar set, and the last one of
        // several. This loop has no branch on the data, which would be unpredictable; it runs over
        // the whole window for every set.
        let nearest =
            before.iter().rev().zip(0_u32..).fold(u32::MAX, |least, (known, reference)| {
                least.min((known ^ kings).count_ones() << 16 | reference)
            });
        let (changes, reference) = (nearest >> 16, nearest & 0xffff);
        if !(1..=MAX_CHANGES).contains(&changes) {
            return Delta { reference: 0, changes: 0, squares: kings };
        }
        let squares = before[before.len() - 1 - reference as usize] ^ kings;
        Delta { reference, changes, squares }
    }

    fn put_squares(&self, bits: &mut BitWriter) {
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

/// A decompressed block. The sets are contiguous, so that a search runs over them without a break;
/// the groups say which distance and first try they belong to.
#[derive(Debug, Clone, Default)]
pub struct DecodedBlock {
    sets: Vec<u64>,
    groups: Vec<Group>,
}

/// Consecutive sets with the same distance and first try.
#[derive(Debug, Clone, Copy)]
struct Group {
    distance: u16,
    first_try: u8,
    /// The end of its sets.
    end: u32,
}

impl DecodedBlock {
    /// The entries in ascending order of distance.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        let starts = std::iter::once(0).chain(self.groups.iter().map(|group| group.end));
        self.groups.iter().zip(starts).flat_map(|(group, start)| {
            let Group { distance, first_try, end } = *group;
            let sets = &self.sets[start as usize..end as usize];
            sets.iter().map(move |&kings| Entry { kings, distance, first_try })
        })
    }

    /// The best entry that contains all these kings, among those with at most this distance and
    /// with a first try that `accepts` allows. The best entry has the smallest distance and, among
    /// equals, the fewest kings (Favini 2010, section 7.3.2).
    pub fn best_superset(
        &self,
        kings: u64,
        within: u16,
        accepts: impl Fn(u8) -> bool,
    ) -> Option<Entry> {
        let mut best: Option<Entry> = None;
        let mut start = 0;
        for &Group { distance, first_try, end } in &self.groups {
            if distance > best.map_or(within, |best| best.distance) {
                break;
            }
            let sets = &self.sets[start..end as usize];
            start = end as usize;
            for &set in sets.iter().filter(|&&set| kings & !set == 0) {
                let is_smaller = best.is_none_or(|best| set.count_ones() < best.kings.count_ones());
                if is_smaller && accepts(first_try) {
                    best = Some(Entry { kings: set, distance, first_try });
                }
            }
        }
        best
    }
}

/// Decompresses a block in ascending order of distance. Stops after a distance if `is_enough`,
/// given the distance and its sets, says so. Returns `None` if the bytes are not a block.
pub fn decode(
    bytes: &[u8],
    mut is_enough: impl FnMut(u16, &[u64]) -> bool,
) -> Option<DecodedBlock> {
    let mut bits = BitReader::new(bytes);
    let mut block = DecodedBlock::default();
    // Entries take about four bytes; reserving too much is cheap.
    block.sets.reserve(bytes.len() / 3);
    let mut distance = 0_u16;
    // The padding of the last byte is zeros, which is never the start of a count.
    while let Some(difference) = bits.take_count() {
        distance = distance.checked_add(u16::try_from(difference).ok()?)?;
        let start = block.sets.len();
        for _ in 0..bits.take_count()? {
            let first_try = bits.take(FIRST_TRY_BITS) as u8;
            decode_sets(&mut bits, &mut block.sets)?;
            let end = u32::try_from(block.sets.len()).ok()?;
            block.groups.push(Group { distance, first_try, end });
        }
        if is_enough(distance, &block.sets[start..]) {
            break;
        }
    }
    Some(block)
}

/// Number of bits of the changed squares, by number of changes. A set without changes is stored in
/// full.
const SQUARES_BITS: [u32; 1 << CHANGES_BITS] = {
    let mut bits = [64; 1 << CHANGES_BITS];
    let mut changes = 1;
    while changes < 1 << CHANGES_BITS {
        bits[changes] = changes as u32 / 2 * PAIR_BITS + changes as u32 % 2 * SQUARE_BITS;
        changes += 1;
    }
    bits
};

/// Decodes the sets of a group.
///
/// The references and numbers of changes precede all the squares, so the position of a set's
/// squares does not depend on decoding the set before it. There is also no branch on the number of
/// changes, which would be unpredictable. Both together reduce the time of a probe by a third
/// (`benches/runs`).
fn decode_sets(bits: &mut BitReader, sets: &mut Vec<u64>) -> Option<()> {
    const HEAD_BITS: u32 = REFERENCE_BITS + CHANGES_BITS;
    let count = bits.take_count()?;
    let mut squares = bits.clone();
    squares.skip_many(count, HEAD_BITS);
    if squares.is_past_end() {
        return None;
    }
    for _ in 0..count {
        let head = bits.take(HEAD_BITS);
        let changes = (head >> REFERENCE_BITS) as usize;
        let word = squares.peek();
        if changes == 0 {
            sets.push(squares.take(32) | squares.take(32) << 32);
            continue;
        }
        squares.skip(SQUARES_BITS[changes]);
        let reference = head as usize & ((1 << REFERENCE_BITS) - 1);
        let known = *sets.get(sets.len().checked_sub(reference + 1)?)?;
        sets.push(known ^ changed_squares(word, changes as u32));
    }
    if squares.is_past_end() {
        return None;
    }
    *bits = squares;
    Some(())
}

/// The changed squares in the lowest bits of a word. At most three pairs and one square are 39
/// bits, which one peek provides.
#[inline(always)]
fn changed_squares(word: u64, changes: u32) -> u64 {
    const PAIR: u64 = (1 << PAIR_BITS) - 1;
    // The highest number does not stand for a pair: its entry in the table is empty.
    const NO_PAIR: u64 = PAIR;
    let pair = |which: u32| {
        let is_present = changes / 2 > which;
        let index = if is_present { word >> (which * PAIR_BITS) & PAIR } else { NO_PAIR };
        PAIRS[index as usize]
    };
    let last = word >> (changes / 2 * PAIR_BITS) & 63;
    pair(0) ^ pair(1) ^ pair(2) ^ (u64::from(changes & 1) << last)
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
                let distance = 1 + (next() % 40) as u16;
                Entry { kings, distance, first_try: (next() % 100) as u8 }
            })
            .collect();
        sort(&mut entries);
        entries.dedup_by_key(|entry| entry.kings);
        entries
    }

    #[test]
    fn entries_are_decoded_as_encoded() {
        for entries in [some_entries(), some_entries()[..1].to_vec(), Vec::new()] {
            let bytes = encode(&entries);
            let read = decode(&bytes, |_, _| false).unwrap();
            assert_eq!(read.entries().collect::<Vec<_>>(), entries);
        }
    }

    #[test]
    fn decoding_stops_after_the_requested_distance() {
        let entries = some_entries();
        let read = decode(&encode(&entries), |distance, _| distance >= 7).unwrap();
        let near: Vec<Entry> = entries.into_iter().filter(|entry| entry.distance <= 7).collect();
        assert_eq!(read.entries().collect::<Vec<_>>(), near);
    }

    #[test]
    fn corrupt_blocks_are_decoded_without_a_panic() {
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
