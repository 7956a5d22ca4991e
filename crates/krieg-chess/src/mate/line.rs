//! Extraction of a line from a proof: the mate against the longest defence.

use std::collections::HashMap;

use cozy_chess::{Board, Move as BoardMove};

use super::{Child, MateSearch, key};

/// Plies to mate, by the key of a proved position.
type Lengths = HashMap<u64, u32>;

impl MateSearch {
    /// The line of a proved mate in which the attacker mates as soon and the defender as late as
    /// the proof allows.
    pub(super) fn longest_defence(
        &mut self,
        board: &Board,
        plies_left: u32,
    ) -> Option<Vec<BoardMove>> {
        let mut lengths = Lengths::new();
        let mut line = Vec::new();
        let mut current = board.clone();
        let mut plies_left = plies_left;
        self.plies_to_mate(&current, plies_left, &mut lengths)?;
        loop {
            let children = self.children(&current, plies_left);
            let mut best: Option<(u32, usize)> = None;
            let is_attacker = plies_left % 2 == 1;
            for (index, child) in children.iter().enumerate() {
                let Some(&length) = lengths.get(&child.key) else { continue };
                let is_better = match best {
                    None => true,
                    Some((best_length, _)) if is_attacker => length < best_length,
                    Some((best_length, _)) => length > best_length,
                };
                if is_better {
                    best = Some((length, index));
                }
            }
            let Some((length, index)) = best else { return Some(line) };
            line.push(children[index].mv);
            current = children[index].board.clone();
            plies_left -= 1;
            if length == 0 {
                return Some(line);
            }
        }
    }

    /// Plies to mate in a proved position. Visits the proof tree once; parts of the proof that the
    /// table has lost are proved again.
    fn plies_to_mate(
        &mut self,
        board: &Board,
        plies_left: u32,
        lengths: &mut Lengths,
    ) -> Option<u32> {
        let key = key(board, plies_left);
        if let Some(&length) = lengths.get(&key) {
            return Some(length);
        }
        // The node limit applies to each step, because a proof that exists is visited quickly.
        self.nodes = 0;
        let mut children = self.children(board, plies_left);
        let length = if plies_left % 2 == 1 {
            let is_proved = |child: &&Child| child.numbers.delta == 0;
            if !children.iter().any(|child| is_proved(&child)) {
                if self.prove(board, plies_left) != Some(true) {
                    return None;
                }
                children = self.children(board, plies_left);
            }
            let mut proved: Vec<&Child> = children.iter().filter(is_proved).collect();
            // Immediate mates first.
            proved.sort_by_key(|child| !child.has_no_moves());
            let mut shortest = None;
            for child in proved {
                if child.has_no_moves() {
                    lengths.insert(child.key, 0);
                    shortest = Some(1);
                    break;
                }
                if self.prove(&child.board, plies_left - 1) == Some(true) {
                    let length = 1 + self.plies_to_mate(&child.board, plies_left - 1, lengths)?;
                    shortest = Some(shortest.map_or(length, |known: u32| known.min(length)));
                }
            }
            shortest?
        } else {
            let mut longest = 0;
            for child in &children {
                if self.prove(&child.board, plies_left - 1) != Some(true) {
                    return None;
                }
                let length = 1 + self.plies_to_mate(&child.board, plies_left - 1, lengths)?;
                longest = longest.max(length);
            }
            longest
        };
        lengths.insert(key, length);
        Some(length)
    }
}
