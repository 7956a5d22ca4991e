//! A player's guesses about the opponent's pieces, stored with the game.

use std::collections::BTreeMap;

use krieg_core::Square;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Guesses by square: the letter of a piece, or `?` for any piece.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, String>")]
pub struct Guesses(BTreeMap<String, char>);

/// A square and a letter that are not a guess.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is not a guess; a guess is a square with one of p, n, b, r, q, k, ?")]
pub struct InvalidGuess(String);

impl TryFrom<BTreeMap<String, String>> for Guesses {
    type Error = InvalidGuess;

    fn try_from(guesses: BTreeMap<String, String>) -> Result<Self, InvalidGuess> {
        let read = |(square, text): (String, String)| {
            let is_square = square.parse::<Square>().is_ok_and(|known| known.to_string() == square);
            match text.chars().next() {
                Some(letter) if is_square && text.len() == 1 && "pnbrqk?".contains(letter) => {
                    Ok((square, letter))
                }
                _ => Err(InvalidGuess(krieg_core::excerpt(&format!("{square}: {text}")))),
            }
        };
        guesses.into_iter().map(read).collect::<Result<_, _>>().map(Guesses)
    }
}

impl Guesses {
    /// The encoding in the database: squares, each followed by its letter.
    pub fn text(&self) -> String {
        self.0.iter().map(|(square, letter)| format!("{square}{letter}")).collect()
    }

    /// The guesses with this encoding.
    pub fn from_text(text: &str) -> Self {
        let guess = |guess: &[u8]| {
            let square = String::from_utf8_lossy(&guess[..2]).into_owned();
            (square, char::from(guess[2]))
        };
        Guesses(text.as_bytes().chunks_exact(3).map(guess).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_value, json, to_value};

    #[test]
    fn guesses_round_trip() {
        let sent = json!({ "d8": "q", "e5": "?" });
        let guesses: Guesses = from_value(sent.clone()).unwrap();
        assert_eq!(to_value(&guesses).unwrap(), sent);
        assert_eq!(Guesses::from_text(&guesses.text()), guesses);
    }

    #[test]
    fn invalid_guess_is_rejected() {
        for sent in
            [json!({ "e9": "q" }), json!({ "e5": "x" }), json!({ "e5": "qq" }), json!({ "e5": 5 })]
        {
            assert!(from_value::<Guesses>(sent.clone()).is_err(), "{sent}");
        }
    }
}
