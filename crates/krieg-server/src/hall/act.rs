//! What players do at a table.

use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use krieg_core::{Color, Ending, Try};
use serde_json::Value;

use super::Hall;
use crate::now_ms;
use crate::refusal::Refusal;
use crate::sitting::{Change, Ghosts, Impossible, Sitting};
use crate::store::{Event, Facts, Status};

/// Something a player does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Tries a move, or asks.
    Try(Try),
    /// Gives up.
    Resign,
    /// Offers a draw.
    Offer,
    /// Accepts one.
    Accept,
    /// Declines one.
    Decline,
    /// Keeps guesses.
    Ghosts(Ghosts),
    /// Wants another game.
    Rematch,
    /// Is still there.
    Ping,
}

/// Who acted: the connection, and the number by which he knows his action.
pub type Actor = (u64, Option<i64>);

impl Hall {
    /// Somebody acts at a table. When this returns without an error it is done, on disk, and everybody who may hear it has been told.
    /// `true` if the actor was told by that.
    pub async fn act(
        &self,
        id: String,
        person: i64,
        action: Action,
        actor: Option<Actor>,
    ) -> Result<bool, Refusal> {
        // What was begun is finished, though the actor's connection may break meanwhile.
        let hall = self.clone();
        let acted = tokio::spawn(async move { hall.act_now(&id, person, action, actor).await });
        acted.await.unwrap_or(Err(Refusal::Trouble))
    }

    async fn act_now(
        &self,
        id: &str,
        person: i64,
        action: Action,
        actor: Option<Actor>,
    ) -> Result<bool, Refusal> {
        let table = self.table(id).await?;
        let mut sitting = table.lock().await;
        let you = sitting.facts.color_of(person);
        let you = you.ok_or(Refusal::NotYours("You do not play in this game."))?;
        if sitting.facts.status == Status::Open {
            return Err(Refusal::NotNow("Nobody has joined yet."));
        }
        let event = match action {
            Action::Ping => return Ok(false),
            Action::Ghosts(ghosts) => {
                self.keep_ghosts(&mut sitting, you, ghosts).await?;
                return Ok(false);
            }
            Action::Try(tried) => self.try_of(&sitting, you, tried)?,
            Action::Rematch => return self.wants_another(&mut sitting, you).await.map(|()| false),
            _ if sitting.outcome().is_some() => return Err(Refusal::Over),
            Action::Resign => Event::Ended(Ending::Resignation, you),
            Action::Offer => Event::Offered(you),
            Action::Accept => Event::Ended(Ending::Agreement, you),
            Action::Decline => Event::Declined(you),
        };
        let came_too_late = matches!(event, Event::Ended(Ending::Flag, _));
        let is_try = matches!(event, Event::Tried(..));
        self.happen(&mut sitting, event, actor).await?;
        if came_too_late { Err(Refusal::Over) } else { Ok(is_try) }
    }

    /// A try of a player whose turn it is; or, if it comes too late, the fall of his flag.
    fn try_of(&self, sitting: &Sitting, you: Color, tried: Try) -> Result<Event, Refusal> {
        let turn = sitting.turn().ok_or(Refusal::Over)?;
        if turn != you {
            return Err(Refusal::NotYourTurn(turn));
        }
        let now = Instant::now();
        Ok(match sitting.flag_falls_at() {
            Some(falls_at) if falls_at < now => Event::Ended(Ending::Flag, you),
            _ => Event::Tried(tried, sitting.since_asked(now)),
        })
    }

    /// Lets something happen: lives through it, has it written down, and then tells everybody who may hear of it.
    pub(super) async fn happen(
        &self,
        sitting: &mut Sitting,
        event: Event,
        actor: Option<Actor>,
    ) -> Result<(), Refusal> {
        let (heard_at, at_ms, n) = (Instant::now(), now_ms(), sitting.events());
        let change = sitting.live(&event).map_err(|why| match why {
            Impossible::NotAccepted(reason) => Refusal::NotAccepted(reason),
            Impossible::NotNow => Refusal::NotNow("That cannot be done now."),
        })?;
        if change.end.is_some() {
            sitting.facts.ended_ms = Some(at_ms);
        }
        let (facts, moves) = (sitting.facts.clone(), sitting.facts.moves);
        let (moved, end) = (change.moved, change.end);
        let (told, is_try) = (event.to_string(), matches!(event, Event::Tried(..)));
        let written = self.inner.store.write(move |connection| {
            event.add(connection, facts.number, n, at_ms)?;
            if moved {
                Facts::moved(connection, facts.number, moves)?;
            }
            if let Some(outcome) = end {
                facts.end(connection, outcome, at_ms)?;
            }
            Ok(())
        });
        if let Err(error) = written.await {
            tracing::error!(game = sitting.facts.id, event = told, "could not be written down");
            self.clear(sitting);
            return Err(error.into());
        }
        if is_try {
            // The clock of whoever is to move now starts when the answer is given.
            sitting.asked_at = Instant::now();
            self.inner.metrics.answered(heard_at.elapsed());
        }
        self.tell(sitting, &change, actor);
        if end.is_some() {
            self.inner.bots.leave(&sitting.facts.id);
            self.inner.coach.leave(&sitting.facts.id);
            self.inner.metrics.game_over();
        }
        if is_try || end.is_some() {
            self.see_to_next(sitting);
        }
        Ok(())
    }

