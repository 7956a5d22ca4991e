//! A server in this process, and people who talk to it as any program would.

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

/// Nobody waits longer than this for anything.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server that is open.
pub struct House {
    pub address: SocketAddr,
    pub data: TempDir,
    stop: oneshot::Sender<()>,
    served: JoinHandle<anyhow::Result<()>>,
}

/// ServerConfig under which a test is never told to be slower.
pub fn generous(data: PathBuf) -> ServerConfig {
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

impl House {
    pub async fn open() -> Self {
        let data = tempfile::tempdir().unwrap();
        let settings = generous(data.path().to_path_buf());
        House::open_with(data, settings).await
    }

    pub async fn open_with(data: TempDir, settings: ServerConfig) -> Self {
        let server = Server::open(settings).await.unwrap();
        let address = server.address().unwrap();
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(server.serve(async move {
            let _ = stopped.await;
        }));
        House { address, data, stop, served }
    }

    /// Closes the house, and opens another with the same store.
    pub async fn again(self) -> Self {
        let _ = self.stop.send(());
        self.served.await.unwrap().unwrap();
        let settings = generous(self.data.path().to_path_buf());
        House::open_with(self.data, settings).await
    }

    /// Somebody nobody knows yet.
    pub fn stranger(&self) -> User {
        User { address: self.address, token: None, name: String::new(), id: 0 }
    }

    /// Somebody with a name.
    pub async fn guest(&self, name: &str) -> User {
        let mut person = self.stranger();
        let (status, signed_in) = person.post("/api/guest", json!({ "name": name })).await;
        assert_eq!(status, 200, "{signed_in}");
        person.token = Some(signed_in["token"].as_str().unwrap().to_string());
        person.name = name.to_string();
        person.id = signed_in["user"]["id"].as_i64().unwrap();
        person
    }
}

/// Somebody who sends requests.
#[derive(Clone)]
pub struct User {
    pub address: SocketAddr,
    pub token: Option<String>,
    pub name: String,
    pub id: i64,
}

impl User {
    /// Sends a request as it is, and reads the answer: its status, its headers and its body.
    pub async fn send(
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
            // Whoever sends too much may be cut off while he is at it.
            let _ = stream.write_all(body).await;
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer).await;
            String::from_utf8_lossy(&answer).into_owned()
        };
        let answer = tokio::time::timeout(PATIENCE, exchange).await.expect("an answer in time");
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, head.to_string(), body.to_string())
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        let (status, _, body) = self.send("GET", path, &[], b"").await;
        (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
    }

    pub async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        let headers = [("Content-Type", "application/json")];
        let (status, _, body) =
            self.send("POST", path, &headers, body.to_string().as_bytes()).await;
        (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
    }

    /// Begins a game, and says what it is called.
    pub async fn begin(&self, game: Value) -> String {
        let (status, begun) = self.post("/api/games", game).await;
        assert_eq!(status, 201, "{begun}");
        begun["game"]["id"].as_str().unwrap().to_string()
    }

    /// Sits down at a table, with a socket.
    pub async fn sit(&self, game: &str) -> Seat {
        self.try_to_sit(game).await.expect("a seat at the table")
    }

    pub async fn try_to_sit(&self, game: &str) -> Result<Seat, String> {
        let url = format!("ws://{}/api/games/{game}/ws", self.address);
        let mut request = url.into_client_request().unwrap();
        if let Some(token) = &self.token {
            let value = format!("Bearer {token}").parse().unwrap();
            request.headers_mut().insert("Authorization", value);
        }
        let (stream, _) = connect_async(request).await.map_err(|error| error.to_string())?;
        Ok(Seat { stream, received: Vec::new(), sent: 0 })
    }
}

/// Two people at a table, White first.
pub async fn two_people(house: &House, game: Value) -> (String, [User; 2]) {
    let [white, black] = [house.guest("Ann").await, house.guest("Bob").await];
    let mut game = game;
    game["color"] = "white".into();
    game["opponent"] = json!({ "kind": "lobby" });
    let id = white.begin(game).await;
    let (status, joined) = black.post(&format!("/api/games/{id}/join"), json!({})).await;
    assert_eq!(status, 200, "{joined}");
    (id, [white, black])
}

/// Somebody at a table, with a socket.
pub struct Seat {
    pub stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// Every message, byte by byte.
    pub received: Vec<String>,
    sent: i64,
}

impl Seat {
    /// The next message.
    pub async fn hear(&mut self) -> Value {
        self.hear_or_end().await.expect("the connection goes on")
    }

    /// The next message; nothing, when the connection is over.
    pub async fn hear_or_end(&mut self) -> Option<Value> {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.stream.next()).await;
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

    /// The next message of this type; others are passed over.
    pub async fn hear_a(&mut self, kind: &str) -> Value {
        loop {
            let message = self.hear().await;
            if message["type"] == kind {
                return message;
            }
        }
    }

    pub async fn say(&mut self, message: Value) {
        self.stream.send(Message::text(message.to_string())).await.unwrap();
    }

    /// Does something, and waits for the answer to it: what was heard, `done`, or an error.
    pub async fn act(&mut self, mut message: Value) -> Value {
        self.sent += 1;
        message["ref"] = self.sent.into();
        self.say(message).await;
        loop {
            let answer = self.hear().await;
            if answer["ref"] == self.sent {
                return answer;
            }
        }
    }

    pub async fn try_it(&mut self, tried: &str) -> Value {
        self.act(json!({ "action": "try", "try": tried })).await
    }
}
