//! Commands: what a player asks the server to do in a game.

use std::fmt::Display;
use std::str::FromStr;

use krieg_core::{Color, Try, TryError, color_name};
use serde::{Deserialize, Deserializer};
use thiserror::Error;
use utoipa::ToSchema;

use super::Guesses;

/// A player's command, as the body of a request or a message over a socket.
///
/// The variants without fields have braces because serde rejects unknown fields only then.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(tag = "action", rename_all = "lowercase", deny_unknown_fields)]
pub enum Command {
    /// Tries a move, or asks "any?".
    Try {
        /// The try, such as `e2e4` or `any?`.
        #[serde(rename = "try", deserialize_with = "from_text")]
        #[schema(value_type = String)]
        tried: Try,
    },
    /// Resigns.
    Resign {},
    /// Offers a draw.
    Offer {},
    /// Accepts the opponent's draw offer.
    Accept {},
    /// Declines the opponent's draw offer.
    Decline {},
    /// Replaces the player's guesses.
    Guesses {
        /// All guesses.
        #[schema(value_type = Object)]
        guesses: Guesses,
    },
    /// Offers a rematch, or accepts the opponent's offer.
    Rematch {},
    /// Asks for a reply.
    Ping {},
}

/// A field that is the text of a value.
fn from_text<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
    deserializer: D,
) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

/// Why a command cannot be carried out now. Nothing has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CommandError {
    /// The game is over.
    #[error("The game is over.")]
    GameOver,
    /// It is this player's turn.
    #[error("It is {}'s turn.", color_name(*.0))]
    NotYourTurn(Color),
    /// The umpire does not process the try.
    #[error("{}.", capitalized(.0))]
    Try(TryError),
    /// The player has reached the limit of refused tries in this turn.
    #[error("There were too many refused tries in this turn.")]
    TooManyRefusals,
    /// There is nothing to accept or decline, or it was offered before.
    #[error("That is not possible now.")]
    NotNow,
}

fn capitalized(error: &TryError) -> String {
    let text = error.to_string();
    text[..1].to_uppercase() + &text[1..]
}

impl From<TryError> for CommandError {
    fn from(error: TryError) -> Self {
        match error {
            TryError::GameOver => CommandError::GameOver,
            error => CommandError::Try(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Command, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn command_is_read_from_json() {
        let tried = "e2e4".parse().unwrap();
        assert_eq!(parse(r#"{"action":"try","try":"e2e4"}"#), Ok(Command::Try { tried }));
        assert_eq!(parse(r#"{"action":"try","try":"any?"}"#), Ok(Command::Try { tried: Try::Any }));
        assert_eq!(parse(r#"{"action":"resign"}"#), Ok(Command::Resign {}));
        let guesses = parse(r#"{"action":"guesses","guesses":{"e4":"p"}}"#);
        assert!(matches!(guesses, Ok(Command::Guesses { .. })), "{guesses:?}");
    }

    #[test]
    fn malformed_command_is_rejected_with_its_text() {
        let error = parse(r#"{"action":"try","try":"e9e4"}"#).unwrap_err();
        assert!(error.contains("e9e4"), "{error}");
        for text in [
            r#"{"action":"fly"}"#,
            r#"{"action":"try"}"#,
            r#"{"action":"try","try":5}"#,
            r#"{"action":"resign","try":"e2e4"}"#,
            r#"{"action":"guesses","guesses":{"z9":"q"}}"#,
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
