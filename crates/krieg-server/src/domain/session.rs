//! One game as it is being played: the umpire, the clock, and those who listen.
//!
//! A [`Sitting`] changes by [`Event`]s alone, and by the same code when they happen and when they are read from the store again. So
//! what a player finds after the server was killed is what he would have found without that.

use std::time::{Duration, Instant};

use krieg_core::{
    Announcement, Color, Ending, Entry, Game, Observation, Observer, Outcome, Try, TryError,
    Verdict,
};
use krieg_time::Clock;
use tokio::task::AbortHandle;

use crate::store::{Event, GameInfo, Status};

use super::{Guesses, Heard, Subscribers};

/// A game being played, or just over.
#[derive(Debug)]
pub struct GameSession {
    /// What was settled.
    pub info: GameInfo,
    pub(super) game: Game,
    pub(super) clock: Clock,
    /// How much of the turn had passed when the umpire spoke last.
    pub(super) turn_spent: Duration,
    /// When that was.
    pub(crate) thinking_since: Instant,
    /// How many events there are.
    pub(super) events: u32,
    pub(super) observers: [Observer; 2],
    /// How many lines each player has heard.
    pub(super) heard: [usize; 2],
    pub(super) offer: Option<Color>,
    /// The ply after which each player offered a draw last: once in a move is enough.
    offered_at: [Option<u32>; 2],
    pub(super) offers_rematch: [bool; 2],
    /// What was said at an end away from the board.
    pub(super) closing_announcement: Option<Announcement>,
    /// The players' guesses.
    pub guesses: [Guesses; 2],
    /// Who listens.
    pub subscribers: Subscribers,
    /// What wakes the umpire when a flag falls.
    pub(crate) flag_timer: Option<AbortHandle>,
}

/// What an event changed.
#[derive(Debug, Default)]
pub struct Change {
    /// What each player heard of it.
    pub heard: [Option<Heard>; 2],
    /// How the game ended by it.
    pub end: Option<Outcome>,
}

/// What an event would change for everybody.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Effect {
    /// Whether a move would be made.
    pub moved: bool,
    /// How the game would end by it.
    pub end: Option<Outcome>,
}

/// An event that cannot follow those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventError {
    /// The umpire does not take the try.
    TryError(TryError),
    /// There is nothing to accept or decline, or it was offered already.
    NotNow,
}

impl From<TryError> for EventError {
    fn from(reason: TryError) -> Self {
        EventError::TryError(reason)
    }
}

impl GameSession {
    /// A game whose first event is still to come.
    pub fn new(info: GameInfo) -> Self {
        let mut game = Game::new(info.setup.clone());
        game.set_seed(Some(info.seed));
        for (tag, color) in [("White", Color::White), ("Black", Color::Black)] {
            let name = info.seats[color as usize].as_ref().map_or("?", |seat| &seat.name);
            // Names with control characters are not let in.
            let _ = game.set_tag(tag, name);
        }
        let _ = game.set_tag("TimeControl", &info.control.to_string());
        GameSession {
            clock: Clock::new(info.control),
            game,
            info,
            turn_spent: Duration::ZERO,
            thinking_since: Instant::now(),
            events: 0,
            observers: Color::ALL.map(Observer::new),
            heard: [1; 2],
            offer: None,
            offered_at: [None; 2],
            offers_rematch: [false; 2],
            closing_announcement: None,
            guesses: Default::default(),
            subscribers: Subscribers::default(),
            flag_timer: None,
        }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// How many events there are.
    pub fn events(&self) -> u32 {
        self.events
    }

    /// Who is to move, in a game that goes on.
    pub fn turn(&self) -> Option<Color> {
        let goes_on = self.info.status == Status::Playing && self.outcome().is_none();
        goes_on.then(|| self.game.umpire().turn())
    }

    /// How it ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.umpire().outcome()
    }

    /// Whether the other player offers this one a draw.
    pub fn is_offered_to(&self, color: Color) -> bool {
        self.offer == Some(!color)
    }

    /// Who wants another game.
    pub fn offers_rematch(&self, color: Color) -> bool {
        self.offers_rematch[color as usize]
    }

