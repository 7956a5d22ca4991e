//! Reading a table from lines of text.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};

use krieg_core::{BitBoard, Color, Move, Piece, Square, excerpt, short_reason};
use krieg_io::{InputLine, LineReader};
use krieg_notation::{MultiKingFen, MultiKingFenError};
use rayon::prelude::*;
use thiserror::Error;

use crate::build_job::BuildError;
use crate::endgame::Endgame;
use crate::file::block::Entry;
use crate::metaposition::Metaposition;
use crate::placement::Placement;
use crate::placement_index::PlacementIndex;
use crate::symmetry::Symmetry;
use crate::tablebase::Tablebase;

/// Number of lines that are parsed in parallel at a time.
const BATCH: usize = 1 << 14;
/// Maximum length of a line in bytes. A board has at most 71 characters, and there are fewer than
/// 150 tries of eight characters.
const MAX_LINE_LEN: usize = 4096;

/// The result of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportSummary {
    /// The endgame of the table.
    pub endgame: Endgame,
    /// Number of lines, each of them an entry.
    pub lines: u64,
}

/// The lines are not a table. Nothing was written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// A line is not an entry of the table.
    #[error("line {line}: {text:?}: {reason}")]
    Line {
        /// The number of the line, from 1 on.
        line: u32,
        /// The line, shortened if it was very long.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The input cannot be read.
    #[error("line {line}: {error}")]
    Read {
        /// The number of the line that could not be read, from 1 on.
        line: u32,
        /// The cause.
        error: io::Error,
    },
    /// The input is empty and no endgame was given.
    #[error("the input has no line, so the endgame is unknown")]
    Empty,
    /// The import was asked to stop.
    #[error("the import was interrupted")]
    Interrupted,
    /// The table cannot be written.
    #[error(transparent)]
    Write(#[from] BuildError),
}

impl Tablebase {
    /// Makes a table from lines in any order, each a [`MultiKingFen`], and replaces an existing
    /// table.
    ///
    /// All lines are of one endgame: `endgame`, or that of the first line. Placements need not be
    /// canonical. A placement that equals its own mirror image across the diagonal a1–h8 is not
    /// transformed, so of two king sets that mirror each other both need a line. No line may be
    /// dominated by another, that is, have a subset of its kings and no smaller distance. Only the
    /// first try is stored, since the others follow from the table. Whether an entry mates in time
    /// is not checked.
    ///
    /// Calls `report` with the number of lines read after every batch. If `stop` is set, nothing is
    /// written.
    ///
    /// ```
    /// use krieg_tablebase::Tablebase;
    /// let folder = tempfile::tempdir()?;
    /// let tables = Tablebase::new(folder.path());
    /// let text = "8/8/8/8/8/1K6/7R/k7 1 Rh2-h1\n8/8/8/8/8/1K6/7R/k7 1 Rh2-g2\n";
    /// let error = tables.import(None, text.as_bytes(), &false.into(), &mut |_| {}).unwrap_err();
    /// assert!(error.to_string().starts_with("line 2: \"8/8/8/8/8/1K6/7R/k7 1\""));
    /// let summary = tables.import(None, &text.as_bytes()[..29], &false.into(), &mut |_| {})?;
    /// assert_eq!((summary.endgame.to_string().as_str(), summary.lines), ("krk", 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn import(
        &self,
        endgame: Option<Endgame>,
        lines: impl Read,
        stop: &AtomicBool,
        report: &mut dyn FnMut(u64),
    ) -> Result<ImportSummary, ImportError> {
        let mut lines = LineReader::new(lines, MAX_LINE_LEN);
        let mut next = 1;
        let mut assembly = endgame.map(TableAssembly::new);
        loop {
            let (batch, read_error) = read_batch(&mut lines, next);
            let parsed: Vec<Result<(Placement, ImportedEntry), String>> = batch
                .par_iter()
                .enumerate()
                .map(|(i, text)| parse_line(text, next + i as u32))
                .collect();
            for ((text, line), parsed) in batch.iter().zip(next..).zip(parsed) {
                parsed
                    .and_then(|(canonical, entry)| {
                        let endgame = canonical.endgame();
                        let assembly = assembly.get_or_insert_with(|| TableAssembly::new(endgame));
                        assembly.add(&canonical, entry)
                    })
                    .map_err(|reason| line_error(line, text, reason))?;
            }
            if let Some(error) = read_error {
                return Err(error);
            }
            if batch.is_empty() {
                break;
            }
            next += batch.len() as u32;
            report(u64::from(next) - 1);
            if stop.load(Ordering::Relaxed) {
                return Err(ImportError::Interrupted);
            }
        }
        let assembly = assembly.ok_or(ImportError::Empty)?;
        let endgame = assembly.index.endgame();
        self.write(endgame, assembly.into_blocks()?)?;
        Ok(ImportSummary { endgame, lines: u64::from(next) - 1 })
    }
}

