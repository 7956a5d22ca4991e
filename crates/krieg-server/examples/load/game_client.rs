//! Both players of one game. The player to move makes random tries, at a fixed rate.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use crate::check::{self, Comparison, Outage};
use crate::guests::Game;
use crate::measurements::Measurements;
use crate::player_client::{PlayerClient, Received};

/// Maximum time until the server answers.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum delay that a game catches up with. A longer delay is forgotten.
const MAX_BACKLOG: Duration = Duration::from_secs(1);
/// One of so many tries is the question "any?" if it may be asked.
const ANY_INTERVAL: u32 = 5;
const COLORS: [&str; 2] = ["white", "black"];

/// A try that the server has not answered yet.
#[derive(Debug)]
pub struct PendingTry {
    pub color: &'static str,
    pub text: String,
    reference: i64,
}

/// A game with the connections of both players.
pub struct GameClient {
    address: SocketAddr,
    game: Game,
    players: [PlayerClient; 2],
    pending: Option<PendingTry>,
    /// The number of requests so far.
    references: i64,
    rng: SmallRng,
    /// The time between tries, and when the next one is due.
    interval: Duration,
    due: Instant,
    /// When a move was sent that the opponent has not received yet.
    moved_at: Option<Instant>,
    /// Previous games that are over.
    pub finished: Vec<Game>,
    /// The measurements since they were last taken.
    pub measurements: Measurements,
    /// When and why the connection broke.
    pub broken: Option<(Instant, String)>,
}

impl GameClient {
    /// Connects both players.
    pub async fn connect(
        address: SocketAddr,
        game: Game,
        interval: Duration,
        seed: u64,
    ) -> Result<Self> {
        Ok(GameClient {
            address,
            players: connect_players(address, &game).await?,
            game,
            pending: None,
            references: 0,
            rng: SmallRng::seed_from_u64(seed),
            interval,
            due: Instant::now(),
            moved_at: None,
            finished: Vec::new(),
            measurements: Measurements::default(),
            broken: None,
        })
    }

    pub fn id(&self) -> &str {
        &self.game.id
    }

    /// Plays until a time, or until the connection breaks.
    pub async fn play(&mut self, until: Instant) {
        (self.broken, self.moved_at) = (None, None);
        // The games start at different times within the interval.
        self.due = Instant::now() + self.interval.mul_f64(self.rng.random_range(0.0..1.0));
        if let Err(error) = self.play_connected(until).await {
            self.broken = Some((Instant::now(), format!("game {}: {error:#}", self.game.id)));
            self.drain().await;
        }
    }

    async fn play_connected(&mut self, until: Instant) -> Result<()> {
        while Instant::now() < until {
            if self.players.iter().all(|player| player.state.is_over()) {
                self.start_rematch().await?;
            }
            match self.players.iter().position(PlayerClient::is_to_move) {
                Some(mover) => {
                    if let Some(sent_at) = self.moved_at.take() {
                        self.measurements.add_received_by_both(sent_at.elapsed());
                    }
                    self.receive_until(self.due.min(until)).await?;
                    if Instant::now() < until {
                        self.make_try(mover).await?;
                    }
                }
                // One player has moved, and the opponent has not received it yet.
                None => drop(self.receive().await?),
            }
        }
        Ok(())
    }

    /// Receives the next message of either player, with the index of the player.
    async fn receive(&mut self) -> Result<(usize, Received)> {
        let [white, black] = &mut self.players;
        let receive = async {
            tokio::select! {
                received = white.receive() => Ok((0, received?)),
                received = black.receive() => Ok((1, received?)),
            }
        };
        tokio::time::timeout(TIMEOUT, receive).await.context("the server sends no message")?
    }

    async fn receive_until(&mut self, until: Instant) -> Result<()> {
        while Instant::now() < until {
            tokio::select! {
                received = self.receive() => drop(received?),
                () = tokio::time::sleep_until(until.into()) => {}
            }
        }
        Ok(())
    }

