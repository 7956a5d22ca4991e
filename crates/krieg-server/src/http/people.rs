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
use super::caller::{COOKIE_NAME, Caller, SESSION_DAYS};
use crate::now_ms;
use crate::refusal::Refusal;
use crate::secrets;
use crate::store::{Kind, Person, Rated};

/// Who somebody is.
#[derive(Serialize, ToSchema)]
pub struct Me {
    user: Option<Person>,
}

/// Who somebody is now, and what he shows for it.
#[derive(Serialize, ToSchema)]
pub struct SignedIn {
    user: Person,
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
pub async fn me(State(app): State<App>, caller: Caller) -> Result<Response, Refusal> {
    // Whoever comes back is remembered from here on again.
    let cookie = match (&caller.person, &caller.token) {
        (Some(_), Some(token)) => Some([(header::SET_COOKIE, cookie(&app, token)?)]),
        _ => None,
    };
    let me = Json(Me { user: caller.person });
    Ok(match cookie {
        Some(cookie) => (cookie, me).into_response(),
        None => me.into_response(),
    })
}

/// Give me a name, without a password.
#[utoipa::path(post, path = "/api/guest", request_body = GuestName, responses((status = 200, body = SignedIn)))]
pub async fn guest(
    State(app): State<App>,
    caller: Caller,
    Asked(asked): Asked<GuestName>,
) -> Result<Response, Refusal> {
    allow_sign_up(&app, &caller)?;
    let wished = asked.name.as_deref().map(good_name).transpose()?;
    // Whoever wishes for no name gets one that nobody has.
    for _ in 0..10 {
        let name =
            wished.clone().unwrap_or_else(|| format!("Guest {}", secrets::number() % 100_000));
        let store = app.hall.store();
        let added =
            store.write(move |c| Person::add(c, &name, Kind::Guest, None, now_ms())).await?;
        match (added, &wished) {
            (Some(person), _) => return sign_in(&app, person).await,
            (None, Some(name)) => return Err(Refusal::NameTaken(name.clone())),
            (None, None) => {}
        }
    }
    Err(Refusal::Trouble)
}

/// Give me an account, or make one of the guest that I am.
#[utoipa::path(post, path = "/api/register", request_body = Credentials, responses((status = 200, body = SignedIn)))]
pub async fn register(
    State(app): State<App>,
    caller: Caller,
    Asked(asked): Asked<Credentials>,
) -> Result<Response, Refusal> {
    allow_sign_up(&app, &caller)?;
    let name = good_name(&asked.name)?;
    if !(8..=200).contains(&asked.password.chars().count()) {
        return Err(Refusal::BadRequest("A password has 8 to 200 characters.".into()));
    }
    let password = hashing(move || hash(&asked.password)).await?;
    let guest = caller.person.filter(|person| person.kind == Kind::Guest);
    let store = app.hall.store();
    let wished = name.clone();
    let made = store.write(move |connection| match guest {
        Some(guest) => {
            let settled = Person::settle(connection, guest.id, &name, &password)?;
            Ok(settled.then_some(Person { name, kind: Kind::Account, ..guest }))
        }
        None => Person::add(connection, &name, Kind::Account, Some(&password), now_ms()),
    });
    sign_in(&app, made.await?.ok_or(Refusal::NameTaken(wished))?).await
}

/// I have an account.
#[utoipa::path(post, path = "/api/login", request_body = Credentials, responses((status = 200, body = SignedIn)))]
pub async fn login(
    State(app): State<App>,
    caller: Caller,
    Asked(asked): Asked<Credentials>,
) -> Result<Response, Refusal> {
    allow_sign_up(&app, &caller)?;
    let name = asked.name.trim().to_string();
    let found = app.hall.store().read(move |c| Person::with_password(c, &name)).await?;
    let person = hashing(move || {
        let Some((person, known)) = found else {
            // Somebody who does not exist takes as long as one whose password is wrong.
            hash(&asked.password)?;
            return Err(Refusal::WrongPassword);
        };
        let known = PasswordHash::new(&known).map_err(|_| Refusal::Trouble)?;
        let fits = Argon2::default().verify_password(asked.password.as_bytes(), &known);
        fits.map(|()| person).map_err(|_| Refusal::WrongPassword)
    });
    sign_in(&app, person.await?).await
}

/// Forget me.
#[utoipa::path(post, path = "/api/logout", responses((status = 204)))]
pub async fn logout(State(app): State<App>, caller: Caller) -> Result<Response, Refusal> {
    if let Some(token) = caller.token {
        let digest = secrets::digest(&token);
        app.hall.store().write(move |c| Person::sign_out(c, &digest)).await?;
    }
    let gone = format!("{COOKIE_NAME}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, gone)]).into_response())
}

/// Who is how strong?
#[utoipa::path(get, path = "/api/ratings", params(RatingsQuery), responses((status = 200, body = Ratings)))]
pub async fn ratings(
    State(app): State<App>,
    query: Result<Query<RatingsQuery>, QueryRejection>,
) -> Result<Json<Ratings>, Refusal> {
    let Query(query) =
        query.map_err(|why| Refusal::BadRequest(krieg_core::short_reason(why.body_text())))?;
    let ruleset = super::games::ruleset(query.ruleset.as_deref().unwrap_or("icc"))?.name;
    let ratings = app.hall.store().read(move |c| Rated::list(c, ruleset, 200)).await?;
    Ok(Json(Ratings { ruleset: ruleset.to_string(), ratings }))
}

fn allow_sign_up(app: &App, caller: &Caller) -> Result<(), Refusal> {
    if app.limits.sign_up(caller.address) { Ok(()) } else { Err(Refusal::TooMany) }
}

/// A name that can stand in a list and in a record.
fn good_name(wished: &str) -> Result<String, Refusal> {
    let words: Vec<&str> = wished.split_whitespace().collect();
    let name = words.join(" ");
    // Letters that cannot be seen would let one name pass for another.
    let is_unseen = |c| ['\u{115f}', '\u{1160}', '\u{3164}', '\u{ffa0}'].contains(&c);
    let is_plain = |c: char| c.is_alphanumeric() && !is_unseen(c) || " -_.'".contains(c);
    let length = name.chars().count();
    if !(2..=30).contains(&length) || !name.chars().all(is_plain) {
        let why = "A name has 2 to 30 letters, digits, spaces or one of - _ . '";
        return Err(Refusal::BadRequest(why.into()));
    }
    Ok(name)
}

fn hash(password: &str) -> Result<String, Refusal> {
    let hashed = Argon2::default().hash_password(password.as_bytes());
    hashed.map(|hash| hash.to_string()).map_err(|_| Refusal::Trouble)
}

/// Hashing takes a while and twenty megabytes. So few do it at a time, and so many may wait for it.
const HASH_AT_ONCE: usize = 2;
const HASH_WAITING: usize = 50;
static HASHING: Semaphore = Semaphore::const_new(HASH_AT_ONCE);
static WAITING: Semaphore = Semaphore::const_new(HASH_WAITING);

async fn hashing<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let _waits = WAITING.try_acquire().map_err(|_| Refusal::TooMany)?;
    let _hashes = HASHING.acquire().await.map_err(|_| Refusal::Trouble)?;
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(Refusal::Trouble))
}