    /// What an event would do, so that it can be written down before it happens.
    pub fn prepare(&self, event: &Event) -> Result<Effect, EventError> {
        let possible = |is_possible| match is_possible {
            true => Ok(Effect::default()),
            false => Err(EventError::NotNow),
        };
        match *event {
            Event::Tried(tried, _) => {
                let said = self.game.umpire().clone().judge(tried)?;
                Ok(Effect { moved: said.verdict == Verdict::Moved, end: said.end })
            }
            Event::Ended(ending, by) => {
                let said = end_away(&mut self.game.clone(), ending, by, self.offer)?;
                Ok(Effect { moved: false, end: said.end })
            }
            Event::Offered(by) => {
                let ply = self.game.umpire().view(by).ply();
                let is_new = self.offer.is_none() && self.offered_at[by as usize] != Some(ply);
                possible(self.outcome().is_none() && is_new)
            }
            Event::Declined(by) => possible(self.offer == Some(!by)),
            Event::RematchOffered(by) => {
                let may = self.outcome().is_some() && self.info.next.is_none();
                possible(may && !self.offers_rematch(by))
            }
        }
    }

    /// Lives through an event. If it cannot happen now, nothing has changed.
    pub fn apply(&mut self, event: &Event) -> Result<Change, EventError> {
        let change = match *event {
            Event::Tried(tried, ms) => self.tried(tried, ms)?,
            Event::Ended(ending, by) => self.ended(ending, by)?,
            Event::Offered(_) | Event::Declined(_) | Event::RematchOffered(_) => {
                self.prepare(event)?;
                self.aside(event);
                Change::default()
            }
        };
        self.events += 1;
        if let Some(outcome) = change.end {
            self.info.status = Status::Over;
            self.info.result = Some(outcome.result().to_string());
            self.info.ending = Some(outcome.ending.name().to_string());
        }
        Ok(change)
    }

    fn tried(&mut self, tried: Try, ms: u32) -> Result<Change, EventError> {
        let by = self.game.umpire().turn();
        let men = *self.game.umpire().view(by).pieces();
        let ply = self.game.umpire().view(by).ply();
        let said = self.game.judge_timed(tried, Some(ms))?;
        let spent = Duration::from_millis(ms.into());
        // Whether the flag fell was asked before the try was heard.
        let _ = self.clock.charge(by, self.turn_spent, spent);
        self.turn_spent += spent;
        let moved = said.verdict == Verdict::Moved;
        if moved {
            self.clock.press(by);
            self.turn_spent = Duration::ZERO;
            self.info.moves += 1;
            if self.offer == Some(!by) {
                // Whoever moves on has declined.
                self.offer = None;
            }
        }
        let entry = Entry { tried, announcement: said, spent_ms: Some(ms) };
        let heard = Color::ALL.map(|player| {
            let line = self.observers[player as usize].observe(&entry)?;
            Some(self.hears(player, line, (by == player).then_some(&men), ply))
        });
        Ok(Change { heard, end: said.end })
    }

    fn ended(&mut self, ending: Ending, by: Color) -> Result<Change, EventError> {
        let ply = self.game.umpire().view(by).ply();
        let said = end_away(&mut self.game, ending, by, self.offer)?;
        self.offer = None;
        self.closing_announcement = Some(said);
        let line = Observation { tried: None, announcement: said, spent_ms: None };
        let heard = Color::ALL.map(|player| Some(self.hears(player, line, None, ply)));
        Ok(Change { heard, end: said.end })
    }

    /// Something possible happens beside the board.
    fn aside(&mut self, event: &Event) {
        match *event {
            Event::Offered(by) => {
                self.offer = Some(by);
                self.offered_at[by as usize] = Some(self.game.umpire().view(by).ply());
            }
            Event::Declined(_) => self.offer = None,
            Event::RematchOffered(by) => self.offers_rematch[by as usize] = true,
            Event::Tried(..) | Event::Ended(..) => {}
        }
    }
}

/// Ends a game away from the board, while this player offers a draw.
fn end_away(
    game: &mut Game,
    ending: Ending,
    by: Color,
    offer: Option<Color>,
) -> Result<Announcement, EventError> {
    Ok(match ending {
        Ending::Resignation => game.resign(by)?,
        Ending::Flag => game.flag(by)?,
        Ending::Abandonment => game.abandon(by)?,
        Ending::Agreement if offer == Some(!by) => game.agree_to_draw()?,
        _ => return Err(EventError::NotNow),
    })
}
