//! A minimal HTTP/1.1 client: just what is needed to create games.

use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// Maximum time until a response is complete.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum size of a response body in bytes.
const MAX_BODY: usize = 16 * 1024 * 1024;
/// Maximum number of header fields of a response.
const MAX_FIELDS: usize = 100;

/// Sends requests to one server, and reuses idle connections.
pub struct HttpClient {
    address: SocketAddr,
    idle: Mutex<Vec<BufReader<TcpStream>>>,
}

struct Response {
    status: u16,
    body: Vec<u8>,
}

impl HttpClient {
    pub fn new(address: SocketAddr) -> Self {
        HttpClient { address, idle: Mutex::default() }
    }

    /// Gets JSON.
    pub async fn get(&self, path: &str, token: &str) -> Result<Value> {
        self.json("GET", path, Some(token), "").await
    }

    /// Posts JSON, and returns the JSON of the response.
    pub async fn post(&self, path: &str, token: Option<&str>, body: &Value) -> Result<Value> {
        self.json("POST", path, token, &body.to_string()).await
    }

    /// Gets plain text.
    pub async fn text(&self, path: &str) -> Result<String> {
        let response = self.send(&request("GET", path, None, "")).await?;
        if response.status != 200 {
            bail!("{path}: status {}", response.status);
        }
        Ok(String::from_utf8_lossy(&response.body).into_owned())
    }

    async fn json(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: &str,
    ) -> Result<Value> {
        let response = self.send(&request(method, path, token, body)).await?;
        let text = String::from_utf8_lossy(&response.body);
        if response.status >= 300 {
            bail!("{method} {path}: status {}: {text}", response.status);
        }
        serde_json::from_str(&text).with_context(|| format!("{method} {path}: not JSON: {text:?}"))
    }

    async fn send(&self, request: &str) -> Result<Response> {
        let idle = self.idle.lock().expect("the lock is not poisoned").pop();
        let exchange = async {
            // The server may have closed an idle connection; then a new one is used.
            if let Some(mut connection) = idle
                && let Ok(response) = exchange(&mut connection, request).await
            {
                return Ok((connection, response));
            }
            let stream = TcpStream::connect(self.address).await?;
            stream.set_nodelay(true)?;
            let mut connection = BufReader::new(stream);
            let response = exchange(&mut connection, request).await?;
            Ok::<_, anyhow::Error>((connection, response))
        };
        let result = tokio::time::timeout(TIMEOUT, exchange).await;
        let (connection, response) = result.context("the server does not answer")??;
        self.idle.lock().expect("the lock is not poisoned").push(connection);
        Ok(response)
    }
}

/// The text of a request.
fn request(method: &str, path: &str, token: Option<&str>, body: &str) -> String {
    let authorization =
        token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nHost: krieg\r\n{authorization}\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

async fn exchange(connection: &mut BufReader<TcpStream>, request: &str) -> Result<Response> {
    connection.get_mut().write_all(request.as_bytes()).await?;
    let mut line = String::new();
    connection.read_line(&mut line).await?;
    let status = line.split(' ').nth(1).and_then(|text| text.parse().ok());
    let status = status.with_context(|| format!("not an HTTP response: {line:?}"))?;
    let mut length = 0;
    for _ in 0..MAX_FIELDS {
        line.clear();
        connection.read_line(&mut line).await?;
        match line.trim_end().split_once(':') {
            None => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().with_context(|| format!("not a length: {line:?}"))?;
            }
            Some(_) => {}
        }
    }
    if length > MAX_BODY {
        bail!("a response of {length} bytes is too long");
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await?;
    Ok(Response { status, body })
}
