//! Proof-number search for mates: df-pn (Nagai, "Df-pn algorithm for searching AND/OR trees and its
//! applications", 2002).
//!
//! A node carries two numbers: how many leaves must still be shown to be mates to prove that the
//! attacker mates, and how many must be shown not to be to prove that he does not. The search goes
//! where the fewest are missing, so it follows checks and cramped kings by itself.
//!
//! A mate is asked for *within so many moves*, and how many plies are left is part of what a position is
//! stored under. That makes the graph of positions free of cycles, so the trouble that
//! repetitions make for proof numbers elsewhere does not arise here, and a proof gives the number
//! of moves along with the mate.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use cozy_chess::{Board, Move as BoardMove};
use krieg_core::is_insufficient_material;

use crate::move_picker::legal_moves;

/// What came out of a search for mate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MateResult {
    /// There is a mate: the line against the longest defence that was found, the mating move last.
    Mate(Vec<BoardMove>),
    /// There is none within so many moves.
    NoMate,
    /// The nodes ran out first.
    Unknown,
}

/// A search for mate, with its memory.
///
/// ```
/// use krieg_chess::{MateSearch, MateResult};
/// let board = "7k/8/8/8/8/8/R7/1R5K w - - 0 1".parse().unwrap();
/// let mut search = MateSearch::new(100_000);
/// assert_eq!(search.mate_within(&board, 1), MateResult::NoMate);
/// let MateResult::Mate(line) = search.mate_within(&board, 2) else { panic!() };
/// assert_eq!(line.len(), 3);
/// ```
pub struct MateSearch {
    known: HashMap<u64, Numbers, BuildHasherDefault<KeyItself>>,
    nodes: u64,
    most_nodes: u64,
    /// Asked now and then whether to give up.
    is_cancelled: Box<dyn Fn() -> bool>,
    gave_up: bool,
}

/// Positions remembered before the unsolved ones are dropped.
const MOST_KNOWN: usize = 4_000_000;

/// Proof and disproof number, for the side to move: `win` is how many leaves are missing to show that the
/// side to move reaches its goal, `lose` how many to show that it does not. The attacker's
/// goal is mate in time, the defender's is to be without mate when time is up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Numbers {
    win: u32,
    lose: u32,
}

const MANY: u32 = 1_000_000_000;

impl Numbers {
    const WON: Numbers = Numbers { win: 0, lose: MANY };
    const LOST: Numbers = Numbers { win: MANY, lose: 0 };

    fn is_solved(self) -> bool {
        self.win == 0 || self.lose == 0
    }
}

/// Keys are mixed already.
#[derive(Debug, Default, Clone)]
struct KeyItself(u64);

impl Hasher for KeyItself {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers")
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
    numbers: Numbers,
}

impl MateSearch {
    /// A search that visits about so many nodes at most for each number of moves it is asked for.
    pub fn new(most_nodes: u64) -> Self {
        MateSearch::with_cancellation(most_nodes, || false)
    }

    /// The same, but it also gives up when `is_cancelled` says so.
    pub fn with_cancellation(most_nodes: u64, is_cancelled: impl Fn() -> bool + 'static) -> Self {
        let is_cancelled = Box::new(is_cancelled);
        MateSearch { known: HashMap::default(), nodes: 0, most_nodes, is_cancelled, gave_up: false }
    }

    /// Nodes visited by the last call.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the side to move mates within so many of its moves.
    pub fn mate_within(&mut self, board: &Board, moves: u32) -> MateResult {
        self.nodes = 0;
        self.gave_up = false;
        if moves == 0 {
            return MateResult::NoMate;
        }
        let left = 2 * moves.min(200) - 1;
        match self.prove(board, left) {
            Some(true) => {
                let spent = self.nodes;
                let line = self.longest(board, left);
                self.nodes = spent; // what finding it took, not what telling it took
                line.map_or(MateResult::Unknown, MateResult::Mate)
            }
            Some(false) => MateResult::NoMate,
            None => MateResult::Unknown,
        }
    }

    /// The shortest mate within so many moves. It takes longer, since it must be shown that there is no
    /// shorter one.
    pub fn shortest_mate(&mut self, board: &Board, moves: u32) -> MateResult {
        let mut spent = 0;
        for within in 1..=moves {
            let verdict = self.mate_within(board, within);
            spent += self.nodes;
            self.nodes = spent;
            if verdict != MateResult::NoMate {
                return verdict;
            }
        }
        MateResult::NoMate
    }

    /// Whether the attacker, who is to move if `left` is odd, mates within `left` plies.
    fn prove(&mut self, board: &Board, left: u32) -> Option<bool> {
        let key = key(board, left);
        let numbers = self.first_look(board, left, key);
        let numbers = if numbers.is_solved() {
            numbers
        } else {
            self.search(board, left, key, Numbers { win: MANY, lose: MANY })
        };
        let attacker_moves = left % 2 == 1;
        match (numbers.win, numbers.lose) {
            (0, _) => Some(attacker_moves),
            (_, 0) => Some(!attacker_moves),
            _ => None,
        }
    }

