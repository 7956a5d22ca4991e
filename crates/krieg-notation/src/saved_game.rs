//! A game read from a file: a full record or one player's transcript.

use krieg_core::{Entry, Observation, Record, Transcript};

/// A game read from a file.
///
/// ```
/// use krieg_core::{Color, Game, Setup};
/// use krieg_notation::SavedGame;
/// let mut game = Game::new(Setup::default());
/// game.judge("e2e5".parse()?)?; // refused: only White hears it
/// let white = SavedGame::Transcript(Box::new(game.record().transcript(Color::White)));
/// let black = SavedGame::Transcript(Box::new(game.record().transcript(Color::Black)));
/// assert_eq!((white.observations().len(), black.observations().len()), (1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SavedGame {
    /// The umpire's record: every try of both sides.
    Record(Box<Record>),
    /// What one player knows.
    Transcript(Box<Transcript>),
}

impl SavedGame {
    /// Every try with its announcement, in order, as far as the file contains them.
    pub fn observations(&self) -> Vec<Observation> {
        match self {
            SavedGame::Record(record) => record_observations(record),
            SavedGame::Transcript(transcript) => transcript.observations.clone(),
        }
    }
}

/// All entries of a record, as the umpire observes them.
pub(crate) fn record_observations(record: &Record) -> Vec<Observation> {
    let observation = |entry: &Entry| Observation {
        tried: Some(entry.tried),
        announcement: entry.announcement,
        spent_ms: entry.spent_ms,
    };
    record.entries().iter().map(observation).collect()
}
