//! A table file, open for reading.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::Mmap;
use thiserror::Error;

use super::block::{self, DecodedBlock, Entry};
use super::checksum::checksum;
use super::header::{HEADER_LEN, Header};
use super::table_writer::{INDEX_RECORD_LEN, TRAILER_LEN};
use crate::endgame::Endgame;
use crate::placement::Placement;
use crate::placement_index::PlacementIndex;
use crate::tablebase::dir_option;

/// A table, open for reading. The file is memory-mapped, so only the blocks that are probed are
/// read from disk.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    bytes: Mmap,
    header: Header,
    placements: PlacementIndex,
    /// The start of each block, and the end of the last one.
    starts: Vec<u64>,
    /// One bit per block whose checksum has been verified; a mapped file is not modified.
    verified: Vec<AtomicU64>,
}

/// A table cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file cannot be opened.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// The cause.
        error: io::Error,
    },
    /// The file is damaged, is not a table, or has another version of the format.
    #[error(
        "{path}: {problem}; build it again with `krieg tablebase build {name} --rebuild{}`",
        dir_option(folder)
    )]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
        /// The endgame that it should hold.
        name: String,
        /// Its folder.
        folder: String,
    },
}

impl Table {
    /// Opens the table of an endgame and verifies its header and index.
    pub fn open(path: &Path, endgame: Endgame) -> Result<Table, TableError> {
        let failed = |error| TableError::File { path: path.display().to_string(), error };
        let damaged = |problem: &str| damaged(path, endgame, problem);
        let file = File::open(path).map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(failed(io::Error::other("it is not a regular file")));
        }
        // SAFETY: the program writes a table under a temporary name, renames it when it is
        // complete, and never writes to it again. If another program truncated the file, reading
        // the missing part would end this process; modified bytes are detected by the checksums.
        #[expect(unsafe_code, reason = "a mapped file must not be truncated")]
        let bytes = unsafe { Mmap::map(&file) }.map_err(failed)?;
        let header = Header::read(&bytes).map_err(|problem| damaged(&problem))?;
        if header.endgame != endgame {
            return Err(damaged(&format!("it is the table of {}", header.endgame)));
        }
        let placements = PlacementIndex::new(endgame);
        if header.placements != placements.len() as u64 {
            return Err(damaged("its number of placements is wrong"));
        }
        let index_len = placements.len() * INDEX_RECORD_LEN;
        let Some(end) =
            bytes.len().checked_sub(index_len + TRAILER_LEN).filter(|&end| end >= HEADER_LEN)
        else {
            return Err(damaged("it is truncated"));
        };
        let index = &bytes[end..end + index_len];
        let mut starts = Vec::with_capacity(placements.len() + 1);
        let mut start = HEADER_LEN as u64;
        starts.push(start);
        for record in index.chunks_exact(INDEX_RECORD_LEN) {
            start += u64::from(u32::from_le_bytes(record[..4].try_into().unwrap_or_default()));
            starts.push(start);
        }
        let trailer = u64::from_le_bytes(bytes[end + index_len..].try_into().unwrap_or_default());
        let expected = checksum(&[&bytes[..HEADER_LEN], index].concat());
        if start != end as u64 || trailer != expected {
            return Err(damaged("it is truncated or was altered"));
        }
        let words = placements.len().div_ceil(64);
        let verified = std::iter::repeat_with(AtomicU64::default).take(words).collect();
        Ok(Table { path: path.to_path_buf(), bytes, header, placements, starts, verified })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The numbering of the placements.
    pub fn placements(&self) -> &PlacementIndex {
        &self.placements
    }

    /// Size of the file in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Decodes the entries of a canonical placement in ascending order of distance, until
    /// `is_enough`, given a distance and its sets, says so.
    pub(crate) fn decode(
        &self,
        number: usize,
        is_enough: impl FnMut(u16, &[u64]) -> bool,
    ) -> Result<DecodedBlock, TableError> {
        let (start, end) = (self.starts[number] as usize, self.starts[number + 1] as usize);
        let block = &self.bytes[start..end];
        let damaged = || {
            let placement = self.placements.placement(number).map(|p| p.to_string());
            let problem = format!("its block for {} was altered", placement.unwrap_or_default());
            damaged(&self.path, self.header.endgame, &problem)
        };
        if !self.is_intact(number, block) {
            return Err(damaged());
        }
        block::decode(block, is_enough).ok_or_else(damaged)
    }

    /// Whether a block's checksum is correct. It is computed only once per block.
    fn is_intact(&self, number: usize, block: &[u8]) -> bool {
        let (word, bit) = (&self.verified[number / 64], 1 << (number % 64));
        if word.load(Ordering::Relaxed) & bit != 0 {
            return true;
        }
        let record = self.starts[self.placements.len()] as usize + number * INDEX_RECORD_LEN;
        let stored = &self.bytes[record + 4..record + 8];
        let is_correct =
            checksum(block) as u32 == u32::from_le_bytes(stored.try_into().unwrap_or_default());
        if is_correct {
            word.fetch_or(bit, Ordering::Relaxed);
        }
        is_correct
    }

    /// All entries of a canonical placement in ascending order of distance.
    pub fn entries(&self, number: usize) -> Result<Vec<Entry>, TableError> {
        Ok(self.decode(number, |_, _| false)?.entries().collect())
    }

    /// All canonical placements with their entries, in stored order.
    pub fn all(&self) -> impl Iterator<Item = Result<(Placement, Vec<Entry>), TableError>> + '_ {
        (0..self.placements.len()).filter_map(|number| {
            let placement = self.placements.placement(number)?;
            Some(self.entries(number).map(|entries| (placement, entries)))
        })
    }
}

/// The error for a damaged file.
pub(crate) fn damaged(path: &Path, endgame: Endgame, problem: &str) -> TableError {
    TableError::Damaged {
        path: path.display().to_string(),
        problem: problem.to_string(),
        name: endgame.to_string(),
        folder: path.parent().unwrap_or(path).display().to_string(),
    }
}
