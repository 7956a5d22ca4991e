//! What players do at a table.

use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use krieg_core::{Color, Ending, Try};
use serde_json::Value;

use super::Hall;
use super::table::{Table, Turn, seat_of};
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

/// Nobody has so many sensible tries; whoever is refused as often only fills the disk.
const MOST_REFUSALS: u16 = 500;

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
        let you = seat_of(&table.sitting(), person)?;
        match table.sitting().facts.status {
            Status::Open => return Err(Refusal::NotNow("Nobody has joined yet.")),
            Status::Gone => return Err(Refusal::NotOpen),
            Status::Playing | Status::Over => {}
        }
        // What changes nothing for the other does not wait for what he does.
        let action = match action {
            Action::Ping => return Ok(false),
            Action::Ghosts(ghosts) => {
                self.keep_ghosts(&table, you, ghosts).await?;
                return Ok(false);
            }
            action => action,
        };
        if action == Action::Rematch {
            let turn = table.turn().await;
            return self.wants_another(&turn, you).await.map(|()| false);
        }
        // What cannot be done is refused at once, though the other may be acting.
        {
            let sitting = table.sitting();
            sitting.foresee(&event_of(&sitting, you, &action)?)?;
        }
        let turn = table.turn().await;
        let event = event_of(&table.sitting(), you, &action)?;
        let came_too_late = matches!(event, Event::Ended(Ending::Flag, _));
        // An end is heard by both, as the answer to a try is by who tried.
        let is_heard = matches!(event, Event::Tried(..) | Event::Ended(..));
        self.happen(&turn, event, actor).await?;
        if came_too_late { Err(Refusal::Over) } else { Ok(is_heard) }
    }

    /// Lets something happen: has it written down, lives through it, and tells everybody who may hear of it.
    pub(super) async fn happen(
        &self,
        turn: &Turn<'_>,
        event: Event,
        actor: Option<Actor>,
    ) -> Result<(), Refusal> {
        let (heard_at, at_ms) = (Instant::now(), now_ms());
        let (foreseen, facts, n) = {
            let sitting = turn.table.sitting();
            (sitting.foresee(&event)?, sitting.facts.clone(), sitting.events())
        };
        let written = event.clone();
        let written = self.inner.store.write(move |connection| {
            written.add(connection, facts.number, n, at_ms)?;
            if foreseen.moved {
                Facts::moved(connection, facts.number, facts.moves + 1)?;
            }
            if let Some(outcome) = foreseen.end {
                facts.end(connection, outcome, at_ms)?;
            }
            Ok(())
        });
        if let Err(error) = written.await {
            self.lay_anew(&mut turn.table.sitting());
            return Err(error.into());
        }
        let mut sitting = turn.table.sitting();
        let change = sitting.live(&event)?;
        if let Event::Tried(_, ms) = event {
            if foreseen.moved {
                // The clock of whoever is to move now starts when the answer is given.
                sitting.asked_at = Instant::now();
            } else {
                // It has not stopped while this was written: how long that took would tell the other that there was a try.
                sitting.asked_at += Duration::from_millis(ms.into());
            }
            self.inner.metrics.answered(heard_at.elapsed());
        }
        if change.end.is_some() {
            sitting.facts.ended_ms = Some(at_ms);
            self.inner.bots.leave(&sitting.facts.id);
            self.inner.coach.leave(&sitting.facts.id);
            self.inner.metrics.game_over();
        }
        self.tell(&mut sitting, &change, actor);
        if matches!(event, Event::Tried(..) | Event::Ended(..)) {
            self.see_to_next(&mut sitting);
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
                Some((by, Some(reference))) if by == listener.connection && !is_aside => {
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

    async fn keep_ghosts(&self, table: &Table, you: Color, ghosts: Ghosts) -> Result<(), Refusal> {
        let (number, men) = (table.sitting().facts.number, ghosts.text());
        let kept = self
            .inner
            .store
            .write(move |connection| Facts::keep_ghosts(connection, number, you, &men));
        kept.await?;
        table.sitting().ghosts[you as usize] = ghosts;
        Ok(())
    }

    /// Everything that a player knows of a game.
    pub async fn see(&self, id: &str, person: i64) -> Result<Value, Refusal> {
        let table = self.table(id).await?;
        let sitting = table.sitting();
        let you = seat_of(&sitting, person)?;
        Ok(sitting.state(you, Instant::now()))
    }

    /// Makes sure that somebody plays in a game.
    pub async fn check_seat(&self, id: &str, person: i64) -> Result<(), Refusal> {
        let table = self.table(id).await?;
        seat_of(&table.sitting(), person).map(|_| ())
    }

    /// Somebody comes to a table, and is told everything he knows.
    pub async fn listen(
        &self,
        id: &str,
        person: i64,
        connection: u64,
    ) -> Result<(Value, tokio::sync::mpsc::Receiver<Utf8Bytes>), Refusal> {
        let table = self.table(id).await?;
        let mut sitting = table.sitting();
        let you = seat_of(&sitting, person)?;
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
        let mut sitting = table.sitting();
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

/// What a player's action is, if he may do that now.
fn event_of(sitting: &Sitting, you: Color, action: &Action) -> Result<Event, Refusal> {
    if sitting.outcome().is_some() {
        return Err(Refusal::Over);
    }
    Ok(match action {
        Action::Try(tried) => return try_of(sitting, you, *tried),
        Action::Resign => Event::Ended(Ending::Resignation, you),
        Action::Offer => Event::Offered(you),
        Action::Accept => Event::Ended(Ending::Agreement, you),
        Action::Decline => Event::Declined(you),
        Action::Ghosts(_) | Action::Rematch | Action::Ping => {
            return Err(Refusal::NotNow("That cannot be done now."));
        }
    })
}

/// A try of a player whose turn it is; or, if it comes too late, the fall of his flag.
fn try_of(sitting: &Sitting, you: Color, tried: Try) -> Result<Event, Refusal> {
    let turn = sitting.turn().ok_or(Refusal::Over)?;
    if turn != you {
        return Err(Refusal::NotYourTurn(turn));
    }
    if sitting.game().umpire().view(you).refusals() >= MOST_REFUSALS {
        return Err(Refusal::TooMany);
    }
    let now = Instant::now();
    Ok(match sitting.flag_falls_at() {
        Some(falls_at) if falls_at < now => Event::Ended(Ending::Flag, you),
        _ => Event::Tried(tried, sitting.since_asked(now)),
    })
}

impl From<Impossible> for Refusal {
    fn from(why: Impossible) -> Self {
        match why {
            Impossible::TryError(reason) => Refusal::TryError(reason),
            Impossible::NotNow => Refusal::NotNow("That cannot be done now."),
        }
    }
}

impl Sitting {
    /// How many tries were made.
    pub fn tries(&self) -> usize {
        self.game().record().entries().len()
    }
}
