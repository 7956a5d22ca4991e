//! At the table: what a player sees, does and hears, over requests or a socket.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::Json;
use axum::body::Bytes;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Path, State};
use axum::response::Response;
use krieg_core::{Try, excerpt};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::App;
use super::client::Client;
use super::users::JsonBody;
use crate::domain::Guesses;
use crate::service::Action;
use crate::service::ServiceError;

/// A longer message is answered with an error; one that is longer by far ends the connection.
const LONGEST: usize = 4 * 1024;
const FAR_TOO_LONG: usize = 64 * 1024;
/// What a socket reads at once.
const BUFFER: usize = 4 * 1024;
/// How often a connection is felt for, and after how long a silence it is given up: cables break without a word.
const PULSE: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(70);

/// What a player does.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ActionRequest {
    /// `try`, `resign`, `offer`, `accept`, `decline`, `guesses`, `rematch` or `ping`.
    #[serde(rename = "action")]
    what: String,
    #[serde(default, rename = "try")]
    tried: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    guesses: Option<Map<String, Value>>,
    #[serde(default, rename = "ref")]
    reference: Option<i64>,
}

impl ActionRequest {
    fn read(self) -> Result<Action, ServiceError> {
        let bad = |why: String| Err(ServiceError::BadRequest(why));
        match (self.what.as_str(), self.tried, self.guesses) {
            ("try", Some(text), None) => match text.parse::<Try>() {
                Ok(tried) => Ok(Action::Try(tried)),
                Err(why) => bad(why.to_string()),
            },
            ("try", None, None) => bad("A try needs a field \"try\", such as \"e2e4\".".into()),
            ("guesses", None, Some(guesses)) => match Guesses::read(&guesses) {
                Ok(guesses) => Ok(Action::Guesses(guesses)),
                Err(why) => bad(why.to_string()),
            },
            ("guesses", None, None) => bad("Guesses need a field \"guesses\".".into()),
            ("resign", None, None) => Ok(Action::Resign),
            ("offer", None, None) => Ok(Action::Offer),
            ("accept", None, None) => Ok(Action::Accept),
            ("decline", None, None) => Ok(Action::Decline),
            ("rematch", None, None) => Ok(Action::Rematch),
            ("ping", None, None) => Ok(Action::Ping),
            (what, ..) => {
                bad(format!("{:?} with these fields is nothing to do here.", excerpt(what)))
            }
        }
    }
}

/// What do I see at the table?
#[utoipa::path(get, path = "/api/games/{id}/state", params(("id" = String, Path)),
    responses((status = 200, description = "A message of type `state`", body = Object)))]
pub async fn look(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
) -> Result<Json<Value>, ServiceError> {
    let person = client.named()?;
    if !app.limits.act(person.id) {
        return Err(ServiceError::TooMany);
    }
    Ok(Json(app.service.see(&id, person.id).await?))
}

/// Do something at the table.
#[utoipa::path(post, path = "/api/games/{id}/actions", params(("id" = String, Path)), request_body = ActionRequest,
    responses((status = 200, description = "A message of type `state`", body = Object)))]
pub async fn act(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
    JsonBody(asked): JsonBody<ActionRequest>,
) -> Result<Json<Value>, ServiceError> {
    let person = client.named()?;
    if !app.limits.act(person.id) {
        return Err(ServiceError::TooMany);
    }
    app.service.act(id.clone(), person.id, asked.read()?, None).await?;
    Ok(Json(app.service.see(&id, person.id).await?))
}

/// What would you do?
#[utoipa::path(get, path = "/api/games/{id}/coach", params(("id" = String, Path)),
    responses((status = 200, description = "Advice, as in docs/api.md", body = Object)))]
pub async fn advice(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
) -> Result<Json<Value>, ServiceError> {
    let person = client.named()?;
    if !app.limits.ask_much(client.address) {
        return Err(ServiceError::TooMany);
    }
    Ok(Json(app.service.advise(&id, person.id).await?))
}

/// The table as a WebSocket.
#[utoipa::path(get, path = "/api/games/{id}/ws", params(("id" = String, Path)),
    responses((status = 101, description = "Messages as in docs/api.md")))]
