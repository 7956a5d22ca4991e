//! Decisions as lists of features: the training set of opponent types.

use std::ops::Range;

use krieg_belief::opponent::board_features;
use krieg_belief::opponent::decision::Decision;
use krieg_belief::opponent::move_features::MoveFeatures;

/// Share of uniformly random moves in the policy whose log-likelihood is measured.
const UNIFORM_SHARE: f64 = 0.01;

/// A feature of a move, with its count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureCount {
    feature: u16,
    count: i16,
}

impl FeatureCount {
    /// The index of the feature.
    pub fn feature(self) -> usize {
        usize::from(self.feature)
    }

    /// The count of the feature.
    pub fn count(self) -> f32 {
        f32::from(self.count)
    }
}

/// The decisions of one player, or of several players of one type.
#[derive(Debug, Default)]
pub struct DecisionSet {
    move_features: Vec<FeatureCount>,
    /// For each move, the end of its features.
    moves: Vec<u32>,
    board_features: Vec<u16>,
    decisions: Vec<DecisionEnd>,
}

/// Where the lists of a decision end, and the index of the chosen move.
#[derive(Debug, Clone, Copy, Default)]
struct DecisionEnd {
    moves: u32,
    board_features: u32,
    chosen: u32,
}

impl DecisionSet {
    /// Extracts the features of these decisions.
    pub fn new<'a>(decisions: impl IntoIterator<Item = &'a Decision>) -> Self {
        let mut set = DecisionSet::default();
        for decision in decisions {
            let (moves, chosen) = decision.moves();
            let chosen = (set.moves.len() + chosen) as u32;
            let board = decision.position.board();
            let features = MoveFeatures::new(board, &decision.context, &moves);
            for mv in &moves {
                features.for_each_feature(*mv, |feature, count| {
                    if count != 0 {
                        set.move_features.push(FeatureCount { feature: feature as u16, count });
                    }
                });
                set.moves.push(set.move_features.len() as u32);
            }
            board_features::for_each_feature(board, &decision.context, |feature| {
                set.board_features.push(feature as u16);
            });
            set.decisions.push(DecisionEnd {
                moves: set.moves.len() as u32,
                board_features: set.board_features.len() as u32,
                chosen,
            });
        }
        set
    }

    /// Number of decisions.
    pub fn len(&self) -> usize {
        self.decisions.len()
    }

    /// The indices of the moves of a decision.
    pub fn moves(&self, decision: usize) -> Range<usize> {
        let start = self.end_before(decision).moves;
        start as usize..self.decisions[decision].moves as usize
    }

    /// The index of the chosen move.
    pub fn chosen(&self, decision: usize) -> usize {
        self.decisions[decision].chosen as usize
    }

    /// The features of the board of a decision.
    pub fn board_features(&self, decision: usize) -> &[u16] {
        let start = self.end_before(decision).board_features;
        &self.board_features[start as usize..self.decisions[decision].board_features as usize]
    }

    /// The features of a move.
    pub fn move_features(&self, mv: usize) -> &[FeatureCount] {
        let start = mv.checked_sub(1).map_or(0, |before| self.moves[before]);
        &self.move_features[start as usize..self.moves[mv] as usize]
    }

    /// The mean log-likelihood of the chosen moves in nats, if one move in a hundred is uniformly
    /// random. `probability` is that of the chosen move of a decision otherwise.
    pub fn mean_log_likelihood(&self, mut probability: impl FnMut(usize) -> f32) -> f64 {
        let log = |decision: usize| {
            let uniform = 1.0 / self.moves(decision).len() as f64;
            let probability = f64::from(probability(decision));
            ((1.0 - UNIFORM_SHARE) * probability + UNIFORM_SHARE * uniform).ln()
        };
        (0..self.len()).map(log).sum::<f64>() / self.len().max(1) as f64
    }

    fn end_before(&self, decision: usize) -> DecisionEnd {
        decision.checked_sub(1).map_or_else(DecisionEnd::default, |before| self.decisions[before])
    }
}

/// Replaces logits by probabilities.
pub fn softmax(logits: &mut [f32]) {
    let largest = logits.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for logit in logits.iter_mut() {
        *logit = (*logit - largest).exp();
        sum += *logit;
    }
    logits.iter_mut().for_each(|probability| *probability /= sum);
}
