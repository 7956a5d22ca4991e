//! Many games played out: from every start that is won without knowing anything, and from sets drawn by lot.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use krieg_core::{Color, Square};
use rayon::prelude::*;

use super::attacker::seated;
use super::defence::{PlayError, play_out};
use super::findings::{Check, Fault, Faults, text};
use super::sample::Lots;
use super::scene::legal_kings;
use crate::endgame::Endgame;
use crate::file::table::Table;
use crate::metaposition::Metaposition;
use crate::symmetry::Symmetry;
use crate::tablebase::{ProbeError, Tablebase};

/// Which games are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Defence {
    /// So many games from starts where nothing is known of the lone king, and as many from random sets.
    pub games: usize,
    /// What is drawn by lot follows from this.
    pub seed: u64,
    /// Whether every such start is played, with the lone king on every square in turn, instead of so many.
    pub all: bool,
}

impl Default for Defence {
    fn default() -> Self {
        Defence { games: 1_000, seed: 1, all: false }
    }
}

/// How the games went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contest {
    /// Which endgame.
    pub endgame: Endgame,
    /// How many dispositions are won without knowing anything of the lone king, of those that are filed.
    pub starts: usize,
    /// How many games were played.
    pub games: u64,
    /// How many moves the attacker made in all of them.
    pub moves: u64,
    /// The longest game.
    pub longest: u16,
    /// How many games took all the moves that the table had stated.
    pub to_the_last: u64,
    /// What went wrong.
    pub faults: Faults,
    /// Whether it was stopped before the end.
    pub stopped: bool,
}

impl fmt::Display for Contest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} starts are won knowing nothing.", self.endgame, self.starts)?;
        let how = if self.stopped { " before it was stopped" } else { "" };
        write!(f, "\n{} games were played{how}, {} moves;", self.games, self.moves)?;
        write!(f, " the longest took {},", self.longest)?;
        write!(f, " {} took all that the table had stated.", self.to_the_last)?;
        write!(f, "\n{}", self.faults)
    }
}

/// Games handed out at a time, between two looks at the clock.
const AT_A_TIME: usize = 64;

/// Plays games of an endgame against a defender who sees everything, and of his moves makes the one from which the table states the longest mate.
///
/// `report` hears how many of how many games are done. When `stop` is raised, what was found so far comes back.
pub fn contest(
    tables: &Tablebase,
    endgame: Endgame,
    defence: &Defence,
    stop: &AtomicBool,
    report: &mut dyn FnMut(usize, usize),
) -> Result<Contest, ProbeError> {
    let table = tables.table(endgame)?;
    let mut contest = Contest {
        endgame,
        starts: 0,
        games: 0,
        moves: 0,
        longest: 0,
        to_the_last: 0,
        faults: Faults::default(),
        stopped: false,
    };
    let starts = starts(tables, &table, &mut contest.faults)?;
    contest.starts = starts.len();
    let mut games = chosen(&starts, defence);
    games.extend(drawn(&table, defence, stop)?);
    let mut done = 0;
    for batch in games.chunks(AT_A_TIME * rayon::current_num_threads()) {
        let played: Vec<_> = batch
            .par_iter()
            .with_max_len(1)
            .filter(|_| !stop.load(Ordering::Relaxed))
            .map(|(start, king)| play_out(tables, start, *king))
            .collect();
        if played.len() < batch.len() {
            contest.stopped = true;
        }
        for played in played {
            contest.games += 1;
            match played {
                Ok(played) => {
                    contest.moves += u64::from(played.moves);
                    contest.longest = contest.longest.max(played.moves);
                    contest.to_the_last += u64::from(played.moves == played.stated);
                }
                Err(PlayError::Fault(fault)) => contest.faults.add(fault),
                Err(PlayError::Probe(error)) => return Err(error),
            }
        }
        done += batch.len();
        report(done, games.len());
        if contest.stopped {
            break;
        }
    }
    Ok(contest)
}

/// The metapositions of filed dispositions that are won with every king that the boards allow.
fn starts(
    tables: &Tablebase,
    table: &Table,
    faults: &mut Faults,
) -> Result<Vec<Metaposition>, ProbeError> {
    let look = |number: usize| -> Result<Option<Result<Metaposition, Fault>>, ProbeError> {
        let Some(disposition) = table.catalogue().disposition(number) else { return Ok(None) };
        let kings = legal_kings(&disposition);
        if kings == 0 || tables.distance(&disposition, kings)?.is_none() {
            return Ok(None);
        }
        let start = Metaposition::knowing_nothing(disposition);
        Ok(Some(if start.kings().0 == kings {
            Ok(start)
        } else {
            let entry = text(&disposition, kings, None);
            let what = format!("knowing nothing is said to be {start}");
            Err(Fault { check: Check::PlayedOut, entry, what })
        }))
    };
    let looked: Vec<Option<Result<Metaposition, Fault>>> =
        (0..table.catalogue().len()).into_par_iter().map(look).collect::<Result<_, _>>()?;
    let mut starts = Vec::new();
    for start in looked.into_iter().flatten() {
        match start {
            Ok(start) => starts.push(start),
            Err(fault) => faults.add(fault),
        }
    }
    Ok(starts)
}

/// Games from starts: all of them, or some.
fn chosen(starts: &[Metaposition], defence: &Defence) -> Vec<(Metaposition, Square)> {
    if defence.all {
        let kings = |start: &Metaposition| start.kings().into_iter().collect::<Vec<_>>();
        return starts
            .iter()
            .flat_map(|start| kings(start).into_iter().map(|king| (*start, king)))
            .collect();
    }
    let mut lots = Lots::new(defence.seed, 0);
    let mut draw = || {
        let start = lots.one_of(starts)?;
        let kings: Vec<Square> = start.kings().into_iter().collect();
        Some((*start, *lots.one_of(&kings)?))
    };
    (0..defence.games).filter_map(|_| draw()).collect()
}

/// Games from parts of entries, with either colour, whichever way the board is turned.
fn drawn(
    table: &Table,
    defence: &Defence,
    stop: &AtomicBool,
) -> Result<Vec<(Metaposition, Square)>, ProbeError> {
    let mut lots = Lots::new(defence.seed, 1);
    let ways = if table.heading().endgame.has_pawns() { 2 } else { Symmetry::ALL.len() };
    let mut games = Vec::new();
    // Where little is won, many a disposition is drawn in vain; where nothing is, all are.
    for _ in 0..defence.games.saturating_mul(8) {
        if games.len() == defence.games || stop.load(Ordering::Relaxed) {
            break;
        }
        let number = lots.below(table.catalogue().len());
        let Some(disposition) = table.catalogue().disposition(number) else { continue };
        let entries = table.entries(number)?;
        let Some(entry) = lots.one_of(&entries) else { continue };
        let count = 1 + lots.below(entry.kings.count_ones() as usize);
        let kings = lots.some_squares(entry.kings, count);
        let way = Symmetry::ALL[lots.below(ways)];
        let attacker = Color::ALL[lots.below(Color::ALL.len())];
        let Ok(start) = seated(&disposition.turned(way), way.squares(kings), attacker) else {
            continue;
        };
        let squares: Vec<Square> = start.kings().into_iter().collect();
        if let Some(&king) = lots.one_of(&squares) {
            games.push((start, king));
        }
    }
    Ok(games)
}
