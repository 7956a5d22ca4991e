//! Carries out the commands of players.

use std::time::Instant;

use krieg_core::{Color, Ending};
use serde_json::Value;
use tokio::sync::mpsc;

use super::session_handle::{CommandGuard, SessionHandle};
use super::{GameService, ServiceError, run_to_end};
use crate::domain::{
    Command, CommandSource, Event, GameSession, GameStatus, Guesses, JudgedTry, Message,
};
use crate::now_ms;
use crate::store::{events, games};

/// The colour that a user plays, or an error.
pub(super) fn seat_of(session: &GameSession, user: i64) -> Result<Color, ServiceError> {
    let seat = session.info.color_of(user);
    seat.ok_or(ServiceError::Forbidden("You do not play in this game."))
}

impl GameService {
    /// Carries out a command. When this returns `Ok`, its effect is durable and the players have
    /// been notified. `true` if the notification to the command's source is the reply. A try after
    /// the player's flag has fallen ends the game and returns [`ServiceError::GameOver`].
    pub async fn execute(
        &self,
        id: String,
        user: i64,
        command: Command,
        source: Option<CommandSource>,
    ) -> Result<bool, ServiceError> {
        let service = self.clone();
        let work = async move { service.execute_in_place(&id, user, command, source).await };
        run_to_end(work).await
    }

    /// Like [`GameService::execute`], without a task of its own: the caller must not be cancelled
    /// before this returns, or a stored event is not applied in memory.
    pub async fn execute_in_place(
        &self,
        id: &str,
        user: i64,
        command: Command,
        source: Option<CommandSource>,
    ) -> Result<bool, ServiceError> {
        let handle = self.session(id).await?;
        let player = seat_of(&handle.session(), user)?;
        match handle.session().info.status {
            GameStatus::Open => return Err(ServiceError::NotNow("No opponent has joined yet.")),
            GameStatus::Cancelled => return Err(ServiceError::NotOpen),
            GameStatus::Playing | GameStatus::Over => {}
        }
        // Commands that do not concern the opponent do not wait for the opponent's commands.
        match command {
            Command::Ping {} => return Ok(false),
            Command::Guesses { guesses } => {
                self.store_guesses(&handle, player, guesses).await?;
                return Ok(false);
            }
            _ => {}
        }
        // An impossible command fails without waiting for the opponent's command.
        handle.session().event_for(player, &command, Instant::now())?;
        let guard = self.lock_commands(&handle).await?;
        let event = guard.session().event_for(player, &command, Instant::now())?;
        match event {
            Event::RematchOffer { by } => {
                self.record_rematch_offer(&guard, by).await?;
                Ok(false)
            }
            _ => {
                self.record(&guard, event, None, source).await?;
                match event {
                    Event::End { ending: Ending::Flag, .. } => Err(ServiceError::GameOver),
                    Event::Try { .. } | Event::End { .. } => Ok(true),
                    _ => Ok(false),
                }
            }
        }
    }

    /// Records an event: prepares it, writes it to the database, applies it, and notifies the
    /// players. A try is judged once; `judged` is the try if it was judged before.
    pub(super) async fn record(
        &self,
        guard: &CommandGuard<'_>,
        event: Event,
        judged: Option<JudgedTry>,
        source: Option<CommandSource>,
    ) -> Result<(), ServiceError> {
        let (started, at_ms) = (Instant::now(), now_ms());
        let (prepared, game, moves, finished) = {
            let session = guard.session();
            let prepared = session.prepare(event, judged)?;
            let moves = prepared.is_move().then_some(session.info.moves + 1);
            let finished = prepared.outcome().map(|outcome| (session.info.clone(), outcome));
            (prepared, session.info.number, moves, finished)
        };
        let number = prepared.number();
        let written = self.inner.store.write(move |connection| {
            events::insert(connection, game, number, at_ms, event)?;
            if let Some(moves) = moves {
                games::set_moves(connection, game, moves)?;
            }
            if let Some((info, outcome)) = finished {
                games::finish(connection, &info, outcome, at_ms)?;
            }
            Ok(())
        });
        if let Err(error) = written.await {
            self.reload(&mut guard.session());
            return Err(error.into());
        }
        let mut session = guard.session();
        let change = match session.commit(prepared, Instant::now()) {
            Ok(change) => change,
            Err(error) => {
                // The command lock prevents this. The database is right in any case.
                tracing::error!(game = session.info.id, %error, "the session is reloaded");
                self.reload(&mut session);
                return Err(ServiceError::Internal);
            }
        };
        if let Event::Try { .. } = event {
            self.inner.metrics.record_try(started.elapsed());
        }
        if session.outcome().is_some() {
            session.info.ended_ms = Some(at_ms);
            self.inner.bots.remove_game(&session.info.id);
            self.inner.coach.remove_game(&session.info.id);
            self.inner.metrics.count_finished_game();
        }
        session.broadcast(&change, source);
        if let Event::Try { .. } | Event::End { .. } = event {
            self.schedule_next(&mut session);
        }
        Ok(())
    }

    async fn store_guesses(
        &self,
        handle: &SessionHandle,
        player: Color,
        guesses: Guesses,
    ) -> Result<(), ServiceError> {
        let (game, stored) = (handle.session().info.number, guesses.clone());
        let write = move |c: &_| games::set_guesses(c, game, player, &stored);
        self.inner.store.write(write).await?;
        handle.session().guesses[player as usize] = guesses;
        Ok(())
    }

    /// Everything that a player knows about a game.
    pub async fn state(&self, id: &str, user: i64) -> Result<Value, ServiceError> {
        let handle = self.session(id).await?;
        let session = handle.session();
        let player = seat_of(&session, user)?;
        Ok(session.state_json(player, Instant::now()))
    }

    /// Checks that a user plays in a game.
    pub async fn check_player(&self, id: &str, user: i64) -> Result<(), ServiceError> {
        let handle = self.session(id).await?;
        seat_of(&handle.session(), user).map(drop)
    }

    /// Connects a player to a game. Returns the state, and the receiver of all later messages.
    pub async fn subscribe(
        &self,
        id: &str,
        user: i64,
        connection: u64,
    ) -> Result<(Value, mpsc::Receiver<Message>), ServiceError> {
        let handle = self.session(id).await?;
        let mut session = handle.session();
        if !self.is_current(&handle, &session) {
            // It was dropped a moment ago, and its connections with it. The client tries again.
            return Err(ServiceError::Internal);
        }
        let player = seat_of(&session, user)?;
        let was_connected = session.subscribers.is_connected(player);
        let messages = session.subscribers.add(connection, player);
        if !was_connected {
            session.broadcast_presence(player);
        }
        Ok((session.state_json(player, Instant::now()), messages))
    }

    /// Disconnects a player.
    pub async fn unsubscribe(&self, id: &str, user: i64, connection: u64) {
        let Ok(handle) = self.session(id).await else { return };
        let mut session = handle.session();
        session.subscribers.remove(connection);
        if let Some(player) = session.info.color_of(user)
            && !session.subscribers.is_connected(player)
        {
            session.broadcast_presence(player);
        }
    }
}
