//! The games that led to the boards.

use cozy_chess::{Move as BoardMove, Square};

use super::turn::{Successor, TurnPair};
use crate::OpponentBoard;

/// A board after a move of the opponent's, and where it came from.
#[derive(Debug, Clone, Copy)]
pub struct TrajectoryNode {
    pub board: OpponentBoard,
    /// Its number in the generation before, or [`TrajectoryNode::NOBODY`].
    pub parent: u32,
    pub mv: BoardMove,
    /// How likely he played that move.
    pub chance: f64,
    /// How likely what was heard was to be heard on the board before, if that was looked at.
    pub seen: Option<f64>,
}

impl TrajectoryNode {
    /// The parent of a board that was not reached by moves.
    pub const NOBODY: u32 = u32::MAX;

    /// A board after a move, whose parent is not known yet.
    pub fn of(next: Successor, seen: Option<f64>) -> Self {
        let Successor { mv, board, chance, .. } = next;
        TrajectoryNode { board, parent: TrajectoryNode::NOBODY, mv, chance, seen }
    }

    /// The move that led here, if one did.
    pub fn last(&self) -> Option<BoardMove> {
        (self.mv.from != self.mv.to).then_some(self.mv)
    }

    /// A board that came from nowhere.
    pub fn orphan(board: OpponentBoard) -> Self {
        let mv = BoardMove { from: Square::A1, to: Square::A1, promotion: None };
        TrajectoryNode { board, parent: TrajectoryNode::NOBODY, mv, chance: 1.0, seen: None }
    }
}

/// What was heard, and the boards that were held possible after each exchange.
///
/// Of all but the last two generations, only those boards are kept from which one of those two descends.
#[derive(Debug)]
pub struct TrajectoryStore {
    /// The exchange of a number leads from the generation of that number to the next.
    pub exchanges: Vec<TurnPair>,
    generations: Vec<Vec<TrajectoryNode>>,
}

/// So many generations are whole: today's, and the one from which games are repaired when something surprising was heard.
const WHOLE: usize = 2;

impl TrajectoryStore {
    pub fn new(board: OpponentBoard) -> Self {
        TrajectoryStore {
            exchanges: Vec::new(),
            generations: vec![vec![TrajectoryNode::orphan(board)]],
        }
    }

    pub fn add(&mut self, exchange: TurnPair, generation: Vec<TrajectoryNode>) {
        self.exchanges.push(exchange);
        self.generations.push(generation);
        self.forget();
    }

    /// A board, by its generation and its number there.
    pub fn step(&self, (generation, number): (usize, u32)) -> &TrajectoryNode {
        &self.generations[generation][number as usize]
    }

    /// The number of the newest generation.
    pub fn now(&self) -> usize {
        self.generations.len() - 1
    }

    /// A board's ancestors, beginning with itself, the newest first: each with its generation and its number there. It ends where a board came from
    /// nowhere, or after so many.
    pub fn ancestors(&self, generation: usize, step: u32, most: usize) -> Vec<(usize, u32)> {
        let mut found = Vec::with_capacity(most);
        let (mut generation, mut number) = (generation, step);
        while found.len() < most {
            found.push((generation, number));
            let parent = self.step((generation, number)).parent;
            if parent == TrajectoryNode::NOBODY || generation == 0 {
                break;
            }
            (generation, number) = (generation - 1, parent);
        }
        found
    }

    /// Takes in a game: boards of one generation after the other, up to the newest, the first of which comes from `parent`. Returns the number of the last.
    pub fn graft(&mut self, parent: u32, steps: &[TrajectoryNode]) -> u32 {
        let first = self.generations.len() - steps.len();
        let mut parent = parent;
        for (generation, step) in self.generations[first..].iter_mut().zip(steps) {
            generation.push(TrajectoryNode { parent, ..*step });
            parent = (generation.len() - 1) as u32;
        }
        parent
    }

    /// Drops old boards from which nobody descends.
    fn forget(&mut self) {
        let Some(newest_thin) = self.generations.len().checked_sub(WHOLE + 1) else { return };
        for thin in (0..=newest_thin).rev() {
            let (old, young) = self.generations.split_at_mut(thin + 1);
            let (Some(parents), Some(children)) = (old.last_mut(), young.first_mut()) else {
                return;
            };
            let mut numbers = vec![TrajectoryNode::NOBODY; parents.len()];
            let mut kept = Vec::new();
            for child in children.iter_mut().filter(|child| child.parent != TrajectoryNode::NOBODY)
            {
                let number = &mut numbers[child.parent as usize];
                if *number == TrajectoryNode::NOBODY {
                    *number = kept.len() as u32;
                    kept.push(parents[child.parent as usize]);
                }
                child.parent = *number;
            }
            *parents = kept;
        }
    }
}
