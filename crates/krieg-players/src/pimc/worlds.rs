//! Sampled boards with the value of every move on each.

use std::collections::BTreeMap;

use krieg_chess::{Score, ScoredMove};
use krieg_core::{Announcement, Move, Position, Try, Verdict, View};

/// Evaluated boards.
#[derive(Debug, Default)]
pub struct Worlds {
    worlds: Vec<World>,
}

#[derive(Debug)]
struct World {
    position: Position,
    /// The moves with their values, the best first.
    moves: Vec<(Move, f64)>,
}

/// A forced mate is better than any advantage by this much, divided by the number of moves.
const MATE_BONUS: f64 = 0.5;

fn value_of(score: Score) -> f64 {
    match score.mate() {
        Some(moves) if moves > 0 => 1.0 + MATE_BONUS / f64::from(moves),
        Some(moves) => -MATE_BONUS / f64::from(1 - moves),
        None => score.expected_score(),
    }
}

impl Worlds {
    pub fn new(positions: Vec<Position>, values: Vec<Vec<ScoredMove>>) -> Self {
        let worlds = positions.into_iter().zip(values).map(|(position, values)| World {
            position,
            moves: values.into_iter().map(|scored| (scored.mv, value_of(scored.score))).collect(),
        });
        Worlds { worlds: worlds.collect() }
    }

    /// Adds a board of which only the best move is known.
    pub fn add_best(&mut self, position: Position, best: Move) {
        self.worlds.push(World { position, moves: vec![(best, 1.0)] });
    }

    pub fn len(&self) -> usize {
        self.worlds.len()
    }

    /// Removes the boards that contradict the answer to a try of the player.
    pub fn observe_answer(&mut self, tried: Try, answer: &Announcement) {
        self.worlds.retain(|world| match (tried, answer.verdict) {
            (Try::Move(mv), Verdict::Refused) => !world.position.is_legal(mv),
            (Try::Any, Verdict::Any(yes)) => yes == (world.position.pawn_tries().count > 0),
            _ => true,
        });
    }

    /// The sensible try with the highest mean over the boards on which it is legal. On the other
    /// boards it is refused, which costs nothing.
    pub fn best_by_mean(&self, view: &View) -> Option<(Move, f64)> {
        let mut sums: BTreeMap<Move, (f64, u32)> = BTreeMap::new();
        for &(mv, value) in self.worlds.iter().flat_map(|world| &world.moves) {
            let (sum, count) = sums.entry(mv).or_default();
            *sum += value;
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
