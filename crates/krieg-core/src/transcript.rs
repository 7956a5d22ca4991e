//! A game filtered to one player: observations, and the transcript they make up.

use std::collections::BTreeMap;

use crate::{Announcement, Color, Entry, Outcome, Record, Setup, Try, Verdict};

/// The tags of a record that both players know when the game begins. Other tags are left out of
/// transcripts because they may reveal moves, as the name of the opening does.
const PUBLIC_TAGS: [&str; 13] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "TimeControl",
    "WhiteElo",
    "BlackElo",
    "WhiteTitle",
    "BlackTitle",
    "UTCDate",
    "UTCTime",
];

/// One announcement as one player observes it, with the try it answers if the player knows it.
///
/// ```
/// use krieg_core::{Color, Game, Setup};
/// let mut game = Game::new(Setup::default());
/// game.judge("e2e4".parse()?)?;
/// assert!(game.record().transcript(Color::White).observations[0].tried.is_some());
/// assert!(game.record().transcript(Color::Black).observations[0].tried.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observation {
    /// The try: known for the player's own tries, and for the question "any?", which is public.
    pub tried: Option<Try>,
    /// The announcement.
    pub announcement: Announcement,
    /// The time spent on the try, in milliseconds. If the opponent's refused tries are not public,
    /// the time since the last observation.
    pub spent_ms: Option<u32>,
}

/// Turns the entries of a record into the observations of one player.
///
/// ```
/// use krieg_core::{Color, Game, Observer, Setup};
/// let mut game = Game::new(Setup::default());
/// let mut black = Observer::new(Color::Black);
/// game.judge_timed("e2e5".parse()?, Some(300))?; // refused, announced to White only
/// assert_eq!(black.observe(&game.record().entries()[0]), None);
/// game.judge_timed("e2e4".parse()?, Some(500))?;
/// let observation = black.observe(&game.record().entries()[1]).unwrap();
/// assert_eq!((observation.tried, observation.spent_ms), (None, Some(800)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Observer {
    player: Color,
    /// Time of entries since the player's last observation.
    unobserved_ms: u32,
}

impl Observer {
    /// An observer at the start of a game.
    pub fn new(player: Color) -> Self {
        Observer { player, unobserved_ms: 0 }
    }

    /// The player's observation of the next entry, if there is one. The time of unobserved entries
    /// is added to the next observation, because the player sees the clock run.
    #[must_use = "an observation that is not passed on is lost"]
    pub fn observe(&mut self, entry: &Entry) -> Option<Observation> {
        let unobserved_ms = std::mem::take(&mut self.unobserved_ms);
        if !entry.announcement.is_observed_by(self.player) {
            self.unobserved_ms = unobserved_ms.saturating_add(entry.spent_ms.unwrap_or(0));
            return None;
        }
        let is_own = entry.announcement.by == self.player;
        let is_question = matches!(entry.announcement.verdict, Verdict::Any(_));
        Some(Observation {
            tried: (is_own || is_question).then_some(entry.tried),
            announcement: entry.announcement,
            spent_ms: entry.spent_ms.map(|ms| ms.saturating_add(unobserved_ms)),
        })
    }
}

/// A [`Record`] filtered to what one player knows.
///
/// It leaves out the seed, from which the opponent's play could be computed, and all tags except
/// those that a player knows when the game begins.
///
/// ```
/// use krieg_core::{Color, Game, Setup};
/// let mut game = Game::new(Setup::default());
/// game.judge("e2e5".parse()?)?; // refused, announced to White only
/// game.judge("e2e4".parse()?)?;
/// assert_eq!(game.record().transcript(Color::White).observations.len(), 2);
/// assert_eq!(game.record().transcript(Color::Black).observations.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// The player whose observations these are.
    pub player: Color,
    /// The ruleset, the draw rules and the start position.
    pub setup: Setup,
    /// The announcement at the start of the game.
    pub opening: Announcement,
    /// The player's observations, in order.
    pub observations: Vec<Observation>,
    /// The outcome, once the game is over.
    pub outcome: Option<Outcome>,
    /// Text about the game, by tag name.
    pub tags: BTreeMap<String, String>,
}

impl Transcript {
    pub(crate) fn of(record: &Record, player: Color) -> Self {
        let mut observer = Observer::new(player);
        let observations = record.entries().iter().filter_map(|entry| observer.observe(entry));
        Transcript {
            player,
            setup: record.setup().clone(),
            opening: *record.opening(),
            observations: observations.collect(),
            outcome: record.outcome(),
            tags: record
                .tags()
                .iter()
                .filter(|(name, _)| PUBLIC_TAGS.contains(&name.as_str()))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        }
    }
}
