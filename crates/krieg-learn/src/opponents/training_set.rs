//! Decisions as lists of what was to be noticed, which is all that fitting needs.

use std::ops::Range;

use krieg_belief::opponent::board_features;
use krieg_belief::opponent::decision::Decision;
use krieg_belief::opponent::move_features::MoveFeatures;

/// A feature that a move has, and how many times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureCount {
    feature: u16,
    times: i16,
}

impl FeatureCount {
    /// The number of the feature.
    pub fn feature(self) -> usize {
        usize::from(self.feature)
    }

    /// How many times it is there.
    pub fn times(self) -> f32 {
        f32::from(self.times)
    }
}

/// Decisions of one player, or of several who are taken for one.
#[derive(Debug, Default)]
pub struct TrainingSet {
    noticed: Vec<FeatureCount>,
    /// For each move, where its features end.
    moves: Vec<u32>,
    surroundings: Vec<u16>,
    decisions: Vec<Ends>,
}

/// Where the lists of one decision end, and which of all moves was chosen.
#[derive(Debug, Clone, Copy, Default)]
struct Ends {
    moves: u32,
    surroundings: u32,
    chosen: u32,
}

impl TrainingSet {
    /// What was to be noticed about all that could have been chosen.
    pub fn new<'a>(decisions: impl IntoIterator<Item = &'a Decision>) -> Self {
        let mut lessons = TrainingSet::default();
        for decision in decisions {
            let (moves, chosen) = decision.moves();
            let chosen = (lessons.moves.len() + chosen) as u32;
            let board = decision.position.board();
            let sight = MoveFeatures::new(board, &decision.context, &moves);
            for mv in &moves {
                sight.for_each_feature(*mv, |feature, times| {
                    if times != 0 {
                        lessons.noticed.push(FeatureCount { feature: feature as u16, times });
                    }
                });
                lessons.moves.push(lessons.noticed.len() as u32);
            }
            board_features::for_each_feature(board, &decision.context, |name| {
                lessons.surroundings.push(name as u16);
            });
            lessons.decisions.push(Ends {
                moves: lessons.moves.len() as u32,
                surroundings: lessons.surroundings.len() as u32,
                chosen,
            });
        }
        lessons
    }

    /// How many decisions there are.
    pub fn len(&self) -> usize {
        self.decisions.len()
    }

    /// The numbers of the moves of a decision.
    pub fn moves(&self, decision: usize) -> Range<usize> {
        let first = self.before(decision).moves;
        first as usize..self.decisions[decision].moves as usize
    }

    /// The number of the move that was chosen.
    pub fn chosen(&self, decision: usize) -> usize {
        self.decisions[decision].chosen as usize
    }

    /// What there was to notice about the board.
    pub fn surroundings(&self, decision: usize) -> &[u16] {
        let first = self.before(decision).surroundings;
        &self.surroundings[first as usize..self.decisions[decision].surroundings as usize]
    }

    /// What there was to notice about a move.
    pub fn noticed(&self, mv: usize) -> &[FeatureCount] {
        let first = mv.checked_sub(1).map_or(0, |before| self.moves[before]);
        &self.noticed[first as usize..self.moves[mv] as usize]
    }

    /// The mean logarithm of the chance of what was chosen, in nats, if every hundredth move is any move; but for that, the chance is told.
    pub fn mean_log_chance(&self, mut chance: impl FnMut(usize) -> f32) -> f64 {
        let log = |decision: usize| {
            let at_random = 1.0 / self.moves(decision).len() as f64;
            (0.99 * f64::from(chance(decision)) + 0.01 * at_random).ln()
        };
        (0..self.len()).map(log).sum::<f64>() / self.len().max(1) as f64
    }

    fn before(&self, decision: usize) -> Ends {
        decision.checked_sub(1).map_or_else(Ends::default, |before| self.decisions[before])
    }
}

/// Turns what is liked into chances, in place: of one more, a move is played 2.7 times as often.
pub fn to_chances(feature_weights: &mut [f32]) {
    let best = feature_weights.iter().copied().fold(f32::MIN, f32::max);
    let mut whole = 0.0;
    for like in feature_weights.iter_mut() {
        *like = (*like - best).exp();
        whole += *like;
    }
    feature_weights.iter_mut().for_each(|chance| *chance /= whole);
}
