//! A game as one player could tell it.

use std::collections::BTreeMap;

use crate::{Announcement, Color, Entry, Outcome, Record, Setup, Try, Verdict};

/// The texts about a game that a player knows when he sits down to it. Others may tell of the
/// moves, as the name of an opening does.
const KNOWN_TO_PLAYERS: [&str; 13] = [
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

/// Something a player heard, with the try it answers where he knows it.
///
/// ```
/// use krieg_core::{Color, Game, Setup};
/// let mut game = Game::new(Setup::default());
/// game.judge("e2e4".parse()?)?;
/// assert!(game.record().transcript(Color::White).lines[0].tried.is_some());
/// assert!(game.record().transcript(Color::Black).lines[0].tried.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// What was tried: own tries, and the question "any?", which everybody hears.
    pub tried: Option<Try>,
    /// What the umpire said.
    pub said: Announcement,
    /// The time it took, in milliseconds. For an opponent whose refused tries are not heard, the
    /// time since his clock started.
    pub spent_ms: Option<u32>,
}

/// A player's ear: what of each entry of a record reaches that player.
///
/// ```
/// use krieg_core::{Color, Ear, Game, Setup};
/// let mut game = Game::new(Setup::default());
/// let mut black = Ear::new(Color::Black);
/// game.judge_timed("e2e5".parse()?, Some(300))?; // refused: under ICC rules only White hears it
/// assert_eq!(black.hear(&game.record().entries()[0]), None);
/// game.judge_timed("e2e4".parse()?, Some(500))?;
/// let heard = black.hear(&game.record().entries()[1]).unwrap();
/// assert_eq!((heard.tried, heard.spent_ms), (None, Some(800)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Ear {
    player: Color,
    unheard_ms: u32,
}

impl Ear {
    /// An ear for a game that begins.
    pub fn new(player: Color) -> Self {
        Ear { player, unheard_ms: 0 }
    }

    /// What the player hears of the next entry, if anything. The time of what is not heard is noticed all
    /// the same: it comes with the next thing that is.
    pub fn hear(&mut self, entry: &Entry) -> Option<Line> {
        let unheard = std::mem::take(&mut self.unheard_ms);
        if !entry.said.is_heard_by(self.player) {
            self.unheard_ms = unheard.saturating_add(entry.spent_ms.unwrap_or(0));
            return None;
        }
        let is_own = entry.said.by == self.player;
        let is_question = matches!(entry.said.verdict, Verdict::Any(_));
        Some(Line {
            tried: (is_own || is_question).then_some(entry.tried),
            said: entry.said,
            spent_ms: entry.spent_ms.map(|ms| ms.saturating_add(unheard)),
        })
    }
}

/// A [`Record`] filtered to what one player knows.
///
/// There is no seed in it, for from the seed one could work out what the other side did, and only those
/// of the record's tags that a player knows as he sits down.
///
/// ```
/// use krieg_core::{Color, Game, Setup};
/// let mut game = Game::new(Setup::default());
/// game.judge("e2e5".parse()?)?; // refused: under ICC rules only White hears it
/// game.judge("e2e4".parse()?)?;
/// assert_eq!(game.record().transcript(Color::White).lines.len(), 2);
/// assert_eq!(game.record().transcript(Color::Black).lines.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// Who tells.
    pub player: Color,
    /// What was settled before the game.
    pub setup: Setup,
    /// What was said as the game began.
    pub opening: Announcement,
    /// What the player did and heard, in order.
    pub lines: Vec<Line>,
    /// How the game ended, if it did.
    pub outcome: Option<Outcome>,
    /// Free text about the game by name.
    pub tags: BTreeMap<String, String>,
}

impl Transcript {
    pub(crate) fn of(record: &Record, player: Color) -> Self {
        let mut ear = Ear::new(player);
        let lines = record.entries().iter().filter_map(|entry| ear.hear(entry)).collect();
        Transcript {
            player,
            setup: record.setup().clone(),
            opening: *record.opening(),
            lines,
            outcome: record.outcome(),
            tags: record
                .tags()
                .iter()
                .filter(|(name, _)| KNOWN_TO_PLAYERS.contains(&name.as_str()))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        }
    }
}
