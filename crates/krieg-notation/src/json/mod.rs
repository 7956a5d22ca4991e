//! Records and transcripts as JSON, one game a line.
//!
//! A file of games is JSON lines: each line is one object, a record (everything) or a transcript (what one
//! player knows), told apart by its field `krieg`. A record that is read is played again by an
//! umpire, and every answer it claims must be the one that umpire gives.

mod said;
mod seen;

pub use said::{End, PawnTriesSaid, Said, Side};
pub use seen::Seen;

use std::collections::BTreeMap;

use krieg_core::{
    Announcement, Color, DrawRules, Game, Line, Position, Record, Ruleset, Setup, Transcript, Try,
    excerpt, reason,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::Told;
use crate::telling::Telling;

/// A line is no game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct JsonError {
    /// Which line, from one.
    pub line: usize,
    /// What is wrong with it, with the offending text.
    pub reason: String,
}

/// Draw rules as an object, where what is left out is on.
///
/// ```
/// use krieg_core::DrawRules;
/// use krieg_notation::json::Draws;
/// let draws: Draws = serde_json::from_str(r#"{"threefold":false}"#)?;
/// assert_eq!(DrawRules::from(draws), DrawRules { threefold: false, ..DrawRules::ALL });
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs)]
pub struct Draws {
    pub fifty_moves: bool,
    pub threefold: bool,
    pub insufficient_material: bool,
}

impl Default for Draws {
    fn default() -> Self {
        DrawRules::ALL.into()
    }
}

impl From<DrawRules> for Draws {
    fn from(draws: DrawRules) -> Self {
        let DrawRules { fifty_moves, threefold, insufficient_material } = draws;
        Draws { fifty_moves, threefold, insufficient_material }
    }
}

impl From<Draws> for DrawRules {
    fn from(draws: Draws) -> Self {
        let Draws { fifty_moves, threefold, insufficient_material } = draws;
        DrawRules { fifty_moves, threefold, insufficient_material }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "krieg", rename_all = "lowercase", deny_unknown_fields)]
enum GameJson {
    Record {
        ruleset: String,
        draws: Draws,
        start: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<u64>,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        tags: BTreeMap<String, String>,
        tries: Vec<TryJson>,
        end: Option<End>,
    },
    Transcript {
        player: Side,
        ruleset: String,
        draws: Draws,
        start: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        tags: BTreeMap<String, String>,
        tries: Vec<TryJson>,
        end: Option<End>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TryJson {
    /// Absent in a transcript where the player does not know it.
    #[serde(rename = "try", default, skip_serializing_if = "Option::is_none")]
    tried: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ms: Option<u32>,
    said: Said,
}

/// Writes a record as one line, without the line break.
///
/// ```
/// use krieg_core::{Game, Setup};
/// use krieg_notation::json;
/// let mut game = Game::new(Setup::default());
/// game.judge("e2e4".parse()?)?;
/// let line = json::write_record(game.record());
/// let Some(Ok(krieg_notation::Told::Record(again))) = json::read(&line).next() else { panic!() };
/// assert_eq!(&*again, game.record());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_record(record: &Record) -> String {
    to_line(&record_json(record))
}

/// The same as a value, to stand in something larger.
pub fn record_value(record: &Record) -> Value {
    to_value(&record_json(record))
}

fn record_json(record: &Record) -> GameJson {
    let setup = record.setup();
    GameJson::Record {
        ruleset: setup.ruleset.name.into(),
        draws: setup.draws.into(),
        start: setup.start.to_string(),
        seed: record.seed(),
        tags: record.tags().clone(),
        tries: record
            .entries()
            .iter()
            .map(|entry| TryJson {
                tried: Some(entry.tried.to_string()),
                ms: entry.spent_ms,
                said: Said::from(&entry.said),
            })
            .collect(),
        end: record.outcome().map(End::from),
    }
}

/// Writes a transcript as one line, without the line break.
pub fn write_transcript(transcript: &Transcript) -> String {
    to_line(&transcript_json(transcript))
}

/// The same as a value, to stand in something larger.
pub fn transcript_value(transcript: &Transcript) -> Value {
    to_value(&transcript_json(transcript))
}

fn transcript_json(transcript: &Transcript) -> GameJson {
    let setup = &transcript.setup;
    GameJson::Transcript {
        player: transcript.player.into(),
        ruleset: setup.ruleset.name.into(),
        draws: setup.draws.into(),
        start: setup.start.to_string(),
        tags: transcript.tags.clone(),
        tries: transcript
            .lines
            .iter()
            .map(|line| TryJson {
                tried: line.tried.map(|tried| tried.to_string()),
                ms: line.spent_ms,
                said: Said::from(&line.said),
            })
            .collect(),
        end: transcript.outcome.map(End::from),
    }
}

fn to_line(game: &GameJson) -> String {
    serde_json::to_string(game).expect("texts and numbers are always JSON")
}

fn to_value(game: &GameJson) -> Value {
    serde_json::to_value(game).expect("texts and numbers are always JSON")
}

/// Reads games line by line. Empty lines are passed over; a bad one is an error and the next one
/// is read all the same.
pub fn read(text: &str) -> impl Iterator<Item = Result<Told, JsonError>> + '_ {
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(|(number, line)| {
        read_line(line).map_err(|error| JsonError { line: number + 1, reason: reason(error) })
    })
}

