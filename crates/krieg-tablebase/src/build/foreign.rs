//! The endgames that an endgame leads to, already solved: what they know, depth by depth.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::build::node::{NEVER, Node};
use crate::disposition::Disposition;
use crate::endgame::Endgame;
use crate::ground::Ground;
use crate::symmetry::Symmetry;
use crate::tablebase::ProbeError;

/// Endgames that are solved.
pub trait Known {
    /// In how many moves a king on this one square is mated; `None` if that is not sure.
    fn distance(&self, disposition: &Disposition, king: u64) -> Result<Option<u16>, ProbeError>;

    /// The sets of kings of a filed disposition that are entries of this distance.
    fn sets(&self, filed: &Disposition, distance: u16) -> Result<Vec<u64>, ProbeError>;

    /// The distances of which a filed disposition has entries, nearest first.
    fn distances(&self, filed: &Disposition) -> Result<Vec<u16>, ProbeError>;
}

/// A node that knows when the loss of each of its helpers is made good.
pub fn node(disposition: &Disposition, known: &impl Known) -> Result<Node, ProbeError> {
    let ground = Ground::new(disposition);
    let mut losses = Vec::new();
    let mut loose = ground.loose;
    while loose != 0 {
        let square = loose.trailing_zeros() as u8;
        loose &= loose - 1;
        let left = disposition.without(krieg_core::Square::index(usize::from(square)));
        let distance = match left {
            Some(left) => known.distance(&left, 1 << square)?,
            None => None,
        };
        losses.push((square, distance.unwrap_or(NEVER)));
    }
    Ok(Node::new(&ground, losses))
}

/// The dispositions of other endgames that promotions lead to.
///
/// Their entries stay in their tables, where they take little room, and are read a distance at a time.
#[derive(Debug, Default)]
pub struct Foreign {
    numbers: HashMap<Disposition, u32>,
    places: Vec<Place>,
}

/// One such disposition.
#[derive(Debug)]
struct Place {
    disposition: Disposition,
    node: Node,
    /// The distances of its entries that are still to come, the nearest last.
    distances: Vec<u16>,
}

impl Foreign {
    /// All that promotions lead to from these dispositions.
    pub fn of(
        endgame: Endgame,
        dispositions: &[Disposition],
        known: &(impl Known + Sync),
    ) -> Result<Self, ProbeError> {
        let mut foreign = Foreign::default();
        if !endgame.has_pawns() {
            return Ok(foreign);
        }
        let mut reached = Vec::new();
        for disposition in dispositions {
            disposition.each_step(|step| {
                if step.mv.promotion.is_some() {
                    let filed = step.to.filed().0;
                    let next = foreign.numbers.len() as u32;
                    if *foreign.numbers.entry(filed).or_insert(next) == next {
                        reached.push(filed);
                    }
                }
            });
        }
        let places: Result<Vec<Place>, ProbeError> = reached
            .into_par_iter()
            .map(|disposition| {
                let mut distances = known.distances(&disposition)?;
                distances.reverse();
                Ok(Place { node: node(&disposition, known)?, distances, disposition })
            })
            .collect();
        foreign.places = places?;
        Ok(foreign)
    }

    /// What is known where a promotion leads.
    pub fn arrive(&self, to: &Disposition) -> (&Node, Symmetry) {
        let (filed, way) = to.filed();
        (&self.places[self.numbers[&filed] as usize].node, way)
    }

    /// How many sets are held in memory.
    pub fn held(&self) -> usize {
        self.places.iter().map(|place| place.node.held()).sum()
    }

    /// Whether something of this is new at a later depth.
    pub fn goes_on(&self, depth: u16) -> bool {
        self.places.iter().any(|place| place.node.goes_on(depth) || !place.distances.is_empty())
    }

    /// Takes up what is won within `depth` moves.
    pub fn deepen(&mut self, depth: u16, known: &(impl Known + Sync)) -> Result<(), ProbeError> {
        self.places.par_iter_mut().try_for_each(|place| {
            let mut sets = Vec::new();
            if place.distances.last() == Some(&depth) {
                place.distances.pop();
                sets = known.sets(&place.disposition, depth)?;
            }
            place.node.advance(&place.disposition, &sets, depth);
            Ok(())
        })
    }
}
