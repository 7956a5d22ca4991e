//! One player at a table: his socket, and all that he was told.

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

use crate::games::{Token, text};

/// Nobody waits longer than this to be let in.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a player was told of his game.
#[derive(Debug, Default)]
pub struct Known {
    /// Every line he heard.
    pub log: Vec<Value>,
    /// His view.
    pub seen: Value,
    /// The clock, and when he was told.
    pub clock: Option<(Value, Instant)>,
    /// How the game stands: `playing`, `over`, …
    pub status: String,
    /// The rematch.
    pub next_game: Option<String>,
}

impl Known {
    pub fn is_over(&self) -> bool {
        self.status == "over"
    }
}

/// A player with a socket.
#[derive(Debug)]
pub struct Seat {
    /// `white` or `black`.
    pub color: &'static str,
    pub known: Known,
    socket: WebSocketStream<TcpStream>,
}

/// What a message was.
#[derive(Debug)]
pub enum Told {
    /// The answer to what was sent with this number: done, or an error's code.
    Answer(i64, Result<(), String>),
    /// Something else.
    Other,
}

impl Seat {
    /// Comes to a table, and is told everything.
    pub async fn sit_down(
        address: SocketAddr,
        game: &str,
        token: &Token,
        color: &'static str,
    ) -> Result<Self> {
        let come = async {
            let socket = connect(address, game, token).await?;
            let mut seat = Seat { color, known: Known::default(), socket };
            seat.next().await?;
            if seat.known.log.is_empty() {
                bail!("the first message at game {game} tells of no game");
            }
            Ok(seat)
        };
        tokio::time::timeout(PATIENCE, come).await.context("nobody lets me in")?
    }

    pub async fn send(&mut self, message: &Value) -> Result<()> {
        Ok(self.socket.send(Message::Text(message.to_string().into())).await?)
    }

    /// The next message. Whoever stops waiting for it loses nothing.
    pub async fn next(&mut self) -> Result<Told> {
        let message = self.socket.next().await.context("the connection ended")??;
        match message {
            Message::Text(text) => self.take(&text),
            Message::Close(reason) => bail!("the server closed the connection: {reason:?}"),
            _ => Ok(Told::Other),
        }
    }

    fn take(&mut self, told: &str) -> Result<Told> {
        let mut message: Value = serde_json::from_str(told).with_context(|| format!("{told:?}"))?;
        let known = &mut self.known;
        if message["clock"].is_object() {
            known.clock = Some((message["clock"].take(), Instant::now()));
        }
        if let Some(next) = message["rematch"]["game"].as_str() {
            known.next_game = Some(next.to_string());
        }
        match text(&message, "type") {
            "state" => {
                known.log = serde_json::from_value(message["log"].take())?;
                known.seen = message["view"].take();
                known.status = text(&message["game"], "status").to_string();
            }
            "observation" => {
                let line = message["observation"].take();
                if line["n"] != known.log.len() {
                    bail!("{} heard {} lines, and then {line}", self.color, known.log.len());
                }
                known.log.push(line);
                known.seen = message["view"].take();
            }
            "over" => known.status = "over".to_string(),
            "status" | "done" | "error" => {}
            _ => bail!("{told:?} is no message"),
        }
        let Some(reference) = message["ref"].as_i64() else { return Ok(Told::Other) };
        let is_error = message["type"] == "error";
        let result = if is_error { Err(text(&message, "code").to_string()) } else { Ok(()) };
        Ok(Told::Answer(reference, result))
    }

    /// Whether it is his turn, as far as he knows.
    pub fn is_to_move(&self) -> bool {
        self.known.seen["turn"] == self.color
    }

    /// Everything that was on its way to him when the connection broke: the answers in it.
    pub async fn hear_the_rest(&mut self) -> Vec<i64> {
        let mut answers = Vec::new();
        let rest = async {
            while let Ok(told) = self.next().await {
                if let Told::Answer(reference, _) = told {
                    answers.push(reference);
                }
            }
        };
        // A connection that does not end is not waited for.
        let _ = tokio::time::timeout(Duration::from_secs(2), rest).await;
        answers
    }
}

async fn connect(
    address: SocketAddr,
    game: &str,
    token: &Token,
) -> Result<WebSocketStream<TcpStream>> {
    let mut request = format!("ws://{address}/api/games/{game}/ws").into_client_request()?;
    request.headers_mut().insert("Authorization", format!("Bearer {token}").parse()?);
    let stream = TcpStream::connect(address).await.context("no connection")?;
    stream.set_nodelay(true)?;
    // A thousand sockets should not take more memory here than the server does.
    let config = WebSocketConfig::default().read_buffer_size(4 * 1024);
    let connected =
        tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await;
    Ok(connected.with_context(|| format!("no socket at game {game}"))?.0)
}
