//! What a table holds, counted: the figures of chapter 8 of Favini's thesis (2010).

use std::collections::BTreeMap;

use krieg_notation::MultiKingFen;
use rayon::prelude::*;
use serde::{Serialize, Serializer};

use crate::disposition::Disposition;
use crate::endgame::Endgame;
use crate::file::block::Entry;
use crate::file::table::{Table, TableError};
use crate::ground::Ground;
use crate::tablebase::{ProbeError, Tablebase};

/// So many of the longest mates are shown, and so many of the largest blocks.
const SHOWN: usize = 12;

/// How many, in two ways of counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Count {
    /// As they are stored.
    pub stored: u64,
    /// As the literature counts, with twins across the diagonal apart ([`Disposition::twins`]).
    pub counted: u64,
}

impl Count {
    fn add(&mut self, stored: u64, twins: u64) {
        self.stored += stored;
        self.counted += stored * twins;
    }
}

/// The entries of one disposition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Block {
    /// The disposition as it is filed.
    #[serde(serialize_with = "as_text")]
    pub disposition: Disposition,
    /// How many entries there are.
    pub entries: u64,
}

/// The metapositions in which nothing is known: all kings are there that may be.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct KnowingNothing {
    /// How many of them are won.
    pub won: Count,
    /// The share of dispositions that is, as the literature counts them.
    pub share: f64,
    /// Those won, by distance.
    pub by_distance: BTreeMap<u16, Count>,
}

/// What a table holds, counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statistics {
    /// Which endgame it is.
    #[serde(serialize_with = "as_text")]
    pub endgame: Endgame,
    /// All entries.
    pub entries: Count,
    /// The entries with one king only, which look like positions of chess.
    pub one_king: Count,
    /// The longest mate; 0 if nothing is won.
    pub longest: u16,
    /// Entries by distance; distances without any are left out.
    pub by_distance: BTreeMap<u16, Count>,
    /// Entries by number of kings; numbers without any are left out.
    pub by_kings: BTreeMap<u32, Count>,
    /// Some of the longest mates, those with the most kings first among equals.
    #[serde(serialize_with = "as_texts")]
    pub longest_mates: Vec<MultiKingFen>,
    /// All dispositions, also those that no game leads to, as two bishops on squares of one colour.
    pub dispositions: Count,
    /// The dispositions in which something is won.
    pub dispositions_with_entries: Count,
    /// The dispositions with the most entries.
    pub largest: Vec<Block>,
    /// How often nothing need be known, of all dispositions.
    pub knowing_nothing: KnowingNothing,
    /// How many bytes the file has.
    pub bytes: u64,
    /// How many of them an entry takes; 0 if there is none.
    pub bytes_per_entry: f64,
}

impl Statistics {
    /// How many entries have the longest distance.
    pub fn of_longest(&self) -> Count {
        self.by_distance.get(&self.longest).copied().unwrap_or_default()
    }
}

fn share(part: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { part as f64 / of as f64 }
}

impl Tablebase {
    /// Counts what a table holds.
    ///
    /// ```no_run
    /// use krieg_tablebase::Tablebase;
    /// let tables = Tablebase::new(Tablebase::usual_folder());
    /// let krk = tables.statistics("krk".parse()?)?;
    /// assert_eq!((krk.longest, krk.of_longest().counted), (37, 50));
    /// println!("{}", serde_json::to_string(&krk)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn statistics(&self, endgame: Endgame) -> Result<Statistics, ProbeError> {
        let table = self.table(endgame)?;
        let sums = (0..table.catalogue().len())
            .into_par_iter()
            .try_fold(Sums::default, |mut sums, number| {
                sums.add(&table, number)?;
                Ok::<Sums, TableError>(sums)
            })
            .try_reduce(Sums::default, |a, b| Ok(a.and(b)))?;
        let longest_mates = sums
            .longest
            .iter()
            .map(|long| self.stored_line(&table, long))
            .collect::<Result<_, ProbeError>>()?;
        let disposition = |&(entries, number): &(u64, usize)| {
            Some(Block { disposition: table.catalogue().disposition(number)?, entries })
        };
        let won = sums.knowing_nothing.won;
        let share_won = share(won.counted, sums.dispositions.counted);
        let knowing_nothing = KnowingNothing { share: share_won, ..sums.knowing_nothing };
        Ok(Statistics {
            endgame,
            entries: sums.entries,
            one_king: sums.by_kings.get(&1).copied().unwrap_or_default(),
            longest: sums.by_distance.last_key_value().map_or(0, |(&distance, _)| distance),
            by_distance: sums.by_distance,
            by_kings: sums.by_kings,
            longest_mates,
            dispositions: sums.dispositions,
            dispositions_with_entries: sums.with_entries,
            largest: sums.largest.iter().filter_map(disposition).collect(),
            knowing_nothing,
            bytes: table.size() as u64,
            bytes_per_entry: share(table.size() as u64, sums.entries.stored),
        })
    }

    /// How many entries a disposition has, in any of the ways to turn and mirror it: Kd4 Re4 has 2,483 (Favini 2010, figure 8.4).
    pub fn count_entries(&self, disposition: &Disposition) -> Result<u64, ProbeError> {
        let table = self.table(disposition.endgame())?;
        let (number, _) = table.catalogue().number(disposition);
        Ok(table.entries(number)?.len() as u64)
    }

    /// A stored entry with all that is to be tried.
    fn stored_line(&self, table: &Table, long: &Long) -> Result<MultiKingFen, ProbeError> {
        let entries = table.read(long.number, |_, _| false)?;
        self.line(&long.filed, &long.filed.steps(), &entries, long.entry)
    }
}