    /// Makes a try, or asks "any?", and waits for the answer.
    async fn make_try(&mut self, mover: usize) -> Result<()> {
        let text = self.choose_try(mover)?;
        let sent_at = Instant::now();
        let due = if self.interval.is_zero() { sent_at } else { self.due.min(sent_at) };
        let color = self.players[mover].color;
        let reference = self.references + 1;
        self.pending = Some(PendingTry { color, text: text.clone(), reference });
        let result = self.request(mover, json!({ "action": "try", "try": text })).await?;
        self.pending = None;
        let now = Instant::now();
        self.measurements.add_answer(now - sent_at, now - due, result);
        self.moved_at = (!self.players[mover].is_to_move()).then_some(sent_at);
        self.due = (due + self.interval).max(now.checked_sub(MAX_BACKLOG).unwrap_or(now));
        Ok(())
    }

    /// Sends a request, and waits for the reply.
    async fn request(
        &mut self,
        player: usize,
        mut message: serde_json::Value,
    ) -> Result<Result<(), String>> {
        self.references += 1;
        let reference = self.references;
        message["ref"] = reference.into();
        self.players[player].send(&message).await?;
        let reply = async {
            loop {
                match self.receive().await? {
                    (from, Received::Reply(to, result)) if from == player && to == reference => {
                        return Ok(result);
                    }
                    _ => {}
                }
            }
        };
        tokio::time::timeout(TIMEOUT, reply)
            .await
            .with_context(|| format!("no reply to {message}"))?
    }

    fn choose_try(&mut self, mover: usize) -> Result<String> {
        let view = &self.players[mover].state.view;
        if view["may_ask"] == true && self.rng.random_range(0..ANY_INTERVAL) == 0 {
            return Ok("any?".to_string());
        }
        let tries = view["tries"].as_array().filter(|tries| !tries.is_empty());
        let tries = tries.with_context(|| format!("the view has no tries: {view}"))?;
        let chosen = tries[self.rng.random_range(0..tries.len())].as_str();
        Ok(chosen.context("a try is not a text")?.to_string())
    }

    /// Starts a rematch, to which both players agree.
    async fn start_rematch(&mut self) -> Result<()> {
        self.measurements.games_over += 1;
        for player in 0..2 {
            if self.players[player].state.rematch.is_none() {
                let result = self.request(player, json!({ "action": "rematch" })).await?;
                self.measurements.count_error(result);
            }
        }
        let rematch_created = async {
            while self.players[0].state.rematch.is_none() {
                self.receive().await?;
            }
            Ok::<_, anyhow::Error>(())
        };
        tokio::time::timeout(TIMEOUT, rematch_created).await.context("there is no rematch")??;
        let [white, black] = self.game.tokens.clone();
        let id = self.players[0].state.rematch.clone().unwrap_or_default();
        let game = Game { id, tokens: [black, white], has_clock: self.game.has_clock };
        self.players = connect_players(self.address, &game).await?;
        self.finished.push(std::mem::replace(&mut self.game, game));
        self.moved_at = None;
        Ok(())
    }

    /// Receives what was in transit when the connection broke.
    async fn drain(&mut self) {
        for player in &mut self.players {
            let replies = player.drain().await;
            let is_answered = |pending: &PendingTry| {
                pending.color == player.color && replies.contains(&pending.reference)
            };
            if self.pending.as_ref().is_some_and(is_answered) {
                self.pending = None;
            }
        }
    }

    /// Reconnects both players after the server was killed, and compares what they know with what
    /// they knew before.
    pub async fn reconnect(&mut self, outage: Outage) -> Result<Comparison> {
        let players = connect_players(self.address, &self.game).await?;
        let before = std::mem::replace(&mut self.players, players).map(|player| player.state);
        let after = self.players.each_ref().map(|player| &player.state);
        let pending = self.pending.take();
        self.broken = None;
        Ok(check::compare(&self.game.id, before.each_ref(), after, pending.as_ref(), outage))
    }
}

async fn connect_players(address: SocketAddr, game: &Game) -> Result<[PlayerClient; 2]> {
    let [white, black] = &game.tokens;
    let players = tokio::try_join!(
        PlayerClient::connect(address, &game.id, white, COLORS[0]),
        PlayerClient::connect(address, &game.id, black, COLORS[1]),
    );
    players.map(|(white, black)| [white, black])
}
