//! The tree of one player's information sets.
//!
//! The tree contains no boards. A node is an information set: all boards on which the player has
//! tried the same and observed the same. Below a node in which the player chooses are its tries,
//! each with its statistics ([`TryStats`]); below a try, the announcements that answer it; below
//! those, the announcements of the opponent's move: the three tiers of Favini (2010, figure 5.3).
//!
//! Which tries are legal differs from board to board, so a node is a bandit of which only a subset
//! of the arms is available at a time. The remedy is that of Cowling, Powley and Whitehouse (2012):
//! the formula of UCT (Kocsis and Szepesvári, 2006) uses the availability of a try instead of the
//! visits to its node.

use std::hash::{DefaultHasher, Hash, Hasher};

use krieg_core::{Announcement, Move};

use super::selection::{Expansion, SelectionParams};
use crate::random::TrySampler;

/// The index of a node.
pub type InfoSetId = u32;
/// A node and the index of one of its tries. Indices change when tries are added, so this is valid
/// for one iteration.
pub type TryIndex = (InfoSetId, u32);

/// The root.
pub const ROOT: InfoSetId = 0;

/// The index of no node.
const NONE: u32 = u32::MAX;

/// A hash of the announcements between two choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnnouncementsHash(u64);

impl AnnouncementsHash {
    pub fn new<'a>(announcements: impl IntoIterator<Item = &'a Announcement>) -> Self {
        let mut hasher = DefaultHasher::new();
        announcements.into_iter().for_each(|announcement| announcement.hash(&mut hasher));
        AnnouncementsHash(hasher.finish())
    }
}

/// A try of a node with its statistics.
#[derive(Debug, Clone, Copy)]
pub struct TryStats {
    pub mv: Move,
    /// Availability: how often it was legal when the node selected a try.
    pub available: u32,
    /// How often it was selected.
    pub visits: u32,
    /// The sum of the values.
    sum: f64,
    first_child: u32,
}

impl TryStats {
    pub fn new(mv: Move, available: u32, visits: u32, sum: f64) -> Self {
        TryStats { mv, available, visits, sum, first_child: NONE }
    }

    /// The mean value.
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }

    /// The upper confidence bound.
    fn upper_bound(&self, exploration: f64) -> f64 {
        self.mean() + exploration * (f64::from(self.available).ln() / f64::from(self.visits)).sqrt()
    }
}

#[derive(Debug, Clone)]
struct Node {
    observed: AnnouncementsHash,
    visits: u32,
    /// The tries that were legal here on some board, sorted by move.
    tries: Vec<TryStats>,
    first_child: u32,
    /// The next node below the same parent.
    next_sibling: u32,
}

impl Node {
    fn new(observed: AnnouncementsHash, next_sibling: u32) -> Self {
        Node { observed, visits: 0, tries: Vec::new(), first_child: NONE, next_sibling }
    }
}

/// The tree of one player, with a limited size.
#[derive(Debug, Clone)]
pub struct InfoSetTree {
    nodes: Vec<Node>,
    /// The number of tries of all nodes.
    try_count: usize,
    /// Maximum number of nodes and tries together.
    capacity: usize,
}

/// A step of a path: a node that was reached, or a try that was selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathStep {
    Node(InfoSetId),
    Try(TryIndex),
}

impl InfoSetTree {
    /// A tree that has only a root.
    pub fn new(capacity: usize) -> Self {
        let root = Node::new(AnnouncementsHash::new([]), NONE);
        InfoSetTree { nodes: vec![root], try_count: 0, capacity }
    }

    /// Removes everything but the root.
    pub fn clear(&mut self) {
        self.nodes.truncate(1);
        self.nodes[0] = Node::new(AnnouncementsHash::new([]), NONE);
        self.try_count = 0;
    }

    /// The number of nodes and tries.
    pub fn len(&self) -> usize {
        self.nodes.len() + self.try_count
    }

