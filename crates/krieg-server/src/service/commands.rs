//! What players do at a table.

use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use krieg_core::{Color, Ending, Try};
use serde_json::Value;

use super::GameService;
use super::ServiceError;
use super::session_handle::{SessionHandle, Turn, seat_of};
use crate::domain::{Change, EventError, GameSession, Guesses};
use crate::now_ms;
use crate::store::{Event, GameInfo, Status};

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
    Guesses(Guesses),
    /// Wants another game.
    Rematch,
    /// Is still there.
    Ping,
}

/// Nobody has so many sensible tries; whoever is refused as often only fills the disk.
const MOST_REFUSALS: u16 = 500;

/// Who acted: the connection, and the number by which he knows his action.
pub type Actor = (u64, Option<i64>);

impl GameService {
    /// Somebody acts at a table. When this returns without an error it is done, on disk, and everybody who may hear it has been told.
    /// `true` if the actor was told by that.
    pub async fn act(
        &self,
        id: String,
        person: i64,
        action: Action,
        actor: Option<Actor>,
    ) -> Result<bool, ServiceError> {
        // What was begun is finished, though the actor's connection may break meanwhile.
        let hall = self.clone();
        let acted = tokio::spawn(async move { hall.act_now(&id, person, action, actor).await });
        acted.await.unwrap_or(Err(ServiceError::Trouble))
    }

    async fn act_now(
        &self,
        id: &str,
        person: i64,
        action: Action,
        actor: Option<Actor>,
    ) -> Result<bool, ServiceError> {
        let table = self.table(id).await?;
        let you = seat_of(&table.session(), person)?;
        match table.session().info.status {
            Status::Open => return Err(ServiceError::NotNow("Nobody has joined yet.")),
            Status::Gone => return Err(ServiceError::NotOpen),
            Status::Playing | Status::Over => {}
        }
        // What changes nothing for the other does not wait for what he does.
        let action = match action {
            Action::Ping => return Ok(false),
            Action::Guesses(guesses) => {
                self.keep_ghosts(&table, you, guesses).await?;
                return Ok(false);
            }
            action => action,
        };
        if action == Action::Rematch {
            let turn = table.turn().await;
            return self.offers_rematch(&turn, you).await.map(|()| false);
        }
        // What cannot be done is refused at once, though the other may be acting.
        {
            let session = table.session();
            session.prepare(&event_of(&session, you, &action)?)?;
        }
        let turn = table.turn().await;
        let event = event_of(&table.session(), you, &action)?;
        let came_too_late = matches!(event, Event::Ended(Ending::Flag, _));
        // An end is heard by both, as the answer to a try is by who tried.
        let is_heard = matches!(event, Event::Tried(..) | Event::Ended(..));
        self.record_event(&turn, event, actor).await?;
        if came_too_late { Err(ServiceError::Over) } else { Ok(is_heard) }
    }

    /// Lets something happen: has it written down, lives through it, and tells everybody who may hear of it.
    pub(super) async fn record_event(
        &self,
        turn: &Turn<'_>,
        event: Event,
        actor: Option<Actor>,
    ) -> Result<(), ServiceError> {
        let (heard_at, at_ms) = (Instant::now(), now_ms());
        let (effect, info, n) = {
            let session = turn.table.session();
            (session.prepare(&event)?, session.info.clone(), session.events())
        };
        let written = event.clone();
        let written = self.inner.store.write(move |connection| {
            written.add(connection, info.number, n, at_ms)?;
            if effect.moved {
                GameInfo::moved(connection, info.number, info.moves + 1)?;
            }
            if let Some(outcome) = effect.end {
                info.end(connection, outcome, at_ms)?;
            }
            Ok(())
        });
        if let Err(error) = written.await {
            self.reload(&mut turn.table.session());
            return Err(error.into());
        }
        let mut session = turn.table.session();
        let change = session.apply(&event)?;
        if let Event::Tried(_, ms) = event {
            if effect.moved {
                // The clock of whoever is to move now starts when the answer is given.
                session.thinking_since = Instant::now();
            } else {
                // It has not stopped while this was written: how long that took would tell the other that there was a try.
                session.thinking_since += Duration::from_millis(ms.into());
            }
            self.inner.metrics.answered(heard_at.elapsed());
        }
        if change.end.is_some() {
            session.info.ended_ms = Some(at_ms);
            self.inner.bots.leave(&session.info.id);
            self.inner.coach.leave(&session.info.id);
            self.inner.metrics.game_over();
        }
        self.tell(&mut session, &change, actor);
        if matches!(event, Event::Tried(..) | Event::Ended(..)) {
            self.schedule_next(&mut session);
        }
        Ok(())
    }

