//! Creating, listing and joining games.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use krieg_core::{Color, Game, Position, RuleText, Ruleset, RulesetTexts, Setup, excerpt};
use krieg_players::{PlayerKind, PlayerRegistry, SpecError};
use krieg_time::TimeControl;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::App;
use super::body::{JsonBody, UrlQuery};
use super::client::Client;
use crate::domain::{GameFilter, GameStatus, GameSummary};
use crate::service::{ColorChoice, NewGame, Opponent, ServiceError};

/// The thinking times that the web pages offer, in milliseconds.
const BOT_MS: [u64; 5] = [100, 300, 1_000, 3_000, 10_000];
/// The thinking times that programs may request, in milliseconds.
const ALLOWED_BOT_MS: std::ops::RangeInclusive<u64> = 10..=60_000;
const DEFAULT_BOT_MS: u64 = 1_000;
/// The time controls that the web pages offer.
const CONTROLS: [&str; 6] = ["none", "180+2", "300+5", "600+10", "1800", "60/move"];
const DEFAULT_RULESET: &str = "icc";

/// The choices for a new game.
#[derive(Serialize, ToSchema)]
pub struct Options {
    rulesets: Vec<RulesetOption>,
    bots: Vec<BotOption>,
    bot_ms: Vec<u64>,
    controls: Vec<&'static str>,
}

#[derive(Serialize, ToSchema)]
struct RulesetOption {
    name: &'static str,
    about: &'static str,
    any: bool,
    title: &'static str,
    summary: &'static str,
    description: &'static str,
    hint: &'static str,
    rules: Vec<RuleOption>,
}

/// One rule in words: a topic, and what the ruleset says about it.
#[derive(Serialize, ToSchema)]
struct RuleOption {
    topic: &'static str,
    rule: &'static str,
}

impl From<&Ruleset> for RulesetOption {
    fn from(ruleset: &Ruleset) -> Self {
        let &RulesetTexts { title, summary, description, hint } = ruleset.texts;
        let rule_option = |text: RuleText| RuleOption { topic: text.topic, rule: text.rule };
        RulesetOption {
            name: ruleset.name,
            about: ruleset.about,
            any: ruleset.any().is_some(),
            title,
            summary,
            description,
            hint,
            rules: ruleset.rules_text().into_iter().map(rule_option).collect(),
        }
    }
}

#[derive(Serialize, ToSchema)]
struct BotOption {
    name: &'static str,
    about: &'static str,
}

/// A game to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGameRequest {
    #[serde(default)]
    ruleset: Option<String>,
    #[serde(default)]
    control: Option<String>,
    #[serde(default)]
    fen: Option<String>,
    #[serde(default)]
    color: Option<String>,
    #[serde(default)]
    rated: bool,
    #[serde(default)]
    coach: bool,
    opponent: OpponentRequest,
}

/// The opponent in a game to create.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum OpponentRequest {
    /// A bot, by name, with its thinking time in milliseconds.
    Bot {
        name: String,
        #[serde(default)]
        ms: Option<u64>,
    },
    /// The first user who joins.
    Lobby {},
    /// The first user who joins with the invitation token.
    Invitation {},
}

/// A game, and its invitation token for its creator.
#[derive(Serialize, ToSchema)]
pub struct GameWithInvitation {
    game: GameSummary,
    invitation: Option<String>,
}

/// A game.
#[derive(Serialize, ToSchema)]
pub struct OneGame {
    pub(super) game: GameSummary,
}

/// A part of a list of games, and the cursor to the rest.
#[derive(Serialize, ToSchema)]
pub struct GameList {
    games: Vec<GameSummary>,
    next: Option<i64>,
}

/// Which games a list contains.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct GamesQuery {
    status: Option<GameStatus>,
    ruleset: Option<String>,
    player: Option<String>,
    mine: Option<bool>,
    before: Option<i64>,
    limit: Option<usize>,
}

/// The invitation token.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    #[serde(default)]
    invitation: Option<String>,
}

/// The choices for a new game.
#[utoipa::path(get, path = "/api/options", responses((status = 200, body = Options)))]
pub async fn options() -> Json<Options> {
    Json(Options {
        rulesets: Ruleset::ALL.iter().map(RulesetOption::from).collect(),
        bots: bots().iter().map(|kind| BotOption { name: kind.name, about: kind.about }).collect(),
        bot_ms: BOT_MS.to_vec(),
        controls: CONTROLS.to_vec(),
    })
}

/// The bots, the strongest first. `engine` is not among them, because clients must not start
/// programs on the server.
fn bots() -> Vec<PlayerKind> {
    let registry = PlayerRegistry::default();
    registry.kinds().iter().rev().filter(|kind| kind.name != "engine").copied().collect()
}

/// Create a game.
#[utoipa::path(post, path = "/api/games", request_body = NewGameRequest,
    responses((status = 201, body = GameWithInvitation)))]
pub async fn create(
    State(app): State<App>,
    client: Client,
    JsonBody(body): JsonBody<NewGameRequest>,
) -> Result<(StatusCode, Json<GameWithInvitation>), ServiceError> {
    let user = client.require_action(&app)?;
    let info = app.service.create_game(user, new_game(body)?).await?;
    let game = info.summary(Some(user.id));
    Ok((StatusCode::CREATED, Json(GameWithInvitation { game, invitation: info.invitation })))
}