    pub fn visits(&self, node: InfoSetId) -> u32 {
        self.nodes[node as usize].visits
    }

    /// The nodes directly below a node.
    #[cfg(test)]
    pub fn children(&self, node: InfoSetId) -> impl Iterator<Item = InfoSetId> {
        let existing = |child: u32| (child != NONE).then_some(child);
        let first = existing(self.nodes[node as usize].first_child);
        std::iter::successors(first, move |&child| {
            existing(self.nodes[child as usize].next_sibling)
        })
    }

    /// The tries of a node.
    pub fn tries(&self, node: InfoSetId) -> &[TryStats] {
        &self.nodes[node as usize].tries
    }

    /// The node below this step after these announcements. A missing node is added; `None` if the
    /// tree is full.
    pub fn observe(&mut self, at: PathStep, observed: AnnouncementsHash) -> Option<InfoSetId> {
        let first = match at {
            PathStep::Node(node) => self.nodes[node as usize].first_child,
            PathStep::Try(index) => self.stats(index).first_child,
        };
        let mut child = first;
        while let Some(node) = self.nodes.get(child as usize) {
            if node.observed == observed {
                return Some(child);
            }
            child = node.next_sibling;
        }
        if self.len() >= self.capacity {
            return None;
        }
        let new = self.nodes.len() as u32;
        self.nodes.push(Node::new(observed, first));
        match at {
            PathStep::Node(node) => self.nodes[node as usize].first_child = new,
            PathStep::Try(index) => self.stats_mut(index).first_child = new,
        }
        Some(new)
    }

    /// Selects one of these tries: an unvisited one as [`Expansion`] says, and otherwise the one
    /// with the highest upper confidence bound. The availability of all of them is counted. `None`
    /// if there are none, or if the tree is full and none is known.
    pub fn select(
        &mut self,
        node: InfoSetId,
        legal: impl Iterator<Item = Move>,
        selection: SelectionParams,
        sampler: &mut TrySampler,
    ) -> Option<TryIndex> {
        let SelectionParams { exploration, expansion } = selection;
        let mut free = self.capacity.saturating_sub(self.len());
        let tries = &mut self.nodes[node as usize].tries;
        let known = tries.len();
        let (sum, visits) = tries
            .iter()
            .fold((0.0, 0), |(sum, visits), stats| (sum + stats.sum, visits + stats.visits));
        // The value assumed for an unvisited try. At the root, and in a node without visits, it is
        // higher than any other.
        let is_first = expansion == Expansion::AllFirst || node == ROOT || visits == 0;
        let first_play_value = if is_first { f64::INFINITY } else { sum / f64::from(visits) };
        let mut unvisited: Option<(Move, f64)> = None;
        let mut unvisited_count = 0;
        let mut best: Option<(Move, f64)> = None;
        for mv in legal {
            let index = match tries.binary_search_by_key(&mv, |stats| stats.mv) {
                Ok(index) => index,
                Err(_) if free == 0 => continue,
                Err(index) => {
                    tries.insert(index, TryStats::new(mv, 0, 0, 0.0));
                    free -= 1;
                    index
                }
            };
            let stats = &mut tries[index];
            stats.available += 1;
            if stats.visits == 0 {
                // Reservoir sampling: each unvisited try is chosen with the same probability.
                unvisited_count += 1;
                if sampler.number_below(unvisited_count) == 0 {
                    let bonus = exploration * f64::from(stats.available).ln().sqrt();
                    unvisited = Some((mv, first_play_value + bonus));
                }
            } else {
                let bound = stats.upper_bound(exploration);
                if best.is_none_or(|(_, highest)| bound > highest) {
                    best = Some((mv, bound));
                }
            }
        }
        let selected = match (unvisited, best) {
            (Some((_, value)), Some((_, bound))) if bound > value => best,
            (Some(_), _) => unvisited,
            (None, _) => best,
        };
        let index =
            selected.and_then(|(mv, _)| tries.binary_search_by_key(&mv, |stats| stats.mv).ok());
        self.try_count += tries.len() - known;
        index.map(|index| (node, index as u32))
    }

