//! Guests, accounts, sessions and ratings.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::body::{JsonBody, UrlQuery};
use super::client::{COOKIE_NAME, Client, SESSION_DAYS};
use super::{App, passwords};
use crate::domain::{RatedUser, User, UserKind};
use crate::service::ServiceError;
use crate::store::users;
use crate::{now_ms, tokens};

/// Maximum number of users in a list of ratings.
const MAX_RATINGS: usize = 200;
/// Attempts to find a free name for a guest.
const NAME_ATTEMPTS: usize = 10;

/// The user of the session.
#[derive(Serialize, ToSchema)]
pub struct Me {
    user: Option<User>,
}

/// A user with a new session token.
#[derive(Serialize, ToSchema)]
pub struct NewSession {
    user: User,
    token: String,
}

/// The name of a new guest.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GuestName {
    #[serde(default)]
    name: Option<String>,
}

/// A name and a password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    name: String,
    password: String,
}

/// The ruleset of the ratings.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct RatingsQuery {
    #[serde(default)]
    ruleset: Option<String>,
}

/// Ratings under a ruleset, the highest first.
#[derive(Serialize, ToSchema)]
pub struct Ratings {
    ruleset: String,
    ratings: Vec<RatedUser>,
}

/// The user of the session.
#[utoipa::path(get, path = "/api/me", responses((status = 200, body = Me)))]
pub async fn me(State(app): State<App>, client: Client) -> Result<Response, ServiceError> {
    // The cookie's lifetime starts anew.
    let cookie = match (&client.user, &client.token) {
        (Some(_), Some(token)) => Some([(header::SET_COOKIE, session_cookie(&app, token)?)]),
        _ => None,
    };
    let me = Json(Me { user: client.user });
    Ok(match cookie {
        Some(cookie) => (cookie, me).into_response(),
        None => me.into_response(),
    })
}

/// Create a guest.
#[utoipa::path(post, path = "/api/guest", request_body = GuestName,
    responses((status = 200, body = NewSession)))]
pub async fn guest(
    State(app): State<App>,
    client: Client,
    JsonBody(body): JsonBody<GuestName>,
) -> Result<Response, ServiceError> {
    check_sign_up_limit(&app, &client)?;
    let wanted = body.name.as_deref().map(valid_name).transpose()?;
    for _ in 0..NAME_ATTEMPTS {
        let random = || format!("Guest {}", tokens::number() % 100_000);
        let name = wanted.clone().unwrap_or_else(random);
        let insert = move |c: &_| users::insert(c, &name, None, now_ms());
        match (app.service.store().write(insert).await?, &wanted) {
            (Some(user), _) => return start_session(&app, user).await,
            (None, Some(name)) => return Err(ServiceError::NameTaken(name.clone())),
            (None, None) => {}
        }
    }
    Err(ServiceError::Internal)
}

/// Create an account, or turn the guest of the session into one.
#[utoipa::path(post, path = "/api/register", request_body = Credentials,
    responses((status = 200, body = NewSession)))]
pub async fn register(
    State(app): State<App>,
    client: Client,
    JsonBody(body): JsonBody<Credentials>,
) -> Result<Response, ServiceError> {
    check_sign_up_limit(&app, &client)?;
    let name = valid_name(&body.name)?;
    if !(8..=200).contains(&body.password.chars().count()) {
        let message = "A password must have 8 to 200 characters.";
        return Err(ServiceError::BadRequest(message.into()));
    }
    let password_hash = passwords::hash(body.password).await?;
    let guest = client.user.filter(|user| user.kind == UserKind::Guest);
    let wanted = name.clone();
    let written = app.service.store().write(move |connection| match guest {
        Some(guest) => {
            let (id, hash) = (guest.id, &password_hash);
            let is_account = users::turn_guest_into_account(connection, id, &name, hash)?;
            Ok(is_account.then_some(User { name, kind: UserKind::Account, ..guest }))
        }
        None => users::insert(connection, &name, Some(&password_hash), now_ms()),
    });
    let user = written.await?.ok_or(ServiceError::NameTaken(wanted))?;
    start_session(&app, user).await
}

