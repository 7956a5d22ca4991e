//! What a program may ask of the referee.

use std::collections::BTreeMap;

use krieg_core::excerpt;
use krieg_notation::json::{Draws, Side};
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(tag = "cmd", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Request {
    New {
        game: String,
        ruleset: Option<String>,
        fen: Option<String>,
        #[serde(default)]
        draws: Draws,
        seed: Option<u64>,
        #[serde(default)]
        tags: BTreeMap<String, String>,
    },
    Try {
        game: String,
        #[serde(rename = "move")]
        mv: String,
        player: Option<Side>,
        spent_ms: Option<u32>,
    },
    Ask {
        game: String,
        player: Option<Side>,
        spent_ms: Option<u32>,
    },
    Resign {
        game: String,
        player: Side,
    },
    Flag {
        game: String,
        player: Side,
    },
    Abandon {
        game: String,
        player: Side,
    },
    Draw {
        game: String,
    },
    View {
        game: String,
        player: Side,
    },
    Position {
        game: String,
    },
    Record {
        game: String,
        player: Option<Side>,
        #[serde(default)]
        format: Format,
    },
    Close {
        game: String,
    },
    // With braces, so that stray fields are an error here too.
    Games {},
    Rulesets {},
    Quit {},
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    #[default]
    Json,
    Pgn,
}

/// A line taken apart: the request, if it is one, and the `id` to repeat, if there is one.
pub(crate) struct Heard {
    pub id: Option<Value>,
    pub request: Result<Request, String>,
}

impl Heard {
    pub fn read(line: &str) -> Self {
        let quoted = |reason: String| format!("{reason} in {:?}", excerpt(line));
        let mut fields = match serde_json::from_str(line) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return Heard::nothing(quoted("a request is an object".into())),
            Err(error) => return Heard::nothing(quoted(error.to_string())),
        };
        let id = match fields.remove("id") {
            Some(id @ (Value::Number(_) | Value::String(_))) => Some(id),
            None => None,
            Some(_) => return Heard::nothing(quoted("id is a number or a text".into())),
        };
        let request = serde_json::from_value(Value::Object(fields))
            .map_err(|error| quoted(error.to_string()));
        Heard { id, request }
    }

    fn nothing(reason: String) -> Self {
        Heard { id: None, request: Err(reason) }
    }
}
