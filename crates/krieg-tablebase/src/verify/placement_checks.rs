//! The checks of one placement of a table.

use krieg_core::{BitBoard, Color, Move, Square};

use super::attacker_belief::{metaposition_for, orient};
use super::exhaustive::ExhaustiveSearch;
use super::linear_tables::{LinearBlock, LinearTables};
use super::report::{Fault, Property, VerifyReport, entry_text};
use super::sampler::Sampler;
use super::umpired_tries::UmpiredTries;
use super::verifier::VerifySettings;
use crate::file::block::Entry;
use crate::file::header::Header;
use crate::placement::Placement;
use crate::symmetry::Symmetry;
use crate::tablebase::{ProbeError, Tablebase, Win};

/// Checks placements one at a time.
#[derive(Debug)]
pub struct PlacementChecker<'a> {
    pub tables: &'a Tablebase,
    pub linear: &'a LinearTables,
    pub header: Header,
    pub settings: &'a VerifySettings,
}

/// A placement being checked.
struct CheckedPlacement<'a> {
    linear: &'a LinearTables,
    placement: Placement,
    umpired: UmpiredTries,
    block: &'a LinearBlock,
    entries: Vec<Entry>,
}

/// Depth of an exhaustive search in moves.
const EXHAUSTIVE_DEPTH: u16 = 3;
/// Number of rounds of random sets for a placement that is searched exhaustively.
const EXHAUSTIVE_ROUNDS: usize = 20;
/// The sample has one exhaustive search per this number of sets, since the search takes the most
/// time.
const SETS_PER_SEARCH: u64 = 250;

impl PlacementChecker<'_> {
    /// Checks the placement with this number and these entries.
    pub fn check(
        &self,
        number: usize,
        placement: Placement,
        entries: Vec<Entry>,
    ) -> Result<VerifyReport, ProbeError> {
        let mut report = VerifyReport::empty(placement.endgame());
        let mut sampler = Sampler::new(self.settings.seed, number as u64);
        let sample = self.settings.sample as u64;
        let sets = sampler.share(sample, self.header.placements);
        let searches = sample.div_ceil(SETS_PER_SEARCH);
        let is_searched = sampler.includes(searches, self.header.placements);
        if entries.is_empty() && sets == 0 && !is_searched {
            return Ok(report);
        }
        let (block, _) = self.linear.block(&placement, 0)?;
        let umpired = UmpiredTries::of(&placement);
        let checked = CheckedPlacement { linear: self.linear, placement, umpired, block, entries };
        for entry in &checked.entries {
            report.add(Property::Antichain, checked.antichain(entry));
            report.add(Property::Sound, checked.sound(entry)?);
            report.add(Property::FirstTry, checked.first_try(entry)?);
            if self.settings.all || sampler.includes(sample, self.header.entries) {
                report.add(Property::Optimal, checked.optimal(entry)?);
                report.add(Property::Maximal, checked.maximal(entry)?);
            }
        }
        let legal = checked.umpired.legal;
        let won: Vec<u64> = checked.entries.iter().map(|entry| entry.kings & legal).collect();
        for _ in 0..sets {
            let Some(kings) = sampler.kings(legal, &won) else { continue };
            report.add(Property::RandomSets, checked.random_set(kings)?);
            report.add(Property::Lookup, self.lookup(&checked, kings, &mut sampler)?);
        }
        if is_searched {
            checked.search_exhaustively(&mut sampler, &mut report);
        }
        Ok(report)
    }

    /// Probes the tables for a set, with a random symmetry and colour.
    fn lookup(
        &self,
        checked: &CheckedPlacement,
        kings: u64,
        sampler: &mut Sampler,
    ) -> Result<Option<Fault>, ProbeError> {
        let has_pawns = checked.placement.endgame().has_pawns();
        let symmetries = if has_pawns { 2 } else { Symmetry::ALL.len() };
        let symmetry = Symmetry::ALL[sampler.below(symmetries)];
        let attacker = Color::ALL[sampler.below(Color::ALL.len())];
        let expected = checked.block.distance(kings);
        let fault =
            |problem: String| Ok(Some(checked.fault(Property::Lookup, kings, expected, problem)));
        let transformed = checked.placement.transformed(symmetry);
        let mapped = symmetry.map_set(kings);
        let found = self.tables.distance(&transformed, mapped)?;
        if found != expected {
            return fault(format!("the distance under {symmetry:?} is looked up as {found:?}"));
        }
        let asked = match metaposition_for(attacker, &transformed, mapped) {
            Ok(asked) => asked,
            Err(reason) => return fault(format!("the metaposition is rejected: {reason}")),
        };
        let win = self.tables.probe(&asked)?;
        if win.as_ref().map(|win| win.distance) != expected {
            return fault(format!("{asked} is looked up as {win:?}"));
        }
        let Some(win) = win else { return Ok(None) };
        if !asked.kings().is_subset(win.kings) {
            return fault(format!("the entry found for {asked} lacks some of its kings"));
        }
        let to_canonical = |square: Square| symmetry.unmap_square(orient(attacker, square));
        checked.tries_in_order(kings, &win, to_canonical)
    }
}

