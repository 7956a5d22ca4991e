//! The transposition table: what was found about a position, for whoever comes there again by another way.
//!
//! Threads share it without locks. An entry is two words; the first is the position's key mixed
//! with the second, so an entry torn by two writers does not match any position and is as good
//! as absent (Hyatt and Mann, "A lock-less transposition table implementation for parallel search", 2002).

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use cozy_chess::{Move as BoardMove, Piece, Square};

use crate::score::MATE_THRESHOLD;

/// What a stored value says about the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    /// At most this.
    Upper = 1,
    /// At least this.
    Lower = 2,
    /// Just this.
    Exact = 3,
}

impl Bound {
    /// What a search with this window says with the value it returns.
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

/// What was found about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TtEntry {
    pub best: Option<BoardMove>,
    pub value: i32,
    /// The evaluation without search; [`TtEntry::NO_EVAL`] if it was not made.
    pub raw: i32,
    pub depth: i32,
    pub bound: Bound,
}

impl TtEntry {
    pub const NO_EVAL: i32 = i16::MIN as i32;

    /// Whether the value settles a search with this window.
    pub fn allows_cutoff(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }
}

const BUCKET: usize = 4;

#[derive(Debug, Default)]
struct Entry {
    key: AtomicU64,
    word: AtomicU64,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Entry; BUCKET]);

/// The table.
#[derive(Debug)]
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// A table of about so many bytes, at least 1 KiB.
    ///
    /// # Panics
    /// If there is no room for it; [`TranspositionTable::try_with_bytes`] says so instead.
    pub fn with_bytes(bytes: usize) -> Self {
        TranspositionTable::try_with_bytes(bytes).expect("room for the table")
    }

    /// A table of about so many bytes, if there is room for it.
    pub fn try_with_bytes(bytes: usize) -> Option<Self> {
        let count = (bytes / size_of::<Bucket>()).max(16);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).ok()?;
        buckets.resize_with(count, Bucket::default);
        Some(TranspositionTable { buckets, age: AtomicU8::new(0) })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for bucket in &mut self.buckets {
            for entry in &mut bucket.0 {
                *entry.key.get_mut() = 0;
                *entry.word.get_mut() = 0;
            }
        }
        *self.age.get_mut() = 0;
    }

    /// A new search begins; what earlier ones left may be overwritten first.
    pub fn new_generation(&self) {
        self.age.store((self.age.load(Ordering::Relaxed) + 1) & 63, Ordering::Relaxed);
    }

    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Tells the processor that a position is about to be asked for. In a search over a large table
    /// the wait for memory is a quarter of the time (benches/runs), and this hides most of it.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: a prefetch reads nothing and may be given any address; this one is a reference's.
            #[expect(unsafe_code, reason = "there is no safe prefetch")]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(bucket.cast())
            };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known about the position, which is `ply` plies from the root; mates are counted from
    /// the root.
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        for entry in &self.bucket(key).0 {
            let word = entry.word.load(Ordering::Relaxed);
            if entry.key.load(Ordering::Relaxed) ^ word == key && word != 0 {
                let mut found = unpack(word)?;
                found.value = from_here(found.value, ply);
                return Some(found);
            }
        }
        None
    }

    /// Keeps what was found, over the least valuable entry of its bucket.
    pub(crate) fn store(&self, key: u64, mut found: TtEntry, ply: usize) {
        let age = self.age.load(Ordering::Relaxed);
        let bucket = self.bucket(key);
        let mut worst = &bucket.0[0];
        let mut least = i32::MAX;
        for entry in &bucket.0 {
            let word = entry.word.load(Ordering::Relaxed);
            if word == 0 || entry.key.load(Ordering::Relaxed) ^ word == key {
                if word != 0 {
                    let Some(old) = unpack(word) else { continue };
                    // A shallow bound is not worth a deeper result of the same search.
                    if found.bound != Bound::Exact
                        && age_of(word) == age
                        && found.depth + 3 < old.depth
                    {
                        return;
                    }
                    found.best = found.best.or(old.best);
                }
                worst = entry;
                break;
            }
            let years = i32::from((age + 64 - age_of(word)) & 63);
            let worth = depth_of(word) - 8 * years;
            if worth < least {
                least = worth;
                worst = entry;
            }
        }
        found.value = as_stored(found.value, ply);
        let word = pack(&found, age);
        worst.word.store(word, Ordering::Relaxed);
        worst.key.store(key ^ word, Ordering::Relaxed);
    }

    /// How full the table is with this search's entries, in thousandths.
    pub fn hashfull(&self) -> usize {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.0)
            .map(|entry| entry.word.load(Ordering::Relaxed))
            .filter(|&word| word != 0 && age_of(word) == age)
            .count();
        used * 1000 / (sample.len() * BUCKET)
    }
}

