//! A tree of what the player may do and hear, without any board in it.
//!
//! A node is a moment at which the player chooses: all boards on which he has done the same and heard the same. Below it stand his tries, and below a
//! try what may come of it: it is refused, and he chooses again in the same turn, or it stands, the opponent moves, and he
//! chooses in the next. So a refusal costs nothing but is a branch of its own, and what it is worth to know something needs no further term.
//!
//! In which order tries were refused makes no difference to what is known, so all orders lead to one node.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use krieg_core::{Announcement, Move};

/// The number of a node.
pub type NodeId = u32;

/// All that was said between a try that stood and the next choice, in a number that tells it from anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heard(u64);

impl Heard {
    /// What was said of the own move and of the opponent's, and what was answered to "any?", where that is asked.
    pub fn new(own: &Announcement, his: &Announcement, any: Option<bool>) -> Self {
        let mut mixer = Mixer::default();
        (own, his, any).hash(&mut mixer);
        Heard(mixer.finish())
    }
}

/// A fast hash for keys that nobody chooses to do harm.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mixer(u64);

impl Mixer {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.mix(u64::from(number) + 1);
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(u64::from(number) + 1);
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_isize(&mut self, number: isize) {
        self.mix(number as u64 + 1);
    }
}

/// A try in a node, and how it has fared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arm {
    pub mv: Move,
    /// How much is expected of it before anything is known: all tries of a node share a whole.
    pub prior: f32,
    pub visits: u32,
    /// What came of it, in all.
    pub sum: f64,
}

/// How far what comes of one look is off: twice the standard deviation that was found at eight moments of games, 0.15 on the average.
const OFF: f64 = 0.3;
/// A try that was looked at less than this part as often as the most favoured one is not compared with it: a lucky look is nothing to go by.
const OFTEN: u32 = 8;

impl Arm {
    pub fn new(mv: Move, prior: f32) -> Self {
        Arm { mv, prior, visits: 0, sum: 0.0 }
    }

    /// What came of it on the average.
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }

    /// What comes of it at least, as far as one can be sure after so many looks.
    pub fn at_least(&self) -> f64 {
        self.mean() - OFF / f64::from(self.visits + 1).sqrt()
    }
}

/// Puts those first that were looked at often, and of these the ones of which most is sure.
pub fn rank(arms: &mut [Arm]) {
    let most = arms.iter().map(|arm| arm.visits).max().unwrap_or(0);
    let is_known = |arm: &Arm| arm.visits > 0 && arm.visits >= most / OFTEN;
    arms.sort_by(|a, b| is_known(b).cmp(&is_known(a)).then(b.at_least().total_cmp(&a.at_least())));
}

#[derive(Debug, Clone)]
struct Node {
    /// Where the present turn of the player's began, and what was refused in it since.
    turn: NodeId,
    refused: u64,
    visits: u32,
    /// The likeliest first; none, before somebody comes here to choose.
    arms: Vec<Arm>,
}

/// How the tree is descended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Manner {
    /// How much is given to curiosity.
    pub c: f64,
    /// So much less than what a node is worth is expected of a try that was never made.
    pub caution: f64,
}

/// The tree, which holds no more than it has room for.
#[derive(Debug, Clone)]
pub struct Tree {
    nodes: Vec<Node>,
    places: HashMap<u64, NodeId, BuildHasherDefault<Mixer>>,
    arms: usize,
    room: usize,
}

/// Where a descent begins in a tree that was just cleared.
pub const FIRST: NodeId = 0;

/// So many tries of a node are looked at from the beginning, and so many more with the square root of the visits.
const WIDTH: f64 = 4.0;
const WIDENING: f64 = 1.5;

/// So many nodes there is place for from the beginning: to move house with that many takes milliseconds of somebody's time.
const FORESEEN: usize = 1 << 17;

fn key(parts: impl Hash) -> u64 {
    let mut mixer = Mixer::default();
    parts.hash(&mut mixer);
    mixer.finish()
}

impl Tree {
    pub fn new(room: usize) -> Self {
        let room = room.max(1);
        let foreseen = room.min(FORESEEN);
        let mut tree = Tree {
            nodes: Vec::with_capacity(foreseen),
            places: HashMap::with_capacity_and_hasher(foreseen, BuildHasherDefault::default()),
            arms: 0,
            room,
        };
        tree.clear();
        tree
    }

