//! One player of a game: a WebSocket, and everything that the server has sent over it.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use crate::guests::{Token, text};

/// Maximum time until a player is connected.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum time to read the rest of a broken connection.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);
/// Size of a socket's buffer in bytes. It is small, since this program has thousands of sockets.
const BUFFER_SIZE: usize = 4 * 1024;

/// What a player knows about the game.
#[derive(Debug, Default)]
pub struct PlayerState {
    /// All observations.
    pub log: Vec<Value>,
    pub view: Value,
    /// The clock, and when it was received.
    pub clock: Option<(Value, Instant)>,
    /// The status of the game: `playing`, `over`, …
    pub status: String,
    /// The id of the rematch.
    pub rematch: Option<String>,
}

impl PlayerState {
    pub fn is_over(&self) -> bool {
        self.status == "over"
    }
}

/// A player with a connection.
#[derive(Debug)]
pub struct PlayerClient {
    /// `white` or `black`.
    pub color: &'static str,
    pub state: PlayerState,
    socket: WebSocketStream<TcpStream>,
}

/// A message of the server.
#[derive(Debug)]
pub enum Received {
    /// The reply to the request with this number: success, or the code of an error.
    Reply(i64, Result<(), String>),
    Other,
}

impl PlayerClient {
    /// Connects to a game, and receives its state.
    pub async fn connect(
        address: SocketAddr,
        game: &str,
        token: &Token,
        color: &'static str,
    ) -> Result<Self> {
        let connecting = async {
            let socket = open_socket(address, game, token).await?;
            let mut client = PlayerClient { color, state: PlayerState::default(), socket };
            client.receive().await?;
            if client.state.log.is_empty() {
                bail!("the first message in game {game} is not its state");
            }
            Ok(client)
        };
        let result = tokio::time::timeout(CONNECT_TIMEOUT, connecting).await;
        result.context("the server does not send the state of the game")?
    }

    pub async fn send(&mut self, message: &Value) -> Result<()> {
        Ok(self.socket.send(Message::Text(message.to_string().into())).await?)
    }

    /// Receives the next message. If the future is dropped, no message is lost.
    pub async fn receive(&mut self) -> Result<Received> {
        let message = self.socket.next().await.context("the connection was closed")??;
        match message {
            Message::Text(text) => self.apply(&text),
            Message::Close(reason) => bail!("the server closed the connection: {reason:?}"),
            _ => Ok(Received::Other),
        }
    }

    /// Updates the state with a message.
    fn apply(&mut self, json: &str) -> Result<Received> {
        let mut message: Value = serde_json::from_str(json).with_context(|| format!("{json:?}"))?;
        let state = &mut self.state;
        if message["clock"].is_object() {
            state.clock = Some((message["clock"].take(), Instant::now()));
        }
        if let Some(rematch) = message["rematch"]["game"].as_str() {
            state.rematch = Some(rematch.to_string());
        }
        match text(&message, "type") {
            "state" => {
                state.log = serde_json::from_value(message["log"].take())?;
                state.view = message["view"].take();
                state.status = text(&message["game"], "status").to_string();
            }
            "observation" => {
                let observation = message["observation"].take();
                let count = state.log.len();
                if observation["n"] != count {
                    bail!("{} had {count} observations, then received {observation}", self.color);
                }
                state.log.push(observation);
                state.view = message["view"].take();
            }
            "over" => state.status = "over".to_string(),
            "status" | "done" | "error" => {}
            _ => bail!("unknown message: {json:?}"),
        }
        let Some(reference) = message["ref"].as_i64() else { return Ok(Received::Other) };
        let is_error = message["type"] == "error";
        let result = if is_error { Err(text(&message, "code").to_string()) } else { Ok(()) };
        Ok(Received::Reply(reference, result))
    }

    /// Whether it is this player's turn, as far as the player knows.
    pub fn is_to_move(&self) -> bool {
        self.state.view["turn"] == self.color
    }

    /// Receives the messages that were in transit when the connection broke. Returns the numbers
    /// of the requests that they reply to.
    pub async fn drain(&mut self) -> Vec<i64> {
        let mut replies = Vec::new();
        let draining = async {
            while let Ok(received) = self.receive().await {
                if let Received::Reply(reference, _) = received {
                    replies.push(reference);
                }
            }
        };
        // A connection that does not end is given up.
        let _ = tokio::time::timeout(DRAIN_TIMEOUT, draining).await;
        replies
    }
}

async fn open_socket(
    address: SocketAddr,
    game: &str,
    token: &Token,
) -> Result<WebSocketStream<TcpStream>> {
    let mut request = format!("ws://{address}/api/games/{game}/ws").into_client_request()?;
    request.headers_mut().insert("Authorization", format!("Bearer {token}").parse()?);
    let stream = TcpStream::connect(address).await.context("cannot connect to the server")?;
    stream.set_nodelay(true)?;
    let config = WebSocketConfig::default().read_buffer_size(BUFFER_SIZE);
    let connected =
        tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await;
    Ok(connected.with_context(|| format!("cannot open the WebSocket of game {game}"))?.0)
}
