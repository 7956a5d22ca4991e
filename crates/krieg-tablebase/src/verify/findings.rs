//! What an inspection found.

use std::fmt;

use krieg_core::placement;

use crate::disposition::Disposition;
use crate::endgame::Endgame;

/// One thing that must be so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Check {
    /// What the heading says of the entries is so.
    Heading,
    /// No entry lies within another that is as near to mate, and each has kings where a king may be.
    Antichain,
    /// Every entry is won in as many moves as it says.
    Sound,
    /// The first try of an entry keeps that promise, and is legal for one of its kings at least.
    FirstTry,
    /// No entry is won sooner.
    Optimal,
    /// No entry stays won in its time with one more king.
    Maximal,
    /// Random sets are won, or not, as forward play says.
    Random,
    /// Looking up finds what reading entry by entry finds, and the tries it gives win in their order.
    Lookup,
    /// A search without tables finds the same near mates.
    Complete,
    /// A game against a defender who sees everything ends in mate, in time.
    PlayedOut,
}

impl Check {
    /// All of them, in the order in which they are told.
    pub const ALL: [Check; 10] = [
        Check::Heading,
        Check::Antichain,
        Check::Sound,
        Check::FirstTry,
        Check::Optimal,
        Check::Maximal,
        Check::Random,
        Check::Lookup,
        Check::Complete,
        Check::PlayedOut,
    ];

    /// What was looked at, in words.
    pub fn about(self) -> &'static str {
        match self {
            Check::Heading => "headings true to their entries",
            Check::Antichain => "entries within no other as near to mate",
            Check::Sound => "entries won in the moves they say",
            Check::FirstTry => "first tries good",
            Check::Optimal => "entries won no sooner",
            Check::Maximal => "entries with room for no other king",
            Check::Random => "random sets judged as by forward play",
            Check::Lookup => "lookups as by reading every entry, their tries good in order",
            Check::Complete => "sets judged as by a search without tables",
            Check::PlayedOut => "games mated in time",
        }
    }
}

/// Something that is not so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What should have been.
    pub check: Check,
    /// Where: the men, the kings, and the distance if there is one, as in `8/8/8/8/8/1K6/8/k6R 1`.
    pub entry: String,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.entry, self.what)
    }
}

/// Faults: all are counted, the first are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    /// How many there are of each kind, in the order of [`Check::ALL`].
    counts: [u64; Check::ALL.len()],
    /// The first of them.
    pub kept: Vec<Fault>,
}

/// So many faults are kept; who finds more has seen enough.
const MOST_KEPT: usize = 20;

impl Faults {
    /// Notes one more.
    pub fn add(&mut self, fault: Fault) {
        self.counts[fault.check as usize] += 1;
        if self.kept.len() < MOST_KEPT {
            self.kept.push(fault);
        }
    }

    /// Notes those that somebody else found.
    pub fn append(&mut self, other: Faults) {
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts) {
            *mine += theirs;
        }
        let room = MOST_KEPT - self.kept.len().min(MOST_KEPT);
        self.kept.extend(other.kept.into_iter().take(room));
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How many there are of one kind.
    pub fn of(&self, check: Check) -> u64 {
        self.counts[check as usize]
    }

    /// Whether there is none.
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

/// What was looked at in a table, and what was wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    /// Whose table.
    pub endgame: Endgame,
    /// How often each thing was checked, in the order of [`Check::ALL`].
    checked: [u64; Check::ALL.len()],
    /// What is wrong.
    pub faults: Faults,
    /// Whether it was stopped before the end.
    pub stopped: bool,
}

impl Findings {
    pub(crate) fn none(endgame: Endgame) -> Self {
        let checked = [0; Check::ALL.len()];
        Findings { endgame, checked, faults: Faults::default(), stopped: false }
    }

    /// How often this was checked.
    pub fn checked(&self, check: Check) -> u64 {
        self.checked[check as usize]
    }

    /// Whether nothing is wrong with what was looked at.
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty()
    }

    /// One more thing was looked at, and it may be wrong.
    pub(crate) fn note(&mut self, check: Check, fault: Option<Fault>) {
        self.checked[check as usize] += 1;
        if let Some(fault) = fault {
            self.faults.add(fault);
        }
    }

    pub(crate) fn append(&mut self, other: Findings) {
        for (mine, theirs) in self.checked.iter_mut().zip(other.checked) {
            *mine += theirs;
        }
        self.faults.append(other.faults);
        self.stopped |= other.stopped;
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.endgame)?;
        if self.stopped {
            f.write_str(", as far as it was looked at")?;
        }
        for check in Check::ALL.into_iter().filter(|&check| self.checked(check) > 0) {
            write!(f, "\n{:>12}  {}", self.checked(check), check.about())?;
            match self.faults.of(check) {
                0 => {}
                wrong => write!(f, ", but for {wrong}")?,
            }
        }
        write!(f, "\n{}", self.faults)
    }
}

/// A set of kings as the text of a tablebase writes it, with the distance if there is one. Kings that cannot be there are shown all the same.
pub(crate) fn text(disposition: &Disposition, kings: u64, distance: Option<u16>) -> String {
    let men = placement::write(|square| match disposition.men().find(|&(_, at)| at == square) {
        Some((piece, _)) => Some(char::from(piece).to_ascii_uppercase()),
        None => (kings & square.bitboard().0 != 0).then_some('k'),
    });
    match distance {
        Some(distance) => format!("{men} {distance}"),
        None => men,
    }
}
