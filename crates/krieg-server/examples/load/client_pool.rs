//! All games that are played: playing for a time, the kill, and the reconnection.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tokio::task::JoinSet;

use crate::check::{Comparison, Outage};
use crate::game_client::GameClient;
use crate::guests::Game;
use crate::measurements::{Measurements, Phase, ProcessorTimes};
use crate::report::AfterKill;
use crate::server::{ServerProcess, own_processor_time};

/// Time after the kill at which all games stop, in case a connection does not break.
const KILL_TIMEOUT: Duration = Duration::from_secs(10);

/// The clients of all games that are played.
pub struct ClientPool {
    games: Vec<GameClient>,
    killed_at: Option<Instant>,
    faults: Vec<String>,
}

impl ClientPool {
    /// Connects both players of every game.
    pub async fn connect(
        address: SocketAddr,
        games: &[Game],
        rate: u32,
        seed: u64,
    ) -> Result<Self> {
        let seconds = if rate == 0 { 0.0 } else { games.len() as f64 / f64::from(rate) };
        let interval = Duration::from_secs_f64(seconds);
        let mut connecting = JoinSet::new();
        for (number, game) in games.iter().cloned().enumerate() {
            let seed = seed.wrapping_mul(1_000_003).wrapping_add(number as u64);
            connecting.spawn(GameClient::connect(address, game, interval, seed));
        }
        let games: Result<Vec<GameClient>> = connecting.join_all().await.into_iter().collect();
        Ok(ClientPool { games: games?, killed_at: None, faults: Vec::new() })
    }

    /// Plays all games for a time.
    pub async fn play(&mut self, server: &ServerProcess, time: Duration) -> Result<Phase> {
        let (start, start_times) = (Instant::now(), processor_times(server)?);
        let playing = self.spawn_games(start + time);
        self.games = playing.join_all().await;
        let times = processor_times(server)?;
        for game in &mut self.games {
            self.faults.extend(game.broken.take().map(|(_, reason)| reason));
        }
        Ok(self.phase(start.elapsed(), times.since(start_times)))
    }

    /// Plays all games, and kills the server after a time.
    pub async fn play_until_killed(
        &mut self,
        server: &mut ServerProcess,
        time: Duration,
    ) -> Result<Phase> {
        let (start, start_times) = (Instant::now(), processor_times(server)?);
        let playing = self.spawn_games(start + time + KILL_TIMEOUT);
        tokio::time::sleep(time).await;
        let times = processor_times(server)?;
        let killed_at = server.kill()?;
        self.games = playing.join_all().await;
        self.killed_at = Some(killed_at);
        for game in &mut self.games {
            // A connection that broke before the kill broke for another reason.
            let early = game.broken.take().filter(|(at, _)| *at < killed_at);
            self.faults.extend(early.map(|(_, reason)| reason));
        }
        Ok(self.phase(killed_at - start, times.since(start_times)))
    }

    fn spawn_games(&mut self, until: Instant) -> JoinSet<GameClient> {
        let mut playing = JoinSet::new();
        for mut game in self.games.drain(..) {
            playing.spawn(async move {
                game.play(until).await;
                game
            });
        }
        playing
    }

    /// Collects the measurements of a phase. The games keep theirs, for `stuck_games`.
    fn phase(&mut self, duration: Duration, processor_times: ProcessorTimes) -> Phase {
        let mut measurements = Measurements::default();
        for game in &self.games {
            measurements.add(&game.measurements);
        }
        Phase { duration, measurements, processor_times }
    }

    /// Restarts the server, and reconnects all players at once.
    pub async fn reconnect(&mut self, server: &mut ServerProcess) -> Result<AfterKill> {
        let killed_at = self.killed_at.context("the server was not killed")?;
        server.restart().await?;
        let ready_at = Instant::now();
        let outage = Outage { killed_at, restarted_at: server.started_at() };
        let mut reconnecting = JoinSet::new();
        for mut game in self.games.drain(..) {
            game.measurements = Measurements::default();
            reconnecting.spawn(async move {
                let comparison = game.reconnect(outage).await;
                let lost = |error| Comparison {
                    faults: vec![format!("game {} is lost: {error:#}", game.id())],
                    ..Comparison::default()
                };
                let comparison = comparison.unwrap_or_else(lost);
                (game, comparison)
            });
        }
        let mut after = AfterKill::new(ready_at - outage.restarted_at);
        for (game, comparison) in reconnecting.join_all().await {
            self.games.push(game);
            after.add(&comparison);
            self.faults.extend(comparison.faults);
        }
        after.reconnected = ready_at.elapsed();
        Ok(after)
    }

    /// Faults of games without an answer of the umpire in the last phase.
    pub fn stuck_games(&self) -> Vec<String> {
        let stuck = self.games.iter().filter(|game| game.measurements.umpire_answers == 0);
        stuck.map(|game| format!("game {} does not continue", game.id())).collect()
    }

    /// Games that are over.
    pub fn finished_games(&self) -> Vec<Game> {
        self.games.iter().flat_map(|game| &game.finished).cloned().collect()
    }

    pub fn into_faults(self) -> Vec<String> {
        self.faults
    }
}

fn processor_times(server: &ServerProcess) -> Result<ProcessorTimes> {
    Ok(ProcessorTimes { server: server.processor_time()?, own: own_processor_time()? })
}
