//! The transposition table.
//!
//! All search threads share it without locks. A slot consists of two words, the first of which is
//! the Zobrist key of the position xor the second. A slot torn by two concurrent writers therefore
//! matches no position and counts as empty (Hyatt and Mann, "A lock-less transposition table
//! implementation for parallel search", 2002).

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use cozy_chess::{Move as BoardMove, Piece, Square};

use crate::score::MATE_THRESHOLD;

/// How the stored value relates to the true value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The true value is at most the stored one (the search failed low).
    Upper = 1,
    /// The true value is at least the stored one (the search failed high).
    Lower = 2,
    /// The stored value is the true one.
    Exact = 3,
}

impl Bound {
    /// The bound that `value` is, as the result of a search with this window.
    pub fn of(value: i32, alpha: i32, beta: i32) -> Self {
        if value >= beta {
            Bound::Lower
        } else if value > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// What the table stores about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub best_move: Option<BoardMove>,
    pub value: i32,
    /// The static evaluation without corrections; [`Entry::NO_EVAL`] if it was not computed.
    pub raw_eval: i32,
    pub depth: i32,
    pub bound: Bound,
}

impl Entry {
    pub const NO_EVAL: i32 = i16::MIN as i32;

    /// Whether the value decides a search with this window.
    pub fn allows_cutoff(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }

    /// Whether the value is a better estimate than `eval`: exact, or a bound that excludes it.
    pub fn improves_on(&self, eval: i32) -> bool {
        self.allows_cutoff(eval, eval)
    }
}

/// Slots in a bucket.
const BUCKET_SIZE: usize = 4;

#[derive(Debug, Default)]
struct Slot {
    /// The Zobrist key xor `data`.
    key: AtomicU64,
    /// The packed entry; 0 if the slot is empty.
    data: AtomicU64,
}

/// The slots in which a position may be stored: one cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; BUCKET_SIZE]);

/// A transposition table: stores search results by position, so that a position reached by another
/// order of moves is not searched again.
#[derive(Debug)]
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    /// Number of the search, modulo 64. Entries of earlier searches are replaced first.
    generation: AtomicU8,
}

impl TranspositionTable {
    /// A table of about this many bytes, at least 1 KiB.
    ///
    /// # Panics
    /// If the memory cannot be allocated; see [`TranspositionTable::try_with_bytes`].
    #[must_use]
    pub fn with_bytes(bytes: usize) -> Self {
        TranspositionTable::try_with_bytes(bytes).expect("memory for the transposition table")
    }

    /// A table of about this many bytes, or `None` if the memory cannot be allocated.
    #[must_use]
    pub fn try_with_bytes(bytes: usize) -> Option<Self> {
        let count = (bytes / size_of::<Bucket>()).max(16);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).ok()?;
        buckets.resize_with(count, Bucket::default);
        Some(TranspositionTable { buckets, generation: AtomicU8::new(0) })
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        for bucket in &mut self.buckets {
            for slot in &mut bucket.0 {
                *slot.key.get_mut() = 0;
                *slot.data.get_mut() = 0;
            }
        }
        *self.generation.get_mut() = 0;
    }

    /// Starts a new search, so that entries of earlier ones are replaced first.
    pub fn new_generation(&self) {
        let generation = (self.generation.load(Ordering::Relaxed) + 1) & 63;
        self.generation.store(generation, Ordering::Relaxed);
    }

    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Prefetches the bucket of a position that is about to be probed. In a search with a large
    /// table, memory latency is a quarter of the time (benches/runs), and this hides most of it.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: a prefetch does not access memory and accepts any address.
            #[expect(unsafe_code, reason = "there is no safe prefetch")]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(bucket.cast())
            };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// The entry of a position that is `ply` plies from the root.
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.key.load(Ordering::Relaxed) ^ data == key && data != 0 {
                let mut entry = unpack(data)?;
                entry.value = value_from_tt(entry.value, ply);
                return Some(entry);
            }
        }
        None
    }

    /// Stores an entry in place of the least valuable one of its bucket.
    pub(crate) fn store(&self, key: u64, mut entry: Entry, ply: usize) {
        let generation = self.generation.load(Ordering::Relaxed);
        let bucket = self.bucket(key);
        let mut victim = &bucket.0[0];
        let mut lowest_priority = i32::MAX;
        for slot in &bucket.0 {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 || slot.key.load(Ordering::Relaxed) ^ data == key {
                if data != 0 {
                    let Some(old) = unpack(data) else { continue };
                    // A bound does not replace a much deeper result of the same search.
                    if entry.bound != Bound::Exact
                        && generation_of(data) == generation
                        && entry.depth + 3 < old.depth
                    {
                        return;
                    }
                    entry.best_move = entry.best_move.or(old.best_move);
                }
                victim = slot;
                break;
            }
            let age = i32::from((generation + 64 - generation_of(data)) & 63);
            let priority = depth_of(data) - 8 * age;
            if priority < lowest_priority {
                lowest_priority = priority;
                victim = slot;
            }
        }
        entry.value = value_to_tt(entry.value, ply);
        let data = pack(&entry, generation);
        victim.data.store(data, Ordering::Relaxed);
        victim.key.store(key ^ data, Ordering::Relaxed);
    }

    /// Share of slots with entries of the current search, in permille, estimated from the first
    /// buckets.
    #[must_use]
    pub fn hashfull(&self) -> usize {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.0)
            .map(|slot| slot.data.load(Ordering::Relaxed))
            .filter(|&data| data != 0 && generation_of(data) == generation)
            .count();
        used * 1000 / (sample.len() * BUCKET_SIZE)
    }
}

