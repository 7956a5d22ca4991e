//! Records and transcripts as JSON lines, one game per line.
//!
//! Each line is one object: a record (every try of both sides) or a transcript (what one player
//! knows). The field `krieg` says which. An umpire replays a record while it is read, and every
//! announcement in it must be the one that this umpire makes.

mod announcement;
mod view;

pub use announcement::{AnnouncementJson, ColorJson, OutcomeJson, PawnTriesJson};
pub use view::ViewJson;

use std::collections::BTreeMap;

use krieg_core::{
    Announcement, Color, DrawRules, Game, Observation, Position, Record, Ruleset, Setup,
    Transcript, Try, excerpt, short_reason,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::{SavedGame, TranscriptBuilder};

/// The line is not a valid game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct JsonError {
    /// Number of the line, starting at 1.
    pub line: usize,
    /// What is wrong with it, with the offending text.
    pub reason: String,
}

/// Draw rules as a JSON object. A rule that is left out is on.
///
/// ```
/// use krieg_core::DrawRules;
/// use krieg_notation::json::DrawRulesJson;
/// let draws: DrawRulesJson = serde_json::from_str(r#"{"threefold":false}"#)?;
/// assert_eq!(DrawRules::from(draws), DrawRules { threefold: false, ..DrawRules::ALL });
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs)]
pub struct DrawRulesJson {
    pub fifty_moves: bool,
    pub threefold: bool,
    pub insufficient_material: bool,
}

impl Default for DrawRulesJson {
    fn default() -> Self {
        DrawRules::ALL.into()
    }
}

impl From<DrawRules> for DrawRulesJson {
    fn from(draws: DrawRules) -> Self {
        let DrawRules { fifty_moves, threefold, insufficient_material } = draws;
        DrawRulesJson { fifty_moves, threefold, insufficient_material }
    }
}

impl From<DrawRulesJson> for DrawRules {
    fn from(draws: DrawRulesJson) -> Self {
        let DrawRulesJson { fifty_moves, threefold, insufficient_material } = draws;
        DrawRules { fifty_moves, threefold, insufficient_material }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "krieg", rename_all = "lowercase", deny_unknown_fields)]
enum GameJson {
    Record {
        ruleset: String,
        draws: DrawRulesJson,
        start: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<u64>,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        tags: BTreeMap<String, String>,
        tries: Vec<TryJson>,
        end: Option<OutcomeJson>,
    },
    Transcript {
        player: ColorJson,
        ruleset: String,
        draws: DrawRulesJson,
        start: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        tags: BTreeMap<String, String>,
        tries: Vec<TryJson>,
        end: Option<OutcomeJson>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TryJson {
    /// Absent in a transcript if the player does not know the try.
    #[serde(rename = "try", default, skip_serializing_if = "Option::is_none")]
    tried: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ms: Option<u32>,
    /// Files of earlier versions call it `said`.
    #[serde(alias = "said")]
    announcement: AnnouncementJson,
}

/// Writes a record as one line, without the line break.
///
/// ```
/// use krieg_core::{Game, Setup};
/// use krieg_notation::json;
/// let mut game = Game::new(Setup::default());
/// game.judge("e2e4".parse()?)?;
/// let line = json::write_record(game.record());
/// let read = json::read(&line).next().unwrap()?;
/// assert_eq!(read, krieg_notation::SavedGame::Record(Box::new(game.into_record())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_record(record: &Record) -> String {
    to_line(&record_json(record))
}

/// A record as a JSON value, to be part of a larger one.
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
                announcement: AnnouncementJson::from(&entry.announcement),
            })
            .collect(),
        end: record.outcome().map(OutcomeJson::from),
    }
}

/// Writes a transcript as one line, without the line break.
pub fn write_transcript(transcript: &Transcript) -> String {
    to_line(&transcript_json(transcript))
}

/// A transcript as a JSON value, to be part of a larger one.
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
            .observations
            .iter()
            .map(|observation| TryJson {
                tried: observation.tried.map(|tried| tried.to_string()),
                ms: observation.spent_ms,
                announcement: AnnouncementJson::from(&observation.announcement),
            })
            .collect(),
        end: transcript.outcome.map(OutcomeJson::from),
    }
}

fn to_line(game: &GameJson) -> String {
    serde_json::to_string(game).expect("the value can always be serialized")
}

fn to_value(game: &GameJson) -> Value {
    serde_json::to_value(game).expect("the value can always be serialized")
}

/// Reads games line by line. Empty lines are skipped. After a bad line, which is an error, reading
/// goes on with the next one.
pub fn read(text: &str) -> impl Iterator<Item = Result<SavedGame, JsonError>> + '_ {
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(|(number, line)| {
        read_line(line).map_err(|error| JsonError { line: number + 1, reason: short_reason(error) })
    })
}

fn read_line(line: &str) -> Result<SavedGame, String> {
    let game: GameJson =
        serde_json::from_str(line).map_err(|error| format!("{error} in {:?}", excerpt(line)))?;
    match game {
        GameJson::Record { ruleset, draws, start, seed, tags, tries, end } => {
            let setup = read_setup(&ruleset, draws, &start)?;
            read_record(setup, seed, tags, tries, end)
                .map(|record| SavedGame::Record(Box::new(record)))
        }
        GameJson::Transcript { player, ruleset, draws, start, tags, tries, end } => {
            let setup = read_setup(&ruleset, draws, &start)?;
            read_transcript(player.into(), setup, tags, tries, end)
                .map(|transcript| SavedGame::Transcript(Box::new(transcript)))
        }
    }
}

fn read_setup(ruleset: &str, draws: DrawRulesJson, start: &str) -> Result<Setup, String> {
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
    end: Option<OutcomeJson>,
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
        let announcement = game
            .judge_timed(tried, json.ms)
            .map_err(|reason| format!("try {number}, {text:?}: not accepted: {reason}"))?;
        let claimed = json
            .announcement
            .into_announcement()
            .map_err(|e| format!("try {number}, {text:?}: {e}"))?;
        if claimed != announcement {
            let (claimed, actual) = (announcement_text(&claimed), announcement_text(&announcement));
            return Err(format!(
                "try {number}, {text:?}: {claimed}, but the umpire announces {actual}"
            ));
        }
    }
    match (end.map(OutcomeJson::into_outcome).transpose()?, game.umpire().outcome()) {
        (Some(end), _) => game.claim_outcome(end).map_err(|e| e.to_string())?,
        (None, Some(end)) => return Err(format!("the game goes on after \"{end}\"")),
        (None, None) => {}
    }
    Ok(game.into_record())
}

fn announcement_text(announcement: &Announcement) -> String {
    serde_json::to_string(&AnnouncementJson::from(announcement))
        .expect("the value can always be serialized")
}

fn read_transcript(
    player: Color,
    setup: Setup,
    tags: BTreeMap<String, String>,
    tries: Vec<TryJson>,
    end: Option<OutcomeJson>,
) -> Result<Transcript, String> {
    let mut builder = TranscriptBuilder::new(setup, player);
    for (number, json) in tries.into_iter().enumerate() {
        let at = |e: String| format!("try {}: {e}", number + 1);
        let tried = match &json.tried {
            Some(text) => Some(text.parse::<Try>().map_err(|e| at(e.to_string()))?),
            None => None,
        };
        let announcement = json.announcement.into_announcement().map_err(at)?;
        builder.observe(Observation { tried, announcement, spent_ms: json.ms }).map_err(at)?;
    }
    builder.finish(end.map(OutcomeJson::into_outcome).transpose()?, tags)
}
