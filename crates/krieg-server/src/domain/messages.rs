//! The messages that players receive. `docs/api.md` describes them.

use std::time::Instant;

use krieg_core::{Announcement, Color, Observation, PieceSet, Position, Try, Verdict, View};
use krieg_notation::json::{AnnouncementJson, ColorJson, ViewJson};
use krieg_notation::san;
use serde::Serialize;
use serde_json::{Value, json};

use super::clocks::ClockJson;
use super::{GameSession, Message};

/// An announcement as JSON.
pub fn announcement_json(announcement: &Announcement) -> Value {
    serde_json::to_value(AnnouncementJson::from(announcement)).expect("announcements are JSON")
}

/// A player's observation as JSON.
///
/// Every try leads to one or two of these, so they are written without an intermediate [`Value`].
#[derive(Debug, Clone, Serialize)]
pub struct ObservationJson {
    n: usize,
    by: ColorJson,
    mine: bool,
    announcement: AnnouncementJson,
    text: String,
    ms: Option<u32>,
    #[serde(rename = "move")]
    move_number: u32,
    #[serde(rename = "try", skip_serializing_if = "Option::is_none")]
    tried: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

impl ObservationJson {
    /// `own` are the player's pieces before the try, if the try was the player's own.
    fn new(
        n: usize,
        player: Color,
        observation: &Observation,
        own: Option<&PieceSet>,
        move_number: u32,
    ) -> Self {
        let announcement = &observation.announcement;
        let name = observation.tried.map(|tried| match (tried, own) {
            (Try::Move(mv), Some(own)) if announcement.verdict == Verdict::Moved => {
                san::write_own(own, mv, announcement)
            }
            (Try::Move(mv), Some(own)) => san::write_try(own, mv),
            _ => tried.to_string(),
        });
        ObservationJson {
            n,
            by: announcement.by.into(),
            mine: announcement.by == player && announcement.verdict != Verdict::Begun,
            announcement: announcement.into(),
            text: announcement.to_string(),
            ms: observation.spent_ms,
            move_number,
            tried: observation.tried.map(|tried| tried.to_string()),
            name,
        }
    }
}

/// The message about a new observation of a player.
#[derive(Debug, Serialize)]
pub(super) struct ObservationMessage<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    observation: &'a ObservationJson,
    view: ViewJson,
    clock: Option<ClockJson>,
    offer: Option<ColorJson>,
    /// The client's number for the command that led to the observation.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<i64>,
}

impl ObservationMessage<'_> {
    /// The message as it is sent.
    pub fn text(&self) -> Message {
        serde_json::to_string(self).expect("messages are JSON").into()
    }
}

/// The number of the move after this many plies.
pub fn move_number(start: &Position, ply: u32) -> u32 {
    let first = u32::from(start.board().fullmove_number());
    first + (ply + u32::from(start.turn() == Color::Black)) / 2
}

impl GameSession {
    /// Adds an observation of a player, and returns it as the player receives it.
    pub(super) fn add_observation(
        &mut self,
        player: Color,
        observation: Observation,
        own: Option<&PieceSet>,
        ply: u32,
    ) -> ObservationJson {
        self.observations[player as usize].push(observation);
        // The announcement at the start has the number 0.
        let n = self.observations[player as usize].len();
        let number = move_number(&self.info.setup.start, ply);
        ObservationJson::new(n, player, &observation, own, number)
    }

    /// All observations of a player, with the announcement at the start.
    fn log_json(&self, player: Color) -> Vec<ObservationJson> {
        let start = &self.info.setup.start;
        let opening = *self.game.record().opening();
        let mut view = View::new(self.info.setup.ruleset, start.pieces(player), &opening);
        let opening = Observation { tried: None, announcement: opening, spent_ms: None };
        let first = ObservationJson::new(0, player, &opening, None, move_number(start, 0));
        let mut log = vec![first];
        for observation in self.observations(player) {
            let own = (observation.announcement.by == player).then_some(view.pieces());
            let number = move_number(start, view.ply());
            log.push(ObservationJson::new(log.len(), player, observation, own, number));
            view.observe(observation);
        }
        log
    }

    /// Everything that a player knows about the game.
    pub fn state_json(&self, you: Color, now: Instant) -> Value {
        json!({
            "type": "state",
            "game": self.info.summary(self.info.player(you).map(|user| user.id)),
            "you": ColorJson::from(you),
            "view": ViewJson::from(self.game.umpire().view(you)),
            "clock": self.clock_json(now),
            "log": self.log_json(you),
            "guesses": self.guesses[you as usize],
            "offer": self.draw_offer.map(ColorJson::from),
            "rematch": self.rematch_json(),
            "opponent_connected": self.is_present(!you),
        })
    }

    /// The message about a new observation of a player.
    pub(super) fn observation_message<'a>(
        &self,
        you: Color,
        observation: &'a ObservationJson,
        now: Instant,
    ) -> ObservationMessage<'a> {
        ObservationMessage {
            kind: "observation",
            observation,
            view: self.game.umpire().view(you).into(),
            clock: self.clock_json(now),
            offer: self.draw_offer.map(ColorJson::from),
            reference: None,
        }
    }

    /// The message about a change without an announcement: offers, a rematch, connections.
    pub(super) fn status_message(&self, you: Color, now: Instant) -> Value {
        json!({
            "type": "status",
            "offer": self.draw_offer.map(ColorJson::from),
            "rematch": self.rematch_json(),
            "opponent_connected": self.is_present(!you),
            "clock": self.clock_json(now),
        })
    }

    /// The message that the game is over.
    pub(super) fn over_message(&self, you: Color) -> Value {
        let user = self.info.player(you).map(|user| user.id);
        json!({ "type": "over", "game": self.info.summary(user) })
    }

    fn rematch_json(&self) -> Value {
        let offer = Color::ALL.into_iter().find(|color| self.offers_rematch(*color));
        match (&self.info.rematch, offer) {
            (Some(rematch), _) => json!({ "game": rematch }),
            (None, Some(by)) => json!({ "by": ColorJson::from(by) }),
            (None, None) => Value::Null,
        }
    }

    /// Whether this player has a connection. Bots are always present.
    fn is_present(&self, color: Color) -> bool {
        self.info.is_bot(color) || self.subscribers.is_connected(color)
    }
}
