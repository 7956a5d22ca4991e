//! Bots at their tables.

use std::time::{Duration, Instant};

use krieg_core::{Color, Ending, Try};
use krieg_players::{Choice, GameSettings, PlayerError, Seat};
use krieg_time::TimeControl;

use super::GameService;
use crate::bots::{BotTurn, Decision};
use crate::domain::GameSession;
use crate::store::{Event, GameInfo};

impl GameSession {
    /// Whether the game waits for this bot, after so many tries.
    fn waits_for(&self, bot: Color, at: usize) -> bool {
        self.bot_to_move() == Some(bot) && self.tries() == at
    }

    /// The colour of the bot that is to move.
    pub fn bot_to_move(&self) -> Option<Color> {
        self.turn().filter(|turn| {
            self.info.seats[*turn as usize].as_ref().is_some_and(|person| person.is_bot())
        })
    }
}

/// When a bot that could not think tries again.
const LATER: Duration = Duration::from_secs(1);

/// Where somebody sits, for whoever thinks in his place.
pub(super) fn seat(info: &GameInfo, color: Color, control: TimeControl) -> Seat {
    let conditions = GameSettings { setup: info.setup.clone(), control, ..GameSettings::default() };
    Seat::new(color, &conditions, info.seed)
}

impl GameService {
    /// Sees to what has to happen next at a table: a flag that may fall, a bot that is to move.
    pub(super) fn schedule_next(&self, session: &mut GameSession) {
        self.set_flag_timer(session);
        if let Some(bot) = session.bot_to_move() {
            let (hall, id, at) = (self.clone(), session.info.id.clone(), session.tries());
            tokio::spawn(async move { hall.bot_moves(&id, bot, at).await });
        }
    }

    /// A bot thinks about a try and makes it, if the game still stands where it stood: after so many tries.
    async fn bot_moves(&self, id: &str, bot: Color, at: usize) {
        let Ok(table) = self.table(id).await else { return };
        let Some(thought) = bot_turn(&table.session(), bot, at) else { return };
        let (until, view) = (thought.until, thought.view.clone());
        let begun = Instant::now();
        let Ok(decision) = self.inner.bots.choose(thought).await else {
            // Too many think already, or the server stops: then there will be another that takes up the game.
            tokio::time::sleep(LATER).await;
            if !self.inner.queue.is_closed() {
                self.schedule_next(&mut table.session());
            }
            return;
        };
        let decision = decision.and_then(|decision| match decision.choice {
            Choice::Try(tried) if !view.is_sensible(tried) => {
                Err(PlayerError(format!("it tried {tried}, which makes no sense")))
            }
            _ => Ok(decision),
        });
        self.inner.metrics.thought(begun.elapsed());
        let would_move = |tried| {
            let effect = table.session().prepare(&Event::Tried(tried, 0));
            effect.is_ok_and(|effect| effect.moved)
        };
        let agrees =
            |decision: &Decision| decision.would_draw && table.session().is_offered_to(bot);
        // Who takes a draw does so when he would have moved.
        let takes_its_time = |decision: &Decision| match decision.choice {
            Choice::Try(tried) => agrees(decision) || would_move(tried),
            Choice::Resign => false,
        };
        if decision.as_ref().is_ok_and(takes_its_time) {
            tokio::time::sleep_until(until.into()).await;
        }
        let turn = table.turn().await;
        if !table.session().waits_for(bot, at) {
            return;
        }
        let event = match decision {
            Ok(decision) if agrees(&decision) => Event::Ended(Ending::Agreement, bot),
            Ok(Decision { choice: Choice::Try(tried), .. }) => bot_tries(&table.session(), tried),
            Ok(Decision { choice: Choice::Resign, .. }) => Event::Ended(Ending::Resignation, bot),
            Err(PlayerError(why)) => {
                tracing::error!(game = id, why, "a bot cannot go on");
                Event::Ended(Ending::Abandonment, bot)
            }
        };
        let _ = self.record_event(&turn, event, None).await;
    }
}

/// A bot's try, unless its time is over.
fn bot_tries(session: &GameSession, tried: Try) -> Event {
    let now = Instant::now();
    let Some(turn) = session.turn() else { return Event::Tried(tried, 0) };
    match session.flag_falls_at() {
        Some(falls_at) if falls_at < now => Event::Ended(Ending::Flag, turn),
        _ => Event::Tried(tried, session.thinking_ms(now)),
    }
}

/// What a bot has to think about, if the game waits for it after so many tries.
fn bot_turn(session: &GameSession, bot: Color, at: usize) -> Option<BotTurn> {
    if !session.waits_for(bot, at) {
        return None;
    }
    let (spec, ms) = session.info.seats[bot as usize].as_ref()?.bot.clone()?;
    let likes = Duration::from_millis(ms);
    let pace = session.pace(bot, likes);
    let passed = session.turn_passed(Instant::now());
    Some(BotTurn {
        game: session.info.id.clone(),
        spec,
        seat: seat(&session.info, bot, TimeControl::Move(likes)),
        lines: session.game().record().transcript(bot).observations,
        view: session.game().umpire().view(bot).clone(),
        pace,
        until: Instant::now() + pace.saturating_sub(passed),
    })
}
