//! Solved endgames that captures and promotions lead to, and what they contribute to each pass.

use std::collections::HashMap;

use krieg_core::Square;
use rayon::prelude::*;

use super::placement_state::{NO_MATE, PlacementState};
use crate::attack_map::AttackMap;
use crate::endgame::Endgame;
use crate::placement::Placement;
use crate::symmetry::Symmetry;
use crate::tablebase::ProbeError;

/// A source of endgames that are already solved.
pub trait SolvedEndgames {
    /// The distance to mate for this non-empty king set; `None` if the win is not forced.
    fn distance(&self, placement: &Placement, kings: u64) -> Result<Option<u16>, ProbeError>;

    /// The king sets of a canonical placement's entries with this distance.
    fn sets(&self, canonical: &Placement, distance: u16) -> Result<Vec<u64>, ProbeError>;

    /// The distances of a canonical placement's entries, in ascending order.
    fn distances(&self, canonical: &Placement) -> Result<Vec<u16>, ProbeError>;
}

/// The initial state of a placement, with the distances after captures of its undefended pieces.
pub fn initial_state(
    placement: &Placement,
    solved: &impl SolvedEndgames,
) -> Result<PlacementState, ProbeError> {
    let map = AttackMap::new(placement);
    let mut captures = Vec::new();
    let mut undefended = map.undefended;
    while undefended != 0 {
        let square = undefended.trailing_zeros() as u8;
        undefended &= undefended - 1;
        let left = placement.without(Square::index(usize::from(square)));
        let distance = match left {
            Some(left) => solved.distance(&left, 1 << square)?,
            None => None,
        };
        captures.push((square, distance.unwrap_or(NO_MATE)));
    }
    Ok(PlacementState::new(&map, captures))
}

/// The placements of other endgames that promotions lead to.
///
/// Their entries are read from the tables one distance at a time, since compressed tables take much
/// less memory.
#[derive(Debug, Default)]
pub struct PromotionTargets {
    numbers: HashMap<Placement, u32>,
    targets: Vec<PromotionTarget>,
}

/// One such placement.
#[derive(Debug)]
struct PromotionTarget {
    placement: Placement,
    state: PlacementState,
    /// The distances of the entries that have not been read yet, in descending order.
    distances: Vec<u16>,
}

impl PromotionTargets {
    /// The targets of all promotions from these placements.
    pub fn of(
        endgame: Endgame,
        placements: &[Placement],
        solved: &(impl SolvedEndgames + Sync),
    ) -> Result<Self, ProbeError> {
        let mut targets = PromotionTargets::default();
        if !endgame.has_pawns() {
            return Ok(targets);
        }
        let mut reached = Vec::new();
        for placement in placements {
            placement.for_each_try(|tried| {
                if tried.mv.promotion.is_some() {
                    let canonical = tried.successor.canonical().0;
                    let next = targets.numbers.len() as u32;
                    if *targets.numbers.entry(canonical).or_insert(next) == next {
                        reached.push(canonical);
                    }
                }
            });
        }
        targets.targets = reached
            .into_par_iter()
            .map(|placement| {
                let mut distances = solved.distances(&placement)?;
                distances.reverse();
                let state = initial_state(&placement, solved)?;
                Ok(PromotionTarget { placement, state, distances })
            })
            .collect::<Result<_, ProbeError>>()?;
        Ok(targets)
    }

    /// The state of the placement after a promotion, and the symmetry to its canonical form.
    pub fn state(&self, successor: &Placement) -> (&PlacementState, Symmetry) {
        let (canonical, symmetry) = successor.canonical();
        (&self.targets[self.numbers[&canonical] as usize].state, symmetry)
    }

    /// Number of sets in memory.
    pub fn set_count(&self) -> usize {
        self.targets.iter().map(|target| target.state.set_count()).sum()
    }

    /// Whether a target may contribute to the pass after `depth`, or to a later one.
    pub fn may_contribute_after(&self, depth: u16) -> bool {
        self.targets
            .iter()
            .any(|target| target.state.may_contribute_after(depth) || !target.distances.is_empty())
    }

    /// Reads what is won within `depth` moves and prepares the next pass.
    pub fn advance(
        &mut self,
        depth: u16,
        solved: &(impl SolvedEndgames + Sync),
    ) -> Result<(), ProbeError> {
        self.targets.par_iter_mut().try_for_each(|target| {
            let mut sets = Vec::new();
            if target.distances.last() == Some(&depth) {
                target.distances.pop();
                sets = solved.sets(&target.placement, depth)?;
            }
            target.state.advance(&target.placement, &sets, depth);
            Ok(())
        })
    }
}
