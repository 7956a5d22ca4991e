//! A set of boards that grows fast and stays small.

use crate::Hidden;

/// Boards, each of them once, in the order they came.
///
/// The boards lie side by side; beside them is a table of their numbers, at most half full, in which a board is looked up by its key. So a
/// board takes 32 bytes, and 8 to 16 more in the table.
///
/// ```
/// use krieg_belief::{Distinct, Hidden};
/// use krieg_core::{Color, Position};
/// let board = Hidden::of(&Position::start(), Color::Black);
/// let mut boards = Distinct::new();
/// assert!(boards.insert(board) && !boards.insert(board));
/// assert_eq!(boards.len(), 1);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Distinct {
    boards: Vec<Hidden>,
    /// Numbers of boards. The length is a power of two, or nothing.
    table: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;

impl Distinct {
    /// No boards.
    pub fn new() -> Self {
        Distinct::default()
    }

    /// Takes a board in, and says whether it is new.
    pub fn insert(&mut self, board: Hidden) -> bool {
        if self.boards.len() * 2 >= self.table.len() {
            self.grow();
        }
        let slot = self.slot_of(&board);
        if self.table[slot] != EMPTY {
            return false;
        }
        self.table[slot] = self.boards.len() as u32;
        self.boards.push(board);
        true
    }

    /// Where the board's number is, or where it would be.
    fn slot_of(&self, board: &Hidden) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = board.key() as usize & mask;
        loop {
            match self.table[slot] {
                EMPTY => return slot,
                number if self.boards[number as usize] == *board => return slot,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(1 << 10);
        self.table.clear();
        self.table.resize(size, EMPTY);
        for number in 0..self.boards.len() {
            let mask = size - 1;
            let mut slot = self.boards[number].key() as usize & mask;
            while self.table[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            self.table[slot] = number as u32;
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

    /// The boards.
    pub fn into_boards(self) -> Vec<Hidden> {
        self.boards
    }
}
