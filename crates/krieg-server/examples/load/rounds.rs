//! All tables together: playing for a while, the kill, and coming back.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tokio::task::JoinSet;

use crate::check::{Checked, Outage};
use crate::games::Game;
use crate::report::AfterKill;
use crate::server::{Server, own_processor_time};
use crate::table::Table;
use crate::tally::{Round, Tally};

/// So long after a kill nobody plays any more.
const AFTERWARDS: Duration = Duration::from_secs(10);

/// All tables at which somebody plays.
pub struct Room {
    tables: Vec<Table>,
    killed_at: Option<Instant>,
    faults: Vec<String>,
}

impl Room {
    /// Both players of every game come to their table.
    pub async fn open(address: SocketAddr, games: &[Game], rate: u32, seed: u64) -> Result<Self> {
        let seconds = if rate == 0 { 0.0 } else { games.len() as f64 / f64::from(rate) };
        let interval = Duration::from_secs_f64(seconds);
        let mut coming = JoinSet::new();
        for (number, game) in games.iter().cloned().enumerate() {
            let seed = seed.wrapping_mul(1_000_003).wrapping_add(number as u64);
            coming.spawn(Table::open(address, game, interval, seed));
        }
        let tables: Result<Vec<Table>> = coming.join_all().await.into_iter().collect();
        Ok(Room { tables: tables?, killed_at: None, faults: Vec::new() })
    }

    /// Everybody plays.
    pub async fn play(&mut self, server: &Server, time: Duration) -> Result<Round> {
        let (begun, used) = (Instant::now(), processor_times(server)?);
        let playing = self.start(begun + time);
        self.tables = playing.join_all().await;
        let now_used = processor_times(server)?;
        for table in &mut self.tables {
            self.faults.extend(table.broken.take().map(|(_, why)| why));
        }
        Ok(self.round(begun.elapsed(), [now_used[0] - used[0], now_used[1] - used[1]]))
    }

    /// Everybody plays, and in the middle of it the server is killed.
    pub async fn play_until_killed(
        &mut self,
        server: &mut Server,
        time: Duration,
    ) -> Result<Round> {
        let (begun, used) = (Instant::now(), processor_times(server)?);
        let playing = self.start(begun + time + AFTERWARDS);
        tokio::time::sleep(time).await;
        let now_used = processor_times(server)?;
        let killed_at = server.kill()?;
        self.tables = playing.join_all().await;
        self.killed_at = Some(killed_at);
        for table in &mut self.tables {
            // A connection that broke before has broken for another reason.
            let early = table.broken.take().filter(|(at, _)| *at < killed_at);
            self.faults.extend(early.map(|(_, why)| why));
        }
        Ok(self.round(killed_at - begun, [now_used[0] - used[0], now_used[1] - used[1]]))
    }

    fn start(&mut self, until: Instant) -> JoinSet<Table> {
        let mut playing = JoinSet::new();
        for mut table in self.tables.drain(..) {
            playing.spawn(async move {
                table.play(until).await;
                table
            });
        }
        playing
    }

    /// What was measured in a round.
    fn round(&mut self, time: Duration, used: [Duration; 2]) -> Round {
        let mut tally = Tally::default();
        for table in &mut self.tables {
            // The last round is asked for games that are stuck.
            tally.add(&table.tally);
        }
        let [server, own] = used;
        Round { time, tally, server_processor: server, own_processor: own }
    }

    /// The server is started again, and everybody comes back at once.
    pub async fn come_back(&mut self, server: &mut Server) -> Result<AfterKill> {
        let killed_at = self.killed_at.context("nobody was killed")?;
        server.restart().await?;
        let serves_at = Instant::now();
        let outage = Outage { killed_at, restarted_at: server.started_at() };
        let mut coming = JoinSet::new();
        for mut table in self.tables.drain(..) {
            table.tally = Tally::default();
            coming.spawn(async move {
                let checked = table.come_back(outage).await;
                let lost = |error| Checked {
                    faults: vec![format!("game {} is lost: {error:#}", table.id())],
                    ..Checked::default()
                };
                let checked = checked.unwrap_or_else(lost);
                (table, checked)
            });
        }
        let mut after = AfterKill::new(serves_at - outage.restarted_at);
        for (table, checked) in coming.join_all().await {
            self.tables.push(table);
            after.add(&checked);
            self.faults.extend(checked.faults);
        }
        after.all_back = serves_at.elapsed();
        Ok(after)
    }

    /// Games in which the umpire answered nothing in the last round.
    pub fn stuck(&self) -> Vec<String> {
        let stuck = self.tables.iter().filter(|table| table.tally.heard == 0);
        stuck.map(|table| format!("game {} does not go on", table.id())).collect()
    }

    /// Games that were played to the end.
    pub fn finished(&self) -> Vec<Game> {
        self.tables.iter().flat_map(|table| &table.finished).cloned().collect()
    }

    /// What went wrong.
    pub fn faults(self) -> Vec<String> {
        self.faults
    }
}

/// What the server and this program have used.
fn processor_times(server: &Server) -> Result<[Duration; 2]> {
    Ok([server.processor_time()?, own_processor_time()?])
}
