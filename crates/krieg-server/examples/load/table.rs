//! A game with both its players: who is to move tries something, again and again, at a pace.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use crate::check::{self, Checked, Outage};
use crate::games::Game;
use crate::seat::{Seat, Told};
use crate::tally::Tally;

/// No answer takes longer than this.
const PATIENCE: Duration = Duration::from_secs(30);
/// Whoever is further behind his pace than this does not try to catch up.
const FORGIVEN: Duration = Duration::from_secs(1);
/// One in so many tries is a question, where there is one to ask.
const ASKS: u32 = 5;
/// The players.
const COLORS: [&str; 2] = ["white", "black"];

/// A try that was sent, and not answered yet.
#[derive(Debug)]
pub struct Asked {
    pub color: &'static str,
    pub tried: String,
    reference: i64,
}

/// A game being played.
pub struct Table {
    address: SocketAddr,
    game: Game,
    seats: [Seat; 2],
    asked: Option<Asked>,
    references: i64,
    random: SmallRng,
    /// How often a try is due, and when the next one is.
    interval: Duration,
    due: Instant,
    /// When a move was sent of which the other player has not heard yet.
    moved_at: Option<Instant>,
    /// Games that were played to the end here.
    pub finished: Vec<Game>,
    /// What was measured since it was last taken.
    pub tally: Tally,
    /// Why and when this game could not go on.
    pub broken: Option<(Instant, String)>,
}

impl Table {
    /// Both players come to their game.
    pub async fn open(
        address: SocketAddr,
        game: Game,
        interval: Duration,
        seed: u64,
    ) -> Result<Self> {
        Ok(Table {
            address,
            seats: sit_down(address, &game).await?,
            game,
            asked: None,
            references: 0,
            random: SmallRng::seed_from_u64(seed),
            interval,
            due: Instant::now(),
            moved_at: None,
            finished: Vec::new(),
            tally: Tally::default(),
            broken: None,
        })
    }

    pub fn id(&self) -> &str {
        &self.game.id
    }

    /// Plays until then, or until the connection breaks.
    pub async fn play(&mut self, until: Instant) {
        (self.broken, self.moved_at) = (None, None);
        // Not all at the same moment.
        self.due = Instant::now() + self.interval.mul_f64(self.random.random_range(0.0..1.0));
        if let Err(error) = self.play_on(until).await {
            self.broken = Some((Instant::now(), format!("game {}: {error:#}", self.game.id)));
            self.hear_the_rest().await;
        }
    }

    async fn play_on(&mut self, until: Instant) -> Result<()> {
        while Instant::now() < until {
            if self.seats.iter().all(|seat| seat.known.is_over()) {
                self.play_another().await?;
            }
            match self.seats.iter().position(Seat::is_to_move) {
                Some(mover) => {
                    if let Some(sent_at) = self.moved_at.take() {
                        self.tally.heard_by_both(sent_at.elapsed());
                    }
                    self.listen_until(self.due.min(until)).await?;
                    if Instant::now() < until {
                        self.try_something(mover).await?;
                    }
                }
                // The one has moved, and the other has not heard it yet.
                None => drop(self.hear().await?),
            }
        }
        Ok(())
    }

    /// The next message that either player gets.
    async fn hear(&mut self) -> Result<(usize, Told)> {
        let [white, black] = &mut self.seats;
        let hear = async {
            tokio::select! {
                told = white.next() => Ok((0, told?)),
                told = black.next() => Ok((1, told?)),
            }
        };
        tokio::time::timeout(PATIENCE, hear).await.context("nobody hears anything")?
    }

    async fn listen_until(&mut self, until: Instant) -> Result<()> {
        while Instant::now() < until {
            tokio::select! {
                told = self.hear() => drop(told?),
                () = tokio::time::sleep_until(until.into()) => {}
            }
        }
        Ok(())
    }

