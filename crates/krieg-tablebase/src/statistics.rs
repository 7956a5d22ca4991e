//! Statistics of a table: the figures of chapter 8 of Favini's thesis (2010).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use krieg_notation::MultiKingFen;
use rayon::prelude::*;
use serde::{Serialize, Serializer};

use crate::attack_map::AttackMap;
use crate::endgame::Endgame;
use crate::file::block::Entry;
use crate::file::table::{Table, TableError};
use crate::placement::Placement;
use crate::tablebase::{ProbeError, Tablebase};

/// Maximum number of longest mates and of largest blocks that are listed.
const LISTED: usize = 12;

/// A number of placements or entries, counted in two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Count {
    /// As stored: equivalent placements count once.
    pub stored: u64,
    /// As in the literature: mirror images across the diagonal count separately
    /// ([`Placement::multiplicity`]).
    pub with_mirrors: u64,
}

impl Count {
    fn add(&mut self, stored: u64, multiplicity: u64) {
        self.stored += stored;
        self.with_mirrors += stored * multiplicity;
    }

    fn add_count(&mut self, other: Count) {
        self.stored += other.stored;
        self.with_mirrors += other.with_mirrors;
    }
}

/// The number of entries of one placement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlockSize {
    /// The canonical placement.
    #[serde(serialize_with = "as_text")]
    pub placement: Placement,
    /// Number of its entries.
    pub entries: u64,
}

/// Wins without knowledge: metapositions in which the king may be on every legal square.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct KingAnywhere {
    /// Number of placements for which this metaposition is won.
    pub won: Count,
    /// Their share of all placements, counted as in the literature.
    pub share: f64,
    /// The won ones by distance to mate.
    pub by_distance: BTreeMap<u16, Count>,
}

/// Statistics of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statistics {
    /// The endgame.
    #[serde(serialize_with = "as_text")]
    pub endgame: Endgame,
    /// All entries.
    pub entries: Count,
    /// Entries with a single king square, which correspond to chess positions.
    pub one_king: Count,
    /// The longest distance to mate; 0 if nothing is won.
    pub longest_mate: u16,
    /// Entries by distance to mate, without zero counts.
    pub by_distance: BTreeMap<u16, Count>,
    /// Entries by number of king squares, without zero counts.
    pub by_kings: BTreeMap<u32, Count>,
    /// Some entries with the longest distances; among equals, those with the most kings first.
    #[serde(serialize_with = "as_texts")]
    pub longest_mates: Vec<MultiKingFen>,
    /// All placements, including those that no game reaches, such as two bishops on squares of one
    /// colour.
    pub placements: Count,
    /// Placements with at least one entry.
    pub placements_with_entries: Count,
    /// The placements with the most entries.
    pub largest_blocks: Vec<BlockSize>,
    /// Wins without knowledge of the king's square.
    pub king_anywhere: KingAnywhere,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Bytes per stored entry; 0 if there is none.
    pub bytes_per_entry: f64,
}

impl Statistics {
    /// Number of entries with the longest distance.
    pub fn entries_at_longest(&self) -> Count {
        self.by_distance.get(&self.longest_mate).copied().unwrap_or_default()
    }
}

fn share(part: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { part as f64 / of as f64 }
}

impl Tablebase {
    /// The statistics of a table.
    ///
    /// ```no_run
    /// use krieg_tablebase::Tablebase;
    /// let tables = Tablebase::new(Tablebase::default_folder());
    /// let krk = tables.statistics("krk".parse()?)?;
    /// assert_eq!((krk.longest_mate, krk.entries_at_longest().with_mirrors), (37, 50));
    /// println!("{}", serde_json::to_string(&krk)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn statistics(&self, endgame: Endgame) -> Result<Statistics, ProbeError> {
        let table = self.table(endgame)?;
        let totals = (0..table.placements().len())
            .into_par_iter()
            .try_fold(Totals::default, |mut totals, number| {
                totals.add(&table, number)?;
                Ok::<Totals, TableError>(totals)
            })
            .try_reduce(Totals::default, |a, b| Ok(a.merge(b)))?;
        let longest_mates = totals
            .longest
            .iter()
            .map(|long| self.line_of(&table, long))
            .collect::<Result<_, ProbeError>>()?;
        let block_size = |&(entries, number): &(u64, usize)| {
            Some(BlockSize { placement: table.placements().placement(number)?, entries })
        };
        let won = totals.king_anywhere.won;
        let share_won = share(won.with_mirrors, totals.placements.with_mirrors);
        let king_anywhere = KingAnywhere { share: share_won, ..totals.king_anywhere };
        Ok(Statistics {
            endgame,
            entries: totals.entries,
            one_king: totals.by_kings.get(&1).copied().unwrap_or_default(),
            longest_mate: totals.by_distance.last_key_value().map_or(0, |(&distance, _)| distance),
            by_distance: totals.by_distance,
            by_kings: totals.by_kings,
            longest_mates,
            placements: totals.placements,
            placements_with_entries: totals.placements_with_entries,
            largest_blocks: totals.largest_blocks.iter().filter_map(block_size).collect(),
            king_anywhere,
            bytes: table.size() as u64,
            bytes_per_entry: share(table.size() as u64, totals.entries.stored),
        })
    }

    /// Number of entries of a placement, which need not be canonical: Kd4 Re4 has 2,483 (Favini
    /// 2010, figure 8.4).
    pub fn count_entries(&self, placement: &Placement) -> Result<u64, ProbeError> {
        let table = self.table(placement.endgame())?;
        let (number, _) = table.placements().number(placement);
        Ok(table.entries(number)?.len() as u64)
    }

    /// An entry as a line of text, with all its tries.
    fn line_of(&self, table: &Table, long: &LongMate) -> Result<MultiKingFen, ProbeError> {
        let block = table.decode(long.number, |_, _| false)?;
        self.line(&long.placement, &long.placement.tries(), &block, long.entry)
    }
}

