//! A compact hash set of boards with fast insertion.

use crate::OpponentBoard;

/// Different boards, in the order of insertion.
///
/// The boards are stored in a vector with 5% spare capacity. A hash table with linear probing, at
/// most 80% full, has slots of eight bytes: the index of a board and the upper 32 bits of its key.
/// So most other boards are skipped without a comparison, and no board is read when the table
/// grows. A board takes 34 bytes, and 10 to 20 more in the table; 64 together while the table
/// grows.
///
/// In a set of millions, nearly every lookup misses the cache.
/// [`insert_all`](UniqueBoards::insert_all) makes many lookups at once, which takes hardly longer
/// than one.
///
/// ```
/// use krieg_belief::{OpponentBoard, UniqueBoards};
/// use krieg_core::{Color, Position};
/// let board = OpponentBoard::of(&Position::start(), Color::Black);
/// let mut boards = UniqueBoards::new();
/// assert!(boards.insert(board) && !boards.insert(board));
/// assert_eq!(boards.len(), 1);
/// ```
#[derive(Debug, Clone, Default)]
pub struct UniqueBoards {
    boards: Vec<OpponentBoard>,
    /// The upper half of a board's key in the upper half of a slot, its index in the lower. The
    /// length is a power of two, or 0.
    table: Vec<u64>,
    peak_bytes_per_board: f64,
}

/// A slot without a board.
const EMPTY: u64 = u64::MAX;
const MIN_SLOTS: usize = 1 << 10;
/// Number of simultaneous lookups.
const BLOCK: usize = 32;

impl UniqueBoards {
    /// The empty set.
    #[must_use]
    pub fn new() -> Self {
        UniqueBoards::default()
    }

    /// Inserts a board. Returns whether it is new.
    pub fn insert(&mut self, board: OpponentBoard) -> bool {
        self.reserve(1);
        self.insert_keyed(board, board.key())
    }

    /// Inserts boards, with several lookups at once.
    pub fn insert_all(&mut self, boards: &[OpponentBoard]) {
        for block in boards.chunks(BLOCK) {
            self.reserve(block.len());
            let mut keys = [0; BLOCK];
            for (key, board) in keys.iter_mut().zip(block) {
                *key = board.key();
            }
            // These loads are independent, so the processor executes them concurrently.
            let mut slots = [EMPTY; BLOCK];
            for (slot, key) in slots.iter_mut().zip(&keys[..block.len()]) {
                *slot = self.table[self.home(*key)];
            }
            let mut is_known = [false; BLOCK];
            for (index, (board, key)) in block.iter().zip(&keys).enumerate() {
                let slot = slots[index];
                is_known[index] = slot != EMPTY
                    && slot >> 32 == key >> 32
                    && self.boards[slot as u32 as usize] == *board;
            }
            for (index, board) in block.iter().enumerate() {
                if !is_known[index] {
                    self.insert_keyed(*board, keys[index]);
                }
            }
        }
    }

    fn insert_keyed(&mut self, board: OpponentBoard, key: u64) -> bool {
        let mask = self.table.len() - 1;
        let mut slot = self.home(key);
        loop {
            let found = self.table[slot];
            if found == EMPTY {
                break;
            }
            if found >> 32 == key >> 32 && self.boards[found as u32 as usize] == board {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        self.table[slot] = key >> 32 << 32 | self.boards.len() as u64;
        self.boards.push(board);
        true
    }

    /// The first slot to probe for a key. Slots are in the order of the keys.
    #[inline]
    fn home(&self, key: u64) -> usize {
        (key >> (64 - self.table.len().trailing_zeros())) as usize
    }

    /// Reserves memory for more boards.
    fn reserve(&mut self, more: usize) {
        let len = self.boards.len() + more;
        if len > self.boards.capacity() {
            self.boards.reserve_exact(more.max(len / 20));
        }
        if len * 5 > self.table.len() * 4 {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(MIN_SLOTS);
        let old = std::mem::replace(&mut self.table, vec![EMPTY; size]);
        let bytes = self.bytes() + old.capacity() * size_of::<u64>();
        // In a small table, the space reserved for the next block would dominate.
        if old.len() >= 8 * MIN_SLOTS {
            self.peak_bytes_per_board =
                self.peak_bytes_per_board.max(bytes as f64 / self.len() as f64);
        }
        // Both tables are in the order of the keys, so this runs through both in parallel.
        for slot in old.into_iter().filter(|&slot| slot != EMPTY) {
            let mut to = self.home(slot);
            while self.table[to] != EMPTY {
                to = (to + 1) & (size - 1);
            }
            self.table[to] = slot;
        }
    }

    /// Number of boards.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// Bytes of memory allocated now.
    pub fn bytes(&self) -> usize {
        self.boards.capacity() * size_of::<OpponentBoard>()
            + self.table.capacity() * size_of::<u64>()
    }

    /// Maximum bytes per board so far, reached while the table grew and the smaller one still
    /// existed; 0 with only a few thousand boards.
    pub fn peak_bytes_per_board(&self) -> f64 {
        self.peak_bytes_per_board
    }

    /// The boards, in the order of insertion.
    pub fn into_boards(self) -> Vec<OpponentBoard> {
        self.boards
    }
}