fn new_game(body: NewGameRequest) -> Result<NewGame, ServiceError> {
    let bad = |message: String| ServiceError::BadRequest(message);
    let control: TimeControl = match body.control.as_deref() {
        None => TimeControl::Unlimited,
        Some(text) => text.parse().map_err(|error| bad(format!("{error}")))?,
    };
    if matches!(control, TimeControl::Nodes(_)) {
        return Err(bad("Games on the server cannot be limited by nodes.".into()));
    }
    let start = match body.fen.as_deref() {
        None => Position::start(),
        Some(fen) => Position::from_fen(fen).map_err(|error| bad(error.to_string()))?,
    };
    let color = match body.color.as_deref() {
        None | Some("random") => ColorChoice::Random,
        Some("white") => ColorChoice::Color(Color::White),
        Some("black") => ColorChoice::Color(Color::Black),
        Some(other) => {
            let other = excerpt(other);
            return Err(bad(format!("{other:?} is not a colour; use white, black or random")));
        }
    };
    let opponent = opponent(body.opponent)?;
    if body.rated && body.fen.is_some() {
        return Err(bad("Rated games must start from the standard position.".into()));
    }
    let ruleset = ruleset(body.ruleset.as_deref().unwrap_or(DEFAULT_RULESET))?;
    let setup = Setup { ruleset, start: start.clone(), ..Setup::default() };
    if Game::new(setup).umpire().outcome().is_some() {
        return Err(bad("The game is over in this position.".into()));
    }
    let (rated, coach) = (body.rated, body.coach);
    Ok(NewGame { ruleset, start, control, color, rated, coach, opponent })
}

fn opponent(request: OpponentRequest) -> Result<Opponent, ServiceError> {
    let bad = |message: String| Err(ServiceError::BadRequest(message));
    let (name, ms) = match request {
        OpponentRequest::Lobby {} => return Ok(Opponent::Lobby),
        OpponentRequest::Invitation {} => return Ok(Opponent::Invitation),
        OpponentRequest::Bot { name, ms } => (name, ms.unwrap_or(DEFAULT_BOT_MS)),
    };
    if !ALLOWED_BOT_MS.contains(&ms) {
        return bad(format!("A bot's thinking time is 10 to 60000 ms, not {ms} ms."));
    }
    // Only names are accepted, because parameters could name files and programs on the server.
    if !bots().iter().any(|kind| kind.name == name) {
        return bad(format!("There is no bot {:?}.", excerpt(&name)));
    }
    let spec = name.parse().map_err(|why: SpecError| ServiceError::BadRequest(why.to_string()))?;
    Ok(Opponent::Bot(spec, ms))
}

/// A ruleset by name.
pub(super) fn ruleset(name: &str) -> Result<Ruleset, ServiceError> {
    name.parse::<Ruleset>().map_err(|error| ServiceError::BadRequest(error.to_string()))
}

/// List games.
#[utoipa::path(get, path = "/api/games", params(GamesQuery),
    responses((status = 200, body = GameList)))]
pub async fn list(
    State(app): State<App>,
    client: Client,
    UrlQuery(query): UrlQuery<GamesQuery>,
) -> Result<Json<GameList>, ServiceError> {
    let filter = GameFilter {
        status: query.status,
        ruleset: query.ruleset.as_deref().map(|name| ruleset(name).map(|r| r.name)).transpose()?,
        player: query.player.map(|name| excerpt(&name)),
        user: match query.mine {
            Some(true) => Some(client.require_user()?.id),
            _ => None,
        },
        before: query.before,
        limit: query.limit.unwrap_or(20).clamp(1, 100),
    };
    let (games, next) = app.service.list_games(filter, client.user_id()).await?;
    Ok(Json(GameList { games, next }))
}

/// One game. Its creator receives the invitation token.
#[utoipa::path(get, path = "/api/games/{id}", params(("id" = String, Path)),
    responses((status = 200, body = GameWithInvitation)))]
pub async fn find(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
) -> Result<Json<GameWithInvitation>, ServiceError> {
    let info = app.service.game_info(&id).await?;
    let game = info.summary(client.user_id());
    let is_creator = info.creator.is_some() && info.creator == client.user_id();
    let is_open = info.status == GameStatus::Open;
    let invitation = info.invitation.filter(|_| is_creator && is_open);
    Ok(Json(GameWithInvitation { game, invitation }))
}

/// Join a game.
#[utoipa::path(post, path = "/api/games/{id}/join", params(("id" = String, Path)),
    request_body = JoinRequest, responses((status = 200, body = OneGame)))]
pub async fn join(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
    JsonBody(body): JsonBody<JoinRequest>,
) -> Result<Json<OneGame>, ServiceError> {
    let user = client.require_action(&app)?;
    let info = app.service.join(id, user.clone(), body.invitation).await?;
    Ok(Json(OneGame { game: info.summary(Some(user.id)) }))
}

/// Cancel a game that no opponent has joined.
#[utoipa::path(delete, path = "/api/games/{id}", params(("id" = String, Path)),
    responses((status = 204)))]
pub async fn cancel(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
) -> Result<StatusCode, ServiceError> {
    let user = client.require_user()?;
    app.service.cancel(id, user.id).await?;
    Ok(StatusCode::NO_CONTENT)
}
