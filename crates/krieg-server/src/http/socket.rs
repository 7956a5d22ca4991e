//! Playing over a WebSocket.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::{Value, json};

use super::App;
use super::body::bad_request;
use super::client::Client;
use super::error::error_message;
use super::play::CommandRequest;
use crate::domain::CommandSource;
use crate::service::ServiceError;

/// Maximum size of a command in bytes. A longer message is answered with an error.
const MAX_COMMAND: usize = 4 * 1024;
/// Maximum size of a message in bytes. A longer message ends the connection.
const MAX_MESSAGE: usize = 64 * 1024;
/// The size of a socket's read buffer in bytes. Messages are short, and there may be thousands of
/// sockets.
const READ_BUFFER: usize = 4 * 1024;
/// The time between pings. Broken connections are not always reported.
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// A connection from which nothing was received for this long is closed.
const TIMEOUT: Duration = Duration::from_secs(70);

/// Connect to a game.
#[utoipa::path(get, path = "/api/games/{id}/ws", params(("id" = String, Path)),
    responses((status = 101, description = "Messages as in docs/api.md")))]
pub async fn open(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ServiceError> {
    let upgrade = upgrade.map_err(|rejection| bad_request(rejection.body_text()))?;
    let user = client.require_user()?.id;
    let guard = app.limits.open_socket(client.address).ok_or(ServiceError::RateLimited)?;
    // Users who do not play in the game get a response with an error, and no socket.
    app.service.check_player(&id, user).await?;
    let upgrade = upgrade
        .max_message_size(MAX_MESSAGE)
        .max_frame_size(MAX_MESSAGE)
        .read_buffer_size(READ_BUFFER);
    Ok(upgrade.on_upgrade(move |socket| async move {
        app.metrics.add_sockets(1);
        Connection { app: app.clone(), game: id, user, number: next_number() }.serve(socket).await;
        app.metrics.add_sockets(-1);
        drop(guard);
    }))
}

fn next_number() -> u64 {
    static CONNECTIONS: AtomicU64 = AtomicU64::new(1);
    CONNECTIONS.fetch_add(1, Ordering::Relaxed)
}

/// A player's connection to a game.
struct Connection {
    app: App,
    game: String,
    user: i64,
    number: u64,
}

impl Connection {
    async fn serve(self, mut socket: WebSocket) {
        let service = &self.app.service;
        let subscribed = service.subscribe(&self.game, self.user, self.number).await;
        let Ok((state, mut messages)) = subscribed else { return };
        let mut shutdown = self.app.shutdown.clone();
        let mut is_open = send(&mut socket, &state).await;
        let mut pings = tokio::time::interval(PING_INTERVAL);
        let mut received_at = Instant::now();
        while is_open {
            is_open = tokio::select! {
                message = messages.recv() => match message {
                    Some(text) => socket.send(Message::Text((&*text).into())).await.is_ok(),
                    // The client did not keep up, or the session is reloaded. After reconnecting,
                    // the client receives the state.
                    None => close(&mut socket, close_code::AGAIN, "please reconnect").await,
                },
                received = socket.recv() => match received {
                    Some(Ok(message)) => {
                        received_at = Instant::now();
                        self.answer(&mut socket, message).await
                    }
                    _ => false,
                },
                _ = pings.tick() => {
                    let ping = Message::Ping(Bytes::new());
                    received_at.elapsed() < TIMEOUT && socket.send(ping).await.is_ok()
                }
                _ = shutdown.changed() => {
                    close(&mut socket, close_code::RESTART, "the server is stopping").await
                }
            };
        }
        service.unsubscribe(&self.game, self.user, self.number).await;
    }

    /// Answers a message. `false` if the connection is over.
    async fn answer(&self, socket: &mut WebSocket, message: Message) -> bool {
        let text = match message {
            Message::Text(text) => text,
            Message::Close(_) => return false,
            // The WebSocket library answers pings.
            Message::Ping(_) | Message::Pong(_) => return true,
            Message::Binary(_) => {
                let error = ServiceError::BadRequest("Messages must be text.".into());
                return send(socket, &error_message(&error, None)).await;
            }
        };
        let (reference, result) = self.execute(&text).await;
        match result {
            // The reply is the observation, which comes with the other messages of the game.
            Ok(true) => true,
            Ok(false) => send(socket, &json!({ "type": "done", "ref": reference })).await,
            Err(error) => send(socket, &error_message(&error, reference)).await,
        }
    }

    /// Carries out a command. Returns the client's number for it, and whether the reply is among
    /// the messages of the game.
    async fn execute(&self, text: &str) -> (Option<i64>, Result<bool, ServiceError>) {
        if text.len() > MAX_COMMAND {
            return (None, Err(ServiceError::TooLarge));
        }
        let CommandRequest { reference, command } = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => {
                let error = bad_request(format!("The message is not a command: {error}"));
                return (reference_of(text), Err(error));
            }
        };
        if !self.app.limits.allows_action(self.user) {
            return (reference, Err(ServiceError::RateLimited));
        }
        let source = CommandSource { connection: self.number, reference };
        let service = &self.app.service;
        // A connection's task ends only between commands, so the command needs no task of its own.
        (reference, service.execute_in_place(&self.game, self.user, command, Some(source)).await)
    }
}

/// The client's number for a malformed command.
fn reference_of(text: &str) -> Option<i64> {
    serde_json::from_str::<Value>(text).ok()?.get("ref")?.as_i64()
}

async fn send(socket: &mut WebSocket, message: &Value) -> bool {
    socket.send(Message::Text(message.to_string().into())).await.is_ok()
}

/// Closes a connection. Returns `false`, because it is over.
async fn close(socket: &mut WebSocket, code: u16, reason: &'static str) -> bool {
    let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
    let _ = socket.send(Message::Close(Some(frame))).await;
    false
}
