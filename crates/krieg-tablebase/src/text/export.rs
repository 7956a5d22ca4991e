//! Writing a table as lines of text.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use krieg_core::{BitBoard, Piece, Square};
use krieg_notation::MultiKingFen;
use rayon::prelude::*;
use thiserror::Error;

use crate::disposition::Disposition;
use crate::endgame::Endgame;
use crate::file::block::{Entry, Unpacked};
use crate::file::table::{Table, TableError};
use crate::steps::Step;
use crate::tablebase::{ProbeError, Tablebase};

/// So many dispositions are put into words at a time, on all cores: enough to keep them busy, and some megabytes of text.
const BATCH: usize = 256;

/// How far a table is written out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exported {
    /// How many lines were written.
    pub lines: u64,
    /// How many there will be.
    pub of: u64,
}

/// A table was not written out.
#[derive(Debug, Error)]
pub enum ExportError {
    /// It was asked to stop.
    #[error("writing the lines of {0} was interrupted")]
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
    /// Writes every entry of a table as one line of [`KingsLine`]: the board with all kings, the distance, and the tries for that whole set,
    /// as [`probe`](Tablebase::probe) gives them. The attacker is White, the men stand as they are filed, and the lines are in stored order.
    ///
    /// `report` hears of every few hundred dispositions. When `stop` is raised, writing ends soon, in the middle.
    ///
    /// ```no_run
    /// use krieg_tablebase::Tablebase;
    /// let tables = Tablebase::new(Tablebase::usual_folder());
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
        report: &mut dyn FnMut(Exported),
    ) -> Result<u64, ExportError> {
        let table = self.table(endgame)?;
        let numbers: Vec<usize> = (0..table.catalogue().len()).collect();
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
            report(Exported { lines, of: table.heading().entries });
        }
        out.flush()?;
        Ok(lines)
    }

    /// The lines of one disposition, and how many they are. Its block is read once for all of them.
    fn lines_of(&self, table: &Table, number: usize) -> Result<(String, usize), ExportError> {
        let entries = table.read(number, |_, _| false)?;
        let mut text = String::new();
        let Some(filed) = table.catalogue().disposition(number) else { return Ok((text, 0)) };
        let steps = filed.steps();
        let mut lines = 0;
        for entry in entries.entries() {
            let line = self.line(&filed, &steps, &entries, entry)?;
            // A string takes whatever is written to it.
            let _ = writeln!(text, "{line}");
            lines += 1;
        }
        Ok((text, lines))
    }

    /// An entry as a line, and the entries of its disposition, up to its distance at least.
    pub(crate) fn line(
        &self,
        filed: &Disposition,
        steps: &[Step],
        entries: &Unpacked,
        entry: Entry,
    ) -> Result<MultiKingFen, ProbeError> {
        let tries = self.tries(filed, steps, entries, entry, entry.kings)?;
        let men: Vec<(Square, Piece)> = filed.men().map(|(piece, at)| (at, piece)).collect();
        Ok(MultiKingFen::new(men, BitBoard(entry.kings), u32::from(entry.distance), tries))
    }
}