impl CheckedPlacement<'_> {
    fn fault(
        &self,
        property: Property,
        kings: u64,
        distance: Option<u16>,
        problem: String,
    ) -> Fault {
        Fault { property, entry: entry_text(&self.placement, kings, distance), problem }
    }

    fn entry_fault(
        &self,
        property: Property,
        entry: &Entry,
        problem: impl Into<String>,
    ) -> Option<Fault> {
        Some(self.fault(property, entry.kings, Some(entry.distance), problem.into()))
    }

    /// Whether a forward search of one move wins these kings within so many moves. What follows is
    /// read from the tables.
    fn is_won(&self, kings: u64, within: u16, first: usize) -> Result<bool, ProbeError> {
        self.umpired.is_won(kings, within, first, &mut &*self.linear)
    }

    fn antichain(&self, entry: &Entry) -> Option<Fault> {
        let fault = |problem: &str| self.entry_fault(Property::Antichain, entry, problem);
        if entry.kings == 0 {
            return fault("it has no king");
        }
        if let Some(square) = BitBoard(entry.kings & !self.umpired.legal).next_square() {
            return fault(&format!("the king cannot be on {square}"));
        }
        if self.block.superset_count(entry.kings, entry.distance) > 1 {
            return fault("another entry contains all its kings and has no greater distance");
        }
        None
    }

    fn sound(&self, entry: &Entry) -> Result<Option<Fault>, ProbeError> {
        if self.is_won(entry.kings, entry.distance, usize::from(entry.first_try))? {
            return Ok(None);
        }
        Ok(self.entry_fault(Property::Sound, entry, "no order of tries wins it in time"))
    }

    fn first_try(&self, entry: &Entry) -> Result<Option<Fault>, ProbeError> {
        let fault = |problem: String| Ok(self.entry_fault(Property::FirstTry, entry, problem));
        let Some(tried) = self.umpired.tries.get(usize::from(entry.first_try)) else {
            return fault(format!("there is no try number {}", entry.first_try));
        };
        if entry.kings & !tried.refused == 0 {
            return fault(format!("its first try, {}, is always refused", tried.mv));
        }
        if !tried.is_winning(entry.kings, entry.distance, &mut &*self.linear)? {
            return fault(format!("its first try, {}, does not win in time", tried.mv));
        }
        Ok(None)
    }

    fn optimal(&self, entry: &Entry) -> Result<Option<Fault>, ProbeError> {
        let fewer = entry.distance.saturating_sub(1);
        if !self.is_won(entry.kings, fewer, 0)? {
            return Ok(None);
        }
        Ok(self.entry_fault(Property::Optimal, entry, format!("it is won in {fewer}")))
    }

    fn maximal(&self, entry: &Entry) -> Result<Option<Fault>, ProbeError> {
        let mut oracle = self.linear;
        // A try that wins for a set wins for its subsets, so only the tries that win for the entry
        // can win for a larger set.
        let winning = self.umpired.winning_tries(entry.kings, entry.distance, &mut oracle)?;
        for square in BitBoard(self.umpired.legal & !entry.kings) {
            let larger = entry.kings | square.bitboard().0;
            for &number in &winning {
                let tried = &self.umpired.tries[number];
                if larger & !tried.refused != 0
                    && tried.is_winning(larger, entry.distance, &mut oracle)?
                    && self.is_won(larger & tried.refused, entry.distance, 0)?
                {
                    let problem = format!("it is won in as many moves with a king on {square} too");
                    return Ok(self.entry_fault(Property::Maximal, entry, problem));
                }
            }
        }
        Ok(None)
    }

    fn random_set(&self, kings: u64) -> Result<Option<Fault>, ProbeError> {
        let stated = self.block.distance(kings);
        let fault = |problem: &str| {
            Ok(Some(self.fault(Property::RandomSets, kings, stated, problem.into())))
        };
        match stated {
            Some(distance) if !self.is_won(kings, distance, 0)? => fault("it is not won in time"),
            Some(distance) if self.is_won(kings, distance.saturating_sub(1), 0)? => {
                fault("it is won in fewer moves")
            }
            None if self.is_won(kings, u16::MAX, 0)? => {
                fault("the table says that it is not won, but it is")
            }
            _ => Ok(None),
        }
    }

    /// Compares the table with an exhaustive search for every single king and for two kinds of
    /// random sets: sets similar to short mates of the table, and sets of kings that the search
    /// mates one by one. The second kind does not depend on the table, which may lack entries.
    fn search_exhaustively(&self, sampler: &mut Sampler, report: &mut VerifyReport) {
        let mut search = ExhaustiveSearch::default();
        let legal = self.umpired.legal;
        let is_short = |entry: &&Entry| entry.distance <= EXHAUSTIVE_DEPTH;
        let short_mates: Vec<u64> =
            self.entries.iter().filter(is_short).map(|entry| entry.kings & legal).collect();
        let mut mated_alone = 0;
        for square in BitBoard(legal) {
            let king = square.bitboard().0;
            if search.distance(&self.placement, king, EXHAUSTIVE_DEPTH).is_some() {
                mated_alone |= king;
            }
            report.add(Property::Exhaustive, self.exhaustive(king, &mut search));
        }
        for _ in 0..EXHAUSTIVE_ROUNDS {
            let count = 2 + sampler.below(3);
            let sets =
                [Some(sampler.squares(mated_alone, count)), sampler.kings(legal, &short_mates)];
            for kings in sets.into_iter().flatten().filter(|&kings| kings != 0) {
                report.add(Property::Exhaustive, self.exhaustive(kings, &mut search));
            }
        }
    }

    fn exhaustive(&self, kings: u64, search: &mut ExhaustiveSearch) -> Option<Fault> {
        let stated = self.block.distance(kings);
        let found = search.distance(&self.placement, kings, EXHAUSTIVE_DEPTH);
        if stated.filter(|&distance| distance <= EXHAUSTIVE_DEPTH) == found {
            return None;
        }
        let problem = match found {
            Some(moves) => format!("a search without tables wins in {moves}"),
            None => format!("a search without tables does not win in {EXHAUSTIVE_DEPTH}"),
        };
        Some(self.fault(Property::Exhaustive, kings, stated, problem))
    }

    /// Checks the tries of a probe, each made if those before were refused. `to_canonical` maps the
    /// probed board to the canonical one.
    fn tries_in_order(
        &self,
        kings: u64,
        win: &Win,
        to_canonical: impl Fn(Square) -> Square,
    ) -> Result<Option<Fault>, ProbeError> {
        let distance = Some(win.distance);
        let fault =
            |problem: String| Ok(Some(self.fault(Property::Lookup, kings, distance, problem)));
        let mut left = kings;
        for mv in &win.tries {
            let mv = Move { from: to_canonical(mv.from), to: to_canonical(mv.to), ..*mv };
            let Some(tried) = self.umpired.tries.iter().find(|tried| tried.mv == mv) else {
                return fault(format!("{mv} is not a possible try"));
            };
            if !tried.is_winning(left, win.distance, &mut &*self.linear)? {
                return fault(format!("{mv} does not win in time after the tries before it"));
            }
            left &= tried.refused;
        }
        match BitBoard(left).next_square() {
            Some(square) => fault(format!("every try is refused by a king on {square}")),
            None => Ok(None),
        }
    }
}
