//! The parts of explanations as JSON that several players share.

use krieg_belief::OpponentMap;
use krieg_core::{Piece, Square, piece_name};
use serde_json::{Map, Value};

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
pub(crate) fn by_piece(probability: impl Fn(Piece) -> f64) -> Map<String, Value> {
    let possible = Piece::ALL.into_iter().filter(|piece| probability(*piece) > 0.0);
    possible.map(|piece| (piece_name(piece).to_string(), unit(probability(piece)).into())).collect()
}

/// A probability or score. Rounding errors of sums may exceed 1 and are cut off.
pub(crate) fn unit(number: f64) -> f64 {
    round(number.clamp(0.0, 1.0))
}

/// Rounds to six digits.
pub(crate) fn round(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
