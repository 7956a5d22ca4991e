//! The requests of the protocol, and how a line is parsed into one.

use std::collections::BTreeMap;
use std::fmt;

use krieg_core::{excerpt, short_reason};
use krieg_notation::json::{ColorJson, DrawRulesJson};
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
        draws: DrawRulesJson,
        seed: Option<u64>,
        #[serde(default)]
        tags: BTreeMap<String, String>,
    },
    Try {
        game: String,
        #[serde(rename = "move")]
        mv: String,
        player: Option<ColorJson>,
        spent_ms: Option<u32>,
    },
    Ask {
        game: String,
        player: Option<ColorJson>,
        spent_ms: Option<u32>,
    },
    Resign {
        game: String,
        player: ColorJson,
    },
    Flag {
        game: String,
        player: ColorJson,
    },
    Abandon {
        game: String,
        player: ColorJson,
    },
    Draw {
        game: String,
    },
    View {
        game: String,
        player: ColorJson,
    },
    Position {
        game: String,
    },
    Record {
        game: String,
        player: Option<ColorJson>,
        #[serde(default)]
        format: Format,
    },
    Close {
        game: String,
    },
    // With braces, so that unknown fields are an error for these requests too.
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

/// A parsed line: the request or an error, and the `id` to repeat in the reply.
pub(crate) struct ParsedLine {
    pub id: Option<Value>,
    pub request: Result<Request, String>,
}

impl ParsedLine {
    pub fn parse(line: &str) -> Self {
        let quoted = |error: String| format!("{} in {:?}", short_reason(error), excerpt(line));
        let mut fields = match serde_json::from_str(line) {
            Ok(Fields(fields)) => fields,
            Err(error) => return ParsedLine::error(quoted(error.to_string())),
        };
        let id = match fields.remove("id") {
            Some(Value::Number(id)) if id.is_i64() || id.is_u64() => Some(Value::Number(id)),
            Some(id @ Value::String(_)) => Some(id),
            None => None,
            Some(_) => {
                return ParsedLine::error(quoted("id is neither an integer nor a string".into()));
            }
        };
        let request = serde_json::from_value(Value::Object(fields))
            .map_err(|error| quoted(error.to_string()));
        ParsedLine { id, request }
    }

    fn error(reason: String) -> Self {
        ParsedLine { id: None, request: Err(reason) }
    }
}

/// The fields of a request. A field that occurs twice is an error, because it is a mistake of the
/// client.
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
                return Err(A::Error::custom(format!("field `{name}` occurs twice")));
            }
            fields.insert(name, value);
        }
        Ok(Fields(fields))
    }
}
