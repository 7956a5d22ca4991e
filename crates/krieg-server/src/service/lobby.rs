//! How games begin: against a bot, by invitation, in the lobby, and again with colours reversed.

use std::time::Instant;

use krieg_core::{Color, Position, Ruleset, Setup};
use krieg_players::PlayerSpec;
use krieg_time::TimeControl;

use super::GameService;
use super::ServiceError;
use super::session_handle::{Turn, seat_of};
use crate::domain::GameSession;
use crate::now_ms;
use crate::store::{Event, GameInfo, Source, Status, User};
use crate::tokens;

/// Whom somebody wants to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opponent {
    /// This bot, which thinks so many milliseconds about a move.
    Bot(PlayerSpec, u64),
    /// Whoever comes first.
    Lobby,
    /// Whoever has the link.
    Invitation,
}

/// Which colour somebody wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// This one.
    Color(Color),
    /// Either.
    Random,
}

/// A game that somebody wants to begin.
#[derive(Debug, Clone)]
pub struct Begin {
    /// The ruleset.
    pub ruleset: Ruleset,
    /// Where it begins.
    pub start: Position,
    /// The time control.
    pub control: TimeControl,
    /// Which colour.
    pub wish: Wish,
    /// Whether it counts.
    pub rated: bool,
    /// Whether the coach may be asked.
    pub coach: bool,
    /// Against whom.
    pub opponent: Opponent,
}

/// What a bot is called that thinks so long.
fn bot_name(spec: &PlayerSpec, ms: u64) -> String {
    let time = if ms < 1_000 { format!("{ms} ms") } else { format!("{} s", ms as f64 / 1e3) };
    format!("{spec}, {time} a move")
}

impl GameService {
    /// Begins a game, or lays a table for one.
    pub async fn begin(&self, person: &User, wanted: Begin) -> Result<GameInfo, ServiceError> {
        let (hall, person) = (self.clone(), person.clone());
        to_the_end(async move { hall.begin_now(&person, wanted).await }).await
    }

    async fn begin_now(&self, person: &User, wanted: Begin) -> Result<GameInfo, ServiceError> {
        let color = match wanted.wish {
            Wish::Color(color) => color,
            Wish::Random if tokens::number().is_multiple_of(2) => Color::White,
            Wish::Random => Color::Black,
        };
        let now = now_ms();
        let mut info = GameInfo {
            number: 0,
            id: tokens::game_id(),
            setup: Setup { ruleset: wanted.ruleset, start: wanted.start, ..Setup::default() },
            control: wanted.control,
            seats: [None, None],
            rated: wanted.rated,
            coach: wanted.coach,
            seed: tokens::number(),
            status: Status::Open,
            creator: Some(person.id),
            invitation: None,
            created_ms: now,
            started_ms: None,
            ended_ms: None,
            moves: 0,
            result: None,
            ending: None,
            next: None,
            source: Source::Played,
            ratings: [None; 2],
        };
        info.seats[color as usize] = Some(person.clone());
        match wanted.opponent {
            Opponent::Bot(spec, ms) => {
                let (name, spec, human) = (bot_name(&spec, ms), spec.to_string(), person.id);
                let going_on = self
                    .inner
                    .store
                    .read(move |c| GameInfo::playing_against_bots(c, human))
                    .await?;
                if going_on >= MOST_BOT_GAMES {
                    return Err(ServiceError::NotNow(
                        "Please end some of your games against bots first.",
                    ));
                }
                let bot = self
                    .inner
                    .store
                    .write(move |connection| User::bot(connection, &name, &spec, ms, now));
                info.seats[!color as usize] = Some(bot.await?);
                info.status = Status::Playing;
                info.started_ms = Some(now);
            }
            Opponent::Lobby => {}
            Opponent::Invitation => info.invitation = Some(tokens::invitation()),
        }
        self.add(info).await
    }

    /// Puts a new game into the store, and lets it begin if both are there.
    async fn add(&self, mut info: GameInfo) -> Result<GameInfo, ServiceError> {
        if info.rated && info.is_between_people() {
            info.coach = false;
        }
        let new = info.clone();
        self.inner.store.write(move |connection| new.add(connection)).await?;
        self.lay(&info.id).await
    }

    /// Lays the table for a game that has just come into the store.
    async fn lay(&self, id: &str) -> Result<GameInfo, ServiceError> {
        self.inner.metrics.game_begun();
        let table = self.table(id).await?;
        let mut session = table.session();
        self.schedule_next(&mut session);
        Ok(session.info.clone())
    }

    /// Somebody takes the free seat.
    pub async fn join(
        &self,
        id: String,
        person: User,
        invitation: Option<String>,
    ) -> Result<GameInfo, ServiceError> {
        let hall = self.clone();
        to_the_end(async move { hall.join_now(&id, &person, invitation.as_deref()).await }).await
    }

