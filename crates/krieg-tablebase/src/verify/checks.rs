//! All that is asked about one disposition of a table.

use krieg_core::{BitBoard, Color, Move, Square};

use super::attacker::{seat, seated};
use super::brute::Brute;
use super::findings::{Check, Fault, Findings, text};
use super::inspect::Inspection;
use super::sample::Lots;
use super::scene::Scene;
use super::shelf::{Row, Shelves};
use crate::disposition::Disposition;
use crate::file::block::Entry;
use crate::file::write::Heading;
use crate::symmetry::Symmetry;
use crate::tablebase::{ProbeError, Tablebase, Win};

/// Whoever inspects a table, and what he has at hand.
#[derive(Debug)]
pub struct Inspector<'a> {
    pub tables: &'a Tablebase,
    pub shelves: &'a Shelves,
    pub heading: Heading,
    pub inspection: &'a Inspection,
}

/// One disposition being looked at.
struct Sight<'a> {
    shelves: &'a Shelves,
    disposition: Disposition,
    scene: Scene,
    row: &'a Row,
    entries: Vec<Entry>,
}

/// A search without tables looks so many moves ahead, and is asked so often at one disposition; one in so many sets that
/// are drawn by lot has a disposition searched, as this takes the most time.
const BRUTE_MOVES: u16 = 3;
const BRUTE_SETS: usize = 20;
const SETS_A_SEARCH: u64 = 250;

impl Inspector<'_> {
    /// Looks at the disposition of this number, and says what its entries are.
    pub fn look_at(
        &self,
        number: usize,
        disposition: Disposition,
        entries: Vec<Entry>,
    ) -> Result<Findings, ProbeError> {
        let mut findings = Findings::none(disposition.endgame());
        let mut lots = Lots::new(self.inspection.seed, number as u64);
        let wanted = self.inspection.sample as u64;
        let sets = lots.share(wanted, self.heading.dispositions);
        let is_searched = lots.draws(wanted.div_ceil(SETS_A_SEARCH), self.heading.dispositions);
        if entries.is_empty() && sets == 0 && !is_searched {
            return Ok(findings);
        }
        let (row, _) = self.shelves.row(&disposition, 0)?;
        let scene = Scene::of(&disposition);
        let sight = Sight { shelves: self.shelves, disposition, scene, row, entries };
        for entry in &sight.entries {
            findings.note(Check::Antichain, sight.antichain(entry));
            findings.note(Check::Sound, sight.sound(entry)?);
            findings.note(Check::FirstTry, sight.first_try(entry)?);
            if self.inspection.all || lots.draws(wanted, self.heading.entries) {
                findings.note(Check::Optimal, sight.optimal(entry)?);
                findings.note(Check::Maximal, sight.maximal(entry)?);
            }
        }
        let won: Vec<u64> =
            sight.entries.iter().map(|entry| entry.kings & sight.scene.legal).collect();
        for _ in 0..sets {
            let Some(kings) = lots.kings(sight.scene.legal, &won) else { continue };
            findings.note(Check::Random, sight.random(kings)?);
            findings.note(Check::Lookup, self.lookup(&sight, kings, &mut lots)?);
        }
        if is_searched {
            sight.search(&mut lots, &mut findings);
        }
        Ok(findings)
    }

    /// The tables are asked in their own way, with the board turned and the colours exchanged by lot.
    fn lookup(
        &self,
        sight: &Sight,
        kings: u64,
        lots: &mut Lots,
    ) -> Result<Option<Fault>, ProbeError> {
        let ways = if sight.disposition.endgame().has_pawns() { 2 } else { Symmetry::ALL.len() };
        let way = Symmetry::ALL[lots.below(ways)];
        let attacker = Color::ALL[lots.below(Color::ALL.len())];
        let expected = sight.row.distance(kings);
        let fault = |what: String| Ok(Some(sight.fault(Check::Lookup, kings, expected, what)));
        let turned = sight.disposition.turned(way);
        let told = self.tables.distance(&turned, way.squares(kings))?;
        if told != expected {
            return fault(format!("the distance is looked up as {told:?}, turned by {way:?}"));
        }
        let asked = match seated(&turned, way.squares(kings), attacker) {
            Ok(asked) => asked,
            Err(why) => return fault(format!("it is said to be impossible: {why}")),
        };
        let win = self.tables.probe(&asked)?;
        if win.as_ref().map(|win| win.distance) != expected {
            return fault(format!("{asked} is looked up as {win:?}"));
        }
        let Some(win) = win else { return Ok(None) };
        if !asked.kings().is_subset(win.kings) {
            return fault(format!("the entry found for {asked} lacks some of its kings"));
        }
        let back = |square: Square| way.undo_square(seat(attacker, square));
        sight.tries_in_order(kings, &win, back)
    }
}

