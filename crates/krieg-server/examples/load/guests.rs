//! Guests, and the games that they create.

use std::sync::Arc;

use anyhow::{Context, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use krieg_core::Ruleset;
use serde_json::{Value, json};

use crate::http::HttpClient;
use crate::server::ServerProcess;

/// Number of concurrent requests.
const CONCURRENCY: usize = 32;

/// The token that identifies a guest.
pub type Token = Arc<str>;

/// A game between two guests.
#[derive(Debug, Clone)]
pub struct Game {
    pub id: String,
    /// The tokens of White and Black.
    pub tokens: [Token; 2],
    pub has_clock: bool,
}

/// All guests, and HTTP clients for their requests and for the metrics.
pub struct Guests {
    client: HttpClient,
    metrics: HttpClient,
    tokens: Vec<Token>,
}

impl Guests {
    /// Signs up a number of guests.
    pub async fn sign_up(server: &ServerProcess, count: usize) -> Result<Self> {
        let client = HttpClient::new(server.address());
        let metrics = HttpClient::new(server.metrics());
        let sign_up = async |number: usize| {
            let body = json!({ "name": format!("Load {number}") });
            let answer = client.post("/api/guest", None, &body).await?;
            let token = answer["token"].as_str().context("a guest received no token")?;
            // The server caches users by token; that memory is not counted as memory of games.
            client.get("/api/me", token).await?;
            Ok::<_, anyhow::Error>(Token::from(token))
        };
        let tokens =
            stream::iter(0..count).map(sign_up).buffered(CONCURRENCY).try_collect().await?;
        Ok(Guests { client, metrics, tokens })
    }

    /// Creates games. As long as there are enough guests, each game has two of its own.
    pub async fn create_games(&self, count: usize) -> Result<Vec<Game>> {
        let create = async |number: usize| {
            let pair = number % (self.tokens.len() / 2);
            let tokens = [self.tokens[2 * pair].clone(), self.tokens[2 * pair + 1].clone()];
            self.create_game(number, tokens).await
        };
        stream::iter(0..count).map(create).buffered(CONCURRENCY).try_collect().await
    }

    /// Creates a game by invitation, and joins it. The rulesets take turns, and every fourth game
    /// has a clock.
    async fn create_game(&self, number: usize, tokens: [Token; 2]) -> Result<Game> {
        let has_clock = number % 4 == 3;
        let settings = json!({
            "ruleset": Ruleset::ALL[number % Ruleset::ALL.len()].name,
            "control": if has_clock { "3600+5" } else { "none" },
            "color": "white",
            "opponent": { "kind": "invitation" },
        });
        let [white, black] = &tokens;
        let created = self.client.post("/api/games", Some(white), &settings).await?;
        let id = created["game"]["id"].as_str().context("a game has no id")?.to_string();
        let invitation = json!({ "invitation": created["invitation"] });
        self.client.post(&format!("/api/games/{id}/join"), Some(black), &invitation).await?;
        Ok(Game { id, tokens, has_clock })
    }

    /// Checks that games without connections have a status, `playing` or `over`. Returns the
    /// faults.
    pub async fn check_status(&self, games: &[Game], status: &str) -> Result<Vec<String>> {
        let check = async |game: &Game| {
            let path = format!("/api/games/{}/state", game.id);
            let fault = match self.client.get(&path, &game.tokens[0]).await {
                Err(error) => Some(format!("{error:#}")),
                Ok(state) if state["game"]["status"] == status => None,
                Ok(state) => Some(format!("game {} was {status}: {state}", game.id)),
            };
            Ok::<_, anyhow::Error>(fault)
        };
        let faults: Vec<Option<String>> =
            stream::iter(games).map(check).buffered(CONCURRENCY).try_collect().await?;
        Ok(faults.into_iter().flatten().collect())
    }

    /// The number of games in the server's memory, according to its metrics.
    pub async fn games_in_memory(&self) -> Result<u64> {
        Ok(self.metric("krieg_games_in_memory").await? as u64)
    }

    /// The mean time in milliseconds from judging a try to storing it on disk, according to the
    /// server's metrics.
    pub async fn mean_answer_ms(&self) -> Result<f64> {
        let seconds = self.metric("krieg_try_duration_seconds_sum").await?;
        let count = self.metric("krieg_try_duration_seconds_count").await?;
        Ok(seconds * 1e3 / count.max(1.0))
    }

    async fn metric(&self, name: &str) -> Result<f64> {
        let metrics = self.metrics.text("/metrics").await?;
        let value = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let value = value.with_context(|| format!("the metrics do not contain {name}"))?;
        value.parse().with_context(|| format!("{name} is {value:?}"))
    }
}

/// The text in a field of a JSON object; an empty text if there is none.
pub fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}
