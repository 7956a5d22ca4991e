//! Beginning games, finding them, and taking a seat.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use krieg_core::{Color, Game, Position, RuleText, Ruleset, RulesetTexts, Setup, excerpt};
use krieg_players::{PlayerKind, PlayerRegistry, SpecError};
use krieg_time::TimeControl;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::App;
use super::client::Client;
use super::users::JsonBody;
use crate::service::ServiceError;
use crate::service::{Begin, Opponent, Wish};
use crate::store::{Filter, Status, Summary};

/// What there is to choose from.
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
        let in_words = |text: RuleText| RuleOption { topic: text.topic, rule: text.rule };
        RulesetOption {
            name: ruleset.name,
            about: ruleset.about,
            any: ruleset.any().is_some(),
            title,
            summary,
            description,
            hint,
            rules: ruleset.rules_text().into_iter().map(in_words).collect(),
        }
    }
}

#[derive(Serialize, ToSchema)]
struct BotOption {
    name: &'static str,
    about: &'static str,
}

/// A game that somebody wants to begin.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BeginRequest {
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

/// Whom he wants to play.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum OpponentRequest {
    /// A bot, by name, with its thinking time.
    Bot {
        name: String,
        #[serde(default)]
        ms: Option<u64>,
    },
    /// Whoever comes first.
    Lobby {},
    /// Whoever has the link.
    Invitation {},
}

/// A game, and the secret of its invitation.
#[derive(Serialize, ToSchema)]
pub struct Begun {
    game: Summary,
    invitation: Option<String>,
}

/// A game.
#[derive(Serialize, ToSchema)]
pub struct OneGame {
    pub(super) game: Summary,
}

/// Games, and where the list goes on.
#[derive(Serialize, ToSchema)]
pub struct ManyGames {
    games: Vec<Summary>,
    next: Option<i64>,
}

/// Which games.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct GamesQuery {
    status: Option<Status>,
    ruleset: Option<String>,
    player: Option<String>,
    mine: Option<bool>,
    before: Option<i64>,
    limit: Option<usize>,
}

/// The secret of an invitation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    #[serde(default)]
    invitation: Option<String>,
}

/// Bots are lent these thinking times by the page; programs may choose any from 10 ms to a minute.
const BOT_MS: [u64; 5] = [100, 300, 1_000, 3_000, 10_000];
const CONTROLS: [&str; 6] = ["none", "180+2", "300+5", "600+10", "1800", "60/move"];

/// What is there to choose from?
#[utoipa::path(get, path = "/api/options", responses((status = 200, body = Options)))]
pub async fn options() -> Json<Options> {
    Json(Options {
        rulesets: Ruleset::ALL.iter().map(RulesetOption::from).collect(),
        bots: bots().iter().map(|kind| BotOption { name: kind.name, about: kind.about }).collect(),
        bot_ms: BOT_MS.to_vec(),
        controls: CONTROLS.to_vec(),
    })
}

/// The bots, the strongest first. Programs of others are not for strangers to start.
fn bots() -> Vec<PlayerKind> {
    let registry = PlayerRegistry::default();
    registry.kinds().iter().rev().filter(|kind| kind.name != "engine").copied().collect()
}

/// Begin a game.
#[utoipa::path(post, path = "/api/games", request_body = BeginRequest, responses((status = 201, body = Begun)))]
pub async fn begin(
    State(app): State<App>,
    client: Client,
    JsonBody(asked): JsonBody<BeginRequest>,
) -> Result<(StatusCode, Json<Begun>), ServiceError> {
    let person = client.named()?;
    if !app.limits.act(person.id) {
        return Err(ServiceError::TooMany);
    }
    let wanted = read(asked)?;
    let info = app.service.begin(person, wanted).await?;
    let begun = Begun { game: info.summary(Some(person.id)), invitation: info.invitation };
    Ok((StatusCode::CREATED, Json(begun)))
}