    /// What is known of a position, or what can be seen at a glance.
    fn first_look(&mut self, board: &Board, left: u32, key: u64) -> Numbers {
        if let Some(numbers) = self.known.get(&key) {
            return *numbers;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(1_024) {
            self.gave_up |= (self.is_cancelled)();
        }
        let defender_moves = left.is_multiple_of(2);
        let in_check = !board.checkers().is_empty();
        if left == 0 && !in_check {
            return Numbers::WON; // time is up, and it is no mate
        }
        let mut replies = 0;
        board.generate_moves(|moves| {
            replies += moves.len() as u32;
            false
        });
        let is_drawn =
            replies > 0 && (board.halfmove_clock() >= 100 || is_insufficient_material(board));
        let numbers = match (defender_moves, replies) {
            (true, 0) if in_check => Numbers::LOST,
            (true, 0) => Numbers::WON,
            (true, _) if left == 0 || is_drawn => Numbers::WON,
            // Every reply must be met: the fewer there are, the nearer the mate.
            (true, _) => Numbers { win: 1, lose: replies },
            (false, 0) => Numbers::LOST,
            (false, _) if is_drawn => Numbers::LOST,
            (false, _) => Numbers { win: 1, lose: 1 },
        };
        if numbers.is_solved() && left > 0 {
            self.remember(key, numbers);
        }
        numbers
    }

    fn remember(&mut self, key: u64, numbers: Numbers) {
        if self.known.len() >= MOST_KNOWN {
            self.known.retain(|_, numbers| numbers.is_solved());
            if self.known.len() >= MOST_KNOWN / 2 {
                self.known.clear();
            }
        }
        self.known.insert(key, numbers);
    }

    fn children(&mut self, board: &Board, left: u32) -> Vec<Child> {
        let mut children = Vec::with_capacity(40);
        for mv in legal_moves(board) {
            let mut after = board.clone();
            after.play_unchecked(mv);
            let key = key(&after, left - 1);
            let numbers = self.first_look(&after, left - 1, key);
            children.push(Child { mv, board: after, key, numbers });
        }
        children
    }

    /// Searches below a node until it is solved or one of its numbers reaches its limit.
    fn search(&mut self, board: &Board, left: u32, key: u64, limit: Numbers) -> Numbers {
        let mut children = self.children(board, left);
        loop {
            // The side to move wins if it comes to one child where the other loses.
            let mut lose: u32 = 0;
            let (mut best, mut least, mut second) = (0, MANY + 1, MANY);
            for (i, child) in children.iter().enumerate() {
                lose = lose.saturating_add(child.numbers.win).min(MANY);
                if child.numbers.lose < least {
                    second = least.min(MANY);
                    (best, least) = (i, child.numbers.lose);
                } else if child.numbers.lose < second {
                    second = child.numbers.lose;
                }
            }
            let win = least.min(MANY);
            let numbers = match (win, lose) {
                (0, _) => Numbers::WON,
                (_, 0) => Numbers::LOST,
                _ => Numbers { win, lose },
            };
            if numbers.is_solved()
                || win >= limit.win
                || lose >= limit.lose
                || self.nodes >= self.most_nodes
                || self.gave_up
            {
                self.remember(key, numbers);
                return numbers;
            }
            let child = &children[best];
            let child_limit = Numbers {
                win: limit.lose.saturating_sub(lose).saturating_add(child.numbers.win).min(MANY),
                // A little beyond the second best, so as not to run to and fro between the two.
                lose: limit.win.min(second.saturating_add(second / 4 + 1)),
            };
            let (below, below_key) = (child.board.clone(), child.key);
            children[best].numbers = self.search(&below, left - 1, below_key, child_limit);
        }
    }

    /// The line of a proved mate in which the defender holds out longest.
    fn longest(&mut self, board: &Board, left: u32) -> Option<Vec<BoardMove>> {
        let mut lengths = HashMap::new();
        let mut line = Vec::new();
        let mut at = board.clone();
        let mut left = left;
        self.plies_to_mate(&at, left, &mut lengths)?;
        loop {
            let children = self.children(&at, left);
            let mut best: Option<(u32, usize)> = None;
            let attacker_moves = left % 2 == 1;
            for (i, child) in children.iter().enumerate() {
                let Some(&length) = lengths.get(&child.key) else { continue };
                let is_better = match best {
                    None => true,
                    Some((known, _)) if attacker_moves => length < known,
                    Some((known, _)) => length > known,
                };
                if is_better {
                    best = Some((length, i));
                }
            }
            let Some((length, i)) = best else { return Some(line) };
            line.push(children[i].mv);
            at = children[i].board.clone();
            left -= 1;
            if length == 0 {
                return Some(line);
            }
        }
    }

    /// Plies to mate on a proved position, walking through the proof once.
    fn plies_to_mate(
        &mut self,
        board: &Board,
        left: u32,
        lengths: &mut HashMap<u64, u32>,
    ) -> Option<u32> {
        let key = key(board, left);
        if let Some(&length) = lengths.get(&key) {
            return Some(length);
        }
        // The proof is there, so walking through it is short; what was forgotten is proved again.
        self.nodes = 0;
        let mut children = self.children(board, left);
        let length = if left % 2 == 1 {
            let is_proved = |child: &&Child| child.numbers.lose == 0;
            if !children.iter().any(|child| is_proved(&child)) {
                if self.prove(board, left) != Some(true) {
                    return None;
                }
                children = self.children(board, left);
            }
            let mut proved: Vec<&Child> = children.iter().filter(is_proved).collect();
            // Mate on the board first.
            proved.sort_by_key(|child| !child.is_cancelled());
            let mut shortest = None;
            for child in proved {
                if child.is_cancelled() {
                    lengths.insert(child.key, 0);
                    shortest = Some(1);
                    break;
                }
                if self.prove(&child.board, left - 1) == Some(true) {
                    let length = 1 + self.plies_to_mate(&child.board, left - 1, lengths)?;
                    shortest = Some(shortest.map_or(length, |known: u32| known.min(length)));
                }
            }
            shortest?
        } else {
            let mut longest = 0;
            for child in &children {
                // A proof forgotten for want of room is made again.
                if self.prove(&child.board, left - 1) != Some(true) {
                    return None;
                }
                longest = longest.max(1 + self.plies_to_mate(&child.board, left - 1, lengths)?);
            }
            longest
        };
        lengths.insert(key, length);
        Some(length)
    }
}

impl Child {
    fn is_cancelled(&self) -> bool {
        !self.board.generate_moves(|_| true)
    }
}

/// A position and how many plies are left. Near the fiftieth move its clock matters too.
fn key(board: &Board, left: u32) -> u64 {
    let clock = u64::from(board.halfmove_clock());
    let clock = if clock + u64::from(left) >= 100 { clock + 1 } else { 0 };
    let mixed = board.hash() ^ (u64::from(left) << 8 | clock).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mate by trying everything.
    fn slowly(board: &Board, left: u32) -> bool {
        let moves = legal_moves(board);
        let mut after = moves.into_iter().map(|mv| {
            let mut after = board.clone();
            after.play_unchecked(mv);
            after
        });
        let has_moves = board.generate_moves(|_| true);
        let is_drawn =
            has_moves && (board.halfmove_clock() >= 100 || is_insufficient_material(board));
        match left % 2 {
            1 => !is_drawn && after.any(|after| slowly(&after, left - 1)),
            _ if !has_moves => !board.checkers().is_empty(),
            _ => left > 0 && !is_drawn && after.all(|after| slowly(&after, left - 1)),
        }
    }

    #[test]
    fn proofs_agree_with_trying_everything() {
        let mut found = [0, 0];
        let endgames =
            crate::testing::boards(4_000, 11).into_iter().filter(|b| b.occupied().len() < 14);
        for board in endgames.take(150) {
            let verdict = MateSearch::new(1_000_000).mate_within(&board, 2);
            let truth = slowly(&board, 3);
            found[usize::from(truth)] += 1;
            assert_eq!(matches!(verdict, MateResult::Mate(_)), truth, "{board}");
        }
        assert!(found[1] > 0, "{found:?}");
    }

    #[test]
    fn the_line_is_a_mate_against_the_longest_defence() {
        let board: Board = "k7/8/2K5/8/8/8/8/1R6 w - - 0 1".parse().unwrap();
        let mut search = MateSearch::new(1_000_000);
        let MateResult::Mate(line) = search.shortest_mate(&board, 4) else { panic!("no mate") };
        assert_eq!(line.len(), 3);
        let mut at = board;
        for mv in line {
            at.play(mv);
        }
        assert!(!at.checkers().is_empty() && legal_moves(&at).is_empty());
    }

    #[test]
    fn the_fiftieth_move_ends_it() {
        // Mate in two, but after the first move the hundredth ply without progress is made.
        let late = |clock| format!("k7/8/2K5/8/8/8/8/1R6 w - - {clock} 80").parse().unwrap();
        assert!(matches!(MateSearch::new(100_000).mate_within(&late(96), 2), MateResult::Mate(_)));
        assert_eq!(MateSearch::new(100_000).mate_within(&late(98), 2), MateResult::NoMate);
    }

    #[test]
    fn a_small_purse_is_kept_to() {
        let board = Board::default();
        let mut search = MateSearch::new(1_000);
        assert_eq!(search.mate_within(&board, 5), MateResult::Unknown);
        assert!(search.nodes() < 5_000);
    }
}
