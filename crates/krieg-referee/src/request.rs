//! What a program may ask of the referee.

use std::collections::BTreeMap;
use std::fmt;

use krieg_core::{excerpt, reason};
use krieg_notation::json::{Draws, Side};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

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
        let quoted = |error: String| format!("{} in {:?}", reason(error), excerpt(line));
        let mut fields = match serde_json::from_str(line) {
            Ok(Fields(fields)) => fields,
            Err(error) => return Heard::nothing(quoted(error.to_string())),
        };
        let id = match fields.remove("id") {
            Some(Value::Number(id)) if id.is_i64() || id.is_u64() => Some(Value::Number(id)),
            Some(id @ Value::String(_)) => Some(id),
            None => None,
            Some(_) => return Heard::nothing(quoted("id is a whole number or a text".into())),
        };
        let request = serde_json::from_value(Value::Object(fields))
            .map_err(|error| quoted(error.to_string()));
        Heard { id, request }
    }

    fn nothing(reason: String) -> Self {
        Heard { id: None, request: Err(reason) }
    }
}

/// The fields of a request, none of which may stand twice: that would be a slip of the pen.
struct Fields(Map<String, Value>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_any(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut input: A) -> Result<Fields, A::Error> {
        let mut fields = Map::new();
        while let Some((name, value)) = input.next_entry::<String, Value>()? {
            if fields.contains_key(&name) {
                return Err(A::Error::custom(format!("field `{name}` stands twice")));
            }
            fields.insert(name, value);
        }
        Ok(Fields(fields))
    }
}
