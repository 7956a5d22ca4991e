//! Sequential halving at the root (Karnin, Koren and Somekh, 2013), to decide which try to make.
//!
//! PUCT concentrates its visits on the edge that looks best early: one try may have thousands of
//! visits and the next one ten, which is too few to compare them. PUCT therefore gets only the
//! first part of the budget. Then the eight most visited edges compete in rounds; edges that are
//! given take the place of the least visited of them. Within a round the least visited edge comes
//! next, so that visits become as even as the budget allows; before the next round the half with
//! the lower confidence bounds is eliminated.

use std::cmp::Reverse;

use super::edge::Edge;

/// The edges that are still candidates.
#[derive(Debug, Clone, Default)]
pub struct SequentialHalving {
    /// The present round; 0 during PUCT.
    round: u32,
    /// Indices of the edges.
    candidates: Vec<usize>,
    /// Indices of edges that are first candidates whatever their visits.
    given: Vec<usize>,
}

/// Fraction of the budget that PUCT gets first. This and the number of rounds were set once; other
/// values were not tried.
const PUCT_FRACTION: f64 = 0.4;
/// Number of rounds. Each round has half as many candidates as the one before, the last one two.
const ROUNDS: u32 = 3;

impl SequentialHalving {
    /// With these edges among the first candidates, as far as there is room.
    pub fn with_candidates(given: Vec<usize>) -> Self {
        SequentialHalving { given, ..SequentialHalving::default() }
    }

    /// The index of the edge to simulate when this fraction of the budget is spent; `None` while
    /// PUCT selects.
    pub fn next(&mut self, edges: &[Edge], spent: f64) -> Option<usize> {
        let round = round_at(spent);
        if round > self.round {
            self.round = round;
            self.eliminate(edges);
        }
        self.candidates.iter().copied().min_by_key(|number| edges[*number].visits)
    }

    /// Keeps the candidates of the present round. The first candidates are the given edges and the
    /// most visited ones, because PUCT found them good.
    fn eliminate(&mut self, edges: &[Edge]) {
        if self.candidates.is_empty() {
            let is_given = |number: &usize| self.given.contains(number);
            self.candidates = (0..edges.len())
                .filter(|number| edges[*number].visits > 0 || is_given(number))
                .collect();
            self.candidates
                .sort_by_key(|number| (!is_given(number), Reverse(edges[*number].visits)));
            self.candidates.truncate(1 << ROUNDS);
        }
        let bound = |number: usize| edges[number].lower_bound();
        self.candidates.sort_by(|a, b| bound(*b).total_cmp(&bound(*a)));
        self.candidates.truncate(1 << (ROUNDS + 1 - self.round));
    }
}

/// The round when this fraction of the budget is spent; 0 before the first.
fn round_at(spent: f64) -> u32 {
    let progress = (spent - PUCT_FRACTION) / (1.0 - PUCT_FRACTION);
    if progress < 0.0 { 0 } else { (1 + (progress * f64::from(ROUNDS)) as u32).min(ROUNDS) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve edges with decreasing visits; the one with index `best` has the highest mean.
    fn edges(best: usize) -> Vec<Edge> {
        let visited = |number: usize| {
            let visits = 120 - 10 * number as u32;
            let mean = if number == best { 0.7 } else { 0.5 };
            let mv = format!("a{}b3", 1 + number % 8).parse().unwrap();
            Edge { visits, value_sum: mean * f64::from(visits), ..Edge::new(mv, 0.1) }
        };
        (0..12).map(visited).collect()
    }

    #[test]
    fn eight_four_and_two_candidates_remain_and_include_the_best() {
        let (mut halving, edges) = (SequentialHalving::default(), edges(6));
        assert_eq!(halving.next(&edges, 0.1), None);
        for (spent, left) in [(0.41, 8), (0.61, 4), (0.81, 2), (1.0, 2)] {
            assert!(halving.next(&edges, spent).is_some());
            let candidates = &halving.candidates;
            assert_eq!(candidates.len(), left);
            assert!(candidates.contains(&6) && candidates.iter().all(|number| *number < 8));
        }
    }

    #[test]
    fn the_least_visited_candidate_comes_next() {
        let (mut halving, mut edges) = (SequentialHalving::default(), edges(0));
        for _ in 0..300 {
            let next = halving.next(&edges, 0.5).unwrap();
            edges[next].visits += 1;
        }
        let visits: Vec<u32> =
            halving.candidates.iter().map(|number| edges[*number].visits).collect();
        assert!(visits.iter().all(|visits| *visits >= 115), "{visits:?}");
    }

    #[test]
    fn the_last_round_can_start_without_the_earlier_ones() {
        let mut halving = SequentialHalving::default();
        assert!(halving.next(&edges(3), 1.0).is_some());
        let (round, candidates) = (halving.round, &halving.candidates);
        assert_eq!((round, candidates.len(), candidates[0]), (ROUNDS, 2, 3));
    }

    #[test]
    fn given_candidates_are_compared_even_if_unvisited() {
        let mut edges = edges(0);
        edges[11] = Edge::new(edges[11].mv, 0.1);
        let mut halving = SequentialHalving::with_candidates(vec![11, 0]);
        assert_eq!(halving.next(&edges, 0.41), Some(11));
        let mut first = halving.candidates.clone();
        first.sort_unstable();
        assert_eq!(first, [0, 1, 2, 3, 4, 5, 6, 11]);
        // Without visits it has the lowest bound.
        halving.next(&edges, 0.61);
        assert!(!halving.candidates.contains(&11));
    }

    #[test]
    fn unvisited_edges_are_no_candidates() {
        let edges = [Edge::new("a2a3".parse().unwrap(), 1.0)];
        assert_eq!(SequentialHalving::default().next(&edges, 0.9), None);
    }
}