impl Sight<'_> {
    fn fault(&self, check: Check, kings: u64, distance: Option<u16>, what: String) -> Fault {
        Fault { check, entry: text(&self.disposition, kings, distance), what }
    }

    fn fault_of(&self, check: Check, entry: &Entry, what: impl Into<String>) -> Option<Fault> {
        Some(self.fault(check, entry.kings, Some(entry.distance), what.into()))
    }

    /// Whether forward play mates all these kings within so many moves, with what the tables say of the moves after the next.
    fn is_won(&self, kings: u64, within: u16, first: usize) -> Result<bool, ProbeError> {
        self.scene.is_won(kings, within, first, &mut &*self.shelves)
    }

    fn antichain(&self, entry: &Entry) -> Option<Fault> {
        let fault = |what: &str| self.fault_of(Check::Antichain, entry, what);
        if entry.kings == 0 {
            return fault("it has no king");
        }
        if let Some(square) = BitBoard(entry.kings & !self.scene.legal).next_square() {
            return fault(&format!("there can be no king on {square}"));
        }
        if self.row.holding(entry.kings, entry.distance) > 1 {
            return fault("another entry holds all its kings and is as near to mate");
        }
        None
    }

    fn sound(&self, entry: &Entry) -> Result<Option<Fault>, ProbeError> {
        if self.is_won(entry.kings, entry.distance, usize::from(entry.first))? {
            return Ok(None);
        }
        Ok(self.fault_of(Check::Sound, entry, "no order of tries wins this in time"))
    }

    fn first_try(&self, entry: &Entry) -> Result<Option<Fault>, ProbeError> {
        let fault = |what: String| Ok(self.fault_of(Check::FirstTry, entry, what));
        let Some(tried) = self.scene.tries.get(usize::from(entry.first)) else {
            return fault(format!("there is no try of number {}", entry.first));
        };
        if entry.kings & !tried.refused == 0 {
            return fault(format!("its first try, {}, is always refused", tried.mv));
        }
        if !tried.is_good(entry.kings, entry.distance, &mut &*self.shelves)? {
            return fault(format!("its first try, {}, does not win in time", tried.mv));
        }
        Ok(None)
    }

    fn optimal(&self, entry: &Entry) -> Result<Option<Fault>, ProbeError> {
        let sooner = entry.distance.saturating_sub(1);
        if !self.is_won(entry.kings, sooner, 0)? {
            return Ok(None);
        }
        Ok(self.fault_of(Check::Optimal, entry, format!("it is won in {sooner}")))
    }

    fn maximal(&self, entry: &Entry) -> Result<Option<Fault>, ProbeError> {
        let mut judge = self.shelves;
        // A try that is good for a set is good for its parts: what is bad for the entry is bad for anything wider.
        let good = self.scene.good_tries(entry.kings, entry.distance, &mut judge)?;
        for square in BitBoard(self.scene.legal & !entry.kings) {
            let wider = entry.kings | square.bitboard().0;
            for &number in &good {
                let tried = &self.scene.tries[number];
                if wider & !tried.refused != 0
                    && tried.is_good(wider, entry.distance, &mut judge)?
                    && self.is_won(wider & tried.refused, entry.distance, 0)?
                {
                    let what = format!("it is won in as many moves with a king on {square} too");
                    return Ok(self.fault_of(Check::Maximal, entry, what));
                }
            }
        }
        Ok(None)
    }

    fn random(&self, kings: u64) -> Result<Option<Fault>, ProbeError> {
        let told = self.row.distance(kings);
        let fault = |what: &str| Ok(Some(self.fault(Check::Random, kings, told, what.into())));
        match told {
            Some(distance) if !self.is_won(kings, distance, 0)? => fault("it is not won in time"),
            Some(distance) if self.is_won(kings, distance.saturating_sub(1), 0)? => {
                fault("it is won sooner")
            }
            None if self.is_won(kings, u16::MAX, 0)? => {
                fault("the table says that it is not won, but it is")
            }
            _ => Ok(None),
        }
    }

    /// Searches without tables, for sets akin to near mates in the table and for sets of kings each of whom is near to mate by the search itself: what
    /// the table lacks must not decide what is looked for.
    fn search(&self, lots: &mut Lots, findings: &mut Findings) {
        let mut brute = Brute::default();
        let legal = self.scene.legal;
        let is_near = |entry: &&Entry| entry.distance <= BRUTE_MOVES;
        let near: Vec<u64> =
            self.entries.iter().filter(is_near).map(|entry| entry.kings & legal).collect();
        let mut alone = 0;
        for square in BitBoard(legal) {
            let king = square.bitboard().0;
            if brute.distance(&self.disposition, king, BRUTE_MOVES).is_some() {
                alone |= king;
            }
            findings.note(Check::Complete, self.complete(king, &mut brute));
        }
        for _ in 0..BRUTE_SETS {
            let count = 2 + lots.below(3);
            let drawn = [Some(lots.some_squares(alone, count)), lots.kings(legal, &near)];
            for kings in drawn.into_iter().flatten().filter(|&kings| kings != 0) {
                findings.note(Check::Complete, self.complete(kings, &mut brute));
            }
        }
    }

    fn complete(&self, kings: u64, brute: &mut Brute) -> Option<Fault> {
        let told = self.row.distance(kings);
        let found = brute.distance(&self.disposition, kings, BRUTE_MOVES);
        if told.filter(|&distance| distance <= BRUTE_MOVES) == found {
            return None;
        }
        let what = match found {
            Some(moves) => format!("a search without tables wins in {moves}"),
            None => format!("a search without tables does not win in {BRUTE_MOVES}"),
        };
        Some(self.fault(Check::Complete, kings, told, what))
    }

    /// The tries that a lookup gives, each tried if those before were refused. `back` leads to the board that is filed.
    fn tries_in_order(
        &self,
        kings: u64,
        win: &Win,
        back: impl Fn(Square) -> Square,
    ) -> Result<Option<Fault>, ProbeError> {
        let distance = Some(win.distance);
        let fault = |what: String| Ok(Some(self.fault(Check::Lookup, kings, distance, what)));
        let mut left = kings;
        for mv in &win.tries {
            let filed = Move { from: back(mv.from), to: back(mv.to), ..*mv };
            let Some(tried) = self.scene.tries.iter().find(|tried| tried.mv == filed) else {
                return fault(format!("nobody can try {filed}"));
            };
            if !tried.is_good(left, win.distance, &mut &*self.shelves)? {
                return fault(format!("{filed} does not win in time when it comes to it"));
            }
            left &= tried.refused;
        }
        match BitBoard(left).next_square() {
            Some(square) => fault(format!("every try is refused by a king on {square}")),
            None => Ok(None),
        }
    }
}
