//! Entries laid out for the plainest lookup there is: one after the other.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::forward::Judge;
use crate::disposition::Disposition;
use crate::endgame::Endgame;
use crate::file::table::{Table, TableError};
use crate::tablebase::{ProbeError, Tablebase};

/// The tables of an endgame and of those it leads to at once. The entries of a disposition are unpacked when somebody first asks, and kept.
#[derive(Debug)]
pub struct Shelves(HashMap<Endgame, Shelf>);

#[derive(Debug)]
struct Shelf {
    table: Arc<Table>,
    rows: Vec<OnceLock<Row>>,
}

/// The entries of one disposition, nearest mates first.
#[derive(Debug, Default)]
pub struct Row {
    kings: Vec<u64>,
    /// Each distance there is, and where its entries end.
    ends: Vec<(u16, usize)>,
}

impl Row {
    fn read(table: &Table, number: usize) -> Result<Row, TableError> {
        let mut entries = table.entries(number)?;
        entries.sort_by_key(|entry| entry.distance);
        let mut row = Row::default();
        for (i, entry) in entries.iter().enumerate() {
            row.kings.push(entry.kings);
            match row.ends.last_mut() {
                Some((distance, end)) if *distance == entry.distance => *end = i + 1,
                _ => row.ends.push((entry.distance, i + 1)),
            }
        }
        Ok(row)
    }

    /// The sets that are won within so many moves.
    fn within(&self, distance: u16) -> &[u64] {
        let levels = self.ends.partition_point(|&(known, _)| known <= distance);
        let end = levels.checked_sub(1).map_or(0, |level| self.ends[level].1);
        &self.kings[..end]
    }

    /// Whether an entry of at most this distance holds all these kings.
    pub fn is_won(&self, kings: u64, within: u16) -> bool {
        // The larger sets come last. Eight at a time, since the compiler then compares several at once.
        self.within(within)
            .rchunks(8)
            .any(|some| some.iter().fold(false, |found, known| found | (kings & !known == 0)))
    }

    /// The least distance of an entry that holds all these kings.
    pub fn distance(&self, kings: u64) -> Option<u16> {
        let place = self.kings.iter().position(|known| kings & !known == 0)?;
        let level = self.ends.partition_point(|&(_, end)| end <= place);
        self.ends.get(level).map(|&(distance, _)| distance)
    }

    /// How many entries of at most this distance hold all these kings.
    pub fn holding(&self, kings: u64, within: u16) -> usize {
        self.within(within).iter().filter(|&known| kings & !known == 0).count()
    }
}

impl Shelves {
    /// Opens the tables.
    pub fn open(tables: &Tablebase, endgame: Endgame) -> Result<Shelves, ProbeError> {
        let mut shelves = HashMap::new();
        // Not only what is a step away: a pawn becomes a queen, and the king takes the rook instead.
        for endgame in Endgame::with_all_needed(&[endgame]) {
            let table = tables.table(endgame)?;
            let rows = (0..table.catalogue().len()).map(|_| OnceLock::new()).collect();
            shelves.insert(endgame, Shelf { table, rows });
        }
        Ok(Shelves(shelves))
    }

    /// The entries for a disposition, and these kings as they lie on the board that is filed.
    pub fn row(&self, at: &Disposition, kings: u64) -> Result<(&Row, u64), ProbeError> {
        let missing = || ProbeError::Missing { endgame: at.endgame(), folder: "memory".into() };
        let shelf = self.0.get(&at.endgame()).ok_or_else(missing)?;
        let (number, way) = shelf.table.catalogue().number(at);
        let slot = &shelf.rows[number];
        let row = match slot.get() {
            Some(row) => row,
            None => {
                let row = Row::read(&shelf.table, number)?;
                slot.get_or_init(|| row)
            }
        };
        Ok((row, way.squares(kings)))
    }
}

impl Judge for &Shelves {
    type Error = ProbeError;

    fn is_won(&mut self, at: &Disposition, kings: u64, within: u16) -> Result<bool, ProbeError> {
        // Nothing is won in no moves, so there is no need to look.
        if within == 0 {
            return Ok(false);
        }
        self.row(at, kings).map(|(row, kings)| row.is_won(kings, within))
    }
}