    /// Tries a move, or asks, and waits for the answer.
    async fn try_something(&mut self, mover: usize) -> Result<()> {
        let tried = self.choose(mover)?;
        let sent_at = Instant::now();
        let due = if self.interval.is_zero() { sent_at } else { self.due.min(sent_at) };
        let color = self.seats[mover].color;
        let reference = self.references + 1;
        self.asked = Some(Asked { color, tried: tried.clone(), reference });
        let result = self.ask(mover, json!({ "action": "try", "try": tried })).await?;
        self.asked = None;
        let now = Instant::now();
        self.tally.answered(now - sent_at, now - due, result);
        self.moved_at = (!self.seats[mover].is_to_move()).then_some(sent_at);
        self.due = (due + self.interval).max(now.checked_sub(FORGIVEN).unwrap_or(now));
        Ok(())
    }

    /// Sends something, and waits for its answer.
    async fn ask(
        &mut self,
        who: usize,
        mut message: serde_json::Value,
    ) -> Result<Result<(), String>> {
        self.references += 1;
        let reference = self.references;
        message["ref"] = reference.into();
        self.seats[who].send(&message).await?;
        let answer = async {
            loop {
                match self.hear().await? {
                    (by, Told::Answer(to, result)) if by == who && to == reference => {
                        return Ok(result);
                    }
                    _ => {}
                }
            }
        };
        tokio::time::timeout(PATIENCE, answer)
            .await
            .with_context(|| format!("no answer to {message}"))?
    }

    fn choose(&mut self, mover: usize) -> Result<String> {
        let seen = &self.seats[mover].known.seen;
        if seen["may_ask"] == true && self.random.random_range(0..ASKS) == 0 {
            return Ok("any?".to_string());
        }
        let tries = seen["tries"].as_array().filter(|tries| !tries.is_empty());
        let tries = tries.with_context(|| format!("there is nothing to try: {seen}"))?;
        let chosen = tries[self.random.random_range(0..tries.len())].as_str();
        Ok(chosen.context("a try is a text")?.to_string())
    }

    /// Another game with colours reversed, as both want it.
    async fn play_another(&mut self) -> Result<()> {
        self.tally.games_over += 1;
        for who in 0..2 {
            if self.seats[who].known.next_game.is_none() {
                let result = self.ask(who, json!({ "action": "rematch" })).await?;
                self.tally.count_error(result);
            }
        }
        let heard_of_it = async {
            while self.seats[0].known.next_game.is_none() {
                self.hear().await?;
            }
            Ok::<_, anyhow::Error>(())
        };
        tokio::time::timeout(PATIENCE, heard_of_it).await.context("there is no rematch")??;
        let [white, black] = self.game.tokens.clone();
        let id = self.seats[0].known.next_game.clone().unwrap_or_default();
        let game = Game { id, tokens: [black, white], has_clock: self.game.has_clock };
        self.seats = sit_down(self.address, &game).await?;
        self.finished.push(std::mem::replace(&mut self.game, game));
        self.moved_at = None;
        Ok(())
    }

    /// The connection broke: what was on its way is heard still.
    async fn hear_the_rest(&mut self) {
        for seat in &mut self.seats {
            let answers = seat.hear_the_rest().await;
            let is_answered =
                |asked: &Asked| asked.color == seat.color && answers.contains(&asked.reference);
            if self.asked.as_ref().is_some_and(is_answered) {
                self.asked = None;
            }
        }
    }

    /// Both come again after the server was killed. What they are told is compared with what they knew.
    pub async fn come_back(&mut self, outage: Outage) -> Result<Checked> {
        let seats = sit_down(self.address, &self.game).await?;
        let before = std::mem::replace(&mut self.seats, seats).map(|seat| seat.known);
        let after = self.seats.each_ref().map(|seat| &seat.known);
        let asked = self.asked.take();
        self.broken = None;
        Ok(check::compare(&self.game.id, before.each_ref(), after, asked.as_ref(), outage))
    }
}

async fn sit_down(address: SocketAddr, game: &Game) -> Result<[Seat; 2]> {
    let [white, black] = &game.tokens;
    let come = tokio::try_join!(
        Seat::sit_down(address, &game.id, white, COLORS[0]),
        Seat::sit_down(address, &game.id, black, COLORS[1]),
    );
    come.map(|(white, black)| [white, black])
}
