//! Connections that receive the messages of a game.

use std::sync::Arc;

use krieg_core::Color;
use tokio::sync::mpsc;

/// A message as JSON text.
pub type Message = Arc<str>;

/// Maximum number of unread messages per connection. A connection that is further behind is closed;
/// the client reconnects and receives the whole state.
const MAX_UNREAD: usize = 256;

/// The connection that a command came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandSource {
    /// The number of the connection.
    pub connection: u64,
    /// The client's number for the command, which the reply repeats.
    pub reference: Option<i64>,
}

/// A connection of a player.
#[derive(Debug)]
pub struct Subscriber {
    /// The number of the connection.
    pub connection: u64,
    /// The colour of the player.
    pub color: Color,
    messages: mpsc::Sender<Message>,
}

/// The connections of both players of one game.
#[derive(Debug, Default)]
pub struct Subscribers(Vec<Subscriber>);

impl Subscribers {
    /// Adds a connection, and returns the receiver of its messages.
    pub fn add(&mut self, connection: u64, color: Color) -> mpsc::Receiver<Message> {
        let (messages, receiver) = mpsc::channel(MAX_UNREAD);
        self.0.push(Subscriber { connection, color, messages });
        receiver
    }

    /// Removes a connection.
    pub fn remove(&mut self, connection: u64) {
        self.0.retain(|subscriber| subscriber.connection != connection);
    }

    /// Sends each connection its own message, or none. Connections that do not keep up are removed.
    pub fn send(&mut self, mut message: impl FnMut(&Subscriber) -> Option<Message>) {
        self.0.retain(|subscriber| match message(subscriber) {
            Some(text) => subscriber.messages.try_send(text).is_ok(),
            None => true,
        });
    }

    /// Whether this player has a connection.
    pub fn is_connected(&self, color: Color) -> bool {
        self.0.iter().any(|subscriber| subscriber.color == color)
    }

    /// Whether there are no connections.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Closes all connections.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connection_that_does_not_keep_up_is_removed() {
        let mut subscribers = Subscribers::default();
        let slow = subscribers.add(1, Color::White);
        let mut fast = subscribers.add(2, Color::Black);
        for _ in 0..=MAX_UNREAD {
            subscribers.send(|_| Some("message".into()));
            assert!(fast.try_recv().is_ok());
        }
        assert!(!subscribers.is_connected(Color::White));
        assert!(subscribers.is_connected(Color::Black));
        assert_eq!(slow.len(), MAX_UNREAD);
    }
}
