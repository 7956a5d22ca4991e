//! An explanation as the fields of a JSON object.

use krieg_belief::EnemyMap;
use krieg_core::{Piece, Square, piece_name};
use serde_json::{Map, Value, json};

use super::{Explained, Explanation, NotDone, Outlook};

impl Explanation {
    /// All of it but the player's own men. Chances and scores are from 0 to 1.
    pub fn fields(&self) -> Map<String, Value> {
        let opponents = self.opponents.iter();
        let opponents =
            opponents.map(|(name, chance)| json!({ "name": name, "chance": part(*chance) }));
        let fields = json!({
            "boards": self.boards,
            "whole": self.is_whole,
            "contradiction": self.contradiction,
            "enemy": enemy_fields(&self.map),
            "opponents": opponents.collect::<Vec<_>>(),
            "any": self.asks,
            "preferred": self.preferred.map(|mv| mv.to_string()),
            "expected": self.expected().map(part),
            "tries": self.tries.iter().map(|known| self.tried(known)).collect::<Vec<_>>(),
            "reasons": self.reasons(),
        });
        match fields {
            Value::Object(fields) => fields,
            _ => unreachable!("an object was written"),
        }
    }

    fn tried(&self, known: &Explained) -> Value {
        let Explained { mv, looks, share, expected, outlook, not_done } = known;
        let Outlook { legal, victims, checks, mates, taken, exchange } = *outlook;
        json!({
            "try": mv.to_string(),
            "name": self.name(*mv),
            "looks": looks,
            "share": part(*share),
            "expected": expected.map(part),
            "legal": part(legal),
            "captures": part(outlook.captures()),
            "victims": kinds(|piece| victims[piece as usize]),
            "checks": part(checks),
            "mates": part(mates),
            "taken": part(taken),
            "exchange": round(exchange),
            "not_done": not_done.map(|why| match why {
                NotDone::Repetition => "repetition",
                NotDone::Stalemate => "stalemate",
            }),
        })
    }
}

/// For each square on which a man of the other side may stand, how likely each kind is.
pub fn enemy_fields(map: &EnemyMap) -> Value {
    let mut squares = Map::new();
    for square in Square::ALL {
        let kinds = kinds(|piece| map.chance(piece, square));
        if !kinds.is_empty() {
            squares.insert(square.to_string(), Value::Object(kinds));
        }
    }
    Value::Object(squares)
}

/// The chances of those kinds of men that have any.
fn kinds(chance: impl Fn(Piece) -> f64) -> Map<String, Value> {
    let some = Piece::ALL.into_iter().filter(|piece| chance(*piece) > 0.0);
    some.map(|piece| (piece_name(piece).to_string(), part(chance(piece)).into())).collect()
}

/// A chance or a score: sums of many small parts may be a hair beyond one.
fn part(chance: f64) -> f64 {
    round(chance.clamp(0.0, 1.0))
}

/// Six digits are more than anybody can use.
fn round(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