pub async fn socket(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ServiceError> {
    let upgrade = upgrade
        .map_err(|why| ServiceError::BadRequest(krieg_core::short_reason(why.body_text())))?;
    let person = client.named()?.id;
    let open = app.limits.open_socket(client.address).ok_or(ServiceError::TooMany)?;
    // A foreign game is refused before there is a socket.
    app.service.check_seat(&id, person).await?;
    let upgrade = upgrade.max_message_size(FAR_TOO_LONG).max_frame_size(FAR_TOO_LONG);
    // Messages are short, and there may be thousands of sockets.
    let upgrade = upgrade.read_buffer_size(BUFFER);
    Ok(upgrade.on_upgrade(move |socket| async move {
        app.metrics.socket(1);
        Connection { app: app.clone(), id, person, number: next_number() }.serve(socket).await;
        app.metrics.socket(-1);
        drop(open);
    }))
}

fn next_number() -> u64 {
    static CONNECTIONS: AtomicU64 = AtomicU64::new(1);
    CONNECTIONS.fetch_add(1, Ordering::Relaxed)
}

/// Somebody at a table, over a socket.
struct Connection {
    app: App,
    id: String,
    person: i64,
    number: u64,
}

impl Connection {
    async fn serve(self, mut socket: WebSocket) {
        let heard = self.app.service.listen(&self.id, self.person, self.number).await;
        let Ok((state, mut messages)) = heard else { return };
        let mut stops = self.app.shutdown.clone();
        let mut alive = send(&mut socket, &state).await;
        let (mut pulse, mut heard_at) = (tokio::time::interval(PULSE), Instant::now());
        while alive {
            alive = tokio::select! {
                message = messages.recv() => match message {
                    Some(text) => socket.send(Message::Text(text)).await.is_ok(),
                    // Too far behind, or the table is laid anew: he comes again and is told everything.
                    None => close(&mut socket, close_code::AGAIN, "please come again").await,
                },
                received = socket.recv() => match received {
                    Some(Ok(message)) => {
                        heard_at = Instant::now();
                        self.answer(&mut socket, message).await
                    }
                    _ => false,
                },
                _ = pulse.tick() => {
                    heard_at.elapsed() < SILENCE && socket.send(Message::Ping(Bytes::new())).await.is_ok()
                }
                _ = stops.changed() => {
                    close(&mut socket, close_code::RESTART, "the server stops").await
                }
            };
        }
        self.app.service.leave(&self.id, self.number, self.person).await;
    }

    /// Answers one message. `false` when the connection is over.
    async fn answer(&self, socket: &mut WebSocket, message: Message) -> bool {
        let text = match message {
            Message::Text(text) => text,
            Message::Close(_) => return false,
            // Answered by the socket itself.
            Message::Ping(_) | Message::Pong(_) => return true,
            Message::Binary(_) => {
                let refusal = ServiceError::BadRequest("Messages are text.".into());
                return send(socket, &refusal.message(None)).await;
            }
        };
        let (reference, acted) = self.act(&text).await;
        match acted {
            // The answer comes with all that is heard.
            Ok(true) => true,
            Ok(false) => send(socket, &json!({ "type": "done", "ref": reference })).await,
            Err(refusal) => send(socket, &refusal.message(reference)).await,
        }
    }

    async fn act(&self, text: &Utf8Bytes) -> (Option<i64>, Result<bool, ServiceError>) {
        if text.len() > LONGEST {
            return (None, Err(ServiceError::TooLarge));
        }
        let asked: ActionRequest = match serde_json::from_str(text) {
            Ok(asked) => asked,
            Err(why) => {
                let why = krieg_core::short_reason(format!("This is no message: {why}"));
                return (reference(text), Err(ServiceError::BadRequest(why)));
            }
        };
        let reference = asked.reference;
        if !self.app.limits.act(self.person) {
            return (reference, Err(ServiceError::TooMany));
        }
        let action = match asked.read() {
            Ok(action) => action,
            Err(refusal) => return (reference, Err(refusal)),
        };
        let actor = Some((self.number, reference));
        (reference, self.app.service.act(self.id.clone(), self.person, action, actor).await)
    }
}

/// The number of a message that is otherwise wrong.
fn reference(text: &str) -> Option<i64> {
    serde_json::from_str::<Value>(text).ok()?.get("ref")?.as_i64()
}

async fn send(socket: &mut WebSocket, message: &Value) -> bool {
    socket.send(Message::Text(message.to_string().into())).await.is_ok()
}

/// Ends a connection, with a reason.
async fn close(socket: &mut WebSocket, code: u16, why: &'static str) -> bool {
    let frame = axum::extract::ws::CloseFrame { code, reason: Utf8Bytes::from_static(why) };
    let _ = socket.send(Message::Close(Some(frame))).await;
    false
}
