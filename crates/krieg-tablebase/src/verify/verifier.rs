//! The verification of a whole table.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::linear_tables::LinearTables;
use super::placement_checks::PlacementChecker;
use super::report::{Fault, Property, VerifyReport};
use crate::endgame::Endgame;
use crate::file::block::Entry;
use crate::file::table::Table;
use crate::placement::Placement;
use crate::tablebase::{ProbeError, Tablebase};

/// How thoroughly a table is verified. The properties `Antichain`, `Sound` and `FirstTry` are
/// always checked for every entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifySettings {
    /// Approximate number of entries that are checked for being optimal and maximal, and of random
    /// sets. There are fewer exhaustive searches.
    pub sample: usize,
    /// Seed of the random choices.
    pub seed: u64,
    /// Whether to check every entry for being optimal and maximal.
    pub all: bool,
}

impl Default for VerifySettings {
    fn default() -> Self {
        VerifySettings { sample: 10_000, seed: 1, all: false }
    }
}

/// Number of placements per thread between two checks of the stop flag.
const PLACEMENTS_PER_THREAD: usize = 32;

/// Verifies the table of an endgame. The tables that it depends on must exist and are assumed to be
/// correct.
///
/// Calls `report` with the number of finished placements and of all placements. If `stop` is set,
/// returns the result so far.
pub fn verify_table(
    tables: &Tablebase,
    endgame: Endgame,
    settings: &VerifySettings,
    stop: &AtomicBool,
    report: &mut dyn FnMut(usize, usize),
) -> Result<VerifyReport, ProbeError> {
    let table = tables.table(endgame)?;
    let linear = LinearTables::open(tables, endgame)?;
    let checker = PlacementChecker { tables, linear: &linear, header: *table.header(), settings };
    let numbers: Vec<usize> = (0..table.placements().len()).collect();
    let mut result = VerifyReport::empty(endgame);
    let mut totals = HeaderTotals::default();
    let mut done = 0;
    for batch in numbers.chunks(PLACEMENTS_PER_THREAD * rayon::current_num_threads()) {
        if stop.load(Ordering::Relaxed) {
            result.stopped = true;
            return Ok(result);
        }
        let checked: Vec<(VerifyReport, HeaderTotals)> = batch
            .par_iter()
            .with_max_len(1)
            .map(|&number| check_placement(&checker, &table, number, stop))
            .collect::<Result<_, _>>()?;
        for (found, counted) in checked {
            result.append(found);
            totals.add(counted);
        }
        done += batch.len();
        report(done, numbers.len());
    }
    if !result.stopped {
        result.add(Property::Header, totals.fault(&table));
    }
    Ok(result)
}

fn check_placement(
    checker: &PlacementChecker,
    table: &Table,
    number: usize,
    stop: &AtomicBool,
) -> Result<(VerifyReport, HeaderTotals), ProbeError> {
    let endgame = table.header().endgame;
    let Some(placement) = table.placements().placement(number) else {
        return Ok((VerifyReport::empty(endgame), HeaderTotals::default()));
    };
    if stop.load(Ordering::Relaxed) {
        let mut result = VerifyReport::empty(endgame);
        result.stopped = true;
        return Ok((result, HeaderTotals::default()));
    }
    let entries = table.entries(number)?;
    let totals = HeaderTotals::of(&placement, &entries);
    Ok((checker.check(number, placement, entries)?, totals))
}

/// The numbers that the header should state.
#[derive(Debug, Clone, Copy, Default)]
struct HeaderTotals {
    entries: u64,
    entries_with_mirrors: u64,
    longest_mate: u16,
}

impl HeaderTotals {
    fn of(placement: &Placement, entries: &[Entry]) -> HeaderTotals {
        HeaderTotals {
            entries: entries.len() as u64,
            entries_with_mirrors: entries.len() as u64 * placement.multiplicity(),
            longest_mate: entries.iter().map(|entry| entry.distance).max().unwrap_or(0),
        }
    }

    fn add(&mut self, other: HeaderTotals) {
        self.entries += other.entries;
        self.entries_with_mirrors += other.entries_with_mirrors;
        self.longest_mate = self.longest_mate.max(other.longest_mate);
    }

    fn fault(&self, table: &Table) -> Option<Fault> {
        let header = table.header();
        let stated = (header.entries, header.entries_with_mirrors, header.longest_mate);
        let found = (self.entries, self.entries_with_mirrors, self.longest_mate);
        (stated != found).then(|| Fault {
            property: Property::Header,
            entry: header.endgame.to_string(),
            problem: format!(
                "the header states {stated:?} as the numbers of entries, of entries with mirror \
                 images, and of moves of the longest mate; found {found:?}"
            ),
        })
    }
}
