//! The explanation as one JSON object.

use krieg_core::{Square, color_name};
use serde_json::{Map, Value, json};

use super::Report;

/// The whole report. Probabilities and scores are from 0 to 1.
pub fn object(report: &Report) -> Value {
    let Report { transcript, decision_point, explanation, game, by } = report;
    let played = report.played().map(|(tried, observation)| {
        json!({
            "try": tried.to_string(),
            "name": report.name(tried),
            "rank": report.explanation.rank(tried),
            "answer": observation.announcement.to_string(),
        })
    });
    let mut value = json!({
        "krieg": "explanation",
        "explained_by": by.to_string(),
        "game": game,
        "player": color_name(transcript.player).to_lowercase(),
        "move": decision_point.move_number,
        "answers": decision_point.answers,
        "ruleset": transcript.setup.ruleset.name,
        "last_announcement": report.last_announcement(),
        "own_pieces": own_pieces(report),
    });
    if let Value::Object(object) = &mut value {
        object.extend(explanation.to_json());
    }
    value["played"] = played.into();
    value
}

/// The player's own pieces as letters, by square.
fn own_pieces(report: &Report) -> Value {
    let letter = |square: Square| report.own_pieces().letter(square);
    let entry = |square| letter(square).map(|l| (square.to_string(), l.to_string().into()));
    Value::Object(Square::ALL.into_iter().filter_map(entry).collect::<Map<String, Value>>())
}
