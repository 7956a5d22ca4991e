//! One game as it is being played: the umpire, the clock, and those who listen.
//!
//! A [`Sitting`] changes by [`Event`]s alone, and by the same code when they happen and when they are read from the store again. So
//! what a player finds after the server was killed is what he would have found without that.

mod ghosts;
mod listeners;
mod saying;
mod timing;

use std::time::{Duration, Instant};

use krieg_core::{
    Announcement, Color, Ending, Entry, Game, Observation, Observer, Outcome, Try, TryError,
    Verdict,
};
use krieg_time::Clock;
use tokio::task::AbortHandle;

use crate::store::{Event, Facts, Status};

pub use ghosts::Ghosts;
pub use listeners::Listeners;
pub(crate) use saying::move_number;
pub use saying::{Heard, said_value};

/// A game being played, or just over.
#[derive(Debug)]
pub struct Sitting {
    /// What was settled.
    pub facts: Facts,
    game: Game,
    clock: Clock,
    /// How much of the turn had passed when the umpire spoke last.
    turn_used: Duration,
    /// When that was.
    pub(crate) asked_at: Instant,
    /// How many events there are.
    events: u32,
    ears: [Observer; 2],
    /// How many lines each player has heard.
    heard: [usize; 2],
    offer: Option<Color>,
    /// The ply after which each player offered a draw last: once in a move is enough.
    offered_at: [Option<u32>; 2],
    wants_another: [bool; 2],
    /// What was said at an end away from the board.
    last_words: Option<Announcement>,
    /// The players' guesses.
    pub ghosts: [Ghosts; 2],
    /// Who listens.
    pub listeners: Listeners,
    /// What wakes the umpire when a flag falls.
    pub(crate) alarm: Option<AbortHandle>,
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
pub struct Foreseen {
    /// Whether a move would be made.
    pub moved: bool,
    /// How the game would end by it.
    pub end: Option<Outcome>,
}

/// An event that cannot follow those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Impossible {
    /// The umpire does not take the try.
    TryError(TryError),
    /// There is nothing to accept or decline, or it was offered already.
    NotNow,
}

impl From<TryError> for Impossible {
    fn from(reason: TryError) -> Self {
        Impossible::TryError(reason)
    }
}

impl Sitting {
    /// A game whose first event is still to come.
    pub fn new(facts: Facts) -> Self {
        let mut game = Game::new(facts.setup.clone());
        game.set_seed(Some(facts.seed));
        for (tag, color) in [("White", Color::White), ("Black", Color::Black)] {
            let name = facts.seats[color as usize].as_ref().map_or("?", |seat| &seat.name);
            // Names with control characters are not let in.
            let _ = game.set_tag(tag, name);
        }
        let _ = game.set_tag("TimeControl", &facts.control.to_string());
        Sitting {
            clock: Clock::new(facts.control),
            game,
            facts,
            turn_used: Duration::ZERO,
            asked_at: Instant::now(),
            events: 0,
            ears: Color::ALL.map(Observer::new),
            heard: [1; 2],
            offer: None,
            offered_at: [None; 2],
            wants_another: [false; 2],
            last_words: None,
            ghosts: Default::default(),
            listeners: Listeners::default(),
            alarm: None,
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
        let goes_on = self.facts.status == Status::Playing && self.outcome().is_none();
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
    pub fn wants_another(&self, color: Color) -> bool {
        self.wants_another[color as usize]
    }

    /// What an event would do, so that it can be written down before it happens.
    pub fn foresee(&self, event: &Event) -> Result<Foreseen, Impossible> {
        let possible = |is_possible| match is_possible {
            true => Ok(Foreseen::default()),
            false => Err(Impossible::NotNow),
        };
        match *event {
            Event::Tried(tried, _) => {
                let said = self.game.umpire().clone().judge(tried)?;
                Ok(Foreseen { moved: said.verdict == Verdict::Moved, end: said.end })
            }
            Event::Ended(ending, by) => {
                let said = end_away(&mut self.game.clone(), ending, by, self.offer)?;
                Ok(Foreseen { moved: false, end: said.end })
            }
            Event::Offered(by) => {
                let ply = self.game.umpire().view(by).ply();
                let is_new = self.offer.is_none() && self.offered_at[by as usize] != Some(ply);
                possible(self.outcome().is_none() && is_new)
            }
            Event::Declined(by) => possible(self.offer == Some(!by)),
            Event::WantsAnother(by) => {
                let may = self.outcome().is_some() && self.facts.next.is_none();
                possible(may && !self.wants_another(by))
            }
        }
    }

    /// Lives through an event. If it cannot happen now, nothing has changed.
    pub fn live(&mut self, event: &Event) -> Result<Change, Impossible> {
        let change = match *event {
            Event::Tried(tried, ms) => self.tried(tried, ms)?,
            Event::Ended(ending, by) => self.ended(ending, by)?,
            Event::Offered(_) | Event::Declined(_) | Event::WantsAnother(_) => {
                self.foresee(event)?;
                self.aside(event);
                Change::default()
            }
        };
        self.events += 1;
        if let Some(outcome) = change.end {
            self.facts.status = Status::Over;
            self.facts.result = Some(outcome.result().to_string());
            self.facts.ending = Some(outcome.ending.name().to_string());
        }
        Ok(change)
    }

    fn tried(&mut self, tried: Try, ms: u32) -> Result<Change, Impossible> {
        let by = self.game.umpire().turn();
        let men = *self.game.umpire().view(by).pieces();
        let ply = self.game.umpire().view(by).ply();
        let said = self.game.judge_timed(tried, Some(ms))?;
        let spent = Duration::from_millis(ms.into());
        // Whether the flag fell was asked before the try was heard.
        let _ = self.clock.charge(by, self.turn_used, spent);
        self.turn_used += spent;
        let moved = said.verdict == Verdict::Moved;
        if moved {
            self.clock.press(by);
            self.turn_used = Duration::ZERO;
            self.facts.moves += 1;
            if self.offer == Some(!by) {
                // Whoever moves on has declined.
                self.offer = None;
            }
        }
        let entry = Entry { tried, announcement: said, spent_ms: Some(ms) };
        let heard = Color::ALL.map(|player| {
            let line = self.ears[player as usize].observe(&entry)?;
            Some(self.hears(player, line, (by == player).then_some(&men), ply))
        });
        Ok(Change { heard, end: said.end })
    }

    fn ended(&mut self, ending: Ending, by: Color) -> Result<Change, Impossible> {
        let ply = self.game.umpire().view(by).ply();
        let said = end_away(&mut self.game, ending, by, self.offer)?;
        self.offer = None;
        self.last_words = Some(said);
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
            Event::WantsAnother(by) => self.wants_another[by as usize] = true,
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
) -> Result<Announcement, Impossible> {
    Ok(match ending {
        Ending::Resignation => game.resign(by)?,
        Ending::Flag => game.flag(by)?,
        Ending::Abandonment => game.abandon(by)?,
        Ending::Agreement if offer == Some(!by) => game.agree_to_draw()?,
        _ => return Err(Impossible::NotNow),
    })
}