    /// Tells everybody at a table what he may hear of a change.
    fn tell(&self, session: &mut GameSession, change: &Change, actor: Option<Actor>) {
        let now = Instant::now();
        let is_aside = change.heard.iter().all(Option::is_none);
        let messages = Color::ALL.map(|player| match &change.heard[player as usize] {
            Some(heard) => Some(session.heard_message(player, heard, now)),
            None if is_aside => Some(session.table_message(player, now)),
            // Nothing at all reaches a player of a try that he does not hear.
            None => None,
        });
        session.subscribers.tell(|subscriber| {
            let message = messages[subscriber.color as usize].as_ref()?;
            match actor {
                Some((by, Some(reference))) if by == subscriber.connection && !is_aside => {
                    let mut message = message.clone();
                    message["ref"] = reference.into();
                    Some(message.to_string().into())
                }
                _ => Some(message.to_string().into()),
            }
        });
        if change.end.is_some() {
            let over =
                Color::ALL.map(|player| Utf8Bytes::from(session.over_message(player).to_string()));
            session.subscribers.tell(|subscriber| Some(over[subscriber.color as usize].clone()));
        }
    }

    async fn keep_ghosts(
        &self,
        table: &SessionHandle,
        you: Color,
        guesses: Guesses,
    ) -> Result<(), ServiceError> {
        let (number, men) = (table.session().info.number, guesses.text());
        let kept = self
            .inner
            .store
            .write(move |connection| GameInfo::keep_ghosts(connection, number, you, &men));
        kept.await?;
        table.session().guesses[you as usize] = guesses;
        Ok(())
    }

    /// Everything that a player knows of a game.
    pub async fn see(&self, id: &str, person: i64) -> Result<Value, ServiceError> {
        let table = self.table(id).await?;
        let session = table.session();
        let you = seat_of(&session, person)?;
        Ok(session.state(you, Instant::now()))
    }

    /// Makes sure that somebody plays in a game.
    pub async fn check_seat(&self, id: &str, person: i64) -> Result<(), ServiceError> {
        let table = self.table(id).await?;
        seat_of(&table.session(), person).map(|_| ())
    }

    /// Somebody comes to a table, and is told everything he knows.
    pub async fn listen(
        &self,
        id: &str,
        person: i64,
        connection: u64,
    ) -> Result<(Value, tokio::sync::mpsc::Receiver<Utf8Bytes>), ServiceError> {
        let table = self.table(id).await?;
        let mut session = table.session();
        let you = seat_of(&session, person)?;
        let was_here = session.subscribers.has(you);
        let messages = session.subscribers.add(connection, you);
        if !was_here {
            self.tell_of_presence(&mut session, you);
        }
        Ok((session.state(you, Instant::now()), messages))
    }

    /// Somebody goes.
    pub async fn leave(&self, id: &str, connection: u64, person: i64) {
        let Ok(table) = self.table(id).await else { return };
        let mut session = table.session();
        session.subscribers.remove(connection);
        if let Some(you) = session.info.color_of(person)
            && !session.subscribers.has(you)
        {
            self.tell_of_presence(&mut session, you);
        }
    }

    /// The other side is told whether somebody is there.
    fn tell_of_presence(&self, session: &mut GameSession, of: Color) {
        let message = Utf8Bytes::from(session.table_message(!of, Instant::now()).to_string());
        session.subscribers.tell(|subscriber| (subscriber.color != of).then(|| message.clone()));
    }

    /// Both are told what is new beside the board.
    pub(super) fn tell_aside(&self, session: &mut GameSession) {
        self.tell(session, &Change::default(), None);
    }
}

/// What a player's action is, if he may do that now.
fn event_of(session: &GameSession, you: Color, action: &Action) -> Result<Event, ServiceError> {
    if session.outcome().is_some() {
        return Err(ServiceError::Over);
    }
    Ok(match action {
        Action::Try(tried) => return try_of(session, you, *tried),
        Action::Resign => Event::Ended(Ending::Resignation, you),
        Action::Offer => Event::Offered(you),
        Action::Accept => Event::Ended(Ending::Agreement, you),
        Action::Decline => Event::Declined(you),
        Action::Guesses(_) | Action::Rematch | Action::Ping => {
            return Err(ServiceError::NotNow("That cannot be done now."));
        }
    })
}

/// A try of a player whose turn it is; or, if it comes too late, the fall of his flag.
fn try_of(session: &GameSession, you: Color, tried: Try) -> Result<Event, ServiceError> {
    let turn = session.turn().ok_or(ServiceError::Over)?;
    if turn != you {
        return Err(ServiceError::NotYourTurn(turn));
    }
    if session.game().umpire().view(you).refusals() >= MOST_REFUSALS {
        return Err(ServiceError::TooMany);
    }
    let now = Instant::now();
    Ok(match session.flag_falls_at() {
        Some(falls_at) if falls_at < now => Event::Ended(Ending::Flag, you),
        _ => Event::Tried(tried, session.thinking_ms(now)),
    })
}

impl From<EventError> for ServiceError {
    fn from(why: EventError) -> Self {
        match why {
            EventError::TryError(reason) => ServiceError::TryError(reason),
            EventError::NotNow => ServiceError::NotNow("That cannot be done now."),
        }
    }
}

impl GameSession {
    /// How many tries were made.
    pub fn tries(&self) -> usize {
        self.game().record().entries().len()
    }
}
