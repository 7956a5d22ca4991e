//! A game's settings and status, without its events.

use krieg_core::{Color, Setup};
use krieg_notation::json::ColorJson;
use krieg_time::TimeControl;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::User;

/// The status of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum GameStatus {
    /// A seat is free.
    Open,
    /// The game is running.
    Playing,
    /// The game is over.
    Over,
    /// The game was cancelled before an opponent joined.
    Cancelled,
}

impl GameStatus {
    /// All statuses.
    pub const ALL: [GameStatus; 4] =
        [GameStatus::Open, GameStatus::Playing, GameStatus::Over, GameStatus::Cancelled];

    /// The name in requests and in the database.
    pub fn name(self) -> &'static str {
        match self {
            GameStatus::Open => "open",
            GameStatus::Playing => "playing",
            GameStatus::Over => "over",
            GameStatus::Cancelled => "cancelled",
        }
    }
}

/// Where a game comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum GameSource {
    /// It was played on this server.
    Played,
    /// A user uploaded it.
    Uploaded,
}

impl GameSource {
    /// The name in responses and in the database.
    pub fn name(self) -> &'static str {
        match self {
            GameSource::Played => "played",
            GameSource::Uploaded => "uploaded",
        }
    }
}

/// A game's settings and status.
#[derive(Debug, Clone)]
pub struct GameInfo {
    /// The game's number in the database; 0 until it is stored.
    pub number: i64,
    /// The identifier in addresses.
    pub id: String,
    /// The ruleset and the start position.
    pub setup: Setup,
    /// The time control.
    pub control: TimeControl,
    /// The players, by colour.
    pub seats: [Option<User>; 2],
    /// Whether the result changes the players' ratings.
    pub rated: bool,
    /// Whether the coach may be asked.
    pub coach: bool,
    /// The seed of the bots' random numbers. Players must not see it before the end.
    pub seed: u64,
    /// The status.
    pub status: GameStatus,
    /// The user who created the game.
    pub creator: Option<i64>,
    /// The invitation token that a joining player needs; `None` if the game is open to all.
    pub invitation: Option<String>,
    /// When the game was created.
    pub created_ms: i64,
    /// When both seats were taken.
    pub started_ms: Option<i64>,
    /// When the game ended.
    pub ended_ms: Option<i64>,
    /// The number of moves of both players.
    pub moves: u32,
    /// The result, such as `1-0`.
    pub result: Option<String>,
    /// The name of the ending.
    pub ending: Option<String>,
    /// The identifier of the rematch.
    pub rematch: Option<String>,
    /// Where the game comes from.
    pub source: GameSource,
    /// The players' ratings under this ruleset.
    pub ratings: [Option<f64>; 2],
}

/// A game as lists show it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct GameSummary {
    id: String,
    ruleset: &'static str,
    control: String,
    rated: bool,
    coach: bool,
    status: GameStatus,
    white: Option<SummaryPlayer>,
    black: Option<SummaryPlayer>,
    #[schema(value_type = Option<String>)]
    you: Option<ColorJson>,
    moves: u32,
    result: Option<String>,
    ending: Option<String>,
    created_ms: i64,
    ended_ms: Option<i64>,
    source: GameSource,
}

/// A player with a rating.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct SummaryPlayer {
    #[serde(flatten)]
    user: User,
    rating: Option<i64>,
}

impl GameInfo {
    /// The player of a colour.
    pub fn player(&self, color: Color) -> Option<&User> {
        self.seats[color as usize].as_ref()
    }

    /// The colour that a user plays, if any.
    pub fn color_of(&self, user: i64) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.player(*color).is_some_and(|it| it.id == user))
    }

    /// Whether a bot plays this colour.
    pub fn is_bot(&self, color: Color) -> bool {
        self.player(color).is_some_and(User::is_bot)
    }

    /// Whether no player is a bot.
    pub fn is_between_people(&self) -> bool {
        !Color::ALL.into_iter().any(|color| self.is_bot(color))
    }

    /// The game as a list shows it to this user.
    pub fn summary(&self, viewer: Option<i64>) -> GameSummary {
        let [white, black] = Color::ALL.map(|color| {
            let rating = self.ratings[color as usize].map(|rating| rating.round() as i64);
            self.player(color).cloned().map(|user| SummaryPlayer { user, rating })
        });
        GameSummary {
            id: self.id.clone(),
            ruleset: self.setup.ruleset.name,
            control: self.control.to_string(),
            rated: self.rated,
            coach: self.coach,
            status: self.status,
            white,
            black,
            you: viewer.and_then(|user| self.color_of(user)).map(ColorJson::from),
            moves: self.moves,
            result: self.result.clone(),
            ending: self.ending.clone(),
            created_ms: self.created_ms,
            ended_ms: self.ended_ms,
            source: self.source,
        }
    }
}

/// Which games a list contains.
#[derive(Debug, Clone, Default)]
pub struct GameFilter {
    /// Only games with this status.
    pub status: Option<GameStatus>,
    /// Only games under this ruleset.
    pub ruleset: Option<&'static str>,
    /// Only games with a player of this name.
    pub player: Option<String>,
    /// Only games of this user.
    pub user: Option<i64>,
    /// Only games with a smaller number than this.
    pub before: Option<i64>,
    /// Maximum number of games.
    pub limit: usize,
}