fn line_error(line: u32, text: &str, reason: impl ToString) -> ImportError {
    ImportError::Line { line, text: excerpt(text), reason: short_reason(reason) }
}

/// The next lines, and the error that ended them, if any.
fn read_batch(lines: &mut LineReader<impl Read>, first: u32) -> (Vec<String>, Option<ImportError>) {
    let mut batch = Vec::new();
    while batch.len() < BATCH {
        let line = first + batch.len() as u32;
        if line == u32::MAX {
            return (batch, Some(line_error(line, "", "there are more lines than any table has")));
        }
        match lines.read() {
            Ok(Some(InputLine::Text(text))) => batch.push(text.to_string()),
            Ok(Some(InputLine::TooLong(text))) => {
                return (batch, Some(line_error(line, &text, "the line is too long")));
            }
            Ok(Some(InputLine::NotText(text))) => {
                return (batch, Some(line_error(line, &text, "the line is not UTF-8 text")));
            }
            Ok(None) => break,
            Err(error) => return (batch, Some(ImportError::Read { line, error })),
        }
    }
    (batch, None)
}

/// An entry on the board of its canonical placement, and its origin.
#[derive(Debug, Clone, Copy)]
struct ImportedEntry {
    kings: u64,
    line: u32,
    distance: u16,
    first_try: u8,
    /// The symmetry from the board of the line to the canonical board.
    symmetry: Symmetry,
}

impl ImportedEntry {
    /// Whether the other entry makes this one redundant. Of two equal entries, the later one is
    /// dominated.
    fn is_dominated_by(&self, other: &ImportedEntry) -> bool {
        let is_subset = self.kings & !other.kings == 0 && other.distance <= self.distance;
        let is_equal = self.kings == other.kings && self.distance == other.distance;
        is_subset && (!is_equal || other.line < self.line)
    }
}

/// Parses a line. The error says why it is not an entry.
fn parse_line(text: &str, line: u32) -> Result<(Placement, ImportedEntry), String> {
    if text.is_empty() {
        return Err("the line is empty".to_string());
    }
    let parsed: MultiKingFen = text.parse().map_err(|error: MultiKingFenError| error.reason)?;
    let metaposition = Metaposition::new(Color::White, parsed.pieces(), parsed.king_squares())?;
    let distance = u16::try_from(parsed.moves_to_mate)
        .map_err(|_| format!("no mate takes {} moves", parsed.moves_to_mate))?;
    let &first = parsed.tries.first().ok_or("the tries are missing")?;
    let all_tries = metaposition.placement().tries();
    for (i, (mv, word)) in parsed.tries.iter().zip(text.split(' ').skip(2)).enumerate() {
        if !all_tries.iter().any(|known| known.mv == *mv) {
            return Err(format!("{word:?} is not a move of that piece"));
        }
        if parsed.tries[..i].contains(mv) {
            return Err(format!("{word:?} is repeated"));
        }
    }
    let (canonical, symmetry) = metaposition.placement().canonical();
    let (from, to) = (symmetry.map_square(first.from), symmetry.map_square(first.to));
    let first = Move { from, to, ..first };
    let number = canonical.tries().iter().position(|tried| tried.mv == first);
    let first_try = number.and_then(|number| u8::try_from(number).ok());
    let first_try = first_try.ok_or("the first try does not exist")?;
    let kings = symmetry.map_set(metaposition.kings_as_white());
    Ok((canonical, ImportedEntry { kings, line, distance, first_try, symmetry }))
}

