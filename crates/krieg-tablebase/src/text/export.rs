//! Writing a table as lines of text.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use krieg_core::{BitBoard, Piece, Square};
use krieg_notation::MultiKingFen;
use rayon::prelude::*;
use thiserror::Error;

use crate::attacker_tries::AttackerTry;
use crate::endgame::Endgame;
use crate::file::block::{DecodedBlock, Entry};
use crate::file::table::{Table, TableError};
use crate::placement::Placement;
use crate::tablebase::{ProbeError, Tablebase};

/// Number of placements that are formatted in parallel before they are written. Their text takes
/// some megabytes.
const BATCH: usize = 256;

/// The progress of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportProgress {
    /// Number of lines written.
    pub lines: u64,
    /// Number of lines in total.
    pub total: u64,
}

/// A table was not exported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The export was asked to stop.
    #[error("the export of {0} was interrupted")]
    Interrupted(Endgame),
    /// A table cannot be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The lines cannot be written.
    #[error("the lines of the table cannot be written")]
    Write(#[from] io::Error),
}

impl From<TableError> for ExportError {
    fn from(error: TableError) -> Self {
        ExportError::Probe(error.into())
    }
}

impl Tablebase {
    /// Writes every entry of a table as one line, a [`MultiKingFen`]: the board with all kings, the
    /// distance, and the tries for the whole set, as [`probe`](Tablebase::probe) gives them. The
    /// attacker is White, placements are canonical, and the lines are in stored order.
    ///
    /// Calls `report` after every batch of placements. If `stop` is set, the export ends soon and
    /// is incomplete.
    ///
    /// ```no_run
    /// use krieg_tablebase::Tablebase;
    /// let tables = Tablebase::new(Tablebase::default_folder());
    /// let mut text = Vec::new();
    /// let lines = tables.export("krk".parse()?, &mut text, &false.into(), &mut |_| {})?;
    /// assert_eq!(lines, 507_285);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn export(
        &self,
        endgame: Endgame,
        out: &mut dyn Write,
        stop: &AtomicBool,
        report: &mut dyn FnMut(ExportProgress),
    ) -> Result<u64, ExportError> {
        let table = self.table(endgame)?;
        let numbers: Vec<usize> = (0..table.placements().len()).collect();
        let mut lines = 0;
        for batch in numbers.chunks(BATCH) {
            let texts: Vec<(String, usize)> = batch
                .par_iter()
                .with_max_len(1)
                .map(|&number| match stop.load(Ordering::Relaxed) {
                    true => Err(ExportError::Interrupted(endgame)),
                    false => self.lines_of(&table, number),
                })
                .collect::<Result<_, _>>()?;
            for (text, count) in texts {
                out.write_all(text.as_bytes())?;
                lines += count as u64;
            }
            report(ExportProgress { lines, total: table.header().entries });
        }
        out.flush()?;
        Ok(lines)
    }

    /// The lines of one placement, and their number. Decodes the block only once.
    fn lines_of(&self, table: &Table, number: usize) -> Result<(String, usize), ExportError> {
        let block = table.decode(number, |_, _| false)?;
        let mut text = String::new();
        let Some(placement) = table.placements().placement(number) else { return Ok((text, 0)) };
        let all_tries = placement.tries();
        let mut lines = 0;
        for entry in block.entries() {
            let line = self.line(&placement, &all_tries, &block, entry)?;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{line}");
            lines += 1;
        }
        Ok((text, lines))
    }

    /// An entry as a line. The placement, its tries and its block belong together; the block must
    /// be decoded at least up to the distance of the entry.
    pub(crate) fn line(
        &self,
        placement: &Placement,
        all_tries: &[AttackerTry],
        block: &DecodedBlock,
        entry: Entry,
    ) -> Result<MultiKingFen, ProbeError> {
        let tries = self.tries_until_accepted(placement, all_tries, block, entry, entry.kings)?;
        let pieces: Vec<(Square, Piece)> =
            placement.pieces().map(|(piece, square)| (square, piece)).collect();
        Ok(MultiKingFen::new(pieces, BitBoard(entry.kings), u32::from(entry.distance), tries))
    }
}
