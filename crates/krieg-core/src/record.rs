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
    /// The value has control characters.
    #[error("the text {0:?} has control characters")]
    Value(String),
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

pub(crate) fn check_tag(name: &str, value: &str) -> Result<(), TagError> {
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return Err(TagError::Name(excerpt(name)));
    }
    if RESERVED_TAGS.contains(&name) {
        return Err(TagError::Reserved(name.to_string()));
    }
    if value.chars().any(char::is_control) {
        return Err(TagError::Value(excerpt(value)));
    }
    Ok(())
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
    tags: BTreeMap<String, String>,
    seed: Option<u64>,
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

    /// Notes the seed.
    ///
    /// ```
    /// use krieg_core::{Game, Setup};
    /// let mut game = Game::new(Setup::default());
    /// game.record_mut().set_seed(Some(7));
    /// assert_eq!(game.record().seed(), Some(7));
    /// ```
    pub fn set_seed(&mut self, seed: Option<u64>) {
        self.seed = seed;
    }

    /// Free text about the game by name, such as `White` or `Date`.
    pub fn tags(&self) -> &BTreeMap<String, String> {
        &self.tags
    }

    /// Sets such a text. Its name is made of letters, digits and underscores, its value has no
    /// line breaks or other control characters, and what the record knows better is not for
    /// tags to say.
    ///
    /// ```
    /// use krieg_core::{Game, Setup};
    /// let mut game = Game::new(Setup::default());
    /// game.record_mut().set_tag("White", "Ann")?;
    /// assert_eq!(game.record().tags()["White"], "Ann");
    /// assert!(game.record_mut().set_tag("Result", "1-0").is_err(), "nobody has won yet");
    /// # Ok::<(), krieg_core::TagError>(())
    /// ```
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        check_tag(name, value)?;
        self.tags.insert(name.to_string(), value.to_string());
        Ok(())
    }

    /// Plays the record again from its start, up to and with the first `tries` tries.
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
    pub fn transcript(&self, player: Color) -> Transcript {
        Transcript::of(self, player)
    }
}
