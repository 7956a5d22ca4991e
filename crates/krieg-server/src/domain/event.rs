//! Events: everything that changes a game, each with a short text for the database.

use std::fmt;
use std::str::FromStr;

use krieg_core::{Color, Ending, Try};
use thiserror::Error;

/// An event in a game. A game is its settings and its events, in order.
///
/// The text of an event is its encoding in the database, so it must remain readable:
/// `try e2e4 1250`, `end resignation white`, `offer white`, `decline black`, `rematch white`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The side to move tried a move or asked "any?".
    Try {
        /// The try.
        tried: Try,
        /// The time in milliseconds since the umpire's last announcement to this player.
        spent_ms: u32,
    },
    /// A player resigned, left or ran out of time, or accepted a draw.
    End {
        /// How the game ended.
        ending: Ending,
        /// The player who caused it.
        by: Color,
    },
    /// A player offered a draw.
    DrawOffer {
        /// The player.
        by: Color,
    },
    /// A player declined the opponent's draw offer.
    DrawDecline {
        /// The player.
        by: Color,
    },
    /// A player offered a rematch after the end, or accepted the opponent's offer.
    RematchOffer {
        /// The player.
        by: Color,
    },
}

/// An event with its time, as it is stored in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredEvent {
    /// The time of the event, in milliseconds since 1970.
    pub at_ms: i64,
    /// The event.
    pub event: Event,
}

/// A text that does not encode an event.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is not an event")]
pub struct InvalidEvent(String);

fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn parse_color(name: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|color| color_name(*color) == name)
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Event::Try { tried, spent_ms } => write!(f, "try {tried} {spent_ms}"),
            Event::End { ending, by } => write!(f, "end {} {}", ending.name(), color_name(by)),
            Event::DrawOffer { by } => write!(f, "offer {}", color_name(by)),
            Event::DrawDecline { by } => write!(f, "decline {}", color_name(by)),
            Event::RematchOffer { by } => write!(f, "rematch {}", color_name(by)),
        }
    }
}

impl FromStr for Event {
    type Err = InvalidEvent;

    fn from_str(text: &str) -> Result<Self, InvalidEvent> {
        let words: Vec<&str> = text.split(' ').collect();
        let parse = || {
            Some(match words[..] {
                ["try", tried, ms] => {
                    Event::Try { tried: tried.parse().ok()?, spent_ms: ms.parse().ok()? }
                }
                ["end", ending, by] => {
                    Event::End { ending: Ending::from_name(ending)?, by: parse_color(by)? }
                }
                ["offer", by] => Event::DrawOffer { by: parse_color(by)? },
                ["decline", by] => Event::DrawDecline { by: parse_color(by)? },
                ["rematch", by] => Event::RematchOffer { by: parse_color(by)? },
                _ => return None,
            })
        };
        parse().ok_or_else(|| InvalidEvent(krieg_core::excerpt(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_text_round_trips() {
        let [white, black] = Color::ALL;
        let events = [
            (Event::Try { tried: Try::Any, spent_ms: 0 }, "try any? 0"),
            (
                Event::Try { tried: "e7e8q".parse().unwrap(), spent_ms: 4_000_000_000 },
                "try e7e8q 4000000000",
            ),
            (Event::End { ending: Ending::Resignation, by: black }, "end resignation black"),
            (Event::End { ending: Ending::Agreement, by: white }, "end agreement white"),
            (Event::DrawOffer { by: white }, "offer white"),
            (Event::DrawDecline { by: black }, "decline black"),
            (Event::RematchOffer { by: white }, "rematch white"),
        ];
        for (event, text) in events {
            assert_eq!(event.to_string(), text);
            assert_eq!(text.parse(), Ok(event));
        }
    }

    #[test]
    fn invalid_event_text_is_rejected() {
        for text in ["", "try", "try e2e4", "try e2e9 5", "end boredom white", "offer red"] {
            assert!(text.parse::<Event>().is_err(), "{text}");
        }
    }
}
