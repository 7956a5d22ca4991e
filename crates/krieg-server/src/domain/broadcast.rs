//! Sends the players of a session what they may know about a change.

use std::time::Instant;

use krieg_core::Color;
use serde_json::Value;

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
        // A player without an observation receives no message at all: even an empty one would
        // reveal a try that the player does not hear.
        let messages = Color::ALL.map(|player| {
            let observation = change.observations[player as usize].as_ref()?;
            Some(self.observation_message(player, observation, now))
        });
        let texts = messages.each_ref().map(|message| message.as_ref().map(text));
        self.subscribers.send(|subscriber| {
            let color = subscriber.color as usize;
            match source {
                Some(CommandSource { connection, reference: Some(reference) })
                    if connection == subscriber.connection =>
                {
                    let mut reply = messages[color].clone()?;
                    reply["ref"] = reference.into();
                    Some(text(&reply))
                }
                _ => texts[color].clone(),
            }
        });
        if change.outcome.is_some() {
            self.send_each(|session, player| session.over_message(player));
        }
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
