//! What happens in a game, one short text each.

use std::fmt;
use std::str::FromStr;

use krieg_core::{Color, Ending, Try};
use krieg_notation::json::ColorJson;
use rusqlite::{Connection, params};

/// Something that happened at a table. A game is its settings and these, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The player to move tried this, after so many milliseconds since the umpire spoke last.
    Tried(Try, u32),
    /// A player gave up, left, or ran out of time; or they agreed to a draw.
    Ended(Ending, Color),
    /// A player offers a draw.
    Offered(Color),
    /// A player declines what the other offers.
    Declined(Color),
    /// After the end: a player wants another game.
    RematchOffered(Color),
}

/// What a colour is called in the store.
pub(super) fn side_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Tried(tried, ms) => write!(f, "try {tried} {ms}"),
            Event::Ended(ending, by) => write!(f, "end {} {}", ending.name(), side_name(*by)),
            Event::Offered(by) => write!(f, "offer {}", side_name(*by)),
            Event::Declined(by) => write!(f, "decline {}", side_name(*by)),
            Event::RematchOffered(by) => write!(f, "rematch {}", side_name(*by)),
        }
    }
}

impl FromStr for Event {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split(' ').collect();
        let read = || {
            Some(match words[..] {
                ["try", tried, ms] => Event::Tried(tried.parse().ok()?, ms.parse().ok()?),
                ["end", ending, by] => Event::Ended(Ending::from_name(ending)?, color(by)?),
                ["offer", by] => Event::Offered(color(by)?),
                ["decline", by] => Event::Declined(color(by)?),
                ["rematch", by] => Event::RematchOffered(color(by)?),
                _ => return None,
            })
        };
        read().ok_or_else(|| format!("{text:?} is nothing that happens in a game"))
    }
}

fn color(name: &str) -> Option<Color> {
    serde_json::from_value::<ColorJson>(name.into()).ok().map(Color::from)
}

impl Event {
    /// Writes it down as the next of a game.
    pub fn add(
        &self,
        connection: &Connection,
        game: i64,
        n: u32,
        at_ms: i64,
    ) -> rusqlite::Result<()> {
        let sql = "INSERT INTO events (game, n, at_ms, what) VALUES (?1, ?2, ?3, ?4)";
        connection.prepare_cached(sql)?.execute(params![game, n, at_ms, self.to_string()])?;
        Ok(())
    }

    /// All of a game, with the time of each.
    pub fn all(connection: &Connection, game: i64) -> rusqlite::Result<Vec<(i64, String)>> {
        let sql = "SELECT at_ms, what FROM events WHERE game = ?1 ORDER BY n";
        let mut found = connection.prepare_cached(sql)?;
        found.query_map([game], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_down_is_read_again() {
        let events = [
            Event::Tried(Try::Any, 0),
            Event::Tried("e7e8q".parse().unwrap(), 4_000_000_000),
            Event::Ended(Ending::Resignation, Color::Black),
            Event::Ended(Ending::Agreement, Color::White),
            Event::Offered(Color::White),
            Event::Declined(Color::Black),
            Event::RematchOffered(Color::White),
        ];
        for event in events {
            assert_eq!(event.to_string().parse(), Ok(event));
        }
        for nonsense in ["", "try", "try e2e4", "try e2e9 5", "end boredom white", "offer red"] {
            assert!(nonsense.parse::<Event>().is_err(), "{nonsense}");
        }
    }
}
