//! The result of a verification.

use std::fmt;

use krieg_core::placement;

use crate::endgame::Endgame;
use crate::placement::Placement;

/// A property that every correct table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Property {
    /// The header states the numbers of the entries correctly.
    Header,
    /// The kings of an entry are on legal squares, and no other entry with at most its distance
    /// contains all of them.
    Antichain,
    /// Every entry is won within its distance.
    Sound,
    /// The first try of an entry wins within its distance, and is accepted for at least one of its
    /// kings.
    FirstTry,
    /// No entry is won in fewer moves.
    Optimal,
    /// No entry is won within its distance with one more king square.
    Maximal,
    /// Random sets are won or not as forward search says.
    RandomSets,
    /// A probe finds what a linear scan of the entries finds, and its tries win in their order.
    Lookup,
    /// An exhaustive search without tables finds the same short mates.
    Exhaustive,
    /// A game against a defender who sees everything ends in mate within the stated distance.
    Playout,
}

impl Property {
    /// All properties, in the order of reports.
    pub const ALL: [Property; 10] = [
        Property::Header,
        Property::Antichain,
        Property::Sound,
        Property::FirstTry,
        Property::Optimal,
        Property::Maximal,
        Property::RandomSets,
        Property::Lookup,
        Property::Exhaustive,
        Property::Playout,
    ];

    /// A description of what was checked, for reports.
    pub fn description(self) -> &'static str {
        match self {
            Property::Header => "headers agree with their entries",
            Property::Antichain => "entries are legal and maximal among the stored ones",
            Property::Sound => "entries are won within their distance",
            Property::FirstTry => "first tries win",
            Property::Optimal => "entries are not won in fewer moves",
            Property::Maximal => "entries are not won with another king square",
            Property::RandomSets => "random sets agree with forward search",
            Property::Lookup => "probes agree with a linear scan, and their tries win in order",
            Property::Exhaustive => "sets agree with an exhaustive search without tables",
            Property::Playout => "games end in mate in time",
        }
    }
}

/// A violation of a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The property.
    pub property: Property,
    /// The pieces, the kings and, if known, the distance, as in `8/8/8/8/8/1K6/8/k6R 1`.
    pub entry: String,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.entry, self.problem)
    }
}

/// All faults are counted; the first ones are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    /// Number of faults per property, in the order of [`Property::ALL`].
    counts: [u64; Property::ALL.len()],
    /// The first faults.
    pub kept: Vec<Fault>,
}

/// Maximum number of faults that are kept.
const MAX_KEPT: usize = 20;

impl Faults {
    /// Adds a fault.
    pub fn add(&mut self, fault: Fault) {
        self.counts[fault.property as usize] += 1;
        if self.kept.len() < MAX_KEPT {
            self.kept.push(fault);
        }
    }

    /// Adds other faults.
    pub fn append(&mut self, other: Faults) {
        for (count, other) in self.counts.iter_mut().zip(other.counts) {
            *count += other;
        }
        let space = MAX_KEPT - self.kept.len().min(MAX_KEPT);
        self.kept.extend(other.kept.into_iter().take(space));
    }

    /// Number of faults.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Number of faults of one property.
    pub fn of(&self, property: Property) -> u64 {
        self.counts[property as usize]
    }

    /// Whether there is no fault.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("No fault was found.");
        }
        let noun = if self.count() == 1 { "fault" } else { "faults" };
        write!(f, "{} {noun}:", self.count())?;
        for fault in &self.kept {
            write!(f, "\n  {fault}")?;
        }
        match self.count() - self.kept.len() as u64 {
            0 => Ok(()),
            more => write!(f, "\n  and {more} more"),
        }
    }
}

/// The result of a verification: how often each property was checked, and the faults.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct VerifyReport {
    /// The endgame.
    pub endgame: Endgame,
    /// Number of checks per property, in the order of [`Property::ALL`].
    checked: [u64; Property::ALL.len()],
    /// The faults.
    pub faults: Faults,
    /// Whether the verification was stopped early.
    pub stopped: bool,
}

impl VerifyReport {
    pub(crate) fn empty(endgame: Endgame) -> Self {
        let checked = [0; Property::ALL.len()];
        VerifyReport { endgame, checked, faults: Faults::default(), stopped: false }
    }

    /// How often a property was checked.
    pub fn checked(&self, property: Property) -> u64 {
        self.checked[property as usize]
    }

    /// Whether no fault was found.
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty()
    }

    /// Adds one check of a property, and its fault if there was one.
    pub(crate) fn add(&mut self, property: Property, fault: Option<Fault>) {
        self.checked[property as usize] += 1;
        if let Some(fault) = fault {
            self.faults.add(fault);
        }
    }

    pub(crate) fn append(&mut self, other: VerifyReport) {
        for (count, other) in self.checked.iter_mut().zip(other.checked) {
            *count += other;
        }
        self.faults.append(other.faults);
        self.stopped |= other.stopped;
    }
}

impl fmt::Display for VerifyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.endgame)?;
        if self.stopped {
            f.write_str(", until the interruption")?;
        }
        for property in Property::ALL.into_iter().filter(|&property| self.checked(property) > 0) {
            write!(f, "\n{:>12}  {}", self.checked(property), property.description())?;
            match self.faults.of(property) {
                0 => {}
                faults => write!(f, ", except {faults}")?,
            }
        }
        write!(f, "\n{}", self.faults)
    }
}

/// A king set in the format of exported tables, with the distance if there is one. Kings on illegal
/// squares are shown too.
pub(crate) fn entry_text(placement: &Placement, kings: u64, distance: Option<u16>) -> String {
    let board = placement::write(|square| match placement.pieces().find(|&(_, at)| at == square) {
        Some((piece, _)) => Some(char::from(piece).to_ascii_uppercase()),
        None => (kings & square.bitboard().0 != 0).then_some('k'),
    });
    match distance {
        Some(distance) => format!("{board} {distance}"),
        None => board,
    }
}
