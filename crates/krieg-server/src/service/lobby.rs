//! How games start: against a bot, in the lobby, by invitation, and as a rematch.

use std::time::Instant;

use krieg_core::{Color, Position, Ruleset, Setup};
use krieg_players::PlayerSpec;
use krieg_time::TimeControl;

use super::commands::seat_of;
use super::session_handle::CommandGuard;
use super::{GameService, ServiceError, run_to_end};
use crate::domain::{BotSettings, Event, GameInfo, GameSession, GameSource, GameStatus, User};
use crate::store::{events, games, users};
use crate::{lock, now_ms, tokens};

/// Maximum number of running games of one user against bots, because they all need bot threads.
const MAX_BOT_GAMES: usize = 20;

/// The opponent in a new game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opponent {
    /// This bot, with its thinking time per move in milliseconds.
    Bot(PlayerSpec, u64),
    /// The first user who joins.
    Lobby,
    /// The first user who joins with the invitation token.
    Invitation,
}

/// The creator's colour in a new game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorChoice {
    /// This colour.
    Color(Color),
    /// A random colour.
    Random,
}

/// The settings of a new game.
#[derive(Debug, Clone)]
pub struct NewGame {
    /// The ruleset.
    pub ruleset: Ruleset,
    /// The start position.
    pub start: Position,
    /// The time control.
    pub control: TimeControl,
    /// The creator's colour.
    pub color: ColorChoice,
    /// Whether the result changes the players' ratings.
    pub rated: bool,
    /// Whether the coach may be asked.
    pub coach: bool,
    /// The opponent.
    pub opponent: Opponent,
}

/// The name of a bot with a thinking time.
fn bot_name(spec: &PlayerSpec, move_ms: u64) -> String {
    let time = match move_ms {
        ms if ms < 1_000 => format!("{ms} ms"),
        ms => format!("{} s", ms as f64 / 1e3),
    };
    format!("{spec}, {time} a move")
}

impl GameService {
    /// Creates a game. A game against a bot starts at once.
    pub async fn create_game(
        &self,
        user: &User,
        new_game: NewGame,
    ) -> Result<GameInfo, ServiceError> {
        let (service, user) = (self.clone(), user.clone());
        run_to_end(async move { service.create_game_inner(&user, new_game).await }).await
    }

    async fn create_game_inner(
        &self,
        user: &User,
        new_game: NewGame,
    ) -> Result<GameInfo, ServiceError> {
        let color = match new_game.color {
            ColorChoice::Color(color) => color,
            ColorChoice::Random if tokens::number().is_multiple_of(2) => Color::White,
            ColorChoice::Random => Color::Black,
        };
        let now = now_ms();
        let mut info = GameInfo {
            number: 0,
            id: tokens::game_id(),
            setup: Setup { ruleset: new_game.ruleset, start: new_game.start, ..Setup::default() },
            control: new_game.control,
            seats: [None, None],
            rated: new_game.rated,
            coach: new_game.coach,
            seed: tokens::number(),
            status: GameStatus::Open,
            creator: Some(user.id),
            invitation: None,
            created_ms: now,
            started_ms: None,
            ended_ms: None,
            moves: 0,
            result: None,
            ending: None,
            rematch: None,
            source: GameSource::Played,
            ratings: [None; 2],
        };
        info.seats[color as usize] = Some(user.clone());
        match new_game.opponent {
            Opponent::Bot(spec, move_ms) => {
                info.seats[!color as usize] = Some(self.find_bot(user.id, &spec, move_ms).await?);
                info.status = GameStatus::Playing;
                info.started_ms = Some(now);
            }
            Opponent::Lobby => {}
            Opponent::Invitation => info.invitation = Some(tokens::invitation()),
        }
        if info.rated && info.is_between_people() {
            info.coach = false;
        }
        let id = info.id.clone();
        self.inner.store.write(move |connection| games::insert(connection, &info)).await?;
        self.start_session(&id).await
    }

    /// The bot with these settings, unless the user has too many games against bots.
    async fn find_bot(
        &self,
        user: i64,
        spec: &PlayerSpec,
        move_ms: u64,
    ) -> Result<User, ServiceError> {
        let running = self.inner.store.read(move |c| games::running_against_bots(c, user)).await?;
        if running >= MAX_BOT_GAMES {
            return Err(ServiceError::NotNow("Please end some of your games against bots first."));
        }
        let name = bot_name(spec, move_ms);
        let settings = BotSettings { spec: spec.to_string(), move_ms };
        let write = move |c: &_| users::find_or_insert_bot(c, &name, &settings, now_ms());
        Ok(self.inner.store.write(write).await?)
    }

    /// Loads the session of a new game.
    async fn start_session(&self, id: &str) -> Result<GameInfo, ServiceError> {
        self.inner.metrics.count_created_game();
        let handle = self.session(id).await?;
        let mut session = handle.session();
        self.schedule_next(&mut session);
        Ok(session.info.clone())
    }

