//! Retrograde analysis over metapositions (Favini 2010, chapter 7), one pass per depth.
//!
//! Before pass *n*, the analysis knows for every placement the maximal king sets that are won
//! within *n* − 1 moves. A try leads to a successor placement, where the umpire's announcement
//! partitions the squares into classes. For each class, [`placement_state`] holds the maximal sets
//! from which every reply of the lone king leads into a won set. A set is won within *n* moves by
//! this try if its part in each class is a subset of one of those. The maximal won sets are
//! therefore the unions of one set per class ([`pass`]). A try that may be refused has one more
//! class, the kings that refuse it. Their set must be a subset of a set that other tries win here
//! within *n* moves.

mod antichain;
mod combinations;
mod pass;
mod placement_state;
mod promotion_targets;
mod superset_index;

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use pass::PassWorker;
pub use pass::WonSet;
use placement_state::PlacementState;
use promotion_targets::PromotionTargets;
pub use promotion_targets::SolvedEndgames;

use crate::endgame::Endgame;
use crate::placement::Placement;
use crate::placement_index::PlacementIndex;
use crate::symmetry::Symmetry;
use crate::tablebase::ProbeError;

/// The result of one pass: for each placement with newly won sets, its number and the sets.
pub type PassResult = Vec<(u32, Vec<WonSet>)>;

/// The retrograde analysis of one endgame.
#[derive(Debug)]
pub struct RetrogradeAnalysis {
    index: PlacementIndex,
    placements: Vec<Placement>,
    states: Vec<PlacementState>,
    promotion_targets: PromotionTargets,
    depth: u16,
}

impl RetrogradeAnalysis {
    /// Prepares the analysis of an endgame. The endgames that captures and promotions lead to must
    /// be in `solved`.
    pub fn new(
        endgame: Endgame,
        solved: &(impl SolvedEndgames + Sync),
    ) -> Result<Self, ProbeError> {
        let index = PlacementIndex::new(endgame);
        let placements: Vec<Placement> =
            (0..index.len()).filter_map(|number| index.placement(number)).collect();
        let states = placements
            .par_iter()
            .map(|placement| promotion_targets::initial_state(placement, solved))
            .collect::<Result<_, _>>()?;
        let promotion_targets = PromotionTargets::of(endgame, &placements, solved)?;
        Ok(RetrogradeAnalysis { index, placements, states, promotion_targets, depth: 0 })
    }

    /// Number of passes that have been applied.
    pub fn depth(&self) -> u16 {
        self.depth
    }

    /// The canonical placements, in the order of their numbers.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// Number of sets in memory.
    pub fn set_count(&self) -> usize {
        self.states.iter().map(PlacementState::set_count).sum::<usize>()
            + self.promotion_targets.set_count()
    }

    /// Whether another pass may find something.
    pub fn needs_another_pass(&self) -> bool {
        self.states.iter().any(|state| state.may_contribute_after(self.depth))
            || self.promotion_targets.may_contribute_after(self.depth)
    }

    /// Finds what is won one move deeper; `None` if `stop` was set meanwhile.
    #[must_use = "the result of a pass must be applied"]
    pub fn run_pass(&self, stop: &AtomicBool) -> Option<PassResult> {
        let successor_state = |successor: &Placement| -> (&PlacementState, Symmetry) {
            if successor.endgame() == self.index.endgame() {
                let (number, symmetry) = self.index.number(successor);
                (&self.states[number], symmetry)
            } else {
                self.promotion_targets.state(successor)
            }
        };
        (0..self.states.len())
            .into_par_iter()
            .with_max_len(16)
            .map_init(PassWorker::default, |worker, number| {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                let (placement, state) = (&self.placements[number], &self.states[number]);
                Some((number as u32, worker.extend(placement, state, successor_state)))
            })
            .filter(|found| found.as_ref().is_none_or(|(_, found)| !found.is_empty()))
            .collect()
    }

    /// Applies the result of a pass, from this run or an earlier one, and prepares the next.
    pub fn apply_pass(
        &mut self,
        result: &PassResult,
        solved: &(impl SolvedEndgames + Sync),
    ) -> Result<(), ProbeError> {
        self.depth += 1;
        let mut by_number: Vec<&[WonSet]> = vec![&[]; self.states.len()];
        for (number, found) in result {
            by_number[*number as usize] = found;
        }
        let depth = self.depth;
        self.states.par_iter_mut().zip(&self.placements).zip(by_number).for_each(
            |((state, placement), found)| {
                let sets: Vec<u64> = found.iter().map(|found| found.kings).collect();
                state.advance(placement, &sets, depth);
            },
        );
        self.promotion_targets.advance(depth, solved)
    }
}