    fn stats(&self, (node, index): TryIndex) -> &TryStats {
        &self.nodes[node as usize].tries[index as usize]
    }

    fn stats_mut(&mut self, (node, index): TryIndex) -> &mut TryStats {
        &mut self.nodes[node as usize].tries[index as usize]
    }

    /// The move of a try.
    pub fn try_at(&self, index: TryIndex) -> Move {
        self.stats(index).mv
    }

    /// Adds the value of an iteration to the tries of its path, and a visit to each of its nodes.
    pub fn backup(&mut self, path: &[PathStep], value: f64) {
        for &step in path {
            match step {
                PathStep::Node(node) => self.nodes[node as usize].visits += 1,
                PathStep::Try(index) => {
                    let stats = self.stats_mut(index);
                    stats.visits += 1;
                    stats.sum += value;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Audience, Color, PieceSet, Position, Verdict};

    fn lone_king() -> PieceSet {
        Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap().pieces(Color::White)
    }

    /// Selects a move of the king on e1 to one of these squares, and backs up a value.
    fn visit(
        tree: &mut InfoSetTree,
        squares: &[&str],
        exploration: f64,
        sampler: &mut TrySampler,
        value: f64,
    ) -> String {
        let selected = select_with(
            tree,
            ROOT,
            squares,
            SelectionParams { exploration, expansion: Expansion::AllFirst },
            sampler,
        );
        tree.backup(&[PathStep::Node(ROOT), PathStep::Try(selected)], value);
        tree.try_at(selected).to.to_string()
    }

    fn select(
        tree: &mut InfoSetTree,
        node: InfoSetId,
        squares: &[&str],
        expansion: Expansion,
    ) -> TryIndex {
        select_with(
            tree,
            node,
            squares,
            SelectionParams { exploration: 0.05, expansion },
            &mut TrySampler::new(1),
        )
    }

    fn select_with(
        tree: &mut InfoSetTree,
        node: InfoSetId,
        squares: &[&str],
        selection: SelectionParams,
        sampler: &mut TrySampler,
    ) -> TryIndex {
        let tries = lone_king().tries();
        let tries = tries.iter().filter(|mv| squares.contains(&mv.to.to_string().as_str()));
        tree.select(node, tries, selection, sampler).unwrap()
    }

    fn stats<'a>(tree: &'a InfoSetTree, square: &str) -> &'a TryStats {
        tree.tries(ROOT).iter().find(|stats| stats.mv.to.to_string() == square).unwrap()
    }

    #[test]
    fn the_highest_upper_confidence_bound_is_selected() {
        let (mut tree, mut sampler) = (InfoSetTree::new(1_000), TrySampler::new(1));
        // d1 was visited four times and won three of them; f1 was visited once and lost.
        for value in [1.0, 1.0, 1.0, 0.0] {
            visit(&mut tree, &["d1"], 0.0, &mut sampler, value);
        }
        visit(&mut tree, &["f1"], 0.0, &mut sampler, 0.0);
        let (d1, f1) = (*stats(&tree, "d1"), *stats(&tree, "f1"));
        assert_eq!((d1.available, d1.visits, d1.mean()), (4, 4, 0.75));
        assert_eq!((f1.available, f1.visits, f1.mean()), (1, 1, 0.0));
        // Next time d1 is available for the 5th time and f1 for the 2nd: 0.75 + c √(ln 5 / 4)
        // against c √(ln 2 / 1). They are equal at c = 0.75 / (0.8326 - 0.6343) = 3.78.
        let choice = |exploration| {
            let mut sampler = TrySampler::new(1);
            let mut tree = tree.clone();
            visit(&mut tree, &["d1", "f1"], exploration, &mut sampler, 0.5)
        };
        assert_eq!((choice(3.7).as_str(), choice(3.9).as_str()), ("d1", "f1"));
    }

    #[test]
    fn a_try_that_is_seldom_available_is_still_visited() {
        let (mut tree, mut sampler) = (InfoSetTree::new(1_000), TrySampler::new(1));
        // e2 always wins but is legal on one board in fifty; d1 is worth ½ and always legal.
        for iteration in 0..5_000 {
            let squares: &[&str] = if iteration % 50 == 0 { &["d1", "e2"] } else { &["d1"] };
            let selection = SelectionParams { exploration: 0.5, expansion: Expansion::AllFirst };
            let selected = select_with(&mut tree, ROOT, squares, selection, &mut sampler);
            let value = if tree.try_at(selected).to.to_string() == "e2" { 1.0 } else { 0.5 };
            tree.backup(&[PathStep::Try(selected)], value);
        }
        let e2 = stats(&tree, "e2");
        assert_eq!(e2.available, 100);
        assert!(e2.visits > 90, "{e2:?}");
    }

    #[test]
    fn below_the_root_an_unvisited_try_waits_while_another_is_above_the_mean() {
        let tree = || {
            let mut tree = InfoSetTree::new(1_000);
            let node = tree.observe(PathStep::Node(ROOT), AnnouncementsHash::new([])).unwrap();
            for (square, value) in [("d1", 0.9), ("f1", 0.1)] {
                let selected = select(&mut tree, node, &[square], Expansion::FirstPlayUrgency);
                tree.backup(&[PathStep::Try(selected)], value);
            }
            (tree, node)
        };
        let next = |expansion| {
            let (mut tree, node) = tree();
            let selected = select(&mut tree, node, &["d1", "f1", "e2"], expansion);
            tree.try_at(selected).to.to_string()
        };
        assert_eq!(
            (next(Expansion::FirstPlayUrgency).as_str(), next(Expansion::AllFirst).as_str()),
            ("d1", "e2")
        );
        // If only the bad try is available, an unvisited one is better.
        let (mut tree, node) = tree();
        let selected = select(&mut tree, node, &["f1", "e2"], Expansion::FirstPlayUrgency);
        assert_eq!(tree.try_at(selected).to.to_string(), "e2");
    }

    #[test]
    fn tries_that_become_available_later_are_visited_too() {
        // The opponent's pieces differ from board to board, and so do the tries.
        let (mut tree, mut sampler) = (InfoSetTree::new(1_000), TrySampler::new(1));
        for squares in [["f2", "e2"], ["d1", "d2"], ["f1", "e2"]] {
            for _ in 0..10 {
                visit(&mut tree, &squares, 0.5, &mut sampler, 0.5);
            }
        }
        let visits: Vec<_> =
            ["d1", "d2", "e2", "f1", "f2"].map(|at| stats(&tree, at).visits).into();
        assert!(visits.iter().all(|&count| count > 2), "{visits:?}");
        assert_eq!((stats(&tree, "e2").available, stats(&tree, "d1").available), (20, 10));
    }

    #[test]
    fn a_full_tree_does_not_grow() {
        let (mut tree, mut sampler) = (InfoSetTree::new(9), TrySampler::new(1));
        visit(&mut tree, &["d1", "f1"], 0.5, &mut sampler, 1.0);
        let plain = |verdict| Announcement::plain(Color::White, verdict, Audience::Both);
        let mut added = 0;
        for count in 0..20 {
            let refused = vec![plain(Verdict::Refused); count];
            added += usize::from(
                tree.observe(PathStep::Node(ROOT), AnnouncementsHash::new(&refused)).is_some(),
            );
        }
        assert_eq!((added, tree.len()), (6, 9), "a root, two tries, and six nodes");
        assert!(
            tree.observe(PathStep::Node(ROOT), AnnouncementsHash::new([])).is_some(),
            "an existing node is found"
        );
        assert_ne!(
            visit(&mut tree, &["e2", "d1"], 0.5, &mut sampler, 1.0),
            "e2",
            "no room for another"
        );
    }
}
