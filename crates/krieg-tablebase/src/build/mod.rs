//! Retrograde analysis over metapositions (Favini 2010, chapter 7), one depth after the other.
//!
//! At depth *n* the builder knows, for every disposition, the largest sets of kings that are won within *n* − 1 moves. A try leads to
//! another disposition; what the umpire says there divides the squares into classes; for each class, [`node`] holds the largest sets from which the lone king
//! must go into a won set. A set is won within *n* moves by this try if in each class it lies within one of those: so the largest are the
//! unions of one for each class ([`extend`]). A try that may be refused has one class more, what is left when it is, and that must lie
//! within a set won here in *n* moves by other tries.

mod antichain;
mod choices;
mod extend;
mod foreign;
mod holders;
mod node;

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

pub use extend::Found;
use extend::Worker;
use foreign::Foreign;
pub use foreign::Known;
use node::Node;

use crate::disposition::{Catalogue, Disposition};
use crate::endgame::Endgame;
use crate::symmetry::Symmetry;
use crate::tablebase::ProbeError;

/// What one depth has brought: by number of the disposition, the sets newly won.
pub type Depth = Vec<(u32, Vec<Found>)>;

/// An endgame being solved.
#[derive(Debug)]
pub struct Builder {
    catalogue: Catalogue,
    dispositions: Vec<Disposition>,
    nodes: Vec<Node>,
    foreign: Foreign,
    depth: u16,
}

impl Builder {
    /// Makes ready to solve an endgame. What it leads to by a loss or a promotion is asked of `known`.
    pub fn new(endgame: Endgame, known: &(impl Known + Sync)) -> Result<Self, ProbeError> {
        let catalogue = Catalogue::new(endgame);
        let dispositions: Vec<Disposition> =
            (0..catalogue.len()).filter_map(|n| catalogue.disposition(n)).collect();
        let nodes =
            dispositions.par_iter().map(|d| foreign::node(d, known)).collect::<Result<_, _>>()?;
        let foreign = Foreign::of(endgame, &dispositions, known)?;
        Ok(Builder { catalogue, dispositions, nodes, foreign, depth: 0 })
    }

    /// The depth that is done.
    pub fn depth(&self) -> u16 {
        self.depth
    }

    /// The dispositions, in the order of their numbers.
    pub fn dispositions(&self) -> &[Disposition] {
        &self.dispositions
    }

    /// How many sets are held in memory.
    pub fn held(&self) -> usize {
        self.nodes.iter().map(Node::held).sum::<usize>() + self.foreign.held()
    }

    /// Whether another depth may bring something.
    pub fn goes_on(&self) -> bool {
        self.nodes.iter().any(|node| node.goes_on(self.depth)) || self.foreign.goes_on(self.depth)
    }

    /// Finds what is won one move deeper; `None` if `stop` was raised meanwhile.
    pub fn search(&self, stop: &AtomicBool) -> Option<Depth> {
        let arrive = |to: &Disposition| -> (&Node, Symmetry) {
            if to.endgame() == self.catalogue.endgame() {
                let (number, way) = self.catalogue.number(to);
                (&self.nodes[number], way)
            } else {
                self.foreign.arrive(to)
            }
        };
        (0..self.nodes.len())
            .into_par_iter()
            .with_max_len(16)
            .map_init(Worker::default, |worker, number| {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                let found = worker.extend(&self.dispositions[number], &self.nodes[number], arrive);
                Some((number as u32, found))
            })
            .filter(|found| found.as_ref().is_none_or(|(_, found)| !found.is_empty()))
            .collect()
    }

    /// Takes up what a depth has brought, found now or in an earlier run.
    pub fn deepen(&mut self, found: &Depth, known: &(impl Known + Sync)) -> Result<(), ProbeError> {
        self.depth += 1;
        let mut by_number: Vec<&[Found]> = vec![&[]; self.nodes.len()];
        for (number, found) in found {
            by_number[*number as usize] = found;
        }
        let depth = self.depth;
        self.nodes.par_iter_mut().zip(&self.dispositions).zip(by_number).for_each(
            |((node, disposition), found)| {
                let sets: Vec<u64> = found.iter().map(|found| found.kings).collect();
                node.advance(disposition, &sets, depth);
            },
        );
        self.foreign.deepen(depth, known)
    }
}
