//! A tree of what one player knows.
//!
//! There are no boards in it. A node is an information set: all boards on which the player has done the same and heard the same. Below a
//! node at which he chooses stand his tries, each with its [`Arm`]; below a try, what was said to it; below that, what was said of the
//! opponent's move: the three tiers of Favini (2010, figure 5.3).
//!
//! Which tries are legal differs from board to board, so a choice is a bandit of which only some arms can be pulled at a time. The remedy is that
//! of Cowling, Powley and Whitehouse (2012): in the formula of UCT (Kocsis and Szepesvári, 2006) stands, in place of the visits to
//! the parent, how often the arm could have been pulled.

use std::hash::{DefaultHasher, Hash, Hasher};

use krieg_core::{Announcement, Move};

use super::selection::{Expansion, SelectionParams};
use crate::random::TrySampler;

/// The number of a node.
pub type NodeId = u32;
/// A node and which of its tries. Tries may come to stand elsewhere when others are added, so this holds for one descent.
pub type ArmId = (NodeId, u32);

/// Where every descent begins.
pub const ROOT: NodeId = 0;

const NOBODY: u32 = u32::MAX;

/// All that was said between one choice and the next, in a number that tells it from anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heard(u64);

impl Heard {
    pub fn new<'a>(said: impl IntoIterator<Item = &'a Announcement>) -> Self {
        let mut hasher = DefaultHasher::new();
        said.into_iter().for_each(|said| said.hash(&mut hasher));
        Heard(hasher.finish())
    }
}

/// A try in a node, and how it has fared.
#[derive(Debug, Clone, Copy)]
pub struct Arm {
    pub mv: Move,
    /// How often it was legal when a choice was made here.
    pub available: u32,
    /// How often it was chosen.
    pub visits: u32,
    /// What came of it, in all.
    sum: f64,
    first_child: u32,
}

impl Arm {
    pub fn new(mv: Move, available: u32, visits: u32, sum: f64) -> Self {
        Arm { mv, available, visits, sum, first_child: NOBODY }
    }

    /// What came of it on the average.
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }

    /// The upper bound of the confidence in it.
    fn bound(&self, c: f64) -> f64 {
        self.mean() + c * (f64::from(self.available).ln() / f64::from(self.visits)).sqrt()
    }
}

#[derive(Debug, Clone)]
struct Node {
    heard: Heard,
    visits: u32,
    /// The tries that were legal here on some board, in their order.
    arms: Vec<Arm>,
    first_child: u32,
    /// The next one below the same parent.
    next: u32,
}

impl Node {
    fn new(heard: Heard, next: u32) -> Self {
        Node { heard, visits: 0, arms: Vec::new(), first_child: NOBODY, next }
    }
}

/// The tree, which holds no more than it has room for.
#[derive(Debug, Clone)]
pub struct Tree {
    nodes: Vec<Node>,
    /// How many tries the nodes have, all together.
    arms: usize,
    /// Nodes and arms together.
    room: usize,
}

/// What hangs below: a node in which the player hears, or a try that he made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Node(NodeId),
    Arm(ArmId),
}

impl Tree {
    /// A root and nothing else, with room for so many nodes and tries.
    pub fn new(room: usize) -> Self {
        let root = Node::new(Heard::new([]), NOBODY);
        Tree { nodes: vec![root], arms: 0, room }
    }

    /// Cuts everything down to the root.
    pub fn clear(&mut self) {
        self.nodes.truncate(1);
        self.nodes[0] = Node::new(Heard::new([]), NOBODY);
        self.arms = 0;
    }

    /// How many nodes and tries it holds.
    pub fn len(&self) -> usize {
        self.nodes.len() + self.arms
    }

    pub fn visits(&self, node: NodeId) -> u32 {
        self.nodes[node as usize].visits
    }

