//! An explanation as a JSON object.

use krieg_belief::OpponentMap;
use krieg_core::{Piece, Square, piece_name};
use serde_json::{Map, Value, json};

use super::{Explanation, TryEffects, TryExplanation};
use crate::marshal::Exclusion;

impl Explanation {
    /// The explanation without the player's own pieces. Probabilities and scores are from 0 to 1.
    #[must_use]
    pub fn to_json(&self) -> Map<String, Value> {
        let opponent_types = self
            .opponent_types
            .iter()
            .map(|(name, probability)| json!({ "name": name, "probability": unit(*probability) }));
        let object = json!({
            "boards": self.boards,
            "exact": self.is_exact,
            "contradiction": self.contradiction,
            "opponent_pieces": opponent_map_json(&self.map),
            "opponent_types": opponent_types.collect::<Vec<_>>(),
            "ask_any": self.should_ask,
            "preferred": self.preferred.map(|mv| mv.to_string()),
            "expected": self.expected().map(unit),
            "tries": self.tries.iter().map(|one| self.try_json(one)).collect::<Vec<_>>(),
            "reasons": self.reasons(),
        });
        match object {
            Value::Object(object) => object,
            _ => unreachable!("json! was given an object"),
        }
    }

    fn try_json(&self, explained: &TryExplanation) -> Value {
        let TryExplanation { mv, visits, visit_share, expected, effects, exclusion } = explained;
        let TryEffects { legal, victims, checks, mates, recaptured, exchange } = *effects;
        json!({
            "try": mv.to_string(),
            "name": self.name(*mv),
            "visits": visits,
            "visit_share": unit(*visit_share),
            "expected": expected.map(unit),
            "legal": unit(legal),
            "captures": unit(effects.captures()),
            "victims": by_piece(|piece| victims[piece as usize]),
            "checks": unit(checks),
            "mates": unit(mates),
            "recaptured": unit(recaptured),
            "exchange": round(exchange),
            "excluded": exclusion.map(|reason| match reason {
                Exclusion::Repetition => "repetition",
                Exclusion::Stalemate => "stalemate",
            }),
        })
    }
}

/// The probability of each kind of piece on each square that a piece of the opponent may occupy.
#[must_use]
pub fn opponent_map_json(map: &OpponentMap) -> Value {
    let mut squares = Map::new();
    for square in Square::ALL {
        let pieces = by_piece(|piece| map.probability(piece, square));
        if !pieces.is_empty() {
            squares.insert(square.to_string(), Value::Object(pieces));
        }
    }
    Value::Object(squares)
}

/// The kinds of pieces with a positive probability.
fn by_piece(probability: impl Fn(Piece) -> f64) -> Map<String, Value> {
    let possible = Piece::ALL.into_iter().filter(|piece| probability(*piece) > 0.0);
    possible.map(|piece| (piece_name(piece).to_string(), unit(probability(piece)).into())).collect()
}

/// A probability or score. Rounding errors of sums may exceed 1 and are cut off.
fn unit(number: f64) -> f64 {
    round(number.clamp(0.0, 1.0))
}

/// Rounds to six digits.
fn round(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
