//! Users: guests, accounts, bots, and the names in uploaded games.

use serde::Serialize;
use utoipa::ToSchema;

/// What kind of user it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum UserKind {
    /// A name and a session token, without a password.
    Guest,
    /// A user with a password.
    Account,
    /// A program that runs in this server.
    Bot,
    /// A name in an uploaded game. The database has no such user.
    External,
}

/// A user who can take a seat in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct User {
    /// The user's number in the database; 0 for external users.
    pub id: i64,
    /// The user's name.
    pub name: String,
    /// The kind of user.
    pub kind: UserKind,
    /// A bot's player and thinking time.
    #[serde(skip)]
    pub bot: Option<BotSettings>,
}

/// How a bot plays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotSettings {
    /// The specification of the player, as on the command line.
    pub spec: String,
    /// The thinking time per move, in milliseconds.
    pub move_ms: u64,
}

/// A user's rating under one ruleset.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct RatedUser {
    /// The user.
    pub user: User,
    /// The Glicko-2 rating.
    pub rating: f64,
    /// The rating deviation.
    pub deviation: f64,
    /// The number of rated games.
    pub games: i64,
}

impl User {
    /// A user of whom only the name is known.
    pub fn external(name: &str) -> Self {
        User { id: 0, name: name.to_string(), kind: UserKind::External, bot: None }
    }

    /// Whether this user is a program.
    pub fn is_bot(&self) -> bool {
        self.kind == UserKind::Bot
    }
}
