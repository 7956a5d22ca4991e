//! Names, passwords and ratings.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;
use utoipa::{IntoParams, ToSchema};

use super::App;
use super::client::{COOKIE_NAME, Client, SESSION_DAYS};
use crate::now_ms;
use crate::service::ServiceError;
use crate::store::{Rated, User, UserKind};
use crate::tokens;

/// Who somebody is.
#[derive(Serialize, ToSchema)]
pub struct Me {
    user: Option<User>,
}

/// Who somebody is now, and what he shows for it.
#[derive(Serialize, ToSchema)]
pub struct SignedIn {
    user: User,
    token: String,
}

/// A name somebody would like to have.
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

/// Which ratings.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct RatingsQuery {
    #[serde(default)]
    ruleset: Option<String>,
}

/// Ratings under a ruleset, the best first.
#[derive(Serialize, ToSchema)]
pub struct Ratings {
    ruleset: String,
    ratings: Vec<Rated>,
}

/// Who am I?
#[utoipa::path(get, path = "/api/me", responses((status = 200, body = Me)))]
pub async fn me(State(app): State<App>, client: Client) -> Result<Response, ServiceError> {
    // Whoever comes back is remembered from here on again.
    let cookie = match (&client.person, &client.token) {
        (Some(_), Some(token)) => Some([(header::SET_COOKIE, cookie(&app, token)?)]),
        _ => None,
    };
    let me = Json(Me { user: client.person });
    Ok(match cookie {
        Some(cookie) => (cookie, me).into_response(),
        None => me.into_response(),
    })
}

/// Give me a name, without a password.
#[utoipa::path(post, path = "/api/guest", request_body = GuestName, responses((status = 200, body = SignedIn)))]
pub async fn guest(
    State(app): State<App>,
    client: Client,
    JsonBody(asked): JsonBody<GuestName>,
) -> Result<Response, ServiceError> {
    allow_sign_up(&app, &client)?;
    let wished = asked.name.as_deref().map(good_name).transpose()?;
    // Whoever wishes for no name gets one that nobody has.
    for _ in 0..10 {
        let name =
            wished.clone().unwrap_or_else(|| format!("Guest {}", tokens::number() % 100_000));
        let store = app.service.store();
        let added =
            store.write(move |c| User::add(c, &name, UserKind::Guest, None, now_ms())).await?;
        match (added, &wished) {
            (Some(person), _) => return sign_in(&app, person).await,
            (None, Some(name)) => return Err(ServiceError::NameTaken(name.clone())),
            (None, None) => {}
        }
    }
    Err(ServiceError::Trouble)
}

/// Give me an account, or make one of the guest that I am.
#[utoipa::path(post, path = "/api/register", request_body = Credentials, responses((status = 200, body = SignedIn)))]
pub async fn register(
    State(app): State<App>,
    client: Client,
    JsonBody(asked): JsonBody<Credentials>,
) -> Result<Response, ServiceError> {
    allow_sign_up(&app, &client)?;
    let name = good_name(&asked.name)?;
    if !(8..=200).contains(&asked.password.chars().count()) {
        return Err(ServiceError::BadRequest("A password has 8 to 200 characters.".into()));
    }
    let password = hashing(move || hash(&asked.password)).await?;
    let guest = client.person.filter(|person| person.kind == UserKind::Guest);
    let store = app.service.store();
    let wished = name.clone();
    let made = store.write(move |connection| match guest {
        Some(guest) => {
            let settled = User::settle(connection, guest.id, &name, &password)?;
            Ok(settled.then_some(User { name, kind: UserKind::Account, ..guest }))
        }
        None => User::add(connection, &name, UserKind::Account, Some(&password), now_ms()),
    });
    sign_in(&app, made.await?.ok_or(ServiceError::NameTaken(wished))?).await
}

/// I have an account.
#[utoipa::path(post, path = "/api/login", request_body = Credentials, responses((status = 200, body = SignedIn)))]
pub async fn login(
    State(app): State<App>,
    client: Client,
    JsonBody(asked): JsonBody<Credentials>,
) -> Result<Response, ServiceError> {
    allow_sign_up(&app, &client)?;
    let name = asked.name.trim().to_string();
    let found = app.service.store().read(move |c| User::with_password(c, &name)).await?;
    let person = hashing(move || {
        let Some((person, known)) = found else {
            // Somebody who does not exist takes as long as one whose password is wrong.
            hash(&asked.password)?;
            return Err(ServiceError::WrongPassword);
        };
        let known = PasswordHash::new(&known).map_err(|_| ServiceError::Trouble)?;
        let fits = Argon2::default().verify_password(asked.password.as_bytes(), &known);
        fits.map(|()| person).map_err(|_| ServiceError::WrongPassword)
    });
    sign_in(&app, person.await?).await
}

