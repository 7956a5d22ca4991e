//! A search tree over the player's own tries and the announcements, without boards.
//!
//! A node is a decision point of the player: an information set, all boards on which the player has
//! made the same tries and observed the same announcements. Its edges are tries. A try leads to one
//! of two kinds of children: if the umpire refuses it, the player chooses again in the same turn;
//! if it is accepted, the opponent moves and the player chooses in the next turn. A refusal thus
//! costs no turn, and the value of the information it gives needs no extra term.
//!
//! The order of refusals does not change what the player knows, so all orders lead to one node.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use krieg_core::{Announcement, Move};

use super::edge::Edge;
use super::hash::{FastHasher, hash_of};

/// Index of a node.
pub type NodeIndex = u32;

/// Hash of all announcements between an accepted try and the player's next decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObservationHash(u64);

impl ObservationHash {
    /// From the announcements of the own move and the opponent's reply, and the answer to "any?" in
    /// rulesets that have it.
    pub fn new(own: &Announcement, reply: &Announcement, any: Option<bool>) -> Self {
        ObservationHash(hash_of((own, reply, any)))
    }
}

#[derive(Debug, Clone)]
struct Node {
    /// The first node of the same turn.
    turn: NodeIndex,
    /// XOR of the hashes of the tries refused in this turn.
    refused: u64,
    visits: u32,
    /// Sorted by prior, the highest first. Empty until a simulation chooses here.
    edges: Vec<Edge>,
}

/// The parameters of the selection rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PuctParams {
    /// The exploration constant.
    pub exploration: f64,
    /// Deducted from the node's value to give the value of an unvisited edge (first-play urgency
    /// reduction).
    pub first_play_penalty: f64,
}

/// The tree, with a limited number of nodes and edges.
#[derive(Debug, Clone)]
pub struct PuctTree {
    nodes: Vec<Node>,
    /// From the hash of a node's history to its index.
    index: HashMap<u64, NodeIndex, BuildHasherDefault<FastHasher>>,
    edge_count: usize,
    capacity: usize,
}

/// The root of a tree that was just cleared.
pub const ROOT: NodeIndex = 0;

/// Progressive widening: the number of edges that are considered at first, and how many more with
/// the square root of the visits.
const INITIAL_WIDTH: f64 = 4.0;
const WIDENING: f64 = 1.5;

/// Number of nodes that memory is allocated for at first. Reallocating a vector of that size takes
/// milliseconds of a player's time.
const PREALLOCATED: usize = 1 << 17;

impl PuctTree {
    /// An empty tree with room for this many nodes and edges together.
    pub fn new(capacity: usize) -> Self {
        let capacity = capacity.max(1);
        let preallocated = capacity.min(PREALLOCATED);
        let mut tree = PuctTree {
            nodes: Vec::with_capacity(preallocated),
            index: HashMap::with_capacity_and_hasher(preallocated, BuildHasherDefault::default()),
            edge_count: 0,
            capacity,
        };
        tree.clear();
        tree
    }