/// One of the longest mates.
#[derive(Debug, Clone, Copy)]
struct Long {
    filed: Disposition,
    number: usize,
    entry: Entry,
}

impl Long {
    /// The longest first, then the one with the most kings; what is left of a tie is decided by the order of the table.
    fn order(&self) -> impl Ord + use<> {
        let kings = self.entry.kings.count_ones();
        let order = (self.number, self.entry.first, self.entry.kings);
        (std::cmp::Reverse((self.entry.distance, kings)), order)
    }
}

/// What is counted of some dispositions.
#[derive(Debug, Default)]
struct Sums {
    entries: Count,
    by_distance: BTreeMap<u16, Count>,
    by_kings: BTreeMap<u32, Count>,
    longest: Vec<Long>,
    dispositions: Count,
    with_entries: Count,
    /// How many entries, and the number of the disposition.
    largest: Vec<(u64, usize)>,
    knowing_nothing: KnowingNothing,
}

impl Sums {
    fn add(&mut self, table: &Table, number: usize) -> Result<(), TableError> {
        let Some(filed) = table.catalogue().disposition(number) else { return Ok(()) };
        let entries = table.entries(number)?;
        let twins = filed.twins();
        self.dispositions.add(1, twins);
        if entries.is_empty() {
            return Ok(());
        }
        self.with_entries.add(1, twins);
        self.entries.add(entries.len() as u64, twins);
        let legal = Ground::new(&filed).legal;
        let mut by_kings = [0; 65];
        for level in entries.chunk_by(|a, b| a.distance == b.distance) {
            let distance = level[0].distance;
            self.by_distance.entry(distance).or_default().add(level.len() as u64, twins);
            for entry in level {
                by_kings[entry.kings.count_ones() as usize] += 1;
                if entry.kings == legal {
                    self.knowing_nothing.won.add(1, twins);
                    self.knowing_nothing.by_distance.entry(distance).or_default().add(1, twins);
                }
            }
        }
        for (kings, &count) in (0..).zip(&by_kings).filter(|(_, count)| **count > 0) {
            self.by_kings.entry(kings).or_default().add(count, twins);
        }
        let shortest = self.longest.last().filter(|_| self.longest.len() == SHOWN);
        let shortest = shortest.map_or(0, |long| long.entry.distance);
        let long = entries.iter().filter(|entry| entry.distance >= shortest);
        self.longest.extend(long.map(|&entry| Long { filed, number, entry }));
        self.largest.push((entries.len() as u64, number));
        self.keep_few();
        Ok(())
    }

    fn and(mut self, other: Sums) -> Sums {
        fn merge<K: Ord>(into: &mut BTreeMap<K, Count>, from: BTreeMap<K, Count>) {
            for (key, count) in from {
                join(into.entry(key).or_default(), count);
            }
        }
        fn join(into: &mut Count, from: Count) {
            into.stored += from.stored;
            into.counted += from.counted;
        }
        join(&mut self.entries, other.entries);
        join(&mut self.dispositions, other.dispositions);
        join(&mut self.with_entries, other.with_entries);
        join(&mut self.knowing_nothing.won, other.knowing_nothing.won);
        merge(&mut self.by_distance, other.by_distance);
        merge(&mut self.by_kings, other.by_kings);
        merge(&mut self.knowing_nothing.by_distance, other.knowing_nothing.by_distance);
        self.longest.extend(other.longest);
        self.largest.extend(other.largest);
        self.keep_few();
        self
    }

    fn keep_few(&mut self) {
        self.longest.sort_by_key(Long::order);
        self.longest.truncate(SHOWN);
        self.largest.sort_by_key(|&(entries, number)| (std::cmp::Reverse(entries), number));
        self.largest.truncate(SHOWN);
    }
}

fn as_text<S: Serializer>(value: &impl ToString, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&value.to_string())
}

fn as_texts<S: Serializer>(values: &[MultiKingFen], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(values.iter().map(MultiKingFen::to_string))
}