async fn sign_in(app: &App, person: Person) -> Result<Response, Refusal> {
    let (token, id) = (secrets::token(), person.id);
    let digest = secrets::digest(&token);
    app.hall.store().write(move |c| Person::sign_in(c, id, &digest, now_ms())).await?;
    let cookie = [(header::SET_COOKIE, cookie(app, &token)?)];
    Ok((cookie, Json(SignedIn { user: person, token })).into_response())
}

/// The token as a cookie that no script can read and no other site can send.
fn cookie(app: &App, token: &str) -> Result<HeaderValue, Refusal> {
    let secure = if app.settings.behind_proxy { "; Secure" } else { "" };
    let age = SESSION_DAYS * 24 * 60 * 60;
    let cookie =
        format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}");
    HeaderValue::try_from(cookie).map_err(|_| Refusal::Trouble)
}

/// A body of JSON, with the server's own words where it is none.
pub struct Asked<T>(pub T);

impl<T: serde::de::DeserializeOwned, S: Send + Sync> axum::extract::FromRequest<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Self, Refusal> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(asked)) => Ok(Asked(asked)),
            Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(Refusal::TooLarge)
            }
            Err(rejection) => {
                Err(Refusal::BadRequest(krieg_core::short_reason(rejection.body_text())))
            }
        }
    }
}
