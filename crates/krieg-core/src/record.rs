//! The umpire's record of a game: every try, refused or not, with what was said.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::{Announcement, Color, Game, Outcome, Setup, Transcript, Try, Umpire, Verdict, excerpt};

/// A try, and the answer to it.
///
/// ```
/// use krieg_core::{Color, Game, Setup};
/// let mut game = Game::new(Setup::default());
/// game.judge("e2e4".parse()?)?;
/// let entry = game.record().entries()[0];
/// assert_eq!((entry.tried.to_string().as_str(), entry.said.by), ("e2e4", Color::White));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// What was tried.
    pub tried: Try,
    /// What the umpire said.
    pub said: Announcement,
    /// How long the player took over it, in milliseconds, if a clock ran.
    pub spent_ms: Option<u32>,
}

/// The tag cannot stand in a record.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TagError {
    /// The name has other characters than letters, digits and underscores.
    #[error("{0:?} is no name for a tag: use letters, digits and underscores")]
    Name(String),
    /// The record says this itself.
    #[error("{0:?} is not to be set: the record says it itself")]
    Reserved(String),
    /// The text has control characters.
    #[error("the text {0:?} has control characters")]
    Text(String),
}

/// What records write from their own fields.
const RESERVED_TAGS: [&str; 10] = [
    "Result",
    "FEN",
    "SetUp",
    "Variant",
    "Ruleset",
    "DrawRules",
    "Seed",
    "Termination",
    "Ending",
    "Narrator",
];

impl TagError {
    /// Whether such a tag can stand in a record.
    ///
    /// ```
    /// use krieg_core::TagError;
    /// assert!(TagError::check("White", "Ann").is_ok());
    /// assert!(TagError::check("White player", "Ann").is_err());
    /// assert!(TagError::check("White", "Ann\n").is_err());
    /// ```
    pub fn check(name: &str, text: &str) -> Result<(), TagError> {
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(TagError::Name(excerpt(name)));
        }
        if RESERVED_TAGS.contains(&name) {
            return Err(TagError::Reserved(name.to_string()));
        }
        if text.chars().any(char::is_control) {
            return Err(TagError::Text(excerpt(text)));
        }
        Ok(())
    }
}

/// A record of a game. It is made by a [`Game`] alone, so what it holds did happen under its
/// ruleset; free text goes into its tags.
///
/// ```
/// use krieg_core::{Game, Setup};
/// let mut game = Game::new(Setup::default());
/// game.judge("e2e5".parse()?)?; // refused
/// game.judge("e2e4".parse()?)?;
/// let record = game.into_record();
/// assert_eq!(record.entries().len(), 2);
/// assert_eq!(record.moves(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    setup: Setup,
    opening: Announcement,
    pub(crate) entries: Vec<Entry>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) tags: BTreeMap<String, String>,
    pub(crate) seed: Option<u64>,
}

impl Record {
    pub(crate) fn new(setup: Setup, umpire: &Umpire) -> Self {
        Record {
            setup,
            opening: umpire.opening(),
            entries: Vec::new(),
            outcome: umpire.outcome(),
            tags: BTreeMap::new(),
            seed: None,
        }
    }

    /// What was settled before the game.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// What was said as the game began.
    pub fn opening(&self) -> &Announcement {
        &self.opening
    }

    /// Every try with its answer, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How many moves were made.
    pub fn moves(&self) -> usize {
        self.entries.iter().filter(|entry| entry.said.verdict == Verdict::Moved).count()
    }

    /// How the game ended, if it did.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The seed from which the players drew their random numbers, so that the game can be
    /// played again.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// Free text about the game by name, such as `White` or `Date`.
    pub fn tags(&self) -> &BTreeMap<String, String> {
        &self.tags
    }

    /// Plays the tries again from the start, up to and with the first `tries` of them. Tags, seed and an
    /// end away from the board are left out; [`Game::resume`] is for taking up a whole game.
    ///
    /// ```
    /// use krieg_core::{Color, Game, Setup};
    /// let mut game = Game::new(Setup::default());
    /// game.judge("e2e4".parse()?)?;
    /// game.judge("e7e5".parse()?)?;
    /// assert_eq!(game.record().replay(1).umpire().turn(), Color::Black);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replay(&self, tries: usize) -> Game {
        let mut game = Game::new(self.setup.clone());
        for entry in self.entries.iter().take(tries) {
            // What this record holds was accepted once, by the same rules.
            game.judge_timed(entry.tried, entry.spent_ms).expect("a record can be played again");
        }
        game
    }

    /// The game as one player could tell it.
    ///
    /// ```
    /// use krieg_core::{Color, Game, Setup};
    /// let mut game = Game::new(Setup::default());
    /// game.judge("e2e4".parse()?)?;
    /// assert_eq!(game.record().transcript(Color::Black).lines[0].tried, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn transcript(&self, player: Color) -> Transcript {
        Transcript::of(self, player)
    }
}
