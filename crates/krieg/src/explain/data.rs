//! The explanation as JSON.

use krieg_core::{Square, color_name};
use serde_json::{Map, Value, json};

use super::Story;

/// One object with all of it. Chances and scores are from 0 to 1.
pub fn of(story: &Story) -> Value {
    let Story { told, moment, explanation, game } = story;
    let really = story.really().map(|(tried, line)| {
        json!({
            "try": tried.to_string(),
            "name": story.name(tried),
            "place": story.place(tried),
            "answer": line.said.to_string(),
        })
    });
    let mut value = json!({
        "krieg": "explanation",
        "game": game,
        "player": color_name(told.player).to_lowercase(),
        "move": moment.number,
        "answered": moment.answered,
        "ruleset": told.setup.ruleset.name,
        "heard": story.heard_last(),
        "men": men(story),
    });
    if let Value::Object(fields) = &mut value {
        fields.extend(explanation.fields());
    }
    value["really"] = really.into();
    value
}

/// The own men, by square.
fn men(story: &Story) -> Value {
    let letter = |square: Square| story.explanation.men.letter(square);
    let man = |square| letter(square).map(|man| (square.to_string(), man.to_string().into()));
    Value::Object(Square::ALL.into_iter().filter_map(man).collect::<Map<String, Value>>())
}
