//! A server in this process, and clients that use it as any program would.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use krieg_server::{Server, ServerConfig};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// A test fails if it waits longer than this for a response or a message.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A running server.
pub struct TestServer {
    pub address: SocketAddr,
    pub data: TempDir,
    stop: oneshot::Sender<()>,
    served: JoinHandle<anyhow::Result<()>>,
}

/// A configuration with rate limits that tests do not reach.
pub fn without_limits(data: PathBuf) -> ServerConfig {
    ServerConfig {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        data,
        bot_threads: 2,
        sign_ups: (100_000, 100_000),
        actions: (100_000, 100_000),
        questions: (100_000, 100_000),
        sockets: 10_000,
        ..ServerConfig::default()
    }
}

impl TestServer {
    pub async fn open() -> Self {
        let data = tempfile::tempdir().unwrap();
        let config = without_limits(data.path().to_path_buf());
        TestServer::open_with(data, config).await
    }

    pub async fn open_with(data: TempDir, config: ServerConfig) -> Self {
        let server = Server::open(config).await.unwrap();
        let address = server.address().unwrap();
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(server.serve(async move {
            let _ = stopped.await;
        }));
        TestServer { address, data, stop, served }
    }

    /// Stops the server, and starts another one with the same database.
    pub async fn restart(self) -> Self {
        let _ = self.stop.send(());
        self.served.await.unwrap().unwrap();
        let config = without_limits(self.data.path().to_path_buf());
        TestServer::open_with(self.data, config).await
    }

    /// A client without a user.
    pub fn anonymous(&self) -> Client {
        Client { address: self.address, token: None, name: String::new(), id: 0 }
    }

    /// A client with a guest.
    pub async fn guest(&self, name: &str) -> Client {
        let mut client = self.anonymous();
        let (status, session) = client.post("/api/guest", json!({ "name": name })).await;
        assert_eq!(status, 200, "{session}");
        client.token = Some(session["token"].as_str().unwrap().to_string());
        client.name = name.to_string();
        client.id = session["user"]["id"].as_i64().unwrap();
        client
    }
}

/// A client that sends requests.
#[derive(Clone)]
pub struct Client {
    pub address: SocketAddr,
    pub token: Option<String>,
    pub name: String,
    pub id: i64,
}

impl Client {
    /// Sends a request, and returns the status, the head and the body of the response.
    pub async fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> (u16, String, String) {
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n",
            self.address,
            body.len()
        );
        if let Some(token) = &self.token {
            head += &format!("Authorization: Bearer {token}\r\n");
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += "\r\n";
        let exchange = async {
            let mut stream = TcpStream::connect(self.address).await.unwrap();
            stream.write_all(head.as_bytes()).await.unwrap();
            // The server may close the connection in the middle of a body that is too large.
            let _ = stream.write_all(body).await;
            let mut response = Vec::new();
            let _ = stream.read_to_end(&mut response).await;
            String::from_utf8_lossy(&response).into_owned()
        };
        let response = tokio::time::timeout(TIMEOUT, exchange).await.expect("a response in time");
        let (head, body) = response.split_once("\r\n\r\n").unwrap_or((&response, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, head.to_string(), body.to_string())
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        let (status, _, body) = self.request("GET", path, &[], b"").await;
        (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
    }

    pub async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        let headers = [("Content-Type", "application/json")];
        let (status, _, body) =
            self.request("POST", path, &headers, body.to_string().as_bytes()).await;
        (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
    }

    /// Creates a game, and returns its id.
    pub async fn create_game(&self, game: Value) -> String {
        let (status, created) = self.post("/api/games", game).await;
        assert_eq!(status, 201, "{created}");
        created["game"]["id"].as_str().unwrap().to_string()
    }

    /// Connects to a game.
    pub async fn connect(&self, game: &str) -> Connection {
        self.try_connect(game).await.expect("a connection to the game")
    }

    pub async fn try_connect(&self, game: &str) -> Result<Connection, String> {
        let url = format!("ws://{}/api/games/{game}/ws", self.address);
        let mut request = url.into_client_request().unwrap();
        if let Some(token) = &self.token {
            let value = format!("Bearer {token}").parse().unwrap();
            request.headers_mut().insert("Authorization", value);
        }
        let (stream, _) = connect_async(request).await.map_err(|error| error.to_string())?;
        Ok(Connection { stream, received: Vec::new(), sent: 0 })
    }
}

/// A game between two guests, White first.
pub async fn two_players(server: &TestServer, game: Value) -> (String, [Client; 2]) {
    let [white, black] = [server.guest("Ann").await, server.guest("Bob").await];
    let mut game = game;
    game["color"] = "white".into();
    game["opponent"] = json!({ "kind": "lobby" });
    let id = white.create_game(game).await;
    let (status, joined) = black.post(&format!("/api/games/{id}/join"), json!({})).await;
    assert_eq!(status, 200, "{joined}");
    (id, [white, black])
}

/// A client's connection to a game.
pub struct Connection {
    pub stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The text of every received message.
    pub received: Vec<String>,
    sent: i64,
}

impl Connection {
    /// The next message.
    pub async fn receive(&mut self) -> Value {
        self.receive_or_end().await.expect("the connection is open")
    }

    /// The next message, or `None` if the connection was closed.
    pub async fn receive_or_end(&mut self) -> Option<Value> {
        loop {
            let next = tokio::time::timeout(TIMEOUT, self.stream.next()).await;
            match next.expect("a message in time")? {
                Ok(Message::Text(text)) => {
                    self.received.push(text.to_string());
                    return Some(serde_json::from_str(&text).unwrap());
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next message of this type. Other messages are skipped.
    pub async fn receive_type(&mut self, kind: &str) -> Value {
        loop {
            let message = self.receive().await;
            if message["type"] == kind {
                return message;
            }
        }
    }

    pub async fn send(&mut self, message: Value) {
        self.stream.send(Message::text(message.to_string())).await.unwrap();
    }

    /// Sends a command, and returns the reply: an observation, `done`, or an error.
    pub async fn command(&mut self, mut message: Value) -> Value {
        self.sent += 1;
        message["ref"] = self.sent.into();
        self.send(message).await;
        loop {
            let reply = self.receive().await;
            if reply["ref"] == self.sent {
                return reply;
            }
        }
    }

    pub async fn try_move(&mut self, tried: &str) -> Value {
        self.command(json!({ "action": "try", "try": tried })).await
    }
}
