//! Mate search by depth-first proof-number search, df-pn (Nagai, "Df-pn algorithm for searching
//! AND/OR trees and its applications", 2002).
//!
//! In an AND/OR tree, the *proof number* of a node is the minimum number of leaves that must still
//! be proved to prove that the attacker mates; the *disproof number* is the minimum number that
//! must be disproved to prove the opposite. The search descends where these numbers are smallest,
//! and so follows checks and positions in which the defender has few moves.
//!
//! A search is for a mate *within a number of moves*, and the number of plies left is part of a
//! position's key. The graph of positions is therefore free of cycles, so that repetitions need no
//! special treatment, and a proof includes the length of the mate.

mod line;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use cozy_chess::{Board, Move as BoardMove};
use krieg_core::is_insufficient_material;

use crate::moves::legal_moves;

/// The result of a mate search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MateResult {
    /// There is a mate. The moves are a line of the proof with the longest defence; the last one
    /// mates.
    Mate(Vec<BoardMove>),
    /// There is no mate within the number of moves.
    NoMate,
    /// The search reached its node limit or was cancelled.
    Unknown,
}

/// A mate search. It keeps its table of proof numbers between calls.
///
/// ```
/// use krieg_chess::{MateResult, MateSearch};
/// let board = "7k/8/8/8/8/8/R7/1R5K w - - 0 1".parse().unwrap();
/// let mut search = MateSearch::new(100_000);
/// assert_eq!(search.mate_within(&board, 1), MateResult::NoMate);
/// let MateResult::Mate(line) = search.mate_within(&board, 2) else { panic!() };
/// assert_eq!(line.len(), 3);
/// ```
pub struct MateSearch {
    table: HashMap<u64, ProofNumbers, BuildHasherDefault<IdentityHasher>>,
    nodes: u64,
    max_nodes: u64,
    /// Tested every 1,024 nodes.
    is_cancelled: Box<dyn Fn() -> bool>,
    cancelled: bool,
}

/// Maximum number of entries of the table; unsolved entries are removed first.
const MAX_ENTRIES: usize = 4_000_000;

/// Proof and disproof number from the point of view of the side to move, called φ and δ by Nagai.
/// The goal of the attacker is to mate, that of the defender not to be mated. With the attacker to
/// move, `phi` is the proof number and `delta` the disproof number; with the defender to move it is
/// the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ProofNumbers {
    /// Leaves to be solved to prove that the side to move reaches its goal.
    phi: u32,
    /// Leaves to be solved to prove that it does not.
    delta: u32,
}

const INFINITY: u32 = 1_000_000_000;

impl ProofNumbers {
    /// The side to move reaches its goal.
    const WON: ProofNumbers = ProofNumbers { phi: 0, delta: INFINITY };
    /// The side to move does not reach its goal.
    const LOST: ProofNumbers = ProofNumbers { phi: INFINITY, delta: 0 };

