//! Guests, and the games that they begin with each other.

use std::sync::Arc;

use anyhow::{Context, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use krieg_core::Ruleset;
use serde_json::{Value, json};

use crate::http::Requests;
use crate::server::Server;

/// So many requests are under way at once.
const AT_ONCE: usize = 32;

/// What a guest shows for his name.
pub type Token = Arc<str>;

/// A game that was begun: whose it is, White first, and whether there is a clock.
#[derive(Debug, Clone)]
pub struct Game {
    pub id: String,
    pub tokens: [Token; 2],
    pub has_clock: bool,
}

/// The guests, and where they ask.
pub struct Lobby {
    requests: Requests,
    counted: Requests,
    guests: Vec<Token>,
}

impl Lobby {
    /// So many guests sign up.
    pub async fn open(server: &Server, guests: usize) -> Result<Self> {
        let (requests, counted) = (Requests::to(server.address()), Requests::to(server.counted()));
        let sign_up = async |number: usize| {
            let body = json!({ "name": format!("Load {number}") });
            let answer = requests.post("/api/guest", None, &body).await?;
            let token = answer["token"].as_str().context("a guest got no token")?;
            // What a server needs to know people by their tokens is not what a game costs.
            requests.get("/api/me", token).await?;
            Ok::<_, anyhow::Error>(Token::from(token))
        };
        let guests = stream::iter(0..guests).map(sign_up).buffered(AT_ONCE).try_collect().await?;
        Ok(Lobby { requests, counted, guests })
    }

    /// Begins so many games. Each of the first has two guests of its own.
    pub async fn begin(&self, games: usize) -> Result<Vec<Game>> {
        let begin = async |number: usize| {
            let pair = number % (self.guests.len() / 2);
            let tokens = [self.guests[2 * pair].clone(), self.guests[2 * pair + 1].clone()];
            self.begin_one(number, tokens).await
        };
        stream::iter(0..games).map(begin).buffered(AT_ONCE).try_collect().await
    }

    /// One makes an invitation, the other joins. All rulesets in turn; every fourth game has a clock.
    async fn begin_one(&self, number: usize, tokens: [Token; 2]) -> Result<Game> {
        let has_clock = number % 4 == 3;
        let wanted = json!({
            "ruleset": Ruleset::ALL[number % Ruleset::ALL.len()].name,
            "control": if has_clock { "3600+5" } else { "none" },
            "color": "white",
            "opponent": { "kind": "invitation" },
        });
        let [white, black] = &tokens;
        let begun = self.requests.post("/api/games", Some(white), &wanted).await?;
        let id = begun["game"]["id"].as_str().context("a game has no id")?.to_string();
        let link = json!({ "invitation": begun["invitation"] });
        self.requests.post(&format!("/api/games/{id}/join"), Some(black), &link).await?;
        Ok(Game { id, tokens, has_clock })
    }

    /// Whether games at which nobody sits are still there, `playing` or `over`: what is wrong with them.
    pub async fn look_after(&self, games: &[Game], status: &str) -> Result<Vec<String>> {
        let look = async |game: &Game| {
            let path = format!("/api/games/{}/state", game.id);
            let wrong = match self.requests.get(&path, &game.tokens[0]).await {
                Err(error) => Some(format!("{error:#}")),
                Ok(state) if state["game"]["status"] == status => None,
                Ok(state) => Some(format!("game {} was {status}: {state}", game.id)),
            };
            Ok::<_, anyhow::Error>(wrong)
        };
        let looked: Vec<Option<String>> =
            stream::iter(games).map(look).buffered(AT_ONCE).try_collect().await?;
        Ok(looked.into_iter().flatten().collect())
    }

    /// How many games the server says it has in memory.
    pub async fn games_in_memory(&self) -> Result<u64> {
        Ok(self.metric("krieg_games_in_memory").await? as u64)
    }

    /// How long the server itself says that its answers took, from hearing a try to having it on disk, in the mean.
    pub async fn mean_answer_ms(&self) -> Result<f64> {
        let seconds = self.metric("krieg_try_duration_seconds_sum").await?;
        let count = self.metric("krieg_try_duration_seconds_count").await?;
        Ok(seconds * 1e3 / count.max(1.0))
    }

    async fn metric(&self, name: &str) -> Result<f64> {
        let metrics = self.counted.text("/metrics").await?;
        let value = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let value = value.with_context(|| format!("there is no {name} in the metrics"))?;
        value.parse().with_context(|| format!("{name} is {value:?}"))
    }
}

/// The text in a field.
pub fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}
