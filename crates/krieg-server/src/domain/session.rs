//! A session: one game in memory, with its umpire, clock and connections.
//!
//! A [`GameSession`] changes only by [`Event`]s, through [`GameSession::commit`], both when an
//! event occurs and when it is read from the database. So after a restart the players find the
//! state that they left.

use std::time::{Duration, Instant};

use krieg_core::{
    Announcement, Color, Ending, Entry, Game, Observation, Observer, Outcome, PreparedTry, Try,
    TryError, Verdict,
};
use krieg_time::Clock;
use tokio::task::AbortHandle;

use super::{
    Change, Command, CommandError, Event, GameInfo, GameStatus, Guesses, JudgedTry, PreparedEvent,
    StaleEvent, Subscribers,
};

/// Maximum number of refused tries per turn. No position has as many sensible tries; a client that
/// reaches the limit only fills the database.
const MAX_REFUSALS: u16 = 500;

/// A running or finished game.
#[derive(Debug)]
pub struct GameSession {
    /// The game's settings and status.
    pub info: GameInfo,
    /// The players' guesses.
    pub guesses: [Guesses; 2],
    /// The players' connections.
    pub subscribers: Subscribers,
    /// The task that ends the game when a flag falls.
    pub flag_timer: Option<AbortHandle>,
    /// The moment since which the side to move has been thinking.
    pub thinking_since: Instant,
    pub(super) game: Game,
    pub(super) clock: Clock,
    /// The time of this turn that was charged for refused tries.
    pub(super) turn_spent: Duration,
    pub(super) draw_offer: Option<Color>,
    pub(super) observations: [Vec<Observation>; 2],
    pub(super) rematch_offers: [bool; 2],
    event_count: u32,
    observers: [Observer; 2],
    /// The ply of each player's last draw offer. One offer per move is allowed.
    offered_at: [Option<u32>; 2],
}

impl GameSession {
    /// A session without events.
    pub fn new(info: GameInfo) -> Self {
        let mut game = Game::new(info.setup.clone());
        game.set_seed(Some(info.seed));
        for (tag, color) in [("White", Color::White), ("Black", Color::Black)] {
            let name = info.player(color).map_or("?", |player| &player.name);
            // Cannot fail: user names have no control characters.
            let _ = game.set_tag(tag, name);
        }
        let _ = game.set_tag("TimeControl", &info.control.to_string());
        GameSession {
            clock: Clock::new(info.control),
            game,
            info,
            guesses: Default::default(),
            subscribers: Subscribers::default(),
            flag_timer: None,
            thinking_since: Instant::now(),
            turn_spent: Duration::ZERO,
            draw_offer: None,
            observations: Default::default(),
            rematch_offers: [false; 2],
            event_count: 0,
            observers: Color::ALL.map(Observer::new),
            offered_at: [None; 2],
        }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The number of tries.
    pub fn tries(&self) -> usize {
        self.game.record().entries().len()
    }

    /// The side to move, if the game is running.
    pub fn turn(&self) -> Option<Color> {
        let is_running = self.info.status == GameStatus::Playing && self.outcome().is_none();
        is_running.then(|| self.game.umpire().turn())
    }

    /// The colour of the bot that is to move, if any.
    pub fn bot_to_move(&self) -> Option<Color> {
        self.turn().filter(|turn| self.info.is_bot(*turn))
    }

    /// Whether this bot is to move and exactly `tries` tries have been made.
    pub fn is_awaiting_bot(&self, bot: Color, tries: usize) -> bool {
        self.bot_to_move() == Some(bot) && self.tries() == tries
    }

    /// The outcome, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.umpire().outcome()
    }

    /// Whether the opponent offers this player a draw.
    pub fn is_draw_offered_to(&self, player: Color) -> bool {
        self.draw_offer == Some(!player)
    }

    /// Whether this player offers a rematch.
    pub fn offers_rematch(&self, player: Color) -> bool {
        self.rematch_offers[player as usize]
    }

    /// A player's observations, without the announcement at the start.
    pub fn observations(&self, player: Color) -> &[Observation] {
        &self.observations[player as usize]
    }

