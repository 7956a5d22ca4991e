//! A set of boards that grows fast and stays small.

use crate::OpponentBoard;

/// Boards, each of them once, in the order they came.
///
/// The boards lie side by side, with room for a twentieth more than there are. Beside them is a table of eight bytes a slot, at most four fifths full: the number
/// of a board, and the first 32 bits of its key. So most boards that are not the one looked for are passed by without a look at them, and when the
/// table grows, no board has to be looked at. A board takes 34 bytes and 10 to 20 more in the table; while it
/// grows, 64.
///
/// In a set of millions nearly every look is at memory far away. [`insert_all`](UniqueBoards::insert_all) looks in many places at once, which
/// takes hardly longer than looking in one.
///
/// ```
/// use krieg_belief::{UniqueBoards, OpponentBoard};
/// use krieg_core::{Color, Position};
/// let board = OpponentBoard::of(&Position::start(), Color::Black);
/// let mut boards = UniqueBoards::new();
/// assert!(boards.insert(board) && !boards.insert(board));
/// assert_eq!(boards.len(), 1);
/// ```
#[derive(Debug, Clone, Default)]
pub struct UniqueBoards {
    boards: Vec<OpponentBoard>,
    /// The start of a board's key in the upper half, its number in the lower. The length is a power of two, or nothing.
    table: Vec<u64>,
    most_a_board: f64,
}

const EMPTY: u64 = u64::MAX;
const FEWEST_SLOTS: usize = 1 << 10;
/// Places looked at together.
const BLOCK: usize = 32;

impl UniqueBoards {
    /// No boards.
    pub fn new() -> Self {
        UniqueBoards::default()
    }

    /// Takes a board in, and says whether it is new.
    pub fn insert(&mut self, board: OpponentBoard) -> bool {
        self.make_room(1);
        self.insert_keyed(board, board.key())
    }

    /// Takes boards in, as fast as memory allows.
    pub fn insert_all(&mut self, boards: &[OpponentBoard]) {
        for block in boards.chunks(BLOCK) {
            self.make_room(block.len());
            let mut keys = [0; BLOCK];
            for (key, board) in keys.iter_mut().zip(block) {
                *key = board.key();
            }
            // No look waits for another one here, so the processor has them all under way at once.
            let mut slots = [EMPTY; BLOCK];
            for (slot, key) in slots.iter_mut().zip(&keys[..block.len()]) {
                *slot = self.table[self.home(*key)];
            }
            let mut is_known = [false; BLOCK];
            for (number, (board, key)) in block.iter().zip(&keys).enumerate() {
                let slot = slots[number];
                is_known[number] = slot != EMPTY
                    && slot >> 32 == key >> 32
                    && self.boards[slot as u32 as usize] == *board;
            }
            for (number, board) in block.iter().enumerate() {
                if !is_known[number] {
                    self.insert_keyed(*board, keys[number]);
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

    /// Where a board with this key is looked for first: the keys' order is the slots' order.
    #[inline]
    fn home(&self, key: u64) -> usize {
        (key >> (64 - self.table.len().trailing_zeros())) as usize
    }

    /// Makes room for so many more.
    fn make_room(&mut self, more: usize) {
        let len = self.boards.len() + more;
        if len > self.boards.capacity() {
            self.boards.reserve_exact(more.max(len / 20));
        }
        if len * 5 > self.table.len() * 4 {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(FEWEST_SLOTS);
        let small = std::mem::replace(&mut self.table, vec![EMPTY; size]);
        let bytes = self.bytes() + small.capacity() * size_of::<u64>();
        // In a small one, the room for the next block is a large part of all.
        if small.len() >= 8 * FEWEST_SLOTS {
            self.most_a_board = self.most_a_board.max(bytes as f64 / self.len() as f64);
        }
        // Since both are in the order of the keys, this walks through the two tables side by side.
        for slot in small.into_iter().filter(|&slot| slot != EMPTY) {
            let mut to = self.home(slot);
            while self.table[to] != EMPTY {
                to = (to + 1) & (size - 1);
            }
            self.table[to] = slot;
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// The memory this takes now.
    pub fn bytes(&self) -> usize {
        self.boards.capacity() * size_of::<OpponentBoard>()
            + self.table.capacity() * size_of::<u64>()
    }

    /// The bytes for each board when it was most: while the table grew, and the smaller one was still there. Nought, if there
    /// are only a few thousand boards.
    pub fn peak_bytes_per_board(&self) -> f64 {
        self.most_a_board
    }

    /// The boards.
    pub fn into_boards(self) -> Vec<OpponentBoard> {
        self.boards
    }
}
