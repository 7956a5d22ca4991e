//! The record of a game: every try, accepted or refused, with its announcement.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::{Announcement, Color, Game, Outcome, Setup, Transcript, Try, Umpire, Verdict, excerpt};

/// A try and its announcement.
///
/// ```
/// use krieg_core::{Color, Game, Setup};
/// let mut game = Game::new(Setup::default());
/// game.judge("e2e4".parse()?)?;
/// let entry = game.record().entries()[0];
/// assert_eq!(entry.tried.to_string(), "e2e4");
/// assert_eq!(entry.announcement.by, Color::White);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The try.
    pub tried: Try,
    /// The umpire's announcement.
    pub announcement: Announcement,
    /// The time the player spent on the try, in milliseconds; `None` without a clock.
    pub spent_ms: Option<u32>,
}

/// Why a tag cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TagError {
    /// The name contains characters other than letters, digits and underscores.
    #[error("{0:?} is not a tag name: use letters, digits and underscores")]
    Name(String),
    /// The tag is written from the record's own fields.
    #[error("the tag {0:?} cannot be set: it is written from the record itself")]
    Reserved(String),
    /// The text contains control characters.
    #[error("the text {0:?} contains control characters")]
    Text(String),
}

/// Tags that are written from a record's own fields.
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
    /// Checks whether a tag can be set.
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

/// The record of a game.
///
/// Only a [`Game`] makes records, so the entries are always a valid game under the ruleset. Free
/// text about the game is stored in tags.
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

    /// The ruleset, the draw rules and the start position.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The announcement at the start of the game.
    pub fn opening(&self) -> &Announcement {
        &self.opening
    }

    /// All tries with their announcements, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The number of moves made.
    pub fn moves(&self) -> usize {
        self.entries.iter().filter(|entry| entry.announcement.verdict == Verdict::Moved).count()
    }

    /// The outcome, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The seed of the players' random numbers. It makes the game reproducible.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// Free text about the game by tag name, such as `White` or `Date`.
    pub fn tags(&self) -> &BTreeMap<String, String> {
        &self.tags
    }

    /// Replays the first `tries` tries in a new game. Tags, the seed and an end that the umpire did
    /// not declare from the position are left out; [`Game::resume`] restores all of them.
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
            // Cannot fail: the same umpire accepted these tries when the record was made.
            game.judge_timed(entry.tried, entry.spent_ms).expect("a record is a valid game");
        }
        game
    }

    /// The record filtered to what one player knows.
    ///
    /// ```
    /// use krieg_core::{Color, Game, Setup};
    /// let mut game = Game::new(Setup::default());
    /// game.judge("e2e4".parse()?)?;
    /// assert_eq!(game.record().transcript(Color::Black).observations[0].tried, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn transcript(&self, player: Color) -> Transcript {
        Transcript::of(self, player)
    }
}