/// One of the longest mates.
#[derive(Debug, Clone, Copy)]
struct LongMate {
    placement: Placement,
    number: usize,
    entry: Entry,
}

impl LongMate {
    /// Sorts by descending distance, then by descending number of kings, then in stored order.
    fn order(&self) -> impl Ord + use<> {
        let kings = self.entry.kings.count_ones();
        let stored_order = (self.number, self.entry.first_try, self.entry.kings);
        (Reverse((self.entry.distance, kings)), stored_order)
    }
}

/// The counts over some of the placements.
#[derive(Debug, Default)]
struct Totals {
    entries: Count,
    by_distance: BTreeMap<u16, Count>,
    by_kings: BTreeMap<u32, Count>,
    longest: Vec<LongMate>,
    placements: Count,
    placements_with_entries: Count,
    /// Number of entries, and number of the placement.
    largest_blocks: Vec<(u64, usize)>,
    king_anywhere: KingAnywhere,
}

impl Totals {
    fn add(&mut self, table: &Table, number: usize) -> Result<(), TableError> {
        let Some(placement) = table.placements().placement(number) else { return Ok(()) };
        let entries = table.entries(number)?;
        let multiplicity = placement.multiplicity();
        self.placements.add(1, multiplicity);
        if entries.is_empty() {
            return Ok(());
        }
        self.placements_with_entries.add(1, multiplicity);
        self.entries.add(entries.len() as u64, multiplicity);
        let safe = AttackMap::new(&placement).safe;
        let mut by_kings = [0; 65];
        for level in entries.chunk_by(|a, b| a.distance == b.distance) {
            let distance = level[0].distance;
            self.by_distance.entry(distance).or_default().add(level.len() as u64, multiplicity);
            for entry in level {
                by_kings[entry.kings.count_ones() as usize] += 1;
                if entry.kings == safe {
                    let king_anywhere = &mut self.king_anywhere;
                    king_anywhere.won.add(1, multiplicity);
                    king_anywhere.by_distance.entry(distance).or_default().add(1, multiplicity);
                }
            }
        }
        for (kings, &count) in (0..).zip(&by_kings).filter(|(_, count)| **count > 0) {
            self.by_kings.entry(kings).or_default().add(count, multiplicity);
        }
        let shortest = self.longest.last().filter(|_| self.longest.len() == LISTED);
        let shortest = shortest.map_or(0, |long| long.entry.distance);
        let long = entries.iter().filter(|entry| entry.distance >= shortest);
        self.longest.extend(long.map(|&entry| LongMate { placement, number, entry }));
        self.largest_blocks.push((entries.len() as u64, number));
        self.truncate_lists();
        Ok(())
    }

    fn merge(mut self, other: Totals) -> Totals {
        fn merge_maps<K: Ord>(into: &mut BTreeMap<K, Count>, from: BTreeMap<K, Count>) {
            for (key, count) in from {
                into.entry(key).or_default().add_count(count);
            }
        }
        self.entries.add_count(other.entries);
        self.placements.add_count(other.placements);
        self.placements_with_entries.add_count(other.placements_with_entries);
        self.king_anywhere.won.add_count(other.king_anywhere.won);
        merge_maps(&mut self.by_distance, other.by_distance);
        merge_maps(&mut self.by_kings, other.by_kings);
        merge_maps(&mut self.king_anywhere.by_distance, other.king_anywhere.by_distance);
        self.longest.extend(other.longest);
        self.largest_blocks.extend(other.largest_blocks);
        self.truncate_lists();
        self
    }

    fn truncate_lists(&mut self) {
        self.longest.sort_by_key(LongMate::order);
        self.longest.truncate(LISTED);
        self.largest_blocks.sort_by_key(|&(entries, number)| (Reverse(entries), number));
        self.largest_blocks.truncate(LISTED);
    }
}

fn as_text<S: Serializer>(value: &impl ToString, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&value.to_string())
}

fn as_texts<S: Serializer>(values: &[MultiKingFen], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(values.iter().map(MultiKingFen::to_string))
}
