//! The explanation as JSON.

use krieg_core::{Piece, Square, color_name};
use krieg_players::marshal::{Explained, NotDone, Outlook};
use serde_json::{Map, Value, json};

use super::Story;
use super::words::piece_name;

/// One object with all of it. Chances and scores are from 0 to 1.
pub fn of(story: &Story) -> Value {
    let Story { told, moment, explanation, game } = story;
    let opponents = explanation.opponents.iter();
    let opponents =
        opponents.map(|(name, chance)| json!({ "name": name, "chance": part(*chance) }));
    let really = story.really().map(|(tried, line)| {
        json!({
            "try": tried.to_string(),
            "name": story.name(tried),
            "place": story.place(tried),
            "answer": line.said.to_string(),
        })
    });
    json!({
        "krieg": "explanation",
        "game": game,
        "player": color_name(told.player).to_lowercase(),
        "move": moment.number,
        "answered": moment.answered,
        "ruleset": told.setup.ruleset.name,
        "heard": story.heard_last(),
        "boards": explanation.boards,
        "whole": explanation.is_whole,
        "contradiction": explanation.contradiction,
        "men": men(story),
        "enemy": enemy(story),
        "opponents": opponents.collect::<Vec<_>>(),
        "any": explanation.asks,
        "preferred": explanation.preferred.map(|mv| mv.to_string()),
        "expected": explanation.expected().map(part),
        "tries": explanation.tries.iter().map(|known| tried(story, known)).collect::<Vec<_>>(),
        "reasons": explanation.reasons(),
        "really": really,
    })
}

/// The own men, by square.
fn men(story: &Story) -> Value {
    let letter = |square: Square| story.explanation.men.letter(square);
    let man = |square| letter(square).map(|man| (square.to_string(), man.to_string().into()));
    Value::Object(Square::ALL.into_iter().filter_map(man).collect::<Map<String, Value>>())
}

/// For each square on which a man of the other side may stand, how likely each kind is.
fn enemy(story: &Story) -> Value {
    let mut squares = Map::new();
    for square in Square::ALL {
        let chance = |piece| story.explanation.map.chance(piece, square);
        let kinds: Map<String, Value> = kinds(chance);
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

fn tried(story: &Story, known: &Explained) -> Value {
    let Explained { mv, looks, share, expected, outlook, not_done } = known;
    let Outlook { legal, victims, checks, mates, taken, exchange } = *outlook;
    json!({
        "try": mv.to_string(),
        "name": story.explanation.name(*mv),
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

/// A chance or a score: sums of many small parts may be a hair beyond one.
fn part(chance: f64) -> f64 {
    round(chance.clamp(0.0, 1.0))
}

/// Six digits are more than anybody can use.
fn round(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