fn read_line(line: &str) -> Result<Told, String> {
    let game: GameJson =
        serde_json::from_str(line).map_err(|error| format!("{error} in {:?}", excerpt(line)))?;
    match game {
        GameJson::Record { ruleset, draws, start, seed, tags, tries, end } => {
            let setup = read_setup(&ruleset, draws, &start)?;
            read_record(setup, seed, tags, tries, end).map(|record| Told::Record(Box::new(record)))
        }
        GameJson::Transcript { player, ruleset, draws, start, tags, tries, end } => {
            let setup = read_setup(&ruleset, draws, &start)?;
            read_transcript(player.into(), setup, tags, tries, end)
                .map(|transcript| Told::Transcript(Box::new(transcript)))
        }
    }
}

fn read_setup(ruleset: &str, draws: Draws, start: &str) -> Result<Setup, String> {
    Ok(Setup {
        ruleset: ruleset.parse::<Ruleset>().map_err(|e| e.to_string())?,
        draws: draws.into(),
        start: Position::from_fen(start).map_err(|e| e.to_string())?,
    })
}

fn read_record(
    setup: Setup,
    seed: Option<u64>,
    tags: BTreeMap<String, String>,
    tries: Vec<TryJson>,
    end: Option<End>,
) -> Result<Record, String> {
    let mut game = Game::new(setup);
    game.set_seed(seed);
    for (name, value) in &tags {
        game.set_tag(name, value).map_err(|e| e.to_string())?;
    }
    for (number, json) in tries.into_iter().enumerate() {
        let number = number + 1;
        let text = json.tried.ok_or_else(|| format!("try {number} of a record is missing"))?;
        let tried: Try = text.parse().map_err(|e| format!("try {number}: {e}"))?;
        let said = game
            .judge_timed(tried, json.ms)
            .map_err(|reason| format!("try {number}, {text:?}: not accepted: {reason}"))?;
        let claimed = json.said.read().map_err(|e| format!("try {number}, {text:?}: {e}"))?;
        if claimed != said {
            let (claim, truth) = (said_line(&claimed), said_line(&said));
            return Err(format!("try {number}, {text:?}: {claim} where the umpire says {truth}"));
        }
    }
    match (end.map(End::read).transpose()?, game.umpire().outcome()) {
        (Some(end), _) => game.end_as(end).map_err(|e| e.to_string())?,
        (None, Some(end)) => return Err(format!("the game goes on after \"{end}\"")),
        (None, None) => {}
    }
    Ok(game.into_record())
}

fn said_line(said: &Announcement) -> String {
    serde_json::to_string(&Said::from(said)).expect("texts and numbers are always JSON")
}

fn read_transcript(
    player: Color,
    setup: Setup,
    tags: BTreeMap<String, String>,
    tries: Vec<TryJson>,
    end: Option<End>,
) -> Result<Transcript, String> {
    let mut telling = Telling::new(setup, player);
    for (number, json) in tries.into_iter().enumerate() {
        let at = |e: String| format!("try {}: {e}", number + 1);
        let tried = match &json.tried {
            Some(text) => Some(text.parse::<Try>().map_err(|e| at(e.to_string()))?),
            None => None,
        };
        let said = json.said.read().map_err(at)?;
        telling.hear(Line { tried, said, spent_ms: json.ms }).map_err(at)?;
    }
    telling.end(end.map(End::read).transpose()?, tags)
}