    /// Tells everybody at a table what he may hear of a change.
    fn tell(&self, sitting: &mut Sitting, change: &Change, actor: Option<Actor>) {
        let now = Instant::now();
        let is_aside = change.heard.iter().all(Option::is_none);
        let messages = Color::ALL.map(|player| match &change.heard[player as usize] {
            Some(heard) => Some(sitting.heard_message(player, heard, now)),
            None if is_aside => Some(sitting.table_message(player, now)),
            // Nothing at all reaches a player of a try that he does not hear.
            None => None,
        });
        sitting.listeners.tell(|listener| {
            let message = messages[listener.color as usize].as_ref()?;
            match actor {
                Some((by, Some(reference))) if by == listener.connection => {
                    let mut message = message.clone();
                    message["ref"] = reference.into();
                    Some(message.to_string().into())
                }
                _ => Some(message.to_string().into()),
            }
        });
        if change.end.is_some() {
            let over =
                Color::ALL.map(|player| Utf8Bytes::from(sitting.over_message(player).to_string()));
            sitting.listeners.tell(|listener| Some(over[listener.color as usize].clone()));
        }
    }

    async fn keep_ghosts(
        &self,
        sitting: &mut Sitting,
        you: Color,
        ghosts: Ghosts,
    ) -> Result<(), Refusal> {
        let (number, men) = (sitting.facts.number, ghosts.text());
        let side = if you == Color::White { "white" } else { "black" };
        let kept = self
            .inner
            .store
            .write(move |connection| Facts::keep_ghosts(connection, number, side, &men));
        kept.await?;
        sitting.ghosts[you as usize] = ghosts;
        Ok(())
    }

    /// Everything that a player knows of a game.
    pub async fn see(&self, id: &str, person: i64) -> Result<Value, Refusal> {
        let table = self.table(id).await?;
        let sitting = table.lock().await;
        let you = sitting.facts.color_of(person);
        let you = you.ok_or(Refusal::NotYours("You do not play in this game."))?;
        Ok(sitting.state(you, Instant::now()))
    }

    /// Somebody comes to a table, and is told everything he knows.
    pub async fn listen(
        &self,
        id: &str,
        person: i64,
        connection: u64,
    ) -> Result<(Value, tokio::sync::mpsc::Receiver<Utf8Bytes>), Refusal> {
        let table = self.table(id).await?;
        let mut sitting = table.lock().await;
        let you = sitting.facts.color_of(person);
        let you = you.ok_or(Refusal::NotYours("You do not play in this game."))?;
        let was_here = sitting.listeners.has(you);
        let messages = sitting.listeners.add(connection, you);
        if !was_here {
            self.tell_of_presence(&mut sitting, you);
        }
        Ok((sitting.state(you, Instant::now()), messages))
    }

    /// Somebody goes.
    pub async fn leave(&self, id: &str, connection: u64, person: i64) {
        let Ok(table) = self.table(id).await else { return };
        let mut sitting = table.lock().await;
        sitting.listeners.remove(connection);
        if let Some(you) = sitting.facts.color_of(person)
            && !sitting.listeners.has(you)
        {
            self.tell_of_presence(&mut sitting, you);
        }
    }

    /// The other side is told whether somebody is there.
    fn tell_of_presence(&self, sitting: &mut Sitting, of: Color) {
        let message = Utf8Bytes::from(sitting.table_message(!of, Instant::now()).to_string());
        sitting.listeners.tell(|listener| (listener.color != of).then(|| message.clone()));
    }

    /// Both are told what is new beside the board.
    pub(super) fn tell_aside(&self, sitting: &mut Sitting) {
        self.tell(sitting, &Change::default(), None);
    }
}

impl Sitting {
    /// How many tries were made.
    pub fn tries(&self) -> usize {
        self.game().record().entries().len()
    }
}