    /// The event that a command of this player leads to. A try after the player's flag has fallen
    /// leads to the end of the game. Nothing is judged, so this is cheap enough for rejecting
    /// impossible commands early.
    pub fn event_for(
        &self,
        player: Color,
        command: &Command,
        now: Instant,
    ) -> Result<Event, CommandError> {
        let event = match *command {
            Command::Try { tried } => self.try_event(player, tried, now)?,
            Command::Resign {} => Event::End { ending: Ending::Resignation, by: player },
            Command::Offer {} => Event::DrawOffer { by: player },
            Command::Accept {} => Event::End { ending: Ending::Agreement, by: player },
            Command::Decline {} => Event::DrawDecline { by: player },
            Command::Rematch {} => Event::RematchOffer { by: player },
            // These commands lead to no event.
            Command::Guesses { .. } | Command::Ping {} => return Err(CommandError::NotNow),
        };
        self.check(event)?;
        Ok(event)
    }

    fn try_event(&self, player: Color, tried: Try, now: Instant) -> Result<Event, CommandError> {
        let turn = self.turn().ok_or(CommandError::GameOver)?;
        if turn != player {
            return Err(CommandError::NotYourTurn(turn));
        }
        if self.game.umpire().view(player).refusals() >= MAX_REFUSALS {
            return Err(CommandError::TooManyRefusals);
        }
        Ok(match self.flag_falls_at() {
            Some(falls_at) if falls_at < now => Event::End { ending: Ending::Flag, by: player },
            _ => Event::Try { tried, spent_ms: self.thinking_ms(now) },
        })
    }

    /// Checks whether an event is possible now. A try is not judged: the view of the side to move
    /// tells whether the umpire processes it.
    pub(super) fn check(&self, event: Event) -> Result<(), CommandError> {
        let is_over = self.outcome().is_some();
        let is_possible = match event {
            Event::RematchOffer { by } => {
                is_over && self.info.rematch.is_none() && !self.offers_rematch(by)
            }
            _ if is_over => return Err(CommandError::GameOver),
            Event::Try { tried, .. } => {
                let view = self.game.umpire().view(self.game.umpire().turn());
                match tried {
                    _ if view.is_sensible(tried) => {}
                    Try::Any => return Err(TryError::AnyNotAllowed.into()),
                    Try::Move(mv) => drop(view.answer_to_senseless(mv)?),
                }
                true
            }
            Event::End { ending: Ending::Agreement, by } => self.is_draw_offered_to(by),
            Event::End { .. } => true,
            Event::DrawOffer { by } => {
                let ply = self.game.umpire().view(by).ply();
                self.draw_offer.is_none() && self.offered_at[by as usize] != Some(ply)
            }
            Event::DrawDecline { by } => self.is_draw_offered_to(by),
        };
        if is_possible { Ok(()) } else { Err(CommandError::NotNow) }
    }

    /// Judges a try of the side to move. Nothing changes.
    pub fn judge(&self, tried: Try) -> Result<JudgedTry, TryError> {
        Ok(JudgedTry { prepared: self.game.prepare(tried)?, tries: self.tries() })
    }

    /// Prepares an event: determines its effect without changing anything. A try that was judged in
    /// the current state need not be judged again.
    pub fn prepare(
        &self,
        event: Event,
        judged: Option<JudgedTry>,
    ) -> Result<PreparedEvent, CommandError> {
        self.check(event)?;
        let mut prepared =
            PreparedEvent { event, number: self.event_count, judged: None, outcome: None };
        match event {
            Event::Try { tried, .. } => {
                let is_current = |judged: &JudgedTry| {
                    judged.tries == self.tries() && judged.prepared.tried() == tried
                };
                let judged = match judged.filter(is_current) {
                    Some(judged) => judged,
                    None => self.judge(tried)?,
                };
                prepared.outcome = judged.prepared.announcement().end;
                prepared.judged = Some(judged.prepared);
            }
            Event::End { ending, by } => {
                prepared.outcome = end_game(&mut self.game.clone(), ending, by)?.end;
            }
            Event::DrawOffer { .. } | Event::DrawDecline { .. } | Event::RematchOffer { .. } => {}
        }
        Ok(prepared)
    }