/// Forget me.
#[utoipa::path(post, path = "/api/logout", responses((status = 204)))]
pub async fn logout(State(app): State<App>, client: Client) -> Result<Response, ServiceError> {
    if let Some(token) = client.token {
        let digest = tokens::digest(&token);
        app.service.store().write(move |c| User::sign_out(c, &digest)).await?;
    }
    let gone = format!("{COOKIE_NAME}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, gone)]).into_response())
}

/// Who is how strong?
#[utoipa::path(get, path = "/api/ratings", params(RatingsQuery), responses((status = 200, body = Ratings)))]
pub async fn ratings(
    State(app): State<App>,
    query: Result<Query<RatingsQuery>, QueryRejection>,
) -> Result<Json<Ratings>, ServiceError> {
    let Query(query) =
        query.map_err(|why| ServiceError::BadRequest(krieg_core::short_reason(why.body_text())))?;
    let ruleset = super::games::ruleset(query.ruleset.as_deref().unwrap_or("icc"))?.name;
    let ratings = app.service.store().read(move |c| Rated::list(c, ruleset, 200)).await?;
    Ok(Json(Ratings { ruleset: ruleset.to_string(), ratings }))
}

fn allow_sign_up(app: &App, client: &Client) -> Result<(), ServiceError> {
    if app.limits.sign_up(client.address) { Ok(()) } else { Err(ServiceError::TooMany) }
}

/// A name that can stand in a list and in a record.
fn good_name(wished: &str) -> Result<String, ServiceError> {
    let words: Vec<&str> = wished.split_whitespace().collect();
    let name = words.join(" ");
    // Letters that cannot be seen would let one name pass for another.
    let is_unseen = |c| ['\u{115f}', '\u{1160}', '\u{3164}', '\u{ffa0}'].contains(&c);
    let is_plain = |c: char| c.is_alphanumeric() && !is_unseen(c) || " -_.'".contains(c);
    let length = name.chars().count();
    if !(2..=30).contains(&length) || !name.chars().all(is_plain) {
        let why = "A name has 2 to 30 letters, digits, spaces or one of - _ . '";
        return Err(ServiceError::BadRequest(why.into()));
    }
    Ok(name)
}

fn hash(password: &str) -> Result<String, ServiceError> {
    let hashed = Argon2::default().hash_password(password.as_bytes());
    hashed.map(|hash| hash.to_string()).map_err(|_| ServiceError::Trouble)
}

/// Hashing takes a while and twenty megabytes. So few do it at a time, and so many may wait for it.
const HASH_AT_ONCE: usize = 2;
const HASH_WAITING: usize = 50;
static HASHING: Semaphore = Semaphore::const_new(HASH_AT_ONCE);
static WAITING: Semaphore = Semaphore::const_new(HASH_WAITING);

async fn hashing<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ServiceError> + Send + 'static,
) -> Result<T, ServiceError> {
    let _waits = WAITING.try_acquire().map_err(|_| ServiceError::TooMany)?;
    let _hashes = HASHING.acquire().await.map_err(|_| ServiceError::Trouble)?;
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(ServiceError::Trouble))
}

async fn sign_in(app: &App, person: User) -> Result<Response, ServiceError> {
    let (token, id) = (tokens::token(), person.id);
    let digest = tokens::digest(&token);
    app.service.store().write(move |c| User::sign_in(c, id, &digest, now_ms())).await?;
    let cookie = [(header::SET_COOKIE, cookie(app, &token)?)];
    Ok((cookie, Json(SignedIn { user: person, token })).into_response())
}

/// The token as a cookie that no script can read and no other site can send.
fn cookie(app: &App, token: &str) -> Result<HeaderValue, ServiceError> {
    let secure = if app.config.behind_proxy { "; Secure" } else { "" };
    let age = SESSION_DAYS * 24 * 60 * 60;
    let cookie =
        format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}");
    HeaderValue::try_from(cookie).map_err(|_| ServiceError::Trouble)
}

/// A body of JSON, with the server's own words where it is none.
pub struct JsonBody<T>(pub T);

impl<T: serde::de::DeserializeOwned, S: Send + Sync> axum::extract::FromRequest<S> for JsonBody<T> {
    type Rejection = ServiceError;

    async fn from_request(
        request: axum::extract::Request,
        state: &S,
    ) -> Result<Self, ServiceError> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(asked)) => Ok(JsonBody(asked)),
            Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(ServiceError::TooLarge)
            }
            Err(rejection) => {
                Err(ServiceError::BadRequest(krieg_core::short_reason(rejection.body_text())))
            }
        }
    }
}
