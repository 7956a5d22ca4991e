//! The trajectories of the particles: the moves and boards that led to them.

use cozy_chess::{Move as BoardMove, Square};

use super::turn::{Successor, TurnPair};
use crate::OpponentBoard;

/// A board after a move of the opponent, and the board it came from.
#[derive(Debug, Clone, Copy)]
pub struct TrajectoryNode {
    pub board: OpponentBoard,
    /// The index of the parent in the generation before, or [`TrajectoryNode::NO_PARENT`].
    pub parent: u32,
    /// The opponent's move. In an orphan it goes from a1 to a1.
    pub mv: BoardMove,
    /// The probability of the move, by the opponent model at that time.
    pub probability: f64,
    /// The likelihood of the announcement, given the board before, if it was computed.
    pub likelihood: Option<f64>,
}

impl TrajectoryNode {
    /// The parent of a board that was not reached by moves.
    pub const NO_PARENT: u32 = u32::MAX;

    /// The node of a successor whose parent is not set yet.
    pub fn of(next: Successor, likelihood: Option<f64>) -> Self {
        let Successor { mv, board, probability, .. } = next;
        TrajectoryNode { board, parent: TrajectoryNode::NO_PARENT, mv, probability, likelihood }
    }

    /// A node without a parent, for a board with an unknown past.
    pub fn orphan(board: OpponentBoard) -> Self {
        let mv = BoardMove { from: Square::A1, to: Square::A1, promotion: None };
        TrajectoryNode {
            board,
            parent: TrajectoryNode::NO_PARENT,
            mv,
            probability: 1.0,
            likelihood: None,
        }
    }

    /// The opponent's move, if it is known.
    pub fn last_move(&self) -> Option<BoardMove> {
        (self.mv.from != self.mv.to).then_some(self.mv)
    }
}

/// The turns of the game, and the boards that were possible after each pair of turns.
///
/// The last two generations are complete. Of the earlier ones only the ancestors of these are kept.
#[derive(Debug)]
pub struct TrajectoryStore {
    /// The pair of turns with an index leads from the generation with that index to the next one.
    pub turns: Vec<TurnPair>,
    generations: Vec<Vec<TrajectoryNode>>,
}

/// Number of complete generations: the present one, and the one whose trajectories are repaired
/// after a surprising observation.
const COMPLETE_GENERATIONS: usize = 2;

impl TrajectoryStore {
    pub fn new(board: OpponentBoard) -> Self {
        TrajectoryStore {
            turns: Vec::new(),
            generations: vec![vec![TrajectoryNode::orphan(board)]],
        }
    }

    pub fn add(&mut self, turns: TurnPair, generation: Vec<TrajectoryNode>) {
        self.turns.push(turns);
        self.generations.push(generation);
        self.remove_unused();
    }

    /// A node, by its generation and its index there.
    pub fn node(&self, (generation, index): (usize, u32)) -> &TrajectoryNode {
        &self.generations[generation][index as usize]
    }

    /// The index of the newest generation.
    pub fn newest(&self) -> usize {
        self.generations.len() - 1
    }

    /// A node and its ancestors, the newest first, each with its generation and its index there.
    /// The list ends at an orphan or after `max` nodes.
    pub fn ancestors(&self, generation: usize, node: u32, max: usize) -> Vec<(usize, u32)> {
        let mut found = Vec::with_capacity(max);
        let (mut generation, mut index) = (generation, node);
        while found.len() < max {
            found.push((generation, index));
            let parent = self.node((generation, index)).parent;
            if parent == TrajectoryNode::NO_PARENT || generation == 0 {
                break;
            }
            (generation, index) = (generation - 1, parent);
        }
        found
    }

    /// Adds a trajectory: one node per generation, up to the newest. The first node has this
    /// parent. Returns the index of the last node.
    pub fn graft(&mut self, parent: u32, nodes: &[TrajectoryNode]) -> u32 {
        let first = self.generations.len() - nodes.len();
        let mut parent = parent;
        for (generation, node) in self.generations[first..].iter_mut().zip(nodes) {
            generation.push(TrajectoryNode { parent, ..*node });
            parent = (generation.len() - 1) as u32;
        }
        parent
    }

    /// Removes old nodes without descendants.
    fn remove_unused(&mut self) {
        let Some(newest_pruned) = self.generations.len().checked_sub(COMPLETE_GENERATIONS + 1)
        else {
            return;
        };
        for pruned in (0..=newest_pruned).rev() {
            let (old, young) = self.generations.split_at_mut(pruned + 1);
            let (Some(parents), Some(children)) = (old.last_mut(), young.first_mut()) else {
                return;
            };
            let mut new_index = vec![TrajectoryNode::NO_PARENT; parents.len()];
            let mut kept = Vec::new();
            let has_parent =
                |child: &&mut TrajectoryNode| child.parent != TrajectoryNode::NO_PARENT;
            for child in children.iter_mut().filter(has_parent) {
                let index = &mut new_index[child.parent as usize];
                if *index == TrajectoryNode::NO_PARENT {
                    *index = kept.len() as u32;
                    kept.push(parents[child.parent as usize]);
                }
                child.parent = *index;
            }
            *parents = kept;
        }
    }
}