fn read(asked: BeginRequest) -> Result<Begin, ServiceError> {
    let bad = |why: String| ServiceError::BadRequest(why);
    let control: TimeControl = match asked.control.as_deref() {
        None => TimeControl::Unlimited,
        Some(text) => text.parse().map_err(|why| bad(format!("{why}")))?,
    };
    if matches!(control, TimeControl::Nodes(_)) {
        return Err(bad("Nodes are counted for programs; people have a clock or none.".into()));
    }
    let start = match asked.fen.as_deref() {
        None => Position::start(),
        Some(fen) => Position::from_fen(fen).map_err(|why| bad(why.to_string()))?,
    };
    let wish = match asked.color.as_deref() {
        None | Some("random") => Wish::Random,
        Some("white") => Wish::Color(Color::White),
        Some("black") => Wish::Color(Color::Black),
        Some(other) => {
            return Err(bad(format!("{:?} is no colour: white, black or random", excerpt(other))));
        }
    };
    let opponent = match asked.opponent {
        OpponentRequest::Lobby {} => Opponent::Lobby,
        OpponentRequest::Invitation {} => Opponent::Invitation,
        OpponentRequest::Bot { name, ms } => {
            let ms = ms.unwrap_or(1_000);
            if !(10..=60_000).contains(&ms) {
                return Err(bad(format!("A bot thinks for 10 to 60000 ms, not {ms}.")));
            }
            // Parameters could name files and programs of the server's: strangers choose from the list.
            if !bots().iter().any(|kind| kind.name == name) {
                return Err(bad(format!("There is no bot {:?}.", excerpt(&name))));
            }
            Opponent::Bot(name.parse().map_err(|why: SpecError| bad(why.to_string()))?, ms)
        }
    };
    let rated = asked.rated;
    if rated && asked.fen.is_some() {
        return Err(bad("Rated games begin at the beginning.".into()));
    }
    let name = asked.ruleset.as_deref().unwrap_or("icc");
    let setup = Setup { ruleset: ruleset(name)?, start: start.clone(), ..Setup::default() };
    if Game::new(setup).umpire().outcome().is_some() {
        return Err(bad("In this position the game is over.".into()));
    }
    Ok(Begin { ruleset: ruleset(name)?, start, control, wish, rated, coach: asked.coach, opponent })
}

/// A ruleset by name.
pub(super) fn ruleset(name: &str) -> Result<Ruleset, ServiceError> {
    name.parse::<Ruleset>().map_err(|why| ServiceError::BadRequest(why.to_string()))
}

/// Which games are there?
#[utoipa::path(get, path = "/api/games", params(GamesQuery), responses((status = 200, body = ManyGames)))]
pub async fn list(
    State(app): State<App>,
    client: Client,
    query: Result<Query<GamesQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<ManyGames>, ServiceError> {
    let Query(query) =
        query.map_err(|why| ServiceError::BadRequest(krieg_core::short_reason(why.body_text())))?;
    let filter = Filter {
        status: query.status,
        ruleset: query.ruleset.as_deref().map(|name| ruleset(name).map(|r| r.name)).transpose()?,
        player: query.player.map(|name| excerpt(&name)),
        person: match query.mine {
            Some(true) => Some(client.named()?.id),
            _ => None,
        },
        before: query.before,
        limit: query.limit.unwrap_or(20).clamp(1, 100),
    };
    let (games, next) = app.service.list(filter, client.id()).await?;
    Ok(Json(ManyGames { games, next }))
}

/// One game. Whoever offered it is told the secret of the invitation.
#[utoipa::path(get, path = "/api/games/{id}", params(("id" = String, Path)), responses((status = 200, body = Begun)))]
pub async fn find(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
) -> Result<Json<Begun>, ServiceError> {
    let info = app.service.info(&id).await?;
    let game = info.summary(client.id());
    let is_his = info.creator.is_some() && info.creator == client.id();
    let waits = info.status == Status::Open;
    Ok(Json(Begun { game, invitation: info.invitation.filter(|_| is_his && waits) }))
}

/// Take the free seat.
#[utoipa::path(post, path = "/api/games/{id}/join", params(("id" = String, Path)), request_body = JoinRequest,
    responses((status = 200, body = OneGame)))]
pub async fn join(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
    JsonBody(asked): JsonBody<JoinRequest>,
) -> Result<Json<OneGame>, ServiceError> {
    let person = client.named()?;
    if !app.limits.act(person.id) {
        return Err(ServiceError::TooMany);
    }
    let info = app.service.join(id, person.clone(), asked.invitation).await?;
    Ok(Json(OneGame { game: info.summary(Some(person.id)) }))
}

/// Take back a game that nobody has joined.
#[utoipa::path(delete, path = "/api/games/{id}", params(("id" = String, Path)), responses((status = 204)))]
pub async fn cancel(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
) -> Result<StatusCode, ServiceError> {
    let person = client.named()?;
    app.service.cancel(id, person.id).await?;
    Ok(StatusCode::NO_CONTENT)
}