    /// Applies a prepared event at `now`. A try is not judged again.
    pub fn commit(&mut self, prepared: PreparedEvent, now: Instant) -> Result<Change, StaleEvent> {
        if prepared.number != self.event_count {
            return Err(StaleEvent);
        }
        let change = match (prepared.event, prepared.judged) {
            (Event::Try { spent_ms, .. }, Some(judged)) => {
                self.commit_try(judged, spent_ms, now)?
            }
            (Event::Try { .. }, None) => return Err(StaleEvent),
            (Event::End { ending, by }, _) => self.commit_end(ending, by)?,
            (Event::DrawOffer { by }, _) => {
                self.draw_offer = Some(by);
                self.offered_at[by as usize] = Some(self.game.umpire().view(by).ply());
                Change::default()
            }
            (Event::DrawDecline { .. }, _) => {
                self.draw_offer = None;
                Change::default()
            }
            (Event::RematchOffer { by }, _) => {
                self.rematch_offers[by as usize] = true;
                Change::default()
            }
        };
        self.event_count += 1;
        if let Some(outcome) = change.outcome {
            self.info.status = GameStatus::Over;
            self.info.result = Some(outcome.result().to_string());
            self.info.ending = Some(outcome.ending.name().to_string());
        }
        Ok(change)
    }

    /// Prepares and commits a stored event.
    pub fn replay(&mut self, event: Event) -> Result<(), CommandError> {
        let prepared = self.prepare(event, None)?;
        self.commit(prepared, Instant::now()).map(drop).map_err(|StaleEvent| CommandError::NotNow)
    }

    fn commit_try(
        &mut self,
        judged: PreparedTry,
        spent_ms: u32,
        now: Instant,
    ) -> Result<Change, StaleEvent> {
        let by = self.game.umpire().turn();
        let view = self.game.umpire().view(by);
        let (pieces, ply) = (*view.pieces(), view.ply());
        let tried = judged.tried();
        let announcement =
            self.game.commit(judged, Some(spent_ms)).map_err(|krieg_core::StaleTry| StaleEvent)?;
        let spent = Duration::from_millis(spent_ms.into());
        // Whether the flag fell was checked before the try was judged.
        let _ = self.clock.charge(by, self.turn_spent, spent);
        if announcement.verdict == Verdict::Moved {
            self.clock.press(by);
            self.turn_spent = Duration::ZERO;
            self.thinking_since = now;
            self.info.moves += 1;
            // A move declines the opponent's draw offer.
            if self.is_draw_offered_to(by) {
                self.draw_offer = None;
            }
        } else {
            self.turn_spent += spent;
            // The clock does not stop while the try is written to the database. Otherwise the
            // opponent could notice refused tries by the time that is missing.
            self.thinking_since += spent;
        }
        let entry = Entry { tried, announcement, spent_ms: Some(spent_ms) };
        let observations = Color::ALL.map(|player| {
            let observation = self.observers[player as usize].observe(&entry)?;
            let own = (by == player).then_some(&pieces);
            Some(self.add_observation(player, observation, own, ply))
        });
        Ok(Change { observations, outcome: announcement.end })
    }

    fn commit_end(&mut self, ending: Ending, by: Color) -> Result<Change, StaleEvent> {
        let ply = self.game.umpire().view(by).ply();
        let announcement = end_game(&mut self.game, ending, by).map_err(|_| StaleEvent)?;
        self.draw_offer = None;
        let observation = Observation { tried: None, announcement, spent_ms: None };
        let observations =
            Color::ALL.map(|player| Some(self.add_observation(player, observation, None, ply)));
        Ok(Change { observations, outcome: announcement.end })
    }
}

/// Ends a game because of a player's action.
fn end_game(game: &mut Game, ending: Ending, by: Color) -> Result<Announcement, CommandError> {
    Ok(match ending {
        Ending::Resignation => game.resign(by)?,
        Ending::Flag => game.flag(by)?,
        Ending::Abandonment => game.abandon(by)?,
        Ending::Agreement => game.agree_to_draw()?,
        _ => return Err(CommandError::NotNow),
    })
}
