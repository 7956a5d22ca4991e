//! The error of a belief once the true board is known.

use cozy_chess::{Piece, Square};
use krieg_core::PieceSet;

use crate::{OpponentBoard, OpponentMap};

/// The error of a map against the true board, summed over all squares without own pieces. Lower is
/// better.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BeliefScore {
    /// The negative logarithm of the probability of what stands on each square, in nats.
    pub log_loss: f64,
    /// The sum of the squared differences between probability and truth.
    pub brier: f64,
}

/// Number of possible contents of a square: six kinds of pieces, or nothing.
const CONTENTS: f64 = 7.0;
/// Share of the probability that is spread evenly over the contents, so that the log-loss is
/// finite.
const UNIFORM_SHARE: f64 = 0.01;

impl BeliefScore {
    /// Compares a map with the true board. `own` are the player's pieces.
    ///
    /// ```
    /// use krieg_belief::{BeliefScore, OpponentBoard, OpponentMap};
    /// use krieg_core::{Color, Position};
    /// let start = Position::start();
    /// let (own, truth) = (start.pieces(Color::White), OpponentBoard::of(&start, Color::Black));
    /// let certain = BeliefScore::new(&OpponentMap::of([(truth, 1.0)]), &truth, &own);
    /// let ignorant = BeliefScore::new(&OpponentMap::of([]), &truth, &own);
    /// assert!(certain.log_loss < 1.0 && certain.brier < 0.1);
    /// assert!(ignorant.log_loss > 20.0);
    /// ```
    #[must_use]
    pub fn new(map: &OpponentMap, truth: &OpponentBoard, own: &PieceSet) -> Self {
        let mut score = BeliefScore::default();
        for square in Square::ALL.into_iter().filter(|&square| !own.all().has(square)) {
            let smooth =
                |probability: f64| probability * (1.0 - UNIFORM_SHARE) + UNIFORM_SHARE / CONTENTS;
            let mut add = |probability: f64, is_true: bool| {
                let probability = smooth(probability);
                score.brier += (probability - f64::from(u8::from(is_true))).powi(2);
                if is_true {
                    score.log_loss -= probability.ln();
                }
            };
            for piece in Piece::ALL {
                add(map.probability(piece, square), truth.pieces(piece).has(square));
            }
            add((1.0 - map.occupancy(square)).max(0.0), !truth.all().has(square));
        }
        score
    }
}