    fn is_solved(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// A hasher for keys that are hashes already.
#[derive(Debug, Default, Clone)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are of type u64")
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// A move and the node it leads to.
struct Child {
    mv: BoardMove,
    board: Board,
    key: u64,
    numbers: ProofNumbers,
}

impl Child {
    fn has_no_moves(&self) -> bool {
        !self.board.generate_moves(|_| true)
    }
}

impl MateSearch {
    /// A search that visits about `max_nodes` nodes at most for each number of moves.
    #[must_use]
    pub fn new(max_nodes: u64) -> Self {
        MateSearch::with_cancellation(max_nodes, || false)
    }

    /// A search that also ends soon after `is_cancelled` returns true.
    #[must_use]
    pub fn with_cancellation(max_nodes: u64, is_cancelled: impl Fn() -> bool + 'static) -> Self {
        MateSearch {
            table: HashMap::default(),
            nodes: 0,
            max_nodes,
            is_cancelled: Box::new(is_cancelled),
            cancelled: false,
        }
    }

    /// Nodes visited by the last call of a search method.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the side to move can force mate within this number of its moves.
    pub fn mate_within(&mut self, board: &Board, moves: u32) -> MateResult {
        self.nodes = 0;
        self.cancelled = false;
        if moves == 0 {
            return MateResult::NoMate;
        }
        let plies_left = 2 * moves.min(200) - 1;
        match self.prove(board, plies_left) {
            Some(true) => {
                let nodes = self.nodes;
                let line = self.longest_defence(board, plies_left);
                self.nodes = nodes; // without those of extracting the line
                line.map_or(MateResult::Unknown, MateResult::Mate)
            }
            Some(false) => MateResult::NoMate,
            None => MateResult::Unknown,
        }
    }

    /// The shortest forced mate within this number of moves. Slower than
    /// [`MateSearch::mate_within`], because it also disproves all shorter mates.
    pub fn shortest_mate(&mut self, board: &Board, max_moves: u32) -> MateResult {
        let mut nodes = 0;
        for moves in 1..=max_moves {
            let result = self.mate_within(board, moves);
            nodes += self.nodes;
            self.nodes = nodes;
            if result != MateResult::NoMate {
                return result;
            }
        }
        MateResult::NoMate
    }

    /// Whether the attacker, who is to move if `plies_left` is odd, mates within that many plies.
    fn prove(&mut self, board: &Board, plies_left: u32) -> Option<bool> {
        let key = key(board, plies_left);
        let numbers = self.probe_or_evaluate(board, plies_left, key);
        let numbers = if numbers.is_solved() {
            numbers
        } else {
            let limit = ProofNumbers { phi: INFINITY, delta: INFINITY };
            self.search(board, plies_left, key, limit)
        };
        let is_attacker = plies_left % 2 == 1;
        match (numbers.phi, numbers.delta) {
            (0, _) => Some(is_attacker),
            (_, 0) => Some(!is_attacker),
            _ => None,
        }
    }

    /// The proof numbers of a node from the table, or the initial ones of a new leaf.
    fn probe_or_evaluate(&mut self, board: &Board, plies_left: u32, key: u64) -> ProofNumbers {
        if let Some(numbers) = self.table.get(&key) {
            return *numbers;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(1_024) {
            self.cancelled |= (self.is_cancelled)();
        }
        let is_defender = plies_left.is_multiple_of(2);
        let in_check = !board.checkers().is_empty();
        if plies_left == 0 && !in_check {
            return ProofNumbers::WON; // the last attacking move did not mate
        }
        let mut move_count = 0;
        board.generate_moves(|moves| {
            move_count += moves.len() as u32;
            false
        });
        let is_draw =
            move_count > 0 && (board.halfmove_clock() >= 100 || is_insufficient_material(board));
        let numbers = match (is_defender, move_count) {
            (true, 0) if in_check => ProofNumbers::LOST,
            (true, 0) => ProofNumbers::WON,
            (true, _) if plies_left == 0 || is_draw => ProofNumbers::WON,
            // Every reply must be refuted, so few replies bring the proof nearer.
            (true, _) => ProofNumbers { phi: 1, delta: move_count },
            (false, 0) => ProofNumbers::LOST,
            (false, _) if is_draw => ProofNumbers::LOST,
            (false, _) => ProofNumbers { phi: 1, delta: 1 },
        };
        if numbers.is_solved() && plies_left > 0 {
            self.store(key, numbers);
        }
        numbers
    }

    fn store(&mut self, key: u64, numbers: ProofNumbers) {
        if self.table.len() >= MAX_ENTRIES {
            self.table.retain(|_, numbers| numbers.is_solved());
            if self.table.len() >= MAX_ENTRIES / 2 {
                self.table.clear();
            }
        }
        self.table.insert(key, numbers);
    }

    fn children(&mut self, board: &Board, plies_left: u32) -> Vec<Child> {
        let mut children = Vec::with_capacity(40);
        for mv in legal_moves(board) {
            let mut after = board.clone();
            after.play_unchecked(mv);
            let key = key(&after, plies_left - 1);
            let numbers = self.probe_or_evaluate(&after, plies_left - 1, key);
            children.push(Child { mv, board: after, key, numbers });
        }
        children
    }

    /// Searches below a node until it is solved or one of its numbers reaches its limit (multiple
    /// iterative deepening, "MID").
    fn search(
        &mut self,
        board: &Board,
        plies_left: u32,
        key: u64,
        limit: ProofNumbers,
    ) -> ProofNumbers {
        let mut children = self.children(board, plies_left);
        loop {
            // phi is the minimum of the children's delta, delta the sum of their phi.
            let mut delta: u32 = 0;
            let (mut best, mut smallest, mut second) = (0, INFINITY + 1, INFINITY);
            for (index, child) in children.iter().enumerate() {
                delta = delta.saturating_add(child.numbers.phi).min(INFINITY);
                if child.numbers.delta < smallest {
                    second = smallest.min(INFINITY);
                    (best, smallest) = (index, child.numbers.delta);
                } else if child.numbers.delta < second {
                    second = child.numbers.delta;
                }
            }
            let phi = smallest.min(INFINITY);
            let numbers = match (phi, delta) {
                (0, _) => ProofNumbers::WON,
                (_, 0) => ProofNumbers::LOST,
                _ => ProofNumbers { phi, delta },
            };
            if numbers.is_solved()
                || phi >= limit.phi
                || delta >= limit.delta
                || self.nodes >= self.max_nodes
                || self.cancelled
            {
                self.store(key, numbers);
                return numbers;
            }
            let child = &children[best];
            let child_limit = ProofNumbers {
                phi: limit
                    .delta
                    .saturating_sub(delta)
                    .saturating_add(child.numbers.phi)
                    .min(INFINITY),
                // A quarter beyond the second best, so that the search does not switch between the
                // two at every step (the 1+ε trick).
                delta: limit.phi.min(second.saturating_add(second / 4 + 1)),
            };
            let (child_board, child_key) = (child.board.clone(), child.key);
            children[best].numbers =
                self.search(&child_board, plies_left - 1, child_key, child_limit);
        }
    }
}

/// Key of a position with a number of plies left. It includes the halfmove clock if the fifty-move
/// rule can apply within these plies.
fn key(board: &Board, plies_left: u32) -> u64 {
    let clock = u64::from(board.halfmove_clock());
    let clock = if clock + u64::from(plies_left) >= 100 { clock + 1 } else { 0 };
    let mixed =
        board.hash() ^ (u64::from(plies_left) << 8 | clock).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
