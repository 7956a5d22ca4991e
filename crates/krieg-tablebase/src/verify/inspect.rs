//! A whole table, looked at from end to end.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::checks::Inspector;
use super::findings::{Check, Fault, Findings};
use super::shelf::Shelves;
use crate::disposition::Disposition;
use crate::endgame::Endgame;
use crate::file::block::Entry;
use crate::file::table::Table;
use crate::tablebase::{ProbeError, Tablebase};

/// How much of a table is looked at. That every entry is sound, and none within another, is always looked at in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inspection {
    /// About how many entries are looked at for a sooner mate and for room for one more king, and how many random sets are judged. Of mates searched for
    /// without tables there are fewer.
    pub sample: usize,
    /// What is drawn by lot follows from this.
    pub seed: u64,
    /// Whether all entries are looked at for a sooner mate and for room.
    pub all: bool,
}

impl Default for Inspection {
    fn default() -> Self {
        Inspection { sample: 10_000, seed: 1, all: false }
    }
}

/// Dispositions given to a core at a time, between two looks at the clock.
const AT_A_TIME: usize = 32;

/// Looks at the table of an endgame; those that it leads to must be there too, and are believed.
///
/// `report` hears how many of how many dispositions are done. When `stop` is raised, what was found so far comes back.
pub fn inspect(
    tables: &Tablebase,
    endgame: Endgame,
    inspection: &Inspection,
    stop: &AtomicBool,
    report: &mut dyn FnMut(usize, usize),
) -> Result<Findings, ProbeError> {
    let table = tables.table(endgame)?;
    let shelves = Shelves::open(tables, endgame)?;
    let inspector = Inspector { tables, shelves: &shelves, heading: *table.heading(), inspection };
    let numbers: Vec<usize> = (0..table.catalogue().len()).collect();
    let mut findings = Findings::none(endgame);
    let mut tally = Tally::default();
    let mut done = 0;
    for batch in numbers.chunks(AT_A_TIME * rayon::current_num_threads()) {
        if stop.load(Ordering::Relaxed) {
            findings.stopped = true;
            return Ok(findings);
        }
        let looked: Vec<(Findings, Tally)> = batch
            .par_iter()
            .with_max_len(1)
            .map(|&number| look_at(&inspector, &table, number, stop))
            .collect::<Result<_, _>>()?;
        for (found, counted) in looked {
            findings.append(found);
            tally.add(counted);
        }
        done += batch.len();
        report(done, numbers.len());
    }
    if !findings.stopped {
        findings.note(Check::Heading, tally.fault(&table));
    }
    Ok(findings)
}

fn look_at(
    inspector: &Inspector,
    table: &Table,
    number: usize,
    stop: &AtomicBool,
) -> Result<(Findings, Tally), ProbeError> {
    let endgame = table.heading().endgame;
    let Some(disposition) = table.catalogue().disposition(number) else {
        return Ok((Findings::none(endgame), Tally::default()));
    };
    if stop.load(Ordering::Relaxed) {
        let mut findings = Findings::none(endgame);
        findings.stopped = true;
        return Ok((findings, Tally::default()));
    }
    let entries = table.entries(number)?;
    let tally = Tally::of(&disposition, &entries);
    Ok((inspector.look_at(number, disposition, entries)?, tally))
}

/// What a heading should say.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    entries: u64,
    counted: u64,
    longest: u16,
}

impl Tally {
    fn of(disposition: &Disposition, entries: &[Entry]) -> Tally {
        Tally {
            entries: entries.len() as u64,
            counted: entries.len() as u64 * disposition.twins(),
            longest: entries.iter().map(|entry| entry.distance).max().unwrap_or(0),
        }
    }

    fn add(&mut self, other: Tally) {
        self.entries += other.entries;
        self.counted += other.counted;
        self.longest = self.longest.max(other.longest);
    }

    fn fault(&self, table: &Table) -> Option<Fault> {
        let heading = table.heading();
        let said = (heading.entries, heading.counted, heading.longest);
        let found = (self.entries, self.counted, self.longest);
        (said != found).then(|| Fault {
            check: Check::Heading,
            entry: heading.endgame.to_string(),
            what: format!(
                "of entries, of entries as the literature counts them, and of the longest mate \
                 the heading says {said:?}; it is {found:?}"
            ),
        })
    }
}
