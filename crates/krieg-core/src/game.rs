//! A game in progress: the umpire together with its record.

use thiserror::Error;

use crate::{
    Announcement, Color, DrawRules, Ending, Entry, Outcome, Position, PreparedTry, Record, Ruleset,
    StaleTry, TagError, Try, TryError, Umpire,
};

/// What is fixed before a game begins.
///
/// ```
/// use krieg_core::{DrawRules, Ruleset, Setup};
/// let setup = Setup { ruleset: Ruleset::ENGLISH, ..Setup::default() };
/// assert_eq!(setup.draws, DrawRules::ALL);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Setup {
    /// The ruleset.
    pub ruleset: Ruleset,
    /// The draw rules.
    pub draws: DrawRules,
    /// The start position, which both players know.
    pub start: Position,
}

/// A game in progress, with its record.
///
/// A game changes only by what the umpire accepts, so its record can always be replayed.
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

/// Why a game cannot have ended with a claimed outcome.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OutcomeError {
    /// The umpire declared another outcome.
    #[error("the claimed end is \"{claimed}\", but the umpire declared \"{declared}\"")]
    Declared {
        /// The claimed outcome.
        claimed: Outcome,
        /// The outcome that the umpire declared.
        declared: Outcome,
    },
    /// Neither the position nor an action of a player leads to the outcome.
    #[error("the claimed end is \"{0}\", which is impossible here")]
    Impossible(Outcome),
}

impl Game {
    /// A new game.
    ///
    /// ```
    /// use krieg_core::{Color, Game, Setup};
    /// let game = Game::new(Setup::default());
    /// assert_eq!(game.umpire().turn(), Color::White);
    /// ```
    pub fn new(setup: Setup) -> Self {
        let umpire = Umpire::with_draws(setup.ruleset, setup.draws, setup.start.clone());
        let record = Record::new(setup, &umpire);
        Game { umpire, record }
    }

