//! A game under way: the umpire with his record.

use crate::{
    Announcement, Color, DrawRules, Entry, NotAccepted, Position, Record, Ruleset, Try, Umpire,
};

/// What is settled before a game begins.
///
/// ```
/// use krieg_core::{DrawRules, Ruleset, Setup};
/// let setup = Setup { ruleset: Ruleset::ENGLISH, ..Setup::default() };
/// assert_eq!(setup.draws, DrawRules::ALL);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Setup {
    /// What the umpire says, and to whom.
    pub ruleset: Ruleset,
    /// The draws that he declares.
    pub draws: DrawRules,
    /// The position where the game begins. Both players know it.
    pub start: Position,
}

/// A game under way. It can only be changed by what an umpire would hear, so its record is
/// always one that can be played again.
///
/// ```
/// use krieg_core::{Color, Game, Setup};
/// let mut game = Game::new(Setup::default());
/// game.judge("e2e4".parse()?)?;
/// game.resign(Color::Black)?;
/// assert_eq!(game.record().outcome().unwrap().result(), "1-0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Game {
    umpire: Umpire,
    record: Record,
}

impl Game {
    /// A new game.
    pub fn new(setup: Setup) -> Self {
        let umpire = Umpire::with_draws(setup.ruleset, setup.draws, setup.start.clone());
        let record = Record::new(setup, &umpire);
        Game { umpire, record }
    }

    /// Answers a try of the side to move, and writes both down.
    pub fn judge(&mut self, tried: Try) -> Result<Announcement, NotAccepted> {
        self.judge_timed(tried, None)
    }

    /// The same, with the time the player took for this try.
    ///
    /// ```
    /// use krieg_core::{Game, Setup};
    /// let mut game = Game::new(Setup::default());
    /// game.judge_timed("e2e4".parse()?, Some(1250))?;
    /// assert_eq!(game.record().entries()[0].spent_ms, Some(1250));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn judge_timed(
        &mut self,
        tried: Try,
        spent_ms: Option<u32>,
    ) -> Result<Announcement, NotAccepted> {
        let said = self.umpire.judge(tried)?;
        self.record.entries.push(Entry { tried, said, spent_ms });
        Ok(self.note_end(said))
    }

    /// A player gives up.
    pub fn resign(&mut self, player: Color) -> Result<Announcement, NotAccepted> {
        self.umpire.resign(player).map(|said| self.note_end(said))
    }

    /// The players agree to a draw.
    pub fn agree_to_draw(&mut self) -> Result<Announcement, NotAccepted> {
        self.umpire.agree_to_draw().map(|said| self.note_end(said))
    }

    /// A player's time ran out.
    pub fn flag(&mut self, player: Color) -> Result<Announcement, NotAccepted> {
        self.umpire.flag(player).map(|said| self.note_end(said))
    }

    /// A player left.
    pub fn abandon(&mut self, player: Color) -> Result<Announcement, NotAccepted> {
        self.umpire.abandon(player).map(|said| self.note_end(said))
    }

    fn note_end(&mut self, said: Announcement) -> Announcement {
        self.record.outcome = said.end;
        said
    }

    /// The umpire.
    pub fn umpire(&self) -> &Umpire {
        &self.umpire
    }

    /// The record so far.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The record, to write names, seeds and the like into.
    ///
    /// ```
    /// use krieg_core::{Game, Setup};
    /// let mut game = Game::new(Setup::default());
    /// game.record_mut().set_tag("White", "Ann")?;
    /// assert_eq!(game.record().tags()["White"], "Ann");
    /// # Ok::<(), krieg_core::TagError>(())
    /// ```
    pub fn record_mut(&mut self) -> &mut Record {
        &mut self.record
    }

    /// Leaves the table with the record.
    pub fn into_record(self) -> Record {
        self.record
    }
}