    /// Removes everything but a root without edges.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.index.clear();
        self.edge_count = 0;
        self.nodes.push(Node { turn: ROOT, refused: 0, visits: 0, edges: Vec::new() });
    }

    /// The number of nodes and edges.
    pub fn len(&self) -> usize {
        self.nodes.len() + self.edge_count
    }

    /// The maximum number of nodes and edges.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    pub fn is_full(&self) -> bool {
        self.len() >= self.capacity
    }

    pub fn edges(&self, node: NodeIndex) -> &[Edge] {
        &self.nodes[node as usize].edges
    }

    pub fn visits(&self, node: NodeIndex) -> u32 {
        self.nodes[node as usize].visits
    }

    /// Whether no try was refused yet in the turn of this node.
    pub fn is_first_of_turn(&self, node: NodeIndex) -> bool {
        self.nodes[node as usize].refused == 0
    }

    /// Sets the edges of a node and sorts them by prior. Tries that the node already had keep their
    /// statistics.
    pub fn set_edges(&mut self, node: NodeIndex, mut edges: Vec<Edge>) {
        let old = &mut self.nodes[node as usize].edges;
        for edge in &mut edges {
            if let Some(known) = old.iter().find(|known| known.mv == edge.mv) {
                *edge = Edge { prior: edge.prior, ..*known };
            }
        }
        edges.sort_by(|a, b| b.prior.total_cmp(&a.prior));
        self.edge_count = self.edge_count + edges.len() - old.len();
        *old = edges;
    }

    /// The child after this try is refused; `None` if the tree is full.
    ///
    /// A new child inherits the other edges with the square root of their visits. The most visited
    /// tries thus still come first, which matters when there is no time for more simulations.
    pub fn child_after_refusal(&mut self, node: NodeIndex, mv: Move) -> Option<NodeIndex> {
        let Node { turn, refused, .. } = self.nodes[node as usize];
        let refused = refused ^ hash_of(mv);
        let key = hash_of((turn, refused));
        if let Some(&known) = self.index.get(&key) {
            return Some(known);
        }
        let others = self.nodes[node as usize].edges.iter().filter(|edge| edge.mv != mv);
        let edges: Vec<Edge> = others
            .map(|edge| {
                let visits = edge.visits.isqrt();
                Edge { visits, value_sum: edge.mean() * f64::from(visits), ..*edge }
            })
            .collect();
        self.add(key, Node { turn, refused, visits: 0, edges })
    }

    /// The child in the next turn, after this try is accepted and this is announced, and whether
    /// the child is new; `None` if the tree is full.
    pub fn child_after_turn(
        &mut self,
        node: NodeIndex,
        mv: Move,
        observed: ObservationHash,
    ) -> Option<(NodeIndex, bool)> {
        let key = hash_of((node, mv, observed.0));
        if let Some(&known) = self.index.get(&key) {
            return Some((known, false));
        }
        let turn = self.nodes.len() as NodeIndex;
        let new = self.add(key, Node { turn, refused: 0, visits: 0, edges: Vec::new() })?;
        Some((new, true))
    }

    /// The existing child in the next turn, if there is one.
    pub fn find_child_after_turn(
        &self,
        node: NodeIndex,
        mv: Move,
        observed: ObservationHash,
    ) -> Option<NodeIndex> {
        self.index.get(&hash_of((node, mv, observed.0))).copied()
    }

    fn add(&mut self, key: u64, node: Node) -> Option<NodeIndex> {
        if self.is_full() {
            return None;
        }
        let new = self.nodes.len() as NodeIndex;
        self.edge_count += node.edges.len();
        self.nodes.push(node);
        self.index.insert(key, new);
        Some(new)
    }

    /// The index of the edge to simulate next, by PUCT (Rosin, 2011; Silver et al., 2017): the
    /// highest sum of mean value and exploration bonus. Progressive widening leaves the least
    /// likely edges out at first.
    pub fn select(&self, node: NodeIndex, params: PuctParams) -> Option<usize> {
        let Node { visits, edges, .. } = &self.nodes[node as usize];
        let sqrt_visits = f64::from(*visits + 1).sqrt();
        let width = (INITIAL_WIDTH + WIDENING * sqrt_visits) as usize;
        let considered = edges.iter().take(width);
        let (sum, total) = considered
            .clone()
            .fold((0.0, 0), |(sum, total), edge| (sum + edge.value_sum, total + edge.visits));
        let first_play =
            if total == 0 { 0.5 } else { sum / f64::from(total) - params.first_play_penalty };
        let mut best: Option<(usize, f64)> = None;
        for (number, edge) in considered.enumerate() {
            let mean = if edge.visits == 0 { first_play } else { edge.mean() };
            let bonus = params.exploration * f64::from(edge.prior) * sqrt_visits
                / f64::from(1 + edge.visits);
            if best.is_none_or(|(_, highest)| mean + bonus > highest) {
                best = Some((number, mean + bonus));
            }
        }
        best.map(|(number, _)| number)
    }

    /// Adds the value of a simulation to all nodes and edges of its path.
    pub fn backup(&mut self, path: &[(NodeIndex, usize)], value: f64) {
        for &(node, number) in path {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            let edge = &mut node.edges[number];
            edge.visits += 1;
            edge.value_sum += value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::edge::rank_by_lower_bound;
    use super::*;
    use krieg_core::{Audience, Color, Verdict};

    const PARAMS: PuctParams = PuctParams { exploration: 0.3, first_play_penalty: 0.02 };

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    fn tree(moves: &[&str]) -> PuctTree {
        let mut tree = PuctTree::new(1_000);
        let prior = 1.0 / moves.len() as f32;
        tree.set_edges(ROOT, moves.iter().map(|text| Edge::new(mv(text), prior)).collect());
        tree
    }

    #[test]
    fn the_best_edge_gets_most_visits() {
        let mut tree = tree(&["e2e4", "a2a3", "h2h3"]);
        for _ in 0..300 {
            let number = tree.select(ROOT, PARAMS).unwrap();
            let value = if tree.edges(ROOT)[number].mv == mv("e2e4") { 0.7 } else { 0.4 };
            tree.backup(&[(ROOT, number)], value);
        }
        let visits = |text: &str| {
            let edge = tree.edges(ROOT).iter().find(|edge| edge.mv == mv(text));
            edge.map(|edge| edge.visits).unwrap()
        };
        assert!(visits("e2e4") > 200 && visits("a2a3") > 0 && visits("h2h3") > 0);
        assert_eq!(tree.visits(ROOT), 300);
    }

    #[test]
    fn refusals_in_any_order_lead_to_one_node() {
        let mut tree = tree(&["e2e4", "a2a3", "h2h3"]);
        let [one_order, other_order] = [["e2e4", "a2a3"], ["a2a3", "e2e4"]].map(|order| {
            let refuse = |node, text| tree.child_after_refusal(node, mv(text)).unwrap();
            order.into_iter().fold(ROOT, refuse)
        });
        assert_eq!(one_order, other_order);
        let left: Vec<Move> = tree.edges(one_order).iter().map(|edge| edge.mv).collect();
        assert_eq!(left, [mv("h2h3")]);
    }

    #[test]
    fn a_child_after_refusal_inherits_means_with_fewer_visits() {
        let mut tree = tree(&["e2e4", "a2a3"]);
        (0..50).for_each(|_| tree.backup(&[(ROOT, 1)], 0.8));
        let child = tree.child_after_refusal(ROOT, mv("e2e4")).unwrap();
        let [other] = tree.edges(child) else { panic!("one try is left") };
        assert_eq!(other.visits, 7);
        assert!((other.mean() - 0.8).abs() < 1e-9);
    }

    #[test]
    fn an_edge_with_one_lucky_visit_is_not_ranked_first() {
        let mut tree = tree(&["e2e4", "a2a3", "h2h3", "b2b3"]);
        (0..400).for_each(|_| tree.backup(&[(ROOT, 0)], 0.55));
        (0..500).for_each(|_| tree.backup(&[(ROOT, 1)], 0.54));
        tree.backup(&[(ROOT, 2)], 1.0);
        let ranked = |node: NodeIndex, tree: &PuctTree| {
            let mut edges = tree.edges(node).to_vec();
            rank_by_lower_bound(&mut edges);
            edges.iter().map(|edge| edge.mv.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(ranked(ROOT, &tree), ["e2e4", "a2a3", "h2h3", "b2b3"]);
        // After a refusal the bounds are wider, but unvisited edges stay behind.
        let child = tree.child_after_refusal(ROOT, mv("e2e4")).unwrap();
        assert_eq!(ranked(child, &tree), ["a2a3", "h2h3", "b2b3"]);
    }

    #[test]
    fn equal_observations_lead_to_one_child() {
        let mut tree = tree(&["e2e4"]);
        let moved = |by| Announcement::plain(by, Verdict::Moved, Audience::Both);
        let (own, reply) = (moved(Color::White), moved(Color::Black));
        let observed = |any| ObservationHash::new(&own, &reply, any);
        let (plain, is_new) = tree.child_after_turn(ROOT, mv("e2e4"), observed(None)).unwrap();
        assert!(is_new);
        let again = tree.child_after_turn(ROOT, mv("e2e4"), observed(None));
        assert_eq!(again, Some((plain, false)));
        assert_eq!(tree.find_child_after_turn(ROOT, mv("e2e4"), observed(None)), Some(plain));
        assert_eq!(tree.find_child_after_turn(ROOT, mv("e2e4"), observed(Some(true))), None);
    }

    #[test]
    fn a_full_tree_adds_no_nodes() {
        let mut tree = PuctTree::new(4);
        tree.set_edges(ROOT, ["e2e4", "a2a3", "h2h3"].map(|t| Edge::new(mv(t), 0.3)).to_vec());
        assert!(tree.is_full());
        assert_eq!(tree.child_after_refusal(ROOT, mv("e2e4")), None);
        tree.clear();
        assert_eq!(tree.len(), 1);
    }
}