    /// Cuts everything down.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.places.clear();
        self.arms = 0;
        self.nodes.push(Node { turn: FIRST, refused: 0, visits: 0, arms: Vec::new() });
    }

    /// How many nodes and tries it holds.
    pub fn len(&self) -> usize {
        self.nodes.len() + self.arms
    }

    /// How many it has room for.
    pub fn room(&self) -> usize {
        self.room
    }

    pub fn is_full(&self) -> bool {
        self.len() >= self.room
    }

    pub fn arms(&self, node: NodeId) -> &[Arm] {
        &self.nodes[node as usize].arms
    }

    pub fn visits(&self, node: NodeId) -> u32 {
        self.nodes[node as usize].visits
    }

    /// Whether nothing was refused yet in the turn of this node.
    pub fn is_new_turn(&self, node: NodeId) -> bool {
        self.nodes[node as usize].refused == 0
    }

    /// Gives a node its tries, the likeliest first. What is known of a try that it had before stays.
    pub fn set_arms(&mut self, node: NodeId, mut arms: Vec<Arm>) {
        let old = &mut self.nodes[node as usize].arms;
        for arm in &mut arms {
            if let Some(known) = old.iter().find(|known| known.mv == arm.mv) {
                *arm = Arm { prior: arm.prior, ..*known };
            }
        }
        arms.sort_by(|a, b| b.prior.total_cmp(&a.prior));
        self.arms = self.arms + arms.len() - old.len();
        *old = arms;
    }

    /// The node where the player chooses again after this try was refused. It begins with what is known of the others, but less firmly: of their looks, the root
    /// counts. So those that were looked at often still come first, which matters where there is no time to look again.
    pub fn refuse(&mut self, node: NodeId, mv: Move) -> Option<NodeId> {
        let Node { turn, refused, .. } = self.nodes[node as usize];
        let refused = refused ^ key(mv);
        let place = key((turn, refused));
        if let Some(&known) = self.places.get(&place) {
            return Some(known);
        }
        let others = self.nodes[node as usize].arms.iter().filter(|arm| arm.mv != mv);
        let arms: Vec<Arm> = others
            .map(|arm| {
                let visits = arm.visits.isqrt();
                Arm { visits, sum: arm.mean() * f64::from(visits), ..*arm }
            })
            .collect();
        self.add(place, Node { turn, refused, visits: 0, arms })
    }

    /// The node where the player chooses next, after a try of his stood and this was heard; and whether it is a new one.
    pub fn hear(&mut self, node: NodeId, mv: Move, heard: Heard) -> Option<(NodeId, bool)> {
        let place = key((node, mv, heard.0));
        if let Some(&known) = self.places.get(&place) {
            return Some((known, false));
        }
        let turn = self.nodes.len() as NodeId;
        let new = self.add(place, Node { turn, refused: 0, visits: 0, arms: Vec::new() })?;
        Some((new, true))
    }

    /// The same, but only if it is there.
    pub fn known(&self, node: NodeId, mv: Move, heard: Heard) -> Option<NodeId> {
        self.places.get(&key((node, mv, heard.0))).copied()
    }

    fn add(&mut self, place: u64, node: Node) -> Option<NodeId> {
        if self.is_full() {
            return None;
        }
        let new = self.nodes.len() as NodeId;
        self.arms += node.arms.len();
        self.nodes.push(node);
        self.places.insert(place, new);
        Some(new)
    }

    /// The number of the try to look at next: by what is known of it, by what is expected of it, and by how seldom it was looked at (PUCT: Rosin, 2011;
    /// Silver et al., 2017). Where there are many, the less likely are looked at only later.
    pub fn choose(&self, node: NodeId, manner: Manner) -> Option<usize> {
        let Node { visits, arms, .. } = &self.nodes[node as usize];
        let root = f64::from(*visits + 1).sqrt();
        let width = (WIDTH + WIDENING * root) as usize;
        let seen = arms.iter().take(width);
        let (sum, known) =
            seen.clone().fold((0.0, 0), |(sum, known), arm| (sum + arm.sum, known + arm.visits));
        let fresh = if known == 0 { 0.5 } else { sum / f64::from(known) - manner.caution };
        let mut best: Option<(usize, f64)> = None;
        for (number, arm) in seen.enumerate() {
            let mean = if arm.visits == 0 { fresh } else { arm.mean() };
            let curiosity = manner.c * f64::from(arm.prior) * root / f64::from(1 + arm.visits);
            if best.is_none_or(|(_, highest)| mean + curiosity > highest) {
                best = Some((number, mean + curiosity));
            }
        }
        best.map(|(number, _)| number)
    }

    /// Notes what came of a descent through these nodes by these tries.
    pub fn back_up(&mut self, path: &[(NodeId, usize)], value: f64) {
        for &(node, number) in path {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            let arm = &mut node.arms[number];
            arm.visits += 1;
            arm.sum += value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Audience, Color, Verdict};

    const MANNER: Manner = Manner { c: 0.3, caution: 0.02 };

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    fn tree(moves: &[&str]) -> Tree {
        let mut tree = Tree::new(1_000);
        let prior = 1.0 / moves.len() as f32;
        tree.set_arms(FIRST, moves.iter().map(|text| Arm::new(mv(text), prior)).collect());
        tree
    }

    #[test]
    fn what_is_better_is_looked_at_more_often() {
        let mut tree = tree(&["e2e4", "a2a3", "h2h3"]);
        for _ in 0..300 {
            let number = tree.choose(FIRST, MANNER).unwrap();
            let value = if tree.arms(FIRST)[number].mv == mv("e2e4") { 0.7 } else { 0.4 };
            tree.back_up(&[(FIRST, number)], value);
        }
        let visits = |text: &str| {
            tree.arms(FIRST).iter().find(|arm| arm.mv == mv(text)).map(|arm| arm.visits).unwrap()
        };
        assert!(visits("e2e4") > 200 && visits("a2a3") > 0 && visits("h2h3") > 0);
        assert_eq!(tree.visits(FIRST), 300);
    }

    #[test]
    fn in_which_order_tries_were_refused_makes_no_difference() {
        let mut tree = tree(&["e2e4", "a2a3", "h2h3"]);
        let [one_way, other_way] = [["e2e4", "a2a3"], ["a2a3", "e2e4"]].map(|order| {
            order.into_iter().fold(FIRST, |node, text| tree.refuse(node, mv(text)).unwrap())
        });
        assert_eq!(one_way, other_way);
        assert_eq!(tree.arms(one_way).iter().map(|arm| arm.mv).collect::<Vec<_>>(), [mv("h2h3")]);
    }

    #[test]
    fn after_a_refusal_others_are_thought_of_as_before_but_less_firmly() {
        let mut tree = tree(&["e2e4", "a2a3"]);
        (0..50).for_each(|_| tree.back_up(&[(FIRST, 1)], 0.8));
        let again = tree.refuse(FIRST, mv("e2e4")).unwrap();
        let [other] = tree.arms(again) else { panic!("one try is left") };
        assert_eq!(other.visits, 7);
        assert!((other.mean() - 0.8).abs() < 1e-9);
    }

    #[test]
    fn a_lucky_look_is_nothing_to_go_by() {
        let mut tree = tree(&["e2e4", "a2a3", "h2h3", "b2b3"]);
        (0..400).for_each(|_| tree.back_up(&[(FIRST, 0)], 0.55));
        (0..500).for_each(|_| tree.back_up(&[(FIRST, 1)], 0.54));
        tree.back_up(&[(FIRST, 2)], 1.0);
        let ranked = |node: NodeId, tree: &Tree| {
            let mut arms = tree.arms(node).to_vec();
            rank(&mut arms);
            arms.iter().map(|arm| arm.mv.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(ranked(FIRST, &tree), ["e2e4", "a2a3", "h2h3", "b2b3"]);
        // After a refusal the others are less firm, but what was never looked into stays behind.
        let again = tree.refuse(FIRST, mv("e2e4")).unwrap();
        assert_eq!(ranked(again, &tree), ["a2a3", "h2h3", "b2b3"]);
    }

    #[test]
    fn what_was_heard_leads_to_one_place_and_to_no_other() {
        let mut tree = tree(&["e2e4"]);
        let said = |by| Announcement::plain(by, Verdict::Moved, Audience::Both);
        let (own, his) = (said(Color::White), said(Color::Black));
        let heard = |any| Heard::new(&own, &his, any);
        let (plain, is_new) = tree.hear(FIRST, mv("e2e4"), heard(None)).unwrap();
        assert!(is_new);
        assert_eq!(tree.hear(FIRST, mv("e2e4"), heard(None)), Some((plain, false)));
        assert_eq!(tree.known(FIRST, mv("e2e4"), heard(None)), Some(plain));
        assert_eq!(tree.known(FIRST, mv("e2e4"), heard(Some(true))), None);
    }

    #[test]
    fn a_full_tree_grows_no_further() {
        let mut tree = Tree::new(4);
        tree.set_arms(FIRST, ["e2e4", "a2a3", "h2h3"].map(|t| Arm::new(mv(t), 0.3)).to_vec());
        assert!(tree.is_full());
        assert_eq!(tree.refuse(FIRST, mv("e2e4")), None);
        tree.clear();
        assert_eq!(tree.len(), 1);
    }
}
