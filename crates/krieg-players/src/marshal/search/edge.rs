//! An edge of the tree: one try at one node, with its statistics.

use krieg_core::Move;

/// A try at a node, with its prior probability and the statistics of its simulations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    pub mv: Move,
    /// Prior probability. The priors of a node sum to 1.
    pub prior: f32,
    pub visits: u32,
    /// Sum of the values of all simulations through the edge.
    pub value_sum: f64,
}

/// Half-width of the confidence bound after one visit: twice the standard deviation of the value of
/// one simulation, which was 0.15 on average at eight positions from games.
const CONFIDENCE_WIDTH: f64 = 0.3;
/// An edge with fewer visits than the most visited edge divided by this is ranked behind all
/// others: one lucky simulation is no evidence.
const MIN_VISIT_RATIO: u32 = 8;

impl Edge {
    pub fn new(mv: Move, prior: f32) -> Self {
        Edge { mv, prior, visits: 0, value_sum: 0.0 }
    }

    /// The mean value of the simulations through the edge; 0 without any.
    pub fn mean(&self) -> f64 {
        self.value_sum / f64::from(self.visits.max(1))
    }

    /// A lower confidence bound of the value.
    pub fn lower_bound(&self) -> f64 {
        self.mean() - CONFIDENCE_WIDTH / f64::from(self.visits + 1).sqrt()
    }
}

/// Sorts edges by their lower confidence bound, the best first. Edges with few visits come last.
pub fn rank_by_lower_bound(edges: &mut [Edge]) {
    let most = edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
    let is_known = |edge: &Edge| edge.visits > 0 && edge.visits >= most / MIN_VISIT_RATIO;
    edges.sort_by(|a, b| {
        is_known(b).cmp(&is_known(a)).then(b.lower_bound().total_cmp(&a.lower_bound()))
    });
}
