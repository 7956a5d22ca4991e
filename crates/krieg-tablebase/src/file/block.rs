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
            for entry in group {
                put_set(&mut bits, entry.kings, &before[number.max(WINDOW) - WINDOW..number]);
                number += 1;
            }
        }
    }
    bits.finish()
}

fn put_set(bits: &mut BitWriter, kings: u64, before: &[u64]) {
    // The number of changes above, how far back below: the least of these is the nearest. Without branches, since this is half of all writing.
    let nearest = before.iter().rev().zip(0_u32..).fold(u32::MAX, |least, (known, back)| {
        least.min((known ^ kings).count_ones() << 16 | back)
    });
    let (changes, back) = (nearest >> 16, nearest & 0xffff);
    if !(1..=MOST_CHANGES).contains(&changes) {
        bits.put(0, BACK_BITS + CHANGES_BITS);
        bits.put(kings & 0xffff_ffff, 32);
        bits.put(kings >> 32, 32);
        return;
    }
    let mut changed = before[before.len() - 1 - back as usize] ^ kings;
    bits.put(u64::from(back), BACK_BITS);
    bits.put(u64::from(changes), CHANGES_BITS);
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

/// Reads entries into `out`, nearest mates first, and stops early if `enough` says so of the entries of a distance. `None` if this is no block.
pub fn decode(
    bytes: &[u8],
    out: &mut Vec<Entry>,
    mut enough: impl FnMut(&[Entry]) -> bool,
) -> Option<()> {
    let mut bits = BitReader::new(bytes);
    let mut distance = 0_u16;
    // What is left of the last byte is nought, and no count begins with nothing but noughts.
    while let Some(further) = bits.take_count() {
        distance = distance.checked_add(u16::try_from(further).ok()?)?;
        let start = out.len();
        for _ in 0..bits.take_count()? {
            let first = bits.take(FIRST_BITS) as u8;
            let count = bits.take_count()?;
            for _ in 0..count {
                let kings = take_set(&mut bits, out)?;
                out.push(Entry { kings, distance, first });
            }
            if bits.is_past_end() {
                return None;
            }
        }
        if enough(&out[start..]) {
            return Some(());
        }
    }
    Some(())
}

#[inline]
fn take_set(bits: &mut BitReader, before: &[Entry]) -> Option<u64> {
    let word = bits.peek();
    let back = (word & ((1 << BACK_BITS) - 1)) as usize;
    let changes = (word >> BACK_BITS) as u32 & ((1 << CHANGES_BITS) - 1);
    bits.skip(BACK_BITS + CHANGES_BITS);
    if changes == 0 {
        if bits.is_past_end() {
            return None;
        }
        return Some(bits.take(32) | bits.take(32) << 32);
    }
    let mut kings = before.get(before.len().checked_sub(back + 1)?)?.kings;
    // Three pairs and a square are 39 bits, which one look holds.
    let mut word = word >> (BACK_BITS + CHANGES_BITS);
    for _ in 0..changes / 2 {
        kings ^= PAIRS[word as usize & ((1 << PAIR_BITS) - 1)];
        word >>= PAIR_BITS;
    }
    if changes % 2 == 1 {
        kings ^= 1 << (word & 63);
    }
    bits.skip(changes / 2 * PAIR_BITS + changes % 2 * SQUARE_BITS);
    Some(kings)
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
            let mut read = Vec::new();
            decode(&bytes, &mut read, |_| false).unwrap();
            assert_eq!(read, entries);
        }
    }

    #[test]
    fn reading_stops_at_the_distance_that_is_enough() {
        let entries = some_entries();
        let mut read = Vec::new();
        decode(&encode(&entries), &mut read, |level| level[0].distance >= 7).unwrap();
        let near: Vec<Entry> = entries.into_iter().filter(|entry| entry.distance <= 7).collect();
        assert_eq!(read, near);
    }

    #[test]
    fn nonsense_is_read_to_an_end_without_harm() {
        for entries in [some_entries()] {
            let bytes = encode(&entries);
            for i in 0..bytes.len() {
                let mut altered = bytes.clone();
                altered[i] ^= 0x55;
                let mut out = Vec::new();
                let _ = decode(&altered, &mut out, |_| false);
                let _ = decode(&bytes[..i], &mut Vec::new(), |_| false);
            }
        }
    }
}
