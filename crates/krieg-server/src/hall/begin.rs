//! How games begin: against a bot, by invitation, in the lobby, and again with colours reversed.

use std::time::Instant;

use krieg_core::{Color, Position, Ruleset, Setup};
use krieg_players::PlayerSpec;
use krieg_time::TimeControl;

use super::Hall;
use super::table::{Turn, seat_of};
use crate::now_ms;
use crate::refusal::Refusal;
use crate::secrets;
use crate::sitting::Sitting;
use crate::store::{Event, Facts, Person, Source, Status};

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

impl Hall {
    /// Begins a game, or lays a table for one.
    pub async fn begin(&self, person: &Person, wanted: Begin) -> Result<Facts, Refusal> {
        let (hall, person) = (self.clone(), person.clone());
        to_the_end(async move { hall.begin_now(&person, wanted).await }).await
    }

    async fn begin_now(&self, person: &Person, wanted: Begin) -> Result<Facts, Refusal> {
        let color = match wanted.wish {
            Wish::Color(color) => color,
            Wish::Random if secrets::number().is_multiple_of(2) => Color::White,
            Wish::Random => Color::Black,
        };
        let now = now_ms();
        let mut facts = Facts {
            number: 0,
            id: secrets::game_id(),
            setup: Setup { ruleset: wanted.ruleset, start: wanted.start, ..Setup::default() },
            control: wanted.control,
            seats: [None, None],
            rated: wanted.rated,
            coach: wanted.coach,
            seed: secrets::number(),
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
        facts.seats[color as usize] = Some(person.clone());
        match wanted.opponent {
            Opponent::Bot(spec, ms) => {
                let (name, spec, human) = (bot_name(&spec, ms), spec.to_string(), person.id);
                let going_on =
                    self.inner.store.read(move |c| Facts::playing_against_bots(c, human)).await?;
                if going_on >= MOST_BOT_GAMES {
                    return Err(Refusal::NotNow(
                        "Please end some of your games against bots first.",
                    ));
                }
                let bot = self
                    .inner
                    .store
                    .write(move |connection| Person::bot(connection, &name, &spec, ms, now));
                facts.seats[!color as usize] = Some(bot.await?);
                facts.status = Status::Playing;
                facts.started_ms = Some(now);
            }
            Opponent::Lobby => {}
            Opponent::Invitation => facts.invitation = Some(secrets::invitation()),
        }
        self.add(facts).await
    }

    /// Puts a new game into the store, and lets it begin if both are there.
    async fn add(&self, mut facts: Facts) -> Result<Facts, Refusal> {
        if facts.rated && facts.is_between_people() {
            facts.coach = false;
        }
        let new = facts.clone();
        self.inner.store.write(move |connection| new.add(connection)).await?;
        self.lay(&facts.id).await
    }

    /// Lays the table for a game that has just come into the store.
    async fn lay(&self, id: &str) -> Result<Facts, Refusal> {
        self.inner.metrics.game_begun();
        let table = self.table(id).await?;
        let mut sitting = table.sitting();
        self.see_to_next(&mut sitting);
        Ok(sitting.facts.clone())
    }

    /// Somebody takes the free seat.
    pub async fn join(
        &self,
        id: String,
        person: Person,
        invitation: Option<String>,
    ) -> Result<Facts, Refusal> {
        let hall = self.clone();
        to_the_end(async move { hall.join_now(&id, &person, invitation.as_deref()).await }).await
    }

    async fn join_now(
        &self,
        id: &str,
        person: &Person,
        invitation: Option<&str>,
    ) -> Result<Facts, Refusal> {
        let table = self.table(id).await?;
        let _turn = table.turn().await;
        let (number, free) = {
            let sitting = table.sitting();
            (sitting.facts.number, free_seat(&sitting.facts, person, invitation)?)
        };
        let (joiner, now) = (person.id, now_ms());
        let id = id.to_string();
        let joined = self.inner.store.write(move |connection| {
            match Facts::join(connection, number, free, joiner, now)? {
                true => Facts::find(connection, &id),
                false => Ok(None),
            }
        });
        let facts = joined.await?.ok_or(Refusal::NotOpen)?;
        let mut sitting = table.sitting();
        let listeners = std::mem::take(&mut sitting.listeners);
        *sitting = Sitting::new(facts);
        sitting.listeners = listeners;
        // The one who waits is told everything anew: now he has an opponent.
        let states = Color::ALL.map(|color| sitting.state(color, Instant::now()).to_string());
        sitting.listeners.tell(|listener| Some(states[listener.color as usize].clone().into()));
        self.see_to_next(&mut sitting);
        Ok(sitting.facts.clone())
    }

    /// Takes back a game that nobody has joined.
    pub async fn take_back(&self, id: String, person: i64) -> Result<(), Refusal> {
        let hall = self.clone();
        to_the_end(async move { hall.take_back_now(&id, person).await }).await
    }

    async fn take_back_now(&self, id: &str, person: i64) -> Result<(), Refusal> {
        let table = self.table(id).await?;
        let _turn = table.turn().await;
        seat_of(&table.sitting(), person)?;
        let number = table.sitting().facts.number;
        let gone = self.inner.store.write(move |connection| Facts::take_back(connection, number));
        if !gone.await? {
            return Err(Refusal::NotOpen);
        }
        let mut sitting = table.sitting();
        sitting.facts.status = Status::Gone;
        sitting.listeners.clear();
        self.tables().remove(id);
        Ok(())
    }

    /// Somebody wants another game with colours reversed; if the other does too, or is a bot, there is one.
    pub(super) async fn wants_another(&self, turn: &Turn<'_>, you: Color) -> Result<(), Refusal> {
        let (event, at_ms) = (Event::WantsAnother(you), now_ms());
        let (facts, n, both_want) = {
            let sitting = turn.table.sitting();
            sitting.foresee(&event)?;
            let other = sitting.facts.seats[!you as usize].as_ref();
            let both_want = sitting.wants_another(!you) || other.is_some_and(Person::is_bot);
            (sitting.facts.clone(), sitting.events(), both_want)
        };
        let next = both_want.then(|| reversed(&facts, at_ms));
        let id = next.as_ref().map(|next| next.id.clone());
        let written = event.clone();
        let written = self.inner.store.write(move |connection| {
            written.add(connection, facts.number, n, at_ms)?;
            if let Some(next) = next {
                next.add(connection)?;
                Facts::followed_by(connection, facts.number, &next.id)?;
            }
            Ok(())
        });
        written.await?;
        if let Some(id) = &id {
            self.lay(id).await?;
        }
        let mut sitting = turn.table.sitting();
        sitting.live(&event)?;
        sitting.facts.next = id;
        self.tell_aside(&mut sitting);
        Ok(())
    }
}

/// So many games against bots may one person have going on: they all want to think.
const MOST_BOT_GAMES: usize = 20;

/// What was begun is finished, though whoever asked for it may be gone meanwhile.
async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::spawn(work).await.unwrap_or(Err(Refusal::Trouble))
}

/// The seat that somebody may take.
fn free_seat(facts: &Facts, person: &Person, invitation: Option<&str>) -> Result<Color, Refusal> {
    if facts.status != Status::Open {
        return Err(Refusal::NotOpen);
    }
    if facts.color_of(person.id).is_some() {
        return Err(Refusal::NotNow("You sit there already."));
    }
    if let Some(secret) = &facts.invitation
        && invitation != Some(secret.as_str())
    {
        return Err(Refusal::NotYours("Only whoever has the link may join."));
    }
    let free = Color::ALL.into_iter().find(|color| facts.seats[*color as usize].is_none());
    free.ok_or(Refusal::NotOpen)
}

/// The same again with colours reversed.
fn reversed(facts: &Facts, now_ms: i64) -> Facts {
    let [white, black] = facts.seats.clone();
    Facts {
        number: 0,
        id: secrets::game_id(),
        seats: [black, white],
        seed: secrets::number(),
        status: Status::Playing,
        invitation: None,
        created_ms: now_ms,
        started_ms: Some(now_ms),
        ended_ms: None,
        moves: 0,
        result: None,
        ending: None,
        next: None,
        ..facts.clone()
    }
}
