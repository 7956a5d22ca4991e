//! Reading a table from lines of text.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};

use krieg_core::{BitBoard, Color, Move, Piece, Square, excerpt, short_reason};
use krieg_io::{InputLine, LineReader};
use krieg_notation::{MultiKingFen, MultiKingFenError};
use rayon::prelude::*;
use thiserror::Error;

use crate::disposition::{Catalogue, Disposition};
use crate::endgame::Endgame;
use crate::file::block::Entry;
use crate::metaposition::Metaposition;
use crate::symmetry::Symmetry;
use crate::tablebase::Tablebase;
use crate::workshop::BuildError;

/// So many lines are understood at a time, on all cores.
const BATCH: usize = 1 << 14;
/// A board has at most 71 letters, and there are fewer than 150 tries of eight; no line needs more.
const LONGEST: usize = 4096;

/// A table that was read from lines and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Imported {
    /// Which endgame it is.
    pub endgame: Endgame,
    /// How many lines there were, each of them an entry.
    pub lines: u64,
}

/// Lines did not make a table. Nothing was written.
#[derive(Debug, Error)]
pub enum ImportError {
    /// A line is no entry of the table.
    #[error("line {line}: {text:?}: {why}")]
    Line {
        /// Which line, from 1 on.
        line: u32,
        /// The line, shortened if it was very long.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// The lines cannot be read to their end.
    #[error("line {line}: {error}")]
    Read {
        /// The line that could not be read, from 1 on.
        line: u32,
        /// Why not.
        error: io::Error,
    },
    /// Nothing says which endgame it is.
    #[error("there is no line, and so nothing says which endgame this is")]
    Nothing,
    /// It was asked to stop.
    #[error("reading the lines of a table was interrupted")]
    Interrupted,
    /// The table cannot be written.
    #[error(transparent)]
    Write(#[from] BuildError),
}

impl Tablebase {
    /// Makes a table from lines of [`KingsLine`], in any order, and writes it into the folder; one that is there is replaced.
    ///
    /// The men may stand in any of the ways that are alike but for turning and mirroring; they are turned to the one that is filed. PieceSet who are
    /// their own image across the diagonal need both lines of each two that are twins, as they are not turned. All
    /// lines are of one endgame: `endgame`, or that of the first line if none is named. No line may be within another of the same or a smaller
    /// distance. What is kept of the tries is the first, since the others follow from the table; whether it mates in time is not examined.
    ///
    /// `report` hears now and then how many lines were read. When `stop` is raised, nothing is written.
    ///
    /// ```
    /// use krieg_tablebase::Tablebase;
    /// let folder = tempfile::tempdir()?;
    /// let tables = Tablebase::new(folder.path());
    /// let text = "8/8/8/8/8/1K6/7R/k7 1 Rh2-h1\n8/8/8/8/8/1K6/7R/k7 1 Rh2-g2\n";
    /// let error = tables.import(None, text.as_bytes(), &false.into(), &mut |_| {}).unwrap_err();
    /// assert!(error.to_string().starts_with("line 2: \"8/8/8/8/8/1K6/7R/k7 1\""));
    /// let made = tables.import(None, &text.as_bytes()[..29], &false.into(), &mut |_| {})?;
    /// assert_eq!((made.endgame.to_string().as_str(), made.lines), ("krk", 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn import(
        &self,
        endgame: Option<Endgame>,
        lines: impl Read,
        stop: &AtomicBool,
        report: &mut dyn FnMut(u64),
    ) -> Result<Imported, ImportError> {
        let mut lines = LineReader::new(lines, LONGEST);
        let mut next = 1;
        let mut filing = endgame.map(Filing::new);
        loop {
            let (batch, torn) = batch(&mut lines, next);
            let understood: Vec<Result<(Disposition, Filed), String>> = batch
                .par_iter()
                .enumerate()
                .map(|(i, text)| understand(text, next + i as u32))
                .collect();
            for ((text, line), read) in batch.iter().zip(next..).zip(understood) {
                read.and_then(|(filed, entry)| {
                    let filing = filing.get_or_insert_with(|| Filing::new(filed.endgame()));
                    filing.add(&filed, entry)
                })
                .map_err(|why| fault(line, text, why))?;
            }
            if let Some(torn) = torn {
                return Err(torn);
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
        let filing = filing.ok_or(ImportError::Nothing)?;
        let endgame = filing.catalogue.endgame();
        self.write(endgame, filing.blocks()?)?;
        Ok(Imported { endgame, lines: u64::from(next) - 1 })
    }
}

fn fault(line: u32, text: &str, why: impl ToString) -> ImportError {
    ImportError::Line { line, text: excerpt(text), why: short_reason(why) }
}

/// The next lines, and what ended them if that was a fault.
fn batch(lines: &mut LineReader<impl Read>, first: u32) -> (Vec<String>, Option<ImportError>) {
    let mut batch = Vec::new();
    while batch.len() < BATCH {
        let line = first + batch.len() as u32;
        if line == u32::MAX {
            return (batch, Some(fault(line, "", "there are more lines than any table has")));
        }
        match lines.read() {
            Ok(Some(InputLine::Text(text))) => batch.push(text.to_string()),
            Ok(Some(InputLine::TooLong(text))) => {
                return (batch, Some(fault(line, &text, "it is too long")));
            }
            Ok(Some(InputLine::NotText(text))) => {
                return (batch, Some(fault(line, &text, "it is no text")));
            }
            Ok(None) => break,
            Err(error) => return (batch, Some(ImportError::Read { line, error })),
        }
    }
    (batch, None)
}

/// An entry on its filed board, and where it came from.
#[derive(Debug, Clone, Copy)]
struct Filed {
    kings: u64,
    line: u32,
    distance: u16,
    first: u8,
    /// How the board of the line was turned.
    way: Symmetry,
}

impl Filed {
    /// Whether whoever knows the other entry need not know this one. Of two that are alike, the later is the one too many.
    fn adds_nothing_to(&self, other: &Filed) -> bool {
        let is_within = self.kings & !other.kings == 0 && other.distance <= self.distance;
        let is_alike = self.kings == other.kings && self.distance == other.distance;
        is_within && (!is_alike || other.line < self.line)
    }
}

/// The words say why a line cannot be an entry.
fn understand(text: &str, line: u32) -> Result<(Disposition, Filed), String> {
    if text.is_empty() {
        return Err("the line is empty".to_string());
    }
    let read: MultiKingFen = text.parse().map_err(|error: MultiKingFenError| error.reason)?;
    let asked = Metaposition::new(Color::White, read.pieces(), read.king_squares())?;
    let distance = u16::try_from(read.moves_to_mate)
        .map_err(|_| format!("no mate takes {} moves", read.moves_to_mate))?;
    let &first = read.tries.first().ok_or("there is nothing to try")?;
    let steps = asked.disposition().steps();
    for (i, (tried, word)) in read.tries.iter().zip(text.split(' ').skip(2)).enumerate() {
        if !steps.iter().any(|step| step.mv == *tried) {
            return Err(format!("{word:?} is no move of that man"));
        }
        if read.tries[..i].contains(tried) {
            return Err(format!("{word:?} is tried twice"));
        }
    }
    let (filed, way) = asked.disposition().filed();
    let turned = Move { from: way.square(first.from), to: way.square(first.to), ..first };
    let first = filed.steps().iter().position(|step| step.mv == turned);
    let first = first.and_then(|number| u8::try_from(number).ok()).ok_or("there is no such try")?;
    let kings = way.squares(asked.kings_for_white());
    Ok((filed, Filed { kings, line, distance, first, way }))
}

/// A table being put together.
struct Filing {
    catalogue: Catalogue,
    blocks: Vec<Vec<Filed>>,
}

impl Filing {
    fn new(endgame: Endgame) -> Self {
        let catalogue = Catalogue::new(endgame);
        let blocks = vec![Vec::new(); catalogue.len()];
        Filing { catalogue, blocks }
    }

    fn add(&mut self, filed: &Disposition, entry: Filed) -> Result<(), String> {
        let (endgame, wanted) = (filed.endgame(), self.catalogue.endgame());
        if endgame != wanted {
            return Err(format!("this is {endgame}, and the table is of {wanted}"));
        }
        self.blocks[self.catalogue.number(filed).0].push(entry);
        Ok(())
    }

    /// The entries by number of the disposition, if none of them is one too many.
    fn blocks(mut self) -> Result<Vec<Vec<Entry>>, ImportError> {
        let too_many = self
            .blocks
            .par_iter_mut()
            .enumerate()
            .filter_map(|(number, block)| one_too_many(block).map(|pair| (number, pair)))
            .min_by_key(|(_, (entry, _))| entry.line);
        if let Some((number, (entry, other))) = too_many {
            return Err(self.dominated(number, &entry, &other));
        }
        let entry = |filed: Filed| Entry {
            kings: filed.kings,
            distance: filed.distance,
            first: filed.first,
        };
        Ok(self.blocks.into_iter().map(|block| block.into_iter().map(entry).collect()).collect())
    }

    fn dominated(&self, number: usize, entry: &Filed, other: &Filed) -> ImportError {
        let men: Vec<(Square, Piece)> = self
            .catalogue
            .disposition(number)
            .into_iter()
            .flat_map(|filed| filed.men().collect::<Vec<_>>())
            .map(|(piece, at)| (entry.way.undo_square(at), piece))
            .collect();
        let kings = BitBoard(entry.way.undo_squares(entry.kings));
        let text = MultiKingFen::new(men, kings, u32::from(entry.distance), Vec::new());
        let why = match entry.kings == other.kings {
            true => format!("line {} has the same kings", other.line),
            false => format!("all its kings are in line {}", other.line),
        };
        let why = match entry.distance - other.distance {
            0 => why + " and the same distance",
            _ => format!("{why}, and that mates in {}", other.distance),
        };
        fault(entry.line, &text.to_string(), why)
    }
}

/// The first line that adds nothing to another, and that one.
fn one_too_many(block: &mut [Filed]) -> Option<(Filed, Filed)> {
    // Only what mates as soon can hold an entry: with the nearest mates in front, that is what comes before it, and its own distance.
    block.sort_unstable_by_key(|entry| (entry.distance, entry.line));
    let mut found: Option<(Filed, Filed)> = None;
    let mut end = 0;
    for level in block.chunk_by(|a, b| a.distance == b.distance) {
        end += level.len();
        for entry in level {
            if found.is_some_and(|(found, _)| found.line < entry.line) {
                continue;
            }
            let other = block[..end].iter().find(|other| entry.adds_nothing_to(other));
            found = other.map(|other| (*entry, *other)).or(found);
        }
    }
    found
}
