//! An explanation as a JSON object.

use serde_json::{Map, Value, json};

use super::{Explanation, TryEffects, TryExplanation};
use crate::Exclusion;
use crate::explanation_json::{by_piece, opponent_map_json, round, unit};

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
            "excluded": exclusion.map(Exclusion::name),
        })
    }
}
