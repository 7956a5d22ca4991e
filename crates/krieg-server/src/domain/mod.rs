//! Games as they are played: sessions, events, clocks, and what each player may be told.
//!
//! Nothing here depends on HTTP or on the database.

mod broadcast;
mod clocks;
mod command;
mod event;
mod game_info;
mod guesses;
mod messages;
mod prepared_event;
mod session;
mod subscribers;
#[cfg(test)]
mod tests;
mod user;

pub use command::{Command, CommandError};
pub use event::{Event, StoredEvent};
pub use game_info::{GameFilter, GameInfo, GameSource, GameStatus, GameSummary};
pub use guesses::Guesses;
pub use messages::{announcement_json, move_number};
pub use prepared_event::{Change, JudgedTry, PreparedEvent, StaleEvent};
pub use session::GameSession;
pub use subscribers::{CommandSource, Message, Subscribers};
pub use user::{BotSettings, RatedUser, User, UserKind};
