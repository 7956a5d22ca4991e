//! A game under way: the umpire with his record.

use thiserror::Error;

use crate::{
    Announcement, Color, DrawRules, Ending, Entry, NotAccepted, Outcome, Position, Record, Ruleset,
    TagError, Try, Umpire,
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

/// The game cannot have ended like that.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WrongEnd {
    /// The umpire has declared another end.
    #[error("the end is \"{claimed}\" where the umpire says \"{declared}\"")]
    Declared {
        /// The end that is claimed.
        claimed: Outcome,
        /// The end that stands.
        declared: Outcome,
    },
    /// Nothing on the board, and nothing that a player can do, ends it so.
    #[error("the end is \"{0}\", which cannot be")]
    Impossible(Outcome),
}

impl Game {
    /// A new game.
    pub fn new(setup: Setup) -> Self {
        let umpire = Umpire::with_draws(setup.ruleset, setup.draws, setup.start.clone());
        let record = Record::new(setup, &umpire);
        Game { umpire, record }
    }

    /// Takes up a game where its record ends, be it over or not.
    ///
    /// ```
    /// use krieg_core::{Color, Game, Setup};
    /// let mut game = Game::new(Setup::default());
    /// game.judge("e2e4".parse()?)?;
    /// let mut again = Game::resume(game.into_record());
    /// again.judge("e7e5".parse()?)?;
    /// assert_eq!(again.record().moves(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resume(record: Record) -> Self {
        let mut game = record.replay(usize::MAX);
        if let Some(outcome) = record.outcome() {
            // What this record holds was umpired once, by the same rules.
            game.end_as(outcome).expect("a record ends as its game did");
        }
        Game { umpire: game.umpire, record }
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
    ///
    /// ```
    /// use krieg_core::{Color, Game, Setup};
    /// let mut game = Game::new(Setup::default());
    /// game.flag(Color::White)?;
    /// let end = game.record().outcome().unwrap();
    /// assert_eq!(end.to_string(), "White's time ran out: Black wins.");
    /// # Ok::<(), krieg_core::NotAccepted>(())
    /// ```
    pub fn flag(&mut self, player: Color) -> Result<Announcement, NotAccepted> {
        self.umpire.flag(player).map(|said| self.note_end(said))
    }

    /// A player left.
    pub fn abandon(&mut self, player: Color) -> Result<Announcement, NotAccepted> {
        self.umpire.abandon(player).map(|said| self.note_end(said))
    }

    /// Ends the game as somebody says it ended, if it can have: what stands on the board has been
    /// declared already, and anything else takes a player.
    ///
    /// ```
    /// use krieg_core::{Color, Ending, Game, Outcome, Setup};
    /// let mut game = Game::new(Setup::default());
    /// let mate = Outcome { ending: Ending::Checkmate, winner: Some(Color::White) };
    /// assert!(game.end_as(mate).is_err(), "nobody is mated");
    /// let flag = Outcome { ending: Ending::Flag, winner: Some(Color::White) };
    /// assert!(game.end_as(flag).is_ok());
    /// ```
    pub fn end_as(&mut self, claimed: Outcome) -> Result<(), WrongEnd> {
        if let Some(declared) = self.umpire.outcome() {
            let is_so = declared == claimed;
            return if is_so { Ok(()) } else { Err(WrongEnd::Declared { claimed, declared }) };
        }
        let mut ended = self.clone();
        let said = match (claimed.ending, claimed.winner) {
            (Ending::Resignation, Some(winner)) => ended.resign(!winner),
            (Ending::Abandonment, Some(winner)) => ended.abandon(!winner),
            (Ending::Flag, Some(winner)) => ended.flag(!winner),
            // Time is no loss against a bare king, whoever has it.
            (Ending::Flag, None) if self.has_bare_king(Color::Black) => ended.flag(Color::White),
            (Ending::Flag, None) => ended.flag(Color::Black),
            (Ending::Agreement, None) => ended.agree_to_draw(),
            _ => return Err(WrongEnd::Impossible(claimed)),
        };
        match said.ok().and_then(|said| said.end) == Some(claimed) {
            true => *self = ended,
            false => return Err(WrongEnd::Impossible(claimed)),
        }
        Ok(())
    }

    fn has_bare_king(&self, player: Color) -> bool {
        self.umpire.view(player).men().all().len() == 1
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

    /// Writes a text about the game into its record. The name is made of letters, digits and underscores,
    /// the text has no line breaks or other control characters, and what the record knows better is
    /// not for tags to say.
    ///
    /// ```
    /// use krieg_core::{Game, Setup};
    /// let mut game = Game::new(Setup::default());
    /// game.set_tag("White", "Ann")?;
    /// assert_eq!(game.record().tags()["White"], "Ann");
    /// assert!(game.set_tag("Result", "1-0").is_err(), "nobody has won yet");
    /// # Ok::<(), krieg_core::TagError>(())
    /// ```
    pub fn set_tag(&mut self, name: &str, text: &str) -> Result<(), TagError> {
        TagError::check(name, text)?;
        self.record.tags.insert(name.to_string(), text.to_string());
        Ok(())
    }

    /// Notes the seed from which the players draw their random numbers.
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

    /// Leaves the table with the record.
    pub fn into_record(self) -> Record {
        self.record
    }
}
