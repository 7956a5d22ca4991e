//! Games as they are played, without any knowledge of HTTP or of the store.

mod clocks;
mod guesses;
mod messages;
mod session;
mod subscribers;

pub use guesses::Guesses;
pub use messages::{Heard, announcement_json, move_number};
pub use session::{Change, EventError, GameSession};
pub use subscribers::Subscribers;