/// Converts a value for storage: mates are counted from the root in the search, but from the
/// position itself in the table.
fn value_to_tt(value: i32, ply: usize) -> i32 {
    match value {
        v if v > MATE_THRESHOLD => v + ply as i32,
        v if v < -MATE_THRESHOLD => v - ply as i32,
        v => v,
    }
}

/// The inverse of [`value_to_tt`].
fn value_from_tt(value: i32, ply: usize) -> i32 {
    match value {
        v if v > MATE_THRESHOLD => v - ply as i32,
        v if v < -MATE_THRESHOLD => v + ply as i32,
        v => v,
    }
}

/// Packs an entry, from the lowest bit: move 16, value 16, static evaluation 16, depth 8, bound 2,
/// generation 6.
fn pack(entry: &Entry, generation: u8) -> u64 {
    u64::from(entry.best_move.map_or(0, pack_move))
        | u64::from(entry.value as i16 as u16) << 16
        | u64::from(entry.raw_eval as i16 as u16) << 32
        | u64::from((entry.depth.clamp(-8, 247) + 8) as u8) << 48
        | u64::from(entry.bound as u8) << 56
        | u64::from(generation) << 58
}

fn generation_of(data: u64) -> u8 {
    (data >> 58) as u8
}

fn depth_of(data: u64) -> i32 {
    i32::from((data >> 48) as u8) - 8
}

/// The inverse of [`pack`]; `None` if the data is not a valid entry.
fn unpack(data: u64) -> Option<Entry> {
    let bound = match (data >> 56) & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        best_move: unpack_move(data as u16),
        value: i32::from((data >> 16) as u16 as i16),
        raw_eval: i32::from((data >> 32) as u16 as i16),
        depth: depth_of(data),
        bound,
    })
}

/// Packs a move into 16 bits. 0 stands for no move, as it would be a move from a1 to a1.
fn pack_move(mv: BoardMove) -> u16 {
    let promotion = mv.promotion.map_or(0, |piece| piece as u16);
    mv.from as u16 | (mv.to as u16) << 6 | promotion << 12
}

fn unpack_move(bits: u16) -> Option<BoardMove> {
    (bits != 0).then(|| BoardMove {
        from: Square::index((bits & 63) as usize),
        to: Square::index((bits >> 6 & 63) as usize),
        promotion: match bits >> 12 {
            1 => Some(Piece::Knight),
            2 => Some(Piece::Bishop),
            3 => Some(Piece::Rook),
            4 => Some(Piece::Queen),
            _ => None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::MATE;
    use proptest::prelude::*;

    fn optional_move() -> impl Strategy<Value = Option<BoardMove>> {
        let promotion =
            prop_oneof![Just(None), Just(Some(Piece::Knight)), Just(Some(Piece::Queen))];
        (0usize..64, 1usize..64, promotion, any::<bool>()).prop_map(
            |(from, step, promotion, none)| {
                let (from, to) = (Square::index(from), Square::index((from + step) % 64));
                (!none).then_some(BoardMove { from, to, promotion })
            },
        )
    }

    proptest! {
        #[test]
        fn a_stored_entry_is_found(
            key in any::<u64>(), best_move in optional_move(), value in -31_900..31_900i32,
            raw_eval in -20_000..20_000i32, depth in -3..120i32, ply in 0..100usize,
        ) {
            let table = TranspositionTable::with_bytes(1 << 12);
            let entry = Entry { best_move, value, raw_eval, depth, bound: Bound::Lower };
            table.store(key, entry, ply);
            prop_assert_eq!(table.probe(key, ply), Some(entry));
            prop_assert_eq!(table.probe(key ^ 1, ply), None);
        }
    }

    fn exact(value: i32, depth: i32) -> Entry {
        Entry { best_move: None, value, raw_eval: 0, depth, bound: Bound::Exact }
    }

    #[test]
    fn mates_are_counted_from_the_position_that_is_probed() {
        let table = TranspositionTable::with_bytes(1 << 12);
        // Mate seven plies from the root, hence three plies from a position at ply 4.
        table.store(5, exact(MATE - 7, 3), 4);
        assert_eq!(table.probe(5, 10).unwrap().value, MATE - 13);
    }

    #[test]
    fn the_shallowest_entry_of_a_full_bucket_is_replaced() {
        // 16 buckets, so that keys below 2^60 share the first.
        let table = TranspositionTable::with_bytes(0);
        for (key, depth) in [(1, 9), (2, 4), (3, 8), (4, 7), (5, 6)] {
            table.store(key, exact(0, depth), 0);
        }
        assert_eq!(table.probe(2, 0), None);
        assert!([1, 3, 4, 5].into_iter().all(|key| table.probe(key, 0).is_some()));
    }
}
