//! Tables in memory with the simplest possible lookup: a linear scan of the entries.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::forward_search::WinOracle;
use crate::endgame::Endgame;
use crate::file::table::{Table, TableError};
use crate::placement::Placement;
use crate::tablebase::{ProbeError, Tablebase};

/// The tables of an endgame and of everything it leads to. The entries of a placement are decoded
/// at the first lookup and kept.
#[derive(Debug)]
pub struct LinearTables(HashMap<Endgame, LinearTable>);

#[derive(Debug)]
struct LinearTable {
    table: Arc<Table>,
    blocks: Vec<OnceLock<LinearBlock>>,
}

/// The entries of one placement in ascending order of distance.
#[derive(Debug, Default)]
pub struct LinearBlock {
    kings: Vec<u64>,
    /// Each distance that occurs, and the end of its entries.
    ends: Vec<(u16, usize)>,
}

impl LinearBlock {
    fn read(table: &Table, number: usize) -> Result<LinearBlock, TableError> {
        let mut entries = table.entries(number)?;
        entries.sort_by_key(|entry| entry.distance);
        let mut block = LinearBlock::default();
        for (i, entry) in entries.iter().enumerate() {
            block.kings.push(entry.kings);
            match block.ends.last_mut() {
                Some((distance, end)) if *distance == entry.distance => *end = i + 1,
                _ => block.ends.push((entry.distance, i + 1)),
            }
        }
        Ok(block)
    }

    /// The sets that are won within so many moves.
    fn within(&self, distance: u16) -> &[u64] {
        let levels = self.ends.partition_point(|&(known, _)| known <= distance);
        let end = levels.checked_sub(1).map_or(0, |level| self.ends[level].1);
        &self.kings[..end]
    }

    /// Whether an entry of at most this distance contains all these kings.
    pub fn is_won(&self, kings: u64, within: u16) -> bool {
        // The scan starts at the end, where the larger sets are. Chunks of eight let the compiler
        // vectorize the comparison.
        self.within(within)
            .rchunks(8)
            .any(|some| some.iter().fold(false, |found, known| found | (kings & !known == 0)))
    }

    /// The smallest distance of an entry that contains all these kings.
    pub fn distance(&self, kings: u64) -> Option<u16> {
        let index = self.kings.iter().position(|known| kings & !known == 0)?;
        let level = self.ends.partition_point(|&(_, end)| end <= index);
        self.ends.get(level).map(|&(distance, _)| distance)
    }

    /// Number of entries of at most this distance that contain all these kings.
    pub fn superset_count(&self, kings: u64, within: u16) -> usize {
        self.within(within).iter().filter(|&known| kings & !known == 0).count()
    }
}

impl LinearTables {
    /// Opens the tables.
    pub fn open(tables: &Tablebase, endgame: Endgame) -> Result<LinearTables, ProbeError> {
        let mut linear = HashMap::new();
        // One move and reply may lead two endgames away: a promotion, and the capture of another
        // piece.
        for endgame in Endgame::with_dependencies(&[endgame]) {
            let table = tables.table(endgame)?;
            let blocks = (0..table.placements().len()).map(|_| OnceLock::new()).collect();
            linear.insert(endgame, LinearTable { table, blocks });
        }
        Ok(LinearTables(linear))
    }

    /// The block of a placement's canonical form, and these kings on the canonical board.
    pub fn block(
        &self,
        placement: &Placement,
        kings: u64,
    ) -> Result<(&LinearBlock, u64), ProbeError> {
        let endgame = placement.endgame();
        let missing = || ProbeError::Missing { endgame, folder: "memory".into() };
        let linear = self.0.get(&endgame).ok_or_else(missing)?;
        let (number, symmetry) = linear.table.placements().number(placement);
        let slot = &linear.blocks[number];
        let block = match slot.get() {
            Some(block) => block,
            None => {
                let block = LinearBlock::read(&linear.table, number)?;
                slot.get_or_init(|| block)
            }
        };
        Ok((block, symmetry.map_set(kings)))
    }
}

impl WinOracle for &LinearTables {
    type Error = ProbeError;

    fn is_won(
        &mut self,
        placement: &Placement,
        kings: u64,
        within: u16,
    ) -> Result<bool, ProbeError> {
        // Nothing is won in no moves; this avoids decoding the block.
        if within == 0 {
            return Ok(false);
        }
        self.block(placement, kings).map(|(block, kings)| block.is_won(kings, within))
    }
}
