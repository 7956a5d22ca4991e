//! Many playouts: from metapositions in which nothing is known of the lone king, and from random
//! won ones.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use krieg_core::{Color, Square};
use rayon::prelude::*;

use super::attacker_belief::metaposition_for;
use super::playout::{PlayoutError, playout};
use super::report::{Fault, Faults, Property, entry_text};
use super::sampler::Sampler;
use super::umpired_tries::legal_kings;
use crate::endgame::Endgame;
use crate::file::table::Table;
use crate::metaposition::Metaposition;
use crate::symmetry::Symmetry;
use crate::tablebase::{ProbeError, Tablebase};

/// Which games are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlaySettings {
    /// Number of games from metapositions in which the king may be anywhere, and again as many from
    /// random won metapositions.
    pub games: usize,
    /// Seed of the random choices.
    pub seed: u64,
    /// Whether to play from every won metaposition in which the king may be anywhere, once for
    /// each square of the king, instead of `games` of them.
    pub all: bool,
}

impl Default for PlaySettings {
    fn default() -> Self {
        PlaySettings { games: 1_000, seed: 1, all: false }
    }
}

/// The results of the games.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct PlayReport {
    /// The endgame.
    pub endgame: Endgame,
    /// Number of canonical placements that are won with the king anywhere.
    pub starts: usize,
    /// Number of games played.
    pub games: u64,
    /// Number of moves of the attacker in all games.
    pub moves: u64,
    /// Moves of the attacker in the longest game.
    pub longest: u16,
    /// Number of games that took all the moves that the table states.
    pub full_length: u64,
    /// The faults.
    pub faults: Faults,
    /// Whether the games were stopped early.
    pub stopped: bool,
}

impl fmt::Display for PlayReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} placements are won with the king anywhere.", self.endgame, self.starts)?;
        let how = if self.stopped { " before the interruption" } else { "" };
        write!(f, "\n{} games were played{how}, {} moves;", self.games, self.moves)?;
        write!(f, " the longest took {},", self.longest)?;
        write!(f, " {} took all the moves that the table states.", self.full_length)?;
        write!(f, "\n{}", self.faults)
    }
}

/// Number of games per thread between two checks of the stop flag.
const GAMES_PER_THREAD: usize = 64;

/// Plays games of an endgame against a defender who sees everything and chooses the reply for which
/// the table states the longest mate.
///
/// Calls `report` with the number of finished games and of all games. If `stop` is set, returns the
/// results so far.
pub fn verify_by_play(
    tables: &Tablebase,
    endgame: Endgame,
    settings: &PlaySettings,
    stop: &AtomicBool,
    report: &mut dyn FnMut(usize, usize),
) -> Result<PlayReport, ProbeError> {
    let table = tables.table(endgame)?;
    let mut results = PlayReport {
        endgame,
        starts: 0,
        games: 0,
        moves: 0,
        longest: 0,
        full_length: 0,
        faults: Faults::default(),
        stopped: false,
    };
    let starts = starts(tables, &table, &mut results.faults)?;
    results.starts = starts.len();
    let mut games = games_from_starts(&starts, settings);
    games.extend(random_games(&table, settings, stop)?);
    let mut done = 0;
    for batch in games.chunks(GAMES_PER_THREAD * rayon::current_num_threads()) {
        let played: Vec<_> = batch
            .par_iter()
            .with_max_len(1)
            .filter(|_| !stop.load(Ordering::Relaxed))
            .map(|(start, king)| playout(tables, start, *king))
            .collect();
        if played.len() < batch.len() {
            results.stopped = true;
        }
        for played in played {
            results.games += 1;
            match played {
                Ok(played) => {
                    results.moves += u64::from(played.moves);
                    results.longest = results.longest.max(played.moves);
                    results.full_length += u64::from(played.moves == played.stated);
                }
                Err(PlayoutError::Fault(fault)) => results.faults.add(fault),
                Err(PlayoutError::Probe(error)) => return Err(error),
            }
        }
        done += batch.len();
        report(done, games.len());
        if results.stopped {
            break;
        }
    }
    Ok(results)
}

/// The won metapositions of canonical placements in which the king may be on every legal square.
fn starts(
    tables: &Tablebase,
    table: &Table,
    faults: &mut Faults,
) -> Result<Vec<Metaposition>, ProbeError> {
    let start = |number: usize| -> Result<Option<Result<Metaposition, Fault>>, ProbeError> {
        let Some(placement) = table.placements().placement(number) else { return Ok(None) };
        let kings = legal_kings(&placement);
        if kings == 0 || tables.distance(&placement, kings)?.is_none() {
            return Ok(None);
        }
        let start = Metaposition::king_anywhere(placement);
        Ok(Some(if start.kings().0 == kings {
            Ok(start)
        } else {
            let entry = entry_text(&placement, kings, None);
            let problem = format!("the metaposition with the king anywhere is {start}");
            Err(Fault { property: Property::Playout, entry, problem })
        }))
    };
    let found: Vec<Option<Result<Metaposition, Fault>>> =
        (0..table.placements().len()).into_par_iter().map(start).collect::<Result<_, _>>()?;
    let mut starts = Vec::new();
    for start in found.into_iter().flatten() {
        match start {
            Ok(start) => starts.push(start),
            Err(fault) => faults.add(fault),
        }
    }
    Ok(starts)
}

/// Games from all starts, or from random ones.
fn games_from_starts(
    starts: &[Metaposition],
    settings: &PlaySettings,
) -> Vec<(Metaposition, Square)> {
    if settings.all {
        let kings = |start: &Metaposition| start.kings().into_iter().collect::<Vec<_>>();
        return starts
            .iter()
            .flat_map(|start| kings(start).into_iter().map(|king| (*start, king)))
            .collect();
    }
    let mut sampler = Sampler::new(settings.seed, 0);
    let mut draw = || {
        let start = sampler.choose(starts)?;
        let kings: Vec<Square> = start.kings().into_iter().collect();
        Some((*start, *sampler.choose(&kings)?))
    };
    (0..settings.games).filter_map(|_| draw()).collect()
}

/// Games from random subsets of entries, with a random colour and symmetry.
fn random_games(
    table: &Table,
    settings: &PlaySettings,
    stop: &AtomicBool,
) -> Result<Vec<(Metaposition, Square)>, ProbeError> {
    let mut sampler = Sampler::new(settings.seed, 1);
    let symmetries = if table.header().endgame.has_pawns() { 2 } else { Symmetry::ALL.len() };
    let mut games = Vec::new();
    // A placement without entries gives no game, so more are drawn than games are wanted. The limit
    // ends the loop for a table without entries.
    for _ in 0..settings.games.saturating_mul(8) {
        if games.len() == settings.games || stop.load(Ordering::Relaxed) {
            break;
        }
        let number = sampler.below(table.placements().len());
        let Some(placement) = table.placements().placement(number) else { continue };
        let entries = table.entries(number)?;
        let Some(entry) = sampler.choose(&entries) else { continue };
        let count = 1 + sampler.below(entry.kings.count_ones() as usize);
        let kings = sampler.squares(entry.kings, count);
        let symmetry = Symmetry::ALL[sampler.below(symmetries)];
        let attacker = Color::ALL[sampler.below(Color::ALL.len())];
        let transformed = placement.transformed(symmetry);
        let Ok(start) = metaposition_for(attacker, &transformed, symmetry.map_set(kings)) else {
            continue;
        };
        let squares: Vec<Square> = start.kings().into_iter().collect();
        if let Some(&king) = sampler.choose(&squares) {
            games.push((start, king));
        }
    }
    Ok(games)
}
