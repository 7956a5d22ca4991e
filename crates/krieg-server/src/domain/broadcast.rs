//! Sends the players of a session what they may know about a change.

use std::time::Instant;

use krieg_core::Color;
use serde_json::Value;

use super::messages::ObservationJson;
use super::{Change, CommandSource, GameSession, Message};

impl GameSession {
    /// Notifies the players of a change. The message to the connection that the command came from
    /// repeats the command's reference, if the command led to an observation.
    pub fn broadcast(&mut self, change: &Change, source: Option<CommandSource>) {
        let now = Instant::now();
        if change.observations.iter().all(Option::is_none) {
            self.broadcast_status(now);
            return;
        }
        for player in Color::ALL {
            // A player without an observation receives no message at all: even an empty one would
            // reveal a try that the player does not hear.
            if let Some(observation) = &change.observations[player as usize] {
                self.broadcast_observation(player, observation, source, now);
            }
        }
        if change.outcome.is_some() {
            self.send_each(|session, player| session.over_message(player));
        }
    }

    /// Sends an observation to the connections of one player. The text is written once for all of
    /// them, and once more with the reference for the source of the command.
    fn broadcast_observation(
        &mut self,
        player: Color,
        observation: &ObservationJson,
        source: Option<CommandSource>,
        now: Instant,
    ) {
        let mut message = self.observation_message(player, observation, now);
        let mut shared: Option<Message> = None;
        self.subscribers.send(|subscriber| {
            if subscriber.color != player {
                return None;
            }
            let by_source = source.filter(|source| source.connection == subscriber.connection);
            message.reference = by_source.and_then(|source| source.reference);
            if message.reference.is_some() {
                return Some(message.text());
            }
            Some(shared.get_or_insert_with(|| message.text()).clone())
        });
    }

    /// Notifies both players of a change without an announcement, for example a draw offer.
    pub fn broadcast_status(&mut self, now: Instant) {
        self.send_each(|session, player| session.status_message(player, now));
    }

    /// Sends each player the whole state.
    pub fn broadcast_state(&mut self) {
        let now = Instant::now();
        self.send_each(|session, player| session.state_json(player, now));
    }

    /// Notifies a player's opponent that the player has connected or disconnected.
    pub fn broadcast_presence(&mut self, of: Color) {
        let message = text(&self.status_message(!of, Instant::now()));
        self.subscribers.send(|subscriber| (subscriber.color != of).then(|| message.clone()));
    }

    fn send_each(&mut self, message: impl Fn(&Self, Color) -> Value) {
        let texts = Color::ALL.map(|player| text(&message(self, player)));
        self.subscribers.send(|subscriber| Some(texts[subscriber.color as usize].clone()));
    }
}

fn text(message: &Value) -> Message {
    message.to_string().into()
}