    /// The nodes that may follow, by what is heard.
    #[cfg(test)]
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let known = |child: u32| (child != NOBODY).then_some(child);
        let first = known(self.nodes[node as usize].first_child);
        std::iter::successors(first, move |&child| known(self.nodes[child as usize].next))
    }

    /// The tries of a node.
    pub fn arms(&self, node: NodeId) -> &[Arm] {
        &self.nodes[node as usize].arms
    }

    /// What follows here after this was heard. It is added if it was not there, unless the tree is full.
    pub fn observe(&mut self, at: Place, heard: Heard) -> Option<NodeId> {
        let first = match at {
            Place::Node(node) => self.nodes[node as usize].first_child,
            Place::Arm(arm) => self.arm(arm).first_child,
        };
        let mut child = first;
        while let Some(node) = self.nodes.get(child as usize) {
            if node.heard == heard {
                return Some(child);
            }
            child = node.next;
        }
        if self.len() >= self.room {
            return None;
        }
        let new = self.nodes.len() as u32;
        self.nodes.push(Node::new(heard, first));
        match at {
            Place::Node(node) => self.nodes[node as usize].first_child = new,
            Place::Arm(arm) => self.arm_mut(arm).first_child = new,
        }
        Some(new)
    }

    /// Chooses one of these tries: one that was never made, if it is time for that; else, by UCT, the one of which most may be
    /// hoped. All of them could have been chosen, and that is noted. None, if there are none, or no room to note anything.
    pub fn choose(
        &mut self,
        node: NodeId,
        tries: impl Iterator<Item = Move>,
        selection: SelectionParams,
        sampler: &mut TrySampler,
    ) -> Option<ArmId> {
        let SelectionParams { exploration, expansion } = selection;
        let mut room = self.room.saturating_sub(self.len());
        let arms = &mut self.nodes[node as usize].arms;
        let known = arms.len();
        let (sum, visits) = arms.iter().fold((0.0, 0), |(s, v), arm| (s + arm.sum, v + arm.visits));
        // A try never made promises this; with nothing to compare it with, or at the root, more than any other.
        let is_first = expansion == Expansion::AllFirst || node == ROOT || visits == 0;
        let promise = if is_first { f64::INFINITY } else { sum / f64::from(visits) };
        let mut fresh: Option<(Move, f64)> = None;
        let mut fresh_count = 0;
        let mut best: Option<(Move, f64)> = None;
        for mv in tries {
            let at = match arms.binary_search_by_key(&mv, |arm| arm.mv) {
                Ok(at) => at,
                Err(_) if room == 0 => continue,
                Err(at) => {
                    arms.insert(at, Arm::new(mv, 0, 0, 0.0));
                    room -= 1;
                    at
                }
            };
            let arm = &mut arms[at];
            arm.available += 1;
            if arm.visits == 0 {
                // The nth of those never made takes the place with a chance of one in n.
                fresh_count += 1;
                if sampler.number_below(fresh_count) == 0 {
                    fresh =
                        Some((mv, promise + exploration * f64::from(arm.available).ln().sqrt()));
                }
            } else {
                let bound = arm.bound(exploration);
                if best.is_none_or(|(_, highest)| bound > highest) {
                    best = Some((mv, bound));
                }
            }
        }
        let chosen = match (fresh, best) {
            (Some((_, promised)), Some((_, bound))) if bound > promised => best,
            (Some(_), _) => fresh,
            (None, _) => best,
        };
        let at = chosen.and_then(|(mv, _)| arms.binary_search_by_key(&mv, |arm| arm.mv).ok());
        self.arms += arms.len() - known;
        at.map(|at| (node, at as u32))
    }

    fn arm(&self, (node, at): ArmId) -> &Arm {
        &self.nodes[node as usize].arms[at as usize]
    }

    fn arm_mut(&mut self, (node, at): ArmId) -> &mut Arm {
        &mut self.nodes[node as usize].arms[at as usize]
    }

    /// The try of an arm.
    pub fn tried(&self, arm: ArmId) -> Move {
        self.arm(arm).mv
    }

    /// A descent came through here and ended with this value for the player.
    pub fn back_up(&mut self, path: &[Place], value: f64) {
        for &place in path {
            match place {
                Place::Node(node) => self.nodes[node as usize].visits += 1,
                Place::Arm(arm) => {
                    let arm = self.arm_mut(arm);
                    arm.visits += 1;
                    arm.sum += value;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Audience, Color, PieceSet, Position, Verdict};

    fn men() -> PieceSet {
        Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap().pieces(Color::White)
    }

    /// One choice between these squares for the king on e1, and what came of it.
    fn pull(
        tree: &mut Tree,
        squares: &[&str],
        c: f64,
        sampler: &mut TrySampler,
        value: f64,
    ) -> String {
        let arm = choose_by(
            tree,
            ROOT,
            squares,
            SelectionParams { exploration: c, expansion: Expansion::AllFirst },
            sampler,
        );
        tree.back_up(&[Place::Node(ROOT), Place::Arm(arm)], value);
        tree.tried(arm).to.to_string()
    }

    fn choose(tree: &mut Tree, node: NodeId, squares: &[&str], fresh: Expansion) -> ArmId {
        choose_by(
            tree,
            node,
            squares,
            SelectionParams { exploration: 0.05, expansion: fresh },
            &mut TrySampler::new(1),
        )
    }

    fn choose_by(
        tree: &mut Tree,
        node: NodeId,
        squares: &[&str],
        selection: SelectionParams,
        sampler: &mut TrySampler,
    ) -> ArmId {
        let tries = men().tries();
        let tries = tries.iter().filter(|mv| squares.contains(&mv.to.to_string().as_str()));
        tree.choose(node, tries, selection, sampler).unwrap()
    }

    fn arm<'a>(tree: &'a Tree, square: &str) -> &'a Arm {
        tree.arms(ROOT).iter().find(|arm| arm.mv.to.to_string() == square).unwrap()
    }

    #[test]
    fn the_arm_is_pulled_that_arithmetic_says() {
        let (mut tree, mut sampler) = (Tree::new(1_000), TrySampler::new(1));
        // d1 was legal eight times and won three of four, f1 was legal twice and lost once.
        for value in [1.0, 1.0, 1.0, 0.0] {
            pull(&mut tree, &["d1"], 0.0, &mut sampler, value);
        }
        pull(&mut tree, &["f1"], 0.0, &mut sampler, 0.0);
        let (d1, f1) = (*arm(&tree, "d1"), *arm(&tree, "f1"));
        assert_eq!((d1.available, d1.visits, d1.mean()), (4, 4, 0.75));
        assert_eq!((f1.available, f1.visits, f1.mean()), (1, 1, 0.0));
        // Next time d1 has been possible 5 times and f1 twice: 0.75 + c √(ln 5 / 4) against c √(ln 2 / 1).
        // They are equal at c = 0.75 / (0.8326 - 0.6343) = 3.78.
        let choice = |c| {
            let mut sampler = TrySampler::new(1);
            let mut tree = tree.clone();
            pull(&mut tree, &["d1", "f1"], c, &mut sampler, 0.5)
        };
        assert_eq!((choice(3.7).as_str(), choice(3.9).as_str()), ("d1", "f1"));
    }

    #[test]
    fn a_try_that_is_seldom_legal_is_not_starved() {
        let (mut tree, mut sampler) = (Tree::new(1_000), TrySampler::new(1));
        // e2 wins always, but is legal on one board in fifty; d1 is worth half and always there.
        for iteration in 0..5_000 {
            let squares: &[&str] = if iteration % 50 == 0 { &["d1", "e2"] } else { &["d1"] };
            let selection = SelectionParams { exploration: 0.5, expansion: Expansion::AllFirst };
            let chosen = choose_by(&mut tree, ROOT, squares, selection, &mut sampler);
            let value = if tree.tried(chosen).to.to_string() == "e2" { 1.0 } else { 0.5 };
            tree.back_up(&[Place::Arm(chosen)], value);
        }
        let e2 = arm(&tree, "e2");
        assert_eq!(e2.available, 100);
        assert!(e2.visits > 90, "{e2:?}");
    }

    #[test]
    fn a_try_never_made_waits_below_the_root_while_another_does_better_than_the_average() {
        let tree = || {
            let mut tree = Tree::new(1_000);
            let node = tree.observe(Place::Node(ROOT), Heard::new([])).unwrap();
            for (square, value) in [("d1", 0.9), ("f1", 0.1)] {
                let arm = choose(&mut tree, node, &[square], Expansion::FirstPlayUrgency);
                tree.back_up(&[Place::Arm(arm)], value);
            }
            (tree, node)
        };
        let next = |fresh| {
            let (mut tree, node) = tree();
            let arm = choose(&mut tree, node, &["d1", "f1", "e2"], fresh);
            tree.tried(arm).to.to_string()
        };
        assert_eq!(
            (next(Expansion::FirstPlayUrgency).as_str(), next(Expansion::AllFirst).as_str()),
            ("d1", "e2")
        );
        // Where only the bad one could be made again, a new one is better.
        let (mut tree, node) = tree();
        let arm = choose(&mut tree, node, &["f1", "e2"], Expansion::FirstPlayUrgency);
        assert_eq!(tree.tried(arm).to.to_string(), "e2");
    }

    #[test]
    fn tries_that_come_up_later_are_tried_too() {
        // An opponent's men are not the same on all boards, so neither is what he can try.
        let (mut tree, mut sampler) = (Tree::new(1_000), TrySampler::new(1));
        for squares in [["f2", "e2"], ["d1", "d2"], ["f1", "e2"]] {
            for _ in 0..10 {
                pull(&mut tree, &squares, 0.5, &mut sampler, 0.5);
            }
        }
        let tried: Vec<_> = ["d1", "d2", "e2", "f1", "f2"].map(|at| arm(&tree, at).visits).into();
        assert!(tried.iter().all(|&visits| visits > 2), "{tried:?}");
        assert_eq!((arm(&tree, "e2").available, arm(&tree, "d1").available), (20, 10));
    }

    #[test]
    fn a_tree_that_is_full_takes_nothing_more() {
        let (mut tree, mut sampler) = (Tree::new(9), TrySampler::new(1));
        pull(&mut tree, &["d1", "f1"], 0.5, &mut sampler, 1.0);
        let said = |verdict| Announcement::plain(Color::White, verdict, Audience::Both);
        let mut added = 0;
        for count in 0..20 {
            let refused = vec![said(Verdict::Refused); count];
            added += usize::from(tree.observe(Place::Node(ROOT), Heard::new(&refused)).is_some());
        }
        assert_eq!((added, tree.len()), (6, 9), "a root, two tries, and six things heard");
        assert!(
            tree.observe(Place::Node(ROOT), Heard::new([])).is_some(),
            "what is there is found"
        );
        assert_ne!(
            pull(&mut tree, &["e2", "d1"], 0.5, &mut sampler, 1.0),
            "e2",
            "no room for another"
        );
    }
}
