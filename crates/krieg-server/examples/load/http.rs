//! Requests over HTTP/1.1: as much of it as it takes to begin games.

use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// No answer takes longer than this.
const PATIENCE: Duration = Duration::from_secs(30);
/// No answer has more in it than this.
const LARGEST: usize = 16 * 1024 * 1024;

/// Asks a server; connections that are free are used again.
pub struct Requests {
    address: SocketAddr,
    free: Mutex<Vec<BufReader<TcpStream>>>,
}

struct Answer {
    status: u16,
    body: Vec<u8>,
}

impl Requests {
    pub fn to(address: SocketAddr) -> Self {
        Requests { address, free: Mutex::default() }
    }

    /// Asks for something in JSON.
    pub async fn get(&self, path: &str, token: &str) -> Result<Value> {
        self.ask("GET", path, Some(token), "").await
    }

    /// Sends something in JSON.
    pub async fn post(&self, path: &str, token: Option<&str>, body: &Value) -> Result<Value> {
        self.ask("POST", path, token, &body.to_string()).await
    }

    /// Asks for a text.
    pub async fn text(&self, path: &str) -> Result<String> {
        let answer = self.exchange(&head("GET", path, None, "")).await?;
        if answer.status != 200 {
            bail!("{path} was answered with {}", answer.status);
        }
        Ok(String::from_utf8_lossy(&answer.body).into_owned())
    }

    async fn ask(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: &str,
    ) -> Result<Value> {
        let answer = self.exchange(&head(method, path, token, body)).await?;
        let text = String::from_utf8_lossy(&answer.body);
        if answer.status >= 300 {
            bail!("{method} {path} was answered with {}: {text}", answer.status);
        }
        serde_json::from_str(&text).with_context(|| format!("{method} {path}: {text:?} is no JSON"))
    }

    async fn exchange(&self, request: &str) -> Result<Answer> {
        let free = self.free.lock().expect("nobody panics with it").pop();
        let exchange = async {
            // The server may have gone since, and with it a connection that was free.
            if let Some(mut connection) = free
                && let Ok(answer) = exchange(&mut connection, request).await
            {
                return Ok((connection, answer));
            }
            let stream = TcpStream::connect(self.address).await?;
            stream.set_nodelay(true)?;
            let mut connection = BufReader::new(stream);
            let answer = exchange(&mut connection, request).await?;
            Ok::<_, anyhow::Error>((connection, answer))
        };
        let answered = tokio::time::timeout(PATIENCE, exchange).await;
        let (connection, answer) = answered.context("the server does not answer")??;
        self.free.lock().expect("nobody panics with it").push(connection);
        Ok(answer)
    }
}

/// A request as it is sent.
fn head(method: &str, path: &str, token: Option<&str>, body: &str) -> String {
    let who = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nHost: krieg\r\n{who}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

async fn exchange(connection: &mut BufReader<TcpStream>, request: &str) -> Result<Answer> {
    connection.get_mut().write_all(request.as_bytes()).await?;
    let mut line = String::new();
    connection.read_line(&mut line).await?;
    let status = line.split(' ').nth(1).and_then(|text| text.parse().ok());
    let status = status.with_context(|| format!("{line:?} begins no answer"))?;
    let mut length = 0;
    // More fields than a hundred are not sent.
    for _ in 0..100 {
        line.clear();
        connection.read_line(&mut line).await?;
        match line.trim_end().split_once(':') {
            None => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().with_context(|| format!("{line:?} is no length"))?;
            }
            Some(_) => {}
        }
    }
    if length > LARGEST {
        bail!("an answer of {length} bytes is too long");
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await?;
    Ok(Answer { status, body })
}
