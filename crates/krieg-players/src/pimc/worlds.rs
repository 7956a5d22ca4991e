//! Imagined boards, with the value of every move on each.

use std::collections::BTreeMap;

use krieg_chess::{Score, ScoredMove};
use krieg_core::{Announcement, Move, Position, Try, Verdict, View};

/// Boards that have been looked at.
#[derive(Debug, Default)]
pub struct Worlds {
    worlds: Vec<World>,
}

#[derive(Debug)]
struct World {
    position: Position,
    /// The best first.
    moves: Vec<(Move, f64)>,
}

/// A mate that is seen is worth more than any advantage, and the nearer the better.
const MATE: f64 = 0.5;

fn worth(score: Score) -> f64 {
    match score.mate() {
        Some(moves) if moves > 0 => 1.0 + MATE / f64::from(moves),
        Some(moves) => -MATE / f64::from(1 - moves),
        None => score.expected_score(),
    }
}

impl Worlds {
    pub fn new(positions: Vec<Position>, values: Vec<Vec<ScoredMove>>) -> Self {
        let worlds = positions.into_iter().zip(values).map(|(position, values)| World {
            position,
            moves: values.into_iter().map(|valued| (valued.mv, worth(valued.score))).collect(),
        });
        Worlds { worlds: worlds.collect() }
    }

    /// Takes in a board of which only the best move is known.
    pub fn add_best(&mut self, position: Position, best: Move) {
        self.worlds.push(World { position, moves: vec![(best, 1.0)] });
    }

    pub fn len(&self) -> usize {
        self.worlds.len()
    }

    /// A try of one's own came to nothing, or a question was answered: boards on which it would have been otherwise are gone.
    pub fn heard(&mut self, tried: Try, said: &Announcement) {
        self.worlds.retain(|world| match (tried, said.verdict) {
            (Try::Move(mv), Verdict::Refused) => !world.position.is_legal(mv),
            (Try::Any, Verdict::Any(yes)) => yes == (world.position.pawn_tries().count > 0),
            _ => true,
        });
    }

    /// The sensible try with the highest average over the boards on which it is legal. Where it is not it costs nothing, for
    /// the player may try again.
    pub fn best_by_mean(&self, view: &View) -> Option<(Move, f64)> {
        let mut sums: BTreeMap<Move, (f64, u32)> = BTreeMap::new();
        for &(mv, worth) in self.worlds.iter().flat_map(|world| &world.moves) {
            let (sum, count) = sums.entry(mv).or_default();
            *sum += worth;
            *count += 1;
        }
        let means = sums.into_iter().map(|(mv, (sum, count))| (mv, sum / f64::from(count)));
        highest(means, view)
    }

    /// The sensible try that is best on the most boards.
    pub fn best_by_votes(&self, view: &View) -> Option<(Move, f64)> {
        let mut votes: BTreeMap<Move, f64> = BTreeMap::new();
        let share = 1.0 / self.worlds.len().max(1) as f64;
        for world in &self.worlds {
            let best = world.moves.iter().find(|(mv, _)| view.is_sensible((*mv).into()));
            if let Some((mv, _)) = best {
                *votes.entry(*mv).or_default() += share;
            }
        }
        highest(votes.into_iter(), view)
    }
}

fn highest(values: impl Iterator<Item = (Move, f64)>, view: &View) -> Option<(Move, f64)> {
    values.filter(|(mv, _)| view.is_sensible((*mv).into())).max_by(|(_, a), (_, b)| a.total_cmp(b))
}