    /// Gives a user the free seat of an open game, which starts the game.
    pub async fn join(
        &self,
        id: String,
        user: User,
        invitation: Option<String>,
    ) -> Result<GameInfo, ServiceError> {
        let service = self.clone();
        run_to_end(async move { service.join_inner(&id, &user, invitation.as_deref()).await }).await
    }

    async fn join_inner(
        &self,
        id: &str,
        user: &User,
        invitation: Option<&str>,
    ) -> Result<GameInfo, ServiceError> {
        let handle = self.session(id).await?;
        let guard = self.lock_commands(&handle).await.map_err(|_| ServiceError::NotOpen)?;
        let (number, free) = {
            let session = guard.session();
            (session.info.number, free_seat(&session.info, user, invitation)?)
        };
        let (user, now, id) = (user.id, now_ms(), id.to_string());
        let joined = self.inner.store.write(move |connection| {
            match games::join(connection, number, free, user, now)? {
                true => games::find(connection, &id),
                false => Ok(None),
            }
        });
        let info = joined.await?.ok_or(ServiceError::NotOpen)?;
        let mut session = guard.session();
        let subscribers = std::mem::take(&mut session.subscribers);
        *session = GameSession::new(info);
        session.subscribers = subscribers;
        session.broadcast_state();
        self.schedule_next(&mut session);
        Ok(session.info.clone())
    }

    /// Cancels an open game of this user.
    pub async fn cancel(&self, id: String, user: i64) -> Result<(), ServiceError> {
        let service = self.clone();
        run_to_end(async move { service.cancel_inner(&id, user).await }).await
    }

    async fn cancel_inner(&self, id: &str, user: i64) -> Result<(), ServiceError> {
        let handle = self.session(id).await?;
        let guard = self.lock_commands(&handle).await.map_err(|_| ServiceError::NotOpen)?;
        seat_of(&guard.session(), user)?;
        let number = guard.session().info.number;
        if !self.inner.store.write(move |c| games::cancel(c, number)).await? {
            return Err(ServiceError::NotOpen);
        }
        let mut session = guard.session();
        session.info.status = GameStatus::Cancelled;
        session.subscribers.clear();
        lock(&self.inner.sessions).remove(id);
        Ok(())
    }

    /// Records that a player offers a rematch. If the opponent has offered one too, or is a bot,
    /// the rematch is created with reversed colours.
    pub(super) async fn record_rematch_offer(
        &self,
        guard: &CommandGuard<'_>,
        by: Color,
    ) -> Result<(), ServiceError> {
        let at_ms = now_ms();
        let (prepared, game, rematch) = {
            let session = guard.session();
            let prepared = session.prepare(Event::RematchOffer { by }, None)?;
            let is_agreed = session.offers_rematch(!by) || session.info.is_bot(!by);
            let rematch = is_agreed.then(|| reversed(&session.info, at_ms));
            (prepared, session.info.number, rematch)
        };
        let (event, number) = (prepared.event(), prepared.number());
        let rematch_id = rematch.as_ref().map(|rematch| rematch.id.clone());
        let written = self.inner.store.write(move |connection| {
            events::insert(connection, game, number, at_ms, event)?;
            if let Some(rematch) = rematch {
                games::insert(connection, &rematch)?;
                games::set_rematch(connection, game, &rematch.id)?;
            }
            Ok(())
        });
        if let Err(error) = written.await {
            self.reload(&mut guard.session());
            return Err(error.into());
        }
        let started = match &rematch_id {
            Some(id) => self.start_session(id).await.map(drop),
            None => Ok(()),
        };
        let mut session = guard.session();
        let change = match (started, session.commit(prepared, Instant::now())) {
            (Ok(()), Ok(change)) => change,
            // The events are stored, so the sessions are right when they are loaded again.
            _ => {
                self.reload(&mut session);
                return Err(ServiceError::Internal);
            }
        };
        session.info.rematch = rematch_id;
        session.broadcast(&change, None);
        Ok(())
    }
}

/// The seat that a user may take.
fn free_seat(
    info: &GameInfo,
    user: &User,
    invitation: Option<&str>,
) -> Result<Color, ServiceError> {
    if info.status != GameStatus::Open {
        return Err(ServiceError::NotOpen);
    }
    if info.color_of(user.id).is_some() {
        return Err(ServiceError::NotNow("You cannot play against yourself."));
    }
    if let Some(token) = &info.invitation
        && invitation != Some(token.as_str())
    {
        return Err(ServiceError::Forbidden("You need the invitation link to join this game."));
    }
    let free = Color::ALL.into_iter().find(|color| info.player(*color).is_none());
    free.ok_or(ServiceError::NotOpen)
}

/// The settings of a rematch with reversed colours.
fn reversed(info: &GameInfo, now_ms: i64) -> GameInfo {
    let [white, black] = info.seats.clone();
    GameInfo {
        number: 0,
        id: tokens::game_id(),
        seats: [black, white],
        seed: tokens::number(),
        status: GameStatus::Playing,
        invitation: None,
        created_ms: now_ms,
        started_ms: Some(now_ms),
        ended_ms: None,
        moves: 0,
        result: None,
        ending: None,
        rematch: None,
        ..info.clone()
    }
}