/// Log in to an account.
#[utoipa::path(post, path = "/api/login", request_body = Credentials,
    responses((status = 200, body = NewSession)))]
pub async fn login(
    State(app): State<App>,
    client: Client,
    JsonBody(body): JsonBody<Credentials>,
) -> Result<Response, ServiceError> {
    check_sign_up_limit(&app, &client)?;
    let name = body.name.trim().to_string();
    let account = app.service.store().read(move |c| users::find_account(c, &name)).await?;
    let (user, password_hash) = account.unzip();
    passwords::verify(body.password, password_hash).await?;
    start_session(&app, user.ok_or(ServiceError::WrongPassword)?).await
}

/// Log out.
#[utoipa::path(post, path = "/api/logout", responses((status = 204)))]
pub async fn logout(State(app): State<App>, client: Client) -> Result<Response, ServiceError> {
    if let Some(token) = client.token {
        let digest = tokens::digest(&token);
        app.service.store().write(move |c| users::end_session(c, &digest)).await?;
    }
    let expired = format!("{COOKIE_NAME}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, expired)]).into_response())
}

/// The ratings under a ruleset.
#[utoipa::path(get, path = "/api/ratings", params(RatingsQuery),
    responses((status = 200, body = Ratings)))]
pub async fn ratings(
    State(app): State<App>,
    UrlQuery(query): UrlQuery<RatingsQuery>,
) -> Result<Json<Ratings>, ServiceError> {
    let ruleset = super::games::ruleset(query.ruleset.as_deref().unwrap_or("icc"))?.name;
    let read = move |c: &_| users::ratings(c, ruleset, MAX_RATINGS);
    let ratings = app.service.store().read(read).await?;
    Ok(Json(Ratings { ruleset: ruleset.to_string(), ratings }))
}

fn check_sign_up_limit(app: &App, client: &Client) -> Result<(), ServiceError> {
    let is_allowed = app.limits.allows_sign_up(client.address);
    if is_allowed { Ok(()) } else { Err(ServiceError::RateLimited) }
}

/// A name without superfluous spaces, if it is valid in lists and in records.
fn valid_name(text: &str) -> Result<String, ServiceError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let name = words.join(" ");
    // With invisible letters, one name could pass for another.
    let is_invisible = |c| ['\u{115f}', '\u{1160}', '\u{3164}', '\u{ffa0}'].contains(&c);
    let is_allowed = |c: char| c.is_alphanumeric() && !is_invisible(c) || " -_.'".contains(c);
    let length = name.chars().count();
    if !(2..=30).contains(&length) || !name.chars().all(is_allowed) {
        let message = "A name must have 2 to 30 letters, digits, spaces or characters of - _ . '";
        return Err(ServiceError::BadRequest(message.into()));
    }
    Ok(name)
}

async fn start_session(app: &App, user: User) -> Result<Response, ServiceError> {
    let (token, id) = (tokens::session(), user.id);
    let digest = tokens::digest(&token);
    let write = move |c: &_| users::start_session(c, id, &digest, now_ms());
    app.service.store().write(write).await?;
    let cookie = [(header::SET_COOKIE, session_cookie(app, &token)?)];
    Ok((cookie, Json(NewSession { user, token })).into_response())
}

/// The session token as a cookie that scripts cannot read and other sites cannot send.
fn session_cookie(app: &App, token: &str) -> Result<HeaderValue, ServiceError> {
    let secure = if app.config.behind_proxy { "; Secure" } else { "" };
    let age = SESSION_DAYS * 24 * 60 * 60;
    let cookie =
        format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}");
    HeaderValue::try_from(cookie).map_err(|_| ServiceError::Internal)
}
