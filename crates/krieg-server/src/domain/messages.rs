//! What is said at the table, as the messages that players are sent. See `docs/api.md`.

use std::time::Instant;

use krieg_core::{
    Announcement, Color, Observation, PieceSet, Position, Record, Try, Verdict, View,
};
use krieg_notation::json::{AnnouncementJson, ColorJson, ViewJson};
use krieg_notation::san;
use serde_json::{Value, json};

use super::GameSession;

/// A line that a player heard, with its number and name.
#[derive(Debug, Clone)]
pub struct Heard(Value);

pub(super) fn side(color: Color) -> ColorJson {
    color.into()
}

/// What the umpire said, as an object.
pub fn announcement_json(said: &Announcement) -> Value {
    serde_json::to_value(AnnouncementJson::from(said)).expect("texts and numbers are always JSON")
}

fn seen_value(view: &View) -> Value {
    serde_json::to_value(ViewJson::from(view)).expect("texts and numbers are always JSON")
}

/// The line as a player is told it. `men` are his own before the try, if it was his.
fn line_value(
    n: usize,
    player: Color,
    line: &Observation,
    men: Option<&PieceSet>,
    number: u32,
) -> Value {
    let mut value = json!({
        "n": n,
        "by": side(line.announcement.by),
        "mine": line.announcement.by == player && line.announcement.verdict != Verdict::Begun,
        "announcement": announcement_json(&line.announcement),
        "text": line.announcement.to_string(),
        "ms": line.spent_ms,
        "move": number,
    });
    if let Some(tried) = line.tried {
        value["try"] = tried.to_string().into();
        let name = match (tried, men) {
            (Try::Move(mv), Some(men)) if line.announcement.verdict == Verdict::Moved => {
                san::write_own(men, mv, &line.announcement)
            }
            (Try::Move(mv), Some(men)) => san::write_try(men, mv),
            _ => tried.to_string(),
        };
        value["name"] = name.into();
    }
    value
}

/// The number of the move that is made after so many plies.
pub fn move_number(start: &Position, ply: u32) -> u32 {
    let first = u32::from(start.board().fullmove_number());
    first + (ply + u32::from(start.turn() == Color::Black)) / 2
}

/// All that a player heard in a game, in order.
fn game_log(
    record: &Record,
    player: Color,
    closing_announcement: Option<&Announcement>,
) -> Vec<Value> {
    let told = record.transcript(player);
    let mut view = View::new(told.setup.ruleset, told.setup.start.pieces(player), &told.opening);
    let opening = Observation { tried: None, announcement: told.opening, spent_ms: None };
    let mut log = vec![line_value(0, player, &opening, None, move_number(&told.setup.start, 0))];
    let after_all = closing_announcement.map(|said| Observation {
        tried: None,
        announcement: *said,
        spent_ms: None,
    });
    for line in told.observations.iter().chain(&after_all) {
        let men = (line.announcement.by == player).then_some(view.pieces());
        let number = move_number(&told.setup.start, view.ply());
        log.push(line_value(log.len(), player, line, men, number));
        view.observe(line);
    }
    log
}

impl GameSession {
    /// Counts a line that a player hears, and puts it into words.
    pub(super) fn hears(
        &mut self,
        player: Color,
        line: Observation,
        men: Option<&PieceSet>,
        ply: u32,
    ) -> Heard {
        let n = self.heard[player as usize];
        self.heard[player as usize] += 1;
        Heard(line_value(n, player, &line, men, move_number(&self.info.setup.start, ply)))
    }

    /// How many lines a player has heard.
    pub fn heard_by(&self, player: Color) -> usize {
        self.heard[player as usize]
    }

    /// Everything that a player knows.
    pub fn state(&self, you: Color, now: Instant) -> Value {
        let person = self.info.seats[you as usize].as_ref().map(|seat| seat.id);
        json!({
            "type": "state",
            "game": self.info.summary(person),
            "you": side(you),
            "view": seen_value(self.game.umpire().view(you)),
            "clock": self.clock_value(now),
            "log": game_log(self.game.record(), you, self.closing_announcement.as_ref()),
            "guesses": self.guesses[you as usize].value(),
            "offer": self.offer.map(side),
            "rematch": self.rematch(),
            "opponent_connected": self.is_here(!you),
        })
    }

    /// The umpire spoke, and this is how a player hears it.
    pub fn heard_message(&self, you: Color, heard: &Heard, now: Instant) -> Value {
        json!({
            "type": "observation",
            "observation": heard.0,
            "view": seen_value(self.game.umpire().view(you)),
            "clock": self.clock_value(now),
            "offer": self.offer.map(side),
        })
    }

    /// Something happened beside the board.
    pub fn table_message(&self, you: Color, now: Instant) -> Value {
        json!({
            "type": "status",
            "offer": self.offer.map(side),
            "rematch": self.rematch(),
            "opponent_connected": self.is_here(!you),
            "clock": self.clock_value(now),
        })
    }

    /// The game is over.
    pub fn over_message(&self, you: Color) -> Value {
        let person = self.info.seats[you as usize].as_ref().map(|seat| seat.id);
        json!({ "type": "over", "game": self.info.summary(person) })
    }

    fn rematch(&self) -> Value {
        let wants = Color::ALL.into_iter().find(|color| self.offers_rematch(*color));
        match (&self.info.next, wants) {
            (Some(next), _) => json!({ "game": next }),
            (None, Some(by)) => json!({ "by": side(by) }),
            (None, None) => Value::Null,
        }
    }

    fn is_here(&self, color: Color) -> bool {
        let is_bot = self.info.seats[color as usize].as_ref().is_some_and(|seat| seat.is_bot());
        is_bot || self.subscribers.has(color)
    }
}
