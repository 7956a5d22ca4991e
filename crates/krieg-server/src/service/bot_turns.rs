//! Bots in games: when a bot is to move, a worker decides, and the service records the decision.

use std::sync::Arc;
use std::time::{Duration, Instant};

use krieg_core::{Color, Ending};
use krieg_players::{Choice, GameSettings, PlayerError, Seat};
use krieg_time::TimeControl;

use super::GameService;
use super::session_handle::SessionHandle;
use crate::bots::{BotTurn, Decision};
use crate::domain::{Command, Event, GameInfo, GameSession, JudgedTry};

/// The time until a cancelled turn is retried.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// A player's seat in a game, for a program that plays or advises.
pub(super) fn seat(info: &GameInfo, color: Color, control: TimeControl) -> Seat {
    let settings = GameSettings { setup: info.setup.clone(), control, ..GameSettings::default() };
    Seat::new(color, &settings, info.seed)
}

impl GameService {
    /// Schedules the next event that no command causes: the fall of a flag, or the turn of a bot.
    pub(super) fn schedule_next(&self, session: &mut GameSession) {
        self.set_flag_timer(session);
        if let Some(bot) = session.bot_to_move() {
            let (service, id, tries) = (self.clone(), session.info.id.clone(), session.tries());
            tokio::spawn(async move { service.play_bot_turn(&id, bot, tries).await });
        }
    }

    /// Lets a bot decide, and records its decision if the game still waits for it after this number
    /// of tries.
    async fn play_bot_turn(&self, id: &str, bot: Color, tries: usize) {
        let Ok(handle) = self.session(id).await else { return };
        let Some(turn) = bot_turn(&handle, bot, tries) else { return };
        let (deadline, started) = (turn.deadline, Instant::now());
        let Ok(decision) = self.inner.bots.choose(turn).await else {
            // The queue is full, or the server stops. In the second case the next start of the
            // server resumes the game.
            tokio::time::sleep(RETRY_DELAY).await;
            if !self.inner.queue.is_closed() {
                self.schedule_next(&mut handle.session());
            }
            return;
        };
        self.inner.metrics.record_bot_move(started.elapsed());
        let decision = match decision {
            Ok(decision) => judge(&handle.session(), bot, decision),
            Err(error) => Err(error),
        };
        // A move, or the acceptance of a draw instead of it, is announced at the deadline. Refused
        // tries are not delayed, so that a bot has time for more than one.
        if let Ok(JudgedDecision { is_move: true, .. }) = &decision {
            tokio::time::sleep_until(deadline.into()).await;
        }
        // A session that is loaded again calls this again.
        let Ok(guard) = self.lock_commands(&handle).await else { return };
        let (event, judged) = {
            let session = guard.session();
            if !session.is_awaiting_bot(bot, tries) {
                return;
            }
            match decision {
                Ok(decision) => decision.event(&session, bot),
                Err(PlayerError(error)) => {
                    tracing::error!(game = id, error, "a bot failed and loses the game");
                    (Event::End { ending: Ending::Abandonment, by: bot }, None)
                }
            }
        };
        // The error has been logged. After a failed write the reloaded session calls the bot again.
        let _ = self.record(&guard, event, judged, None).await;
    }
}

/// A bot's decision with its judged try.
struct JudgedDecision {
    decision: Decision,
    judged: Option<JudgedTry>,
    /// Whether the decision is a legal move, or would be announced like one.
    is_move: bool,
}

/// Judges a bot's try. A try that is not sensible is an error of the bot.
fn judge(
    session: &GameSession,
    bot: Color,
    decision: Decision,
) -> Result<JudgedDecision, PlayerError> {
    let Choice::Try(tried) = decision.choice else {
        return Ok(JudgedDecision { decision, judged: None, is_move: false });
    };
    if !session.game().umpire().view(bot).is_sensible(tried) {
        return Err(PlayerError(format!("{tried} is not a sensible try")));
    }
    let judged = session.judge(tried).ok();
    let accepts_draw = decision.accepts_draw && session.is_draw_offered_to(bot);
    let is_move = accepts_draw || judged.as_ref().is_some_and(JudgedTry::is_move);
    Ok(JudgedDecision { decision, judged, is_move })
}

impl JudgedDecision {
    /// The event that the decision leads to now.
    fn event(self, session: &GameSession, bot: Color) -> (Event, Option<JudgedTry>) {
        let resignation = Event::End { ending: Ending::Resignation, by: bot };
        match self.decision.choice {
            _ if self.decision.accepts_draw && session.is_draw_offered_to(bot) => {
                (Event::End { ending: Ending::Agreement, by: bot }, None)
            }
            Choice::Try(tried) => {
                let event = session.event_for(bot, &Command::Try { tried }, Instant::now());
                // This fails only if the bot has reached the limit of refused tries in this turn.
                (event.unwrap_or(resignation), self.judged)
            }
            Choice::Resign => (resignation, None),
        }
    }
}

/// The turn of a bot, if the game waits for it after this number of tries.
fn bot_turn(handle: &Arc<SessionHandle>, bot: Color, tries: usize) -> Option<BotTurn> {
    let session = handle.session();
    if !session.is_awaiting_bot(bot, tries) {
        return None;
    }
    let settings = session.info.player(bot)?.bot.clone()?;
    let preferred = Duration::from_millis(settings.move_ms);
    let turn_time = session.bot_turn_time(bot, preferred);
    let now = Instant::now();
    let source = handle.clone();
    Some(BotTurn {
        game: session.info.id.clone(),
        spec: settings.spec,
        seat: seat(&session.info, bot, TimeControl::Move(preferred)),
        view: session.game().umpire().view(bot).clone(),
        observations_since: Box::new(move |from| {
            let session = source.session();
            let is_awaited = session.is_awaiting_bot(bot, tries);
            let observations = session.observations(bot).get(from..);
            observations.filter(|_| is_awaited).map(<[_]>::to_vec)
        }),
        turn_time,
        deadline: now + turn_time.saturating_sub(session.turn_elapsed(now)),
    })
}