/// The entries of a table while it is being read.
struct TableAssembly {
    index: PlacementIndex,
    blocks: Vec<Vec<ImportedEntry>>,
}

impl TableAssembly {
    fn new(endgame: Endgame) -> Self {
        let index = PlacementIndex::new(endgame);
        let blocks = vec![Vec::new(); index.len()];
        TableAssembly { index, blocks }
    }

    fn add(&mut self, canonical: &Placement, entry: ImportedEntry) -> Result<(), String> {
        let (endgame, expected) = (canonical.endgame(), self.index.endgame());
        if endgame != expected {
            return Err(format!("the line is an entry of {endgame}, the table is of {expected}"));
        }
        self.blocks[self.index.number(canonical).0].push(entry);
        Ok(())
    }

    /// The entries of each placement, unless one of them is dominated.
    fn into_blocks(mut self) -> Result<Vec<Vec<Entry>>, ImportError> {
        let dominated = self
            .blocks
            .par_iter_mut()
            .enumerate()
            .filter_map(|(number, block)| first_dominated(block).map(|pair| (number, pair)))
            .min_by_key(|(_, (entry, _))| entry.line);
        if let Some((number, (entry, other))) = dominated {
            return Err(self.domination_error(number, &entry, &other));
        }
        let entry = |entry: ImportedEntry| Entry {
            kings: entry.kings,
            distance: entry.distance,
            first_try: entry.first_try,
        };
        Ok(self.blocks.into_iter().map(|block| block.into_iter().map(entry).collect()).collect())
    }

    fn domination_error(
        &self,
        number: usize,
        entry: &ImportedEntry,
        other: &ImportedEntry,
    ) -> ImportError {
        let pieces: Vec<(Square, Piece)> = self
            .index
            .placement(number)
            .into_iter()
            .flat_map(|canonical| canonical.pieces().collect::<Vec<_>>())
            .map(|(piece, square)| (entry.symmetry.unmap_square(square), piece))
            .collect();
        let kings = BitBoard(entry.symmetry.unmap_set(entry.kings));
        let text = MultiKingFen::new(pieces, kings, u32::from(entry.distance), Vec::new());
        let reason = match entry.kings == other.kings {
            true => format!("line {} has the same kings", other.line),
            false => format!("all its kings are in line {}", other.line),
        };
        let reason = match entry.distance - other.distance {
            0 => reason + " and the same distance",
            _ => format!("{reason}, and that mates in {}", other.distance),
        };
        line_error(entry.line, &text.to_string(), reason)
    }
}

/// The dominated entry with the lowest line number, and an entry that dominates it.
fn first_dominated(block: &mut [ImportedEntry]) -> Option<(ImportedEntry, ImportedEntry)> {
    // Only an entry with the same or a smaller distance can dominate another, so after sorting it
    // suffices to search up to the end of the entry's own distance.
    block.sort_unstable_by_key(|entry| (entry.distance, entry.line));
    let mut found: Option<(ImportedEntry, ImportedEntry)> = None;
    let mut end = 0;
    for level in block.chunk_by(|a, b| a.distance == b.distance) {
        end += level.len();
        for entry in level {
            if found.is_some_and(|(found, _)| found.line < entry.line) {
                continue;
            }
            let other = block[..end].iter().find(|other| entry.is_dominated_by(other));
            found = other.map(|other| (*entry, *other)).or(found);
        }
    }
    found
}