    async fn join_now(
        &self,
        id: &str,
        person: &User,
        invitation: Option<&str>,
    ) -> Result<GameInfo, ServiceError> {
        let table = self.table(id).await?;
        let _turn = table.turn().await;
        let (number, free) = {
            let session = table.session();
            (session.info.number, free_seat(&session.info, person, invitation)?)
        };
        let (joiner, now) = (person.id, now_ms());
        let id = id.to_string();
        let joined = self.inner.store.write(move |connection| {
            match GameInfo::join(connection, number, free, joiner, now)? {
                true => GameInfo::find(connection, &id),
                false => Ok(None),
            }
        });
        let info = joined.await?.ok_or(ServiceError::NotOpen)?;
        let mut session = table.session();
        let subscribers = std::mem::take(&mut session.subscribers);
        *session = GameSession::new(info);
        session.subscribers = subscribers;
        // The one who waits is told everything anew: now he has an opponent.
        let states = Color::ALL.map(|color| session.state(color, Instant::now()).to_string());
        session
            .subscribers
            .tell(|subscriber| Some(states[subscriber.color as usize].clone().into()));
        self.schedule_next(&mut session);
        Ok(session.info.clone())
    }

    /// Takes back a game that nobody has joined.
    pub async fn cancel(&self, id: String, person: i64) -> Result<(), ServiceError> {
        let hall = self.clone();
        to_the_end(async move { hall.cancel_now(&id, person).await }).await
    }

    async fn cancel_now(&self, id: &str, person: i64) -> Result<(), ServiceError> {
        let table = self.table(id).await?;
        let _turn = table.turn().await;
        seat_of(&table.session(), person)?;
        let number = table.session().info.number;
        let gone = self.inner.store.write(move |connection| GameInfo::cancel(connection, number));
        if !gone.await? {
            return Err(ServiceError::NotOpen);
        }
        let mut session = table.session();
        session.info.status = Status::Gone;
        session.subscribers.clear();
        self.tables().remove(id);
        Ok(())
    }

    /// Somebody wants another game with colours reversed; if the other does too, or is a bot, there is one.
    pub(super) async fn offers_rematch(
        &self,
        turn: &Turn<'_>,
        you: Color,
    ) -> Result<(), ServiceError> {
        let (event, at_ms) = (Event::RematchOffered(you), now_ms());
        let (info, n, both_want) = {
            let session = turn.table.session();
            session.prepare(&event)?;
            let other = session.info.seats[!you as usize].as_ref();
            let both_want = session.offers_rematch(!you) || other.is_some_and(User::is_bot);
            (session.info.clone(), session.events(), both_want)
        };
        let next = both_want.then(|| reversed(&info, at_ms));
        let id = next.as_ref().map(|next| next.id.clone());
        let written = event.clone();
        let written = self.inner.store.write(move |connection| {
            written.add(connection, info.number, n, at_ms)?;
            if let Some(next) = next {
                next.add(connection)?;
                GameInfo::followed_by(connection, info.number, &next.id)?;
            }
            Ok(())
        });
        written.await?;
        if let Some(id) = &id {
            self.lay(id).await?;
        }
        let mut session = turn.table.session();
        session.apply(&event)?;
        session.info.next = id;
        self.tell_aside(&mut session);
        Ok(())
    }
}

/// So many games against bots may one person have going on: they all want to think.
const MOST_BOT_GAMES: usize = 20;

/// What was begun is finished, though whoever asked for it may be gone meanwhile.
async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, ServiceError>> + Send + 'static,
) -> Result<T, ServiceError> {
    tokio::spawn(work).await.unwrap_or(Err(ServiceError::Trouble))
}

/// The seat that somebody may take.
fn free_seat(
    info: &GameInfo,
    person: &User,
    invitation: Option<&str>,
) -> Result<Color, ServiceError> {
    if info.status != Status::Open {
        return Err(ServiceError::NotOpen);
    }
    if info.color_of(person.id).is_some() {
        return Err(ServiceError::NotNow("You sit there already."));
    }
    if let Some(secret) = &info.invitation
        && invitation != Some(secret.as_str())
    {
        return Err(ServiceError::NotYours("Only whoever has the link may join."));
    }
    let free = Color::ALL.into_iter().find(|color| info.seats[*color as usize].is_none());
    free.ok_or(ServiceError::NotOpen)
}

/// The same again with colours reversed.
fn reversed(info: &GameInfo, now_ms: i64) -> GameInfo {
    let [white, black] = info.seats.clone();
    GameInfo {
        number: 0,
        id: tokens::game_id(),
        seats: [black, white],
        seed: tokens::number(),
        status: Status::Playing,
        invitation: None,
        created_ms: now_ms,
        started_ms: Some(now_ms),
        ended_ms: None,
        moves: 0,
        result: None,
        ending: None,
        next: None,
        ..info.clone()
    }
}
