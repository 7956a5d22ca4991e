//! How good a picture of the other side is, once the truth is known.

use cozy_chess::{Piece, Square};
use krieg_core::PieceSet;

use crate::{OpponentBoard, OpponentMap};

/// How far a map was from the truth, summed over all squares on which none of the player's own men stood. Less is better.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BeliefScore {
    /// The surprise at what was there, in nats.
    pub log_loss: f64,
    /// The squares of the differences between what was expected and what was.
    pub brier: f64,
}

/// What a square may hold: one of six kinds of men, or nothing.
const CONTENTS: f64 = 7.0;
/// So much is left to chance, so that whoever is quite wrong is not infinitely wrong.
const DOUBT: f64 = 0.01;

impl BeliefScore {
    /// Compares a map with the truth.
    ///
    /// ```
    /// use krieg_belief::{OpponentMap, OpponentBoard, BeliefScore};
    /// use krieg_core::{Color, Position};
    /// let start = Position::start();
    /// let (own, truth) = (start.men(Color::White), OpponentBoard::of(&start, Color::Black));
    /// let sure = BeliefScore::new(&OpponentMap::of([(truth, 1.0)]), &truth, &own);
    /// let clueless = BeliefScore::new(&OpponentMap::of([]), &truth, &own);
    /// assert!(sure.log_loss < 1.0 && sure.brier < 0.1);
    /// assert!(clueless.log_loss > 20.0);
    /// ```
    pub fn new(map: &OpponentMap, truth: &OpponentBoard, own: &PieceSet) -> Self {
        let mut quality = BeliefScore::default();
        for square in Square::ALL.into_iter().filter(|&square| !own.all().has(square)) {
            let doubted = |chance: f64| chance * (1.0 - DOUBT) + DOUBT / CONTENTS;
            let mut note = |chance: f64, is_so: bool| {
                let chance = doubted(chance);
                quality.brier += (chance - f64::from(u8::from(is_so))).powi(2);
                if is_so {
                    quality.log_loss -= chance.ln();
                }
            };
            for piece in Piece::ALL {
                note(map.probability(piece, square), truth.pieces(piece).has(square));
            }
            note((1.0 - map.occupancy(square)).max(0.0), !truth.all().has(square));
        }
        quality
    }
}
