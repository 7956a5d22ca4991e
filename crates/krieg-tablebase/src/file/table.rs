//! A table, open for reading.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::Mmap;
use thiserror::Error;

use crate::disposition::{Catalogue, Disposition};
use crate::endgame::Endgame;
use crate::file::block::{self, Entry, Unpacked};
use crate::file::write::{HEADING, Heading, INDEXED, TRAILER, sum};
use crate::tablebase::elsewhere;

/// A table, open for reading. The file is mapped into memory, so only what is looked at is read.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    bytes: Mmap,
    heading: Heading,
    catalogue: Catalogue,
    /// Where each block begins, and where the last one ends.
    starts: Vec<u64>,
    /// A bit for each block whose sum was found right; nobody alters a file that is mapped.
    checked: Vec<AtomicU64>,
}

/// A table cannot be read.
#[derive(Debug, Error)]
pub enum TableError {
    /// The file cannot be opened.
    #[error("{path}: {error}")]
    File {
        /// Which file.
        path: String,
        /// Why not.
        error: io::Error,
    },
    /// The file is no table, or a damaged one.
    #[error(
        "{path}: {what}; `krieg tablebase build {name} --anew{}` makes it again",
        elsewhere(folder)
    )]
    Damaged {
        /// Which file.
        path: String,
        /// What is wrong with it.
        what: String,
        /// The endgame it should hold.
        name: String,
        /// The folder it is in.
        folder: String,
    },
}

impl Table {
    /// Opens the table of an endgame.
    pub fn open(path: &Path, endgame: Endgame) -> Result<Table, TableError> {
        let failed = |error| TableError::File { path: path.display().to_string(), error };
        let damaged = |what: &str| damaged(path, endgame, what);
        let file = File::open(path).map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(failed(io::Error::other("it is no ordinary file")));
        }
        // Tables are written under another name and renamed when whole, and nobody writes into one that is there. Were it cut short all the
        // same, reading what is gone would end the program; reading what was altered is noticed by the sums.
        #[expect(unsafe_code, reason = "mapping a file is only safe while nobody cuts it short")]
        let bytes = unsafe { Mmap::map(&file) }.map_err(failed)?;
        let heading = Heading::read(&bytes).map_err(damaged)?;
        if heading.endgame != endgame {
            return Err(damaged(&format!("it is the table of {}", heading.endgame)));
        }
        let catalogue = Catalogue::new(endgame);
        if heading.dispositions != catalogue.len() as u64 {
            return Err(damaged("its number of dispositions is not right"));
        }
        let index_len = catalogue.len() * INDEXED;
        let Some(end) = bytes.len().checked_sub(index_len + TRAILER).filter(|&end| end >= HEADING)
        else {
            return Err(damaged("it is cut short"));
        };
        let index = &bytes[end..end + index_len];
        let mut starts = Vec::with_capacity(catalogue.len() + 1);
        let mut start = HEADING as u64;
        starts.push(start);
        for indexed in index.chunks_exact(INDEXED) {
            start += u64::from(u32::from_le_bytes(indexed[..4].try_into().unwrap_or_default()));
            starts.push(start);
        }
        let trailer = u64::from_le_bytes(bytes[end + index_len..].try_into().unwrap_or_default());
        if start != end as u64 || trailer != sum(&[&bytes[..HEADING], index].concat()) {
            return Err(damaged("it is cut short or was altered"));
        }
        let words = catalogue.len().div_ceil(64);
        let checked = std::iter::repeat_with(AtomicU64::default).take(words).collect();
        Ok(Table { path: path.to_path_buf(), bytes, heading, catalogue, starts, checked })
    }

    /// What the table says of itself.
    pub fn heading(&self) -> &Heading {
        &self.heading
    }

    /// The dispositions, numbered.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// How many bytes the file has.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The entries of a filed disposition, nearest mates first, until `enough` says so of the sets of a distance.
    pub(crate) fn read(
        &self,
        number: usize,
        enough: impl FnMut(u16, &[u64]) -> bool,
    ) -> Result<Unpacked, TableError> {
        let (start, end) = (self.starts[number] as usize, self.starts[number + 1] as usize);
        let block = &self.bytes[start..end];
        let damaged = || {
            let place = self.catalogue.disposition(number).map(|d| d.to_string());
            let what = format!("its block for {} was altered", place.unwrap_or_default());
            damaged(&self.path, self.heading.endgame, &what)
        };
        if !self.is_whole(number, block) {
            return Err(damaged());
        }
        block::decode(block, enough).ok_or_else(damaged)
    }

    /// Whether a block's sum is right; it is made once.
    fn is_whole(&self, number: usize, block: &[u8]) -> bool {
        let (word, bit) = (&self.checked[number / 64], 1 << (number % 64));
        if word.load(Ordering::Relaxed) & bit != 0 {
            return true;
        }
        let indexed = self.starts[self.catalogue.len()] as usize + number * INDEXED;
        let noted = &self.bytes[indexed + 4..indexed + 8];
        let is_right =
            sum(block) as u32 == u32::from_le_bytes(noted.try_into().unwrap_or_default());
        if is_right {
            word.fetch_or(bit, Ordering::Relaxed);
        }
        is_right
    }

    /// All entries of a filed disposition, nearest mates first.
    pub fn entries(&self, number: usize) -> Result<Vec<Entry>, TableError> {
        Ok(self.read(number, |_, _| false)?.entries().collect())
    }

    /// Every filed disposition with its entries, in order.
    pub fn all(&self) -> impl Iterator<Item = Result<(Disposition, Vec<Entry>), TableError>> + '_ {
        (0..self.catalogue.len()).filter_map(|number| {
            let disposition = self.catalogue.disposition(number)?;
            Some(self.entries(number).map(|entries| (disposition, entries)))
        })
    }
}

/// The error for a file that is not as it should be.
pub(crate) fn damaged(path: &Path, endgame: Endgame, what: &str) -> TableError {
    TableError::Damaged {
        path: path.display().to_string(),
        what: what.to_string(),
        name: endgame.to_string(),
        folder: path.parent().unwrap_or(path).display().to_string(),
    }
}