    /// Restores a game, finished or not, from its record.
    ///
    /// ```
    /// use krieg_core::{Game, Setup};
    /// let mut game = Game::new(Setup::default());
    /// game.judge("e2e4".parse()?)?;
    /// let mut resumed = Game::resume(game.into_record());
    /// resumed.judge("e7e5".parse()?)?;
    /// assert_eq!(resumed.record().moves(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resume(record: Record) -> Self {
        let mut game = record.replay(usize::MAX);
        if let Some(outcome) = record.outcome() {
            // Cannot fail: the same umpire accepted this outcome when the record was made.
            game.claim_outcome(outcome).expect("a record has a valid outcome");
        }
        Game { umpire: game.umpire, record }
    }

    /// Judges a try of the side to move, and records the try and the announcement.
    pub fn judge(&mut self, tried: Try) -> Result<Announcement, TryError> {
        self.judge_timed(tried, None)
    }

    /// The same as [`Game::judge`], with the time in milliseconds that the player spent on the try.
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
    ) -> Result<Announcement, TryError> {
        let announcement = self.umpire.judge(tried)?;
        Ok(self.record_try(Entry { tried, announcement, spent_ms }))
    }

    /// Judges a try of the side to move without applying it. [`Game::commit`] does that.
    ///
    /// ```
    /// use krieg_core::{Game, Setup};
    /// let mut game = Game::new(Setup::default());
    /// let prepared = game.prepare("e2e4".parse()?)?;
    /// assert!(game.record().entries().is_empty());
    /// game.commit(prepared, Some(1250))?;
    /// assert_eq!(game.record().moves(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare(&self, tried: Try) -> Result<PreparedTry, TryError> {
        self.umpire.prepare(tried)
    }

    /// Applies a prepared try without judging it again, and records it with the time in
    /// milliseconds that the player spent on it.
    pub fn commit(
        &mut self,
        prepared: PreparedTry,
        spent_ms: Option<u32>,
    ) -> Result<Announcement, StaleTry> {
        let tried = prepared.tried();
        let announcement = self.umpire.commit(prepared)?;
        Ok(self.record_try(Entry { tried, announcement, spent_ms }))
    }

    fn record_try(&mut self, entry: Entry) -> Announcement {
        self.record.entries.push(entry);
        self.record_end(entry.announcement)
    }

    /// Ends the game because `player` resigns.
    pub fn resign(&mut self, player: Color) -> Result<Announcement, TryError> {
        self.umpire.resign(player).map(|announcement| self.record_end(announcement))
    }

    /// Ends the game because the players agree to a draw.
    pub fn agree_to_draw(&mut self) -> Result<Announcement, TryError> {
        self.umpire.agree_to_draw().map(|announcement| self.record_end(announcement))
    }

    /// Ends the game because the time of `player` ran out.
    ///
    /// ```
    /// use krieg_core::{Color, Game, Setup};
    /// let mut game = Game::new(Setup::default());
    /// game.flag(Color::White)?;
    /// let outcome = game.record().outcome().unwrap();
    /// assert_eq!(outcome.to_string(), "White's time ran out: Black wins.");
    /// # Ok::<(), krieg_core::TryError>(())
    /// ```
    pub fn flag(&mut self, player: Color) -> Result<Announcement, TryError> {
        self.umpire.flag(player).map(|announcement| self.record_end(announcement))
    }

    /// Ends the game because `player` left.
    pub fn abandon(&mut self, player: Color) -> Result<Announcement, TryError> {
        self.umpire.abandon(player).map(|announcement| self.record_end(announcement))
    }

    /// Ends the game with an outcome claimed by a file or a program, if the outcome is possible: an
    /// end that the position implies must have been declared already, and any other end must be
    /// one that a player or a clock can cause.
    ///
    /// ```
    /// use krieg_core::{Color, Ending, Game, Outcome, Setup};
    /// let mut game = Game::new(Setup::default());
    /// let mate = Outcome { ending: Ending::Checkmate, winner: Some(Color::White) };
    /// assert!(game.claim_outcome(mate).is_err(), "Black is not checkmated");
    /// let flag = Outcome { ending: Ending::Flag, winner: Some(Color::White) };
    /// assert!(game.claim_outcome(flag).is_ok());
    /// ```
    pub fn claim_outcome(&mut self, claimed: Outcome) -> Result<(), OutcomeError> {
        if let Some(declared) = self.umpire.outcome() {
            return match declared == claimed {
                true => Ok(()),
                false => Err(OutcomeError::Declared { claimed, declared }),
            };
        }
        let mut ended = self.clone();
        let announcement = match (claimed.ending, claimed.winner) {
            (Ending::Resignation, Some(winner)) => ended.resign(!winner),
            (Ending::Abandonment, Some(winner)) => ended.abandon(!winner),
            (Ending::Flag, Some(winner)) => ended.flag(!winner),
            // A draw on time requires that the opponent of the late player has a bare king.
            (Ending::Flag, None) if self.umpire.has_bare_king(Color::Black) => {
                ended.flag(Color::White)
            }
            (Ending::Flag, None) => ended.flag(Color::Black),
            (Ending::Agreement, None) => ended.agree_to_draw(),
            _ => return Err(OutcomeError::Impossible(claimed)),
        };
        match announcement.ok().and_then(|announcement| announcement.end) == Some(claimed) {
            true => *self = ended,
            false => return Err(OutcomeError::Impossible(claimed)),
        }
        Ok(())
    }

    fn record_end(&mut self, announcement: Announcement) -> Announcement {
        self.record.outcome = announcement.end;
        announcement
    }

    /// The umpire.
    pub fn umpire(&self) -> &Umpire {
        &self.umpire
    }

    /// The record so far.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Sets a tag: free text about the game.
    ///
    /// A name consists of letters, digits and underscores. The text has no control characters.
    /// Tags that are written from the record's own fields, such as `Result`, cannot be set.
    ///
    /// ```
    /// use krieg_core::{Game, Setup};
    /// let mut game = Game::new(Setup::default());
    /// game.set_tag("White", "Ann")?;
    /// assert_eq!(game.record().tags()["White"], "Ann");
    /// assert!(game.set_tag("Result", "1-0").is_err());
    /// # Ok::<(), krieg_core::TagError>(())
    /// ```
    pub fn set_tag(&mut self, name: &str, text: &str) -> Result<(), TagError> {
        TagError::check(name, text)?;
        self.record.tags.insert(name.to_string(), text.to_string());
        Ok(())
    }

    /// Records the seed of the players' random numbers.
    ///
    /// ```
    /// use krieg_core::{Game, Setup};
    /// let mut game = Game::new(Setup::default());
    /// game.set_seed(Some(7));
    /// assert_eq!(game.record().seed(), Some(7));
    /// ```
    pub fn set_seed(&mut self, seed: Option<u64>) {
        self.record.seed = seed;
    }

    /// The record, without the umpire.
    pub fn into_record(self) -> Record {
        self.record
    }
}