/// A mate is stored by its distance from the position itself.
fn as_stored(value: i32, ply: usize) -> i32 {
    match value {
        v if v > MATE_THRESHOLD => v + ply as i32,
        v if v < -MATE_THRESHOLD => v - ply as i32,
        v => v,
    }
}

fn from_here(value: i32, ply: usize) -> i32 {
    match value {
        v if v > MATE_THRESHOLD => v - ply as i32,
        v if v < -MATE_THRESHOLD => v + ply as i32,
        v => v,
    }
}

/// From the lowest bit: move 16, value 16, static value 16, depth 8, bound 2, age 6.
fn pack(found: &TtEntry, age: u8) -> u64 {
    u64::from(found.best.map_or(0, pack_move))
        | u64::from(found.value as i16 as u16) << 16
        | u64::from(found.raw as i16 as u16) << 32
        | u64::from((found.depth.clamp(-8, 247) + 8) as u8) << 48
        | u64::from(found.bound as u8) << 56
        | u64::from(age) << 58
}

fn age_of(word: u64) -> u8 {
    (word >> 58) as u8
}

fn depth_of(word: u64) -> i32 {
    i32::from((word >> 48) as u8) - 8
}

/// Nothing, if the word is none that [`pack`] makes.
fn unpack(word: u64) -> Option<TtEntry> {
    let bound = match (word >> 56) & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(TtEntry {
        best: unpack_move(word as u16),
        value: i32::from((word >> 16) as u16 as i16),
        raw: i32::from((word >> 32) as u16 as i16),
        depth: depth_of(word),
        bound,
    })
}

/// 0 is no move: nobody moves from a1 to a1.
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

    fn some_move() -> impl Strategy<Value = Option<BoardMove>> {
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
        fn what_is_stored_is_found(
            key in any::<u64>(), best in some_move(), value in -31_900..31_900i32,
            raw in -20_000..20_000i32, depth in -3..120i32, ply in 0..100usize,
        ) {
            let table = TranspositionTable::with_bytes(1 << 12);
            let found = TtEntry { best, value, raw, depth, bound: Bound::Lower };
            table.store(key, found, ply);
            prop_assert_eq!(table.probe(key, ply), Some(found));
            prop_assert_eq!(table.probe(key ^ 1, ply), None);
        }
    }

    #[test]
    fn a_mate_is_as_far_as_it_is_from_where_one_stands() {
        let table = TranspositionTable::with_bytes(1 << 12);
        let value = MATE - 7; // seven plies from the root
        let found = TtEntry { best: None, value, raw: 0, depth: 3, bound: Bound::Exact };
        table.store(5, found, 4); // hence three plies from here
        assert_eq!(table.probe(5, 10).unwrap().value, MATE - 13);
    }

    #[test]
    fn a_full_bucket_gives_up_its_shallowest_entry() {
        let table = TranspositionTable::with_bytes(0); // 16 buckets: keys below 2^60 share the first
        let entry = |depth| TtEntry { best: None, value: 0, raw: 0, depth, bound: Bound::Exact };
        for (key, depth) in [(1, 9), (2, 4), (3, 8), (4, 7), (5, 6)] {
            table.store(key, entry(depth), 0);
        }
        assert_eq!(table.probe(2, 0), None);
        assert!([1, 3, 4, 5].into_iter().all(|key| table.probe(key, 0).is_some()));
    }
}
