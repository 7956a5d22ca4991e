//! A player's guesses about the other side, kept with the game.

use std::collections::BTreeMap;

use krieg_core::Square;
use serde_json::{Map, Value};
use thiserror::Error;

/// Guesses: a square, and the letter of a man, or `?` for anybody.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guesses(BTreeMap<String, char>);

/// What is no guess.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is no guess: write a square and one of p, n, b, r, q, k, ?")]
pub struct InvalidGuess(String);

impl Guesses {
    /// Reads what a player sent: an object of squares and letters.
    pub fn read(sent: &Map<String, Value>) -> Result<Self, InvalidGuess> {
        let read = |(square, letter): (&String, &Value)| {
            let text = letter.as_str().unwrap_or_default();
            let is_square =
                square.parse::<Square>().is_ok_and(|known| known.to_string() == *square);
            match text.chars().next() {
                Some(letter) if is_square && text.len() == 1 && "pnbrqk?".contains(letter) => {
                    Ok((square.clone(), letter))
                }
                _ => Err(InvalidGuess(krieg_core::excerpt(&format!("{square}: {letter}")))),
            }
        };
        sent.iter().map(read).collect::<Result<_, _>>().map(Guesses)
    }

    /// For the player.
    pub fn value(&self) -> Value {
        let guess =
            |(square, letter): (&String, &char)| (square.clone(), letter.to_string().into());
        Value::Object(self.0.iter().map(guess).collect())
    }

    /// For the store: squares and letters, one after the other.
    pub fn text(&self) -> String {
        self.0.iter().map(|(square, letter)| format!("{square}{letter}")).collect()
    }

    /// From the store.
    pub fn of_text(text: &str) -> Self {
        let guesses = text.as_bytes().chunks_exact(3);
        let guess = |guess: &[u8]| {
            let square = String::from_utf8_lossy(&guess[..2]).into_owned();
            (square, char::from(guess[2]))
        };
        Guesses(guesses.map(guess).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: Value) -> Result<Guesses, InvalidGuess> {
        Guesses::read(value.as_object().unwrap())
    }

    #[test]
    fn guesses_are_kept_as_they_were_sent() {
        let sent = json!({ "d8": "q", "e5": "?" });
        let guesses = read(sent.clone()).unwrap();
        assert_eq!(guesses.value(), sent);
        assert_eq!(Guesses::of_text(&guesses.text()), guesses);
    }

    #[test]
    fn what_is_no_guess_is_refused() {
        for sent in
            [json!({ "e9": "q" }), json!({ "e5": "x" }), json!({ "e5": "qq" }), json!({ "e5": 5 })]
        {
            assert!(read(sent.clone()).is_err(), "{sent}");
        }
    }
}
