//! Those who listen at a table.

use axum::extract::ws::Utf8Bytes;
use krieg_core::Color;
use tokio::sync::mpsc;

/// So many messages may wait for somebody who does not read them. Whoever is further behind is let go: when he comes back he is told
/// everything.
const PATIENCE: usize = 256;

/// Somebody who listens.
#[derive(Debug)]
pub struct Subscriber {
    /// Which connection it is.
    pub connection: u64,
    /// Whose.
    pub color: Color,
    messages: mpsc::Sender<Utf8Bytes>,
}

/// Those who listen at one table.
#[derive(Debug, Default)]
pub struct Subscribers(Vec<Subscriber>);

impl Subscribers {
    /// Somebody begins to listen.
    pub fn add(&mut self, connection: u64, color: Color) -> mpsc::Receiver<Utf8Bytes> {
        let (messages, receiver) = mpsc::channel(PATIENCE);
        self.0.push(Subscriber { connection, color, messages });
        receiver
    }

    /// Somebody goes.
    pub fn remove(&mut self, connection: u64) {
        self.0.retain(|subscriber| subscriber.connection != connection);
    }

    /// Tells everybody something that may differ from one to the next.
    pub fn tell(&mut self, mut message: impl FnMut(&Subscriber) -> Option<Utf8Bytes>) {
        self.0.retain(|subscriber| match message(subscriber) {
            Some(text) => subscriber.messages.try_send(text).is_ok(),
            None => true,
        });
    }

    /// Whether this player listens.
    pub fn has(&self, color: Color) -> bool {
        self.0.iter().any(|subscriber| subscriber.color == color)
    }

    /// Whether nobody does.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Lets everybody go.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
