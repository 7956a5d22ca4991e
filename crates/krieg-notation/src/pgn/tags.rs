//! The tags of a game and their meaning.

use std::collections::BTreeMap;

use krieg_core::{
    Color, DrawRules, Ending, Outcome, Position, Ruleset, Setup, color_name, excerpt,
};

use super::lexer::RawGame;
use super::{PgnError, TAG_ROSTER, at, unknown};

/// The interpreted tags of a game.
pub(super) struct GameTags {
    pub is_kriegspiel: bool,
    pub setup: Setup,
    pub seed: Option<u64>,
    pub narrator: Option<Color>,
    pub ending: Option<(usize, Ending)>,
    /// The result after the moves; the inner `None` is a draw.
    pub winner: Option<Option<Color>>,
    pub termination: String,
    pub tags: BTreeMap<String, String>,
}

impl GameTags {
    pub fn read(raw: &RawGame) -> Result<Self, PgnError> {
        let mut tags = raw.tags.clone();
        let mut take = |name: &str| tags.remove(name);
        let ruleset_tag = take("Ruleset");
        // Records of earlier versions and all transcripts name the variant. Today's records have
        // `Ruleset` alone, also after another program has added `Variant "Standard"`.
        let is_kriegspiel = match take("Variant") {
            Some((line, variant)) => match variant.to_ascii_lowercase().as_str() {
                "kriegspiel" | "wild/16" => true,
                "standard" | "chess" | "normal" | "from position" => ruleset_tag.is_some(),
                _ => {
                    let reason = format!("variant {variant:?} is neither chess nor Kriegspiel");
                    return Err(at(line)(reason));
                }
            },
            None => ruleset_tag.is_some(),
        };
        let ruleset = match ruleset_tag {
            Some((line, name)) => name.parse::<Ruleset>().map_err(at(line))?,
            None => Ruleset::default(),
        };
        let draws = match take("DrawRules") {
            Some((line, text)) => parse_draw_rules(&text).map_err(at(line))?,
            // Without the tag, the umpire declares no draws: the file has the moves only.
            None => DrawRules::NONE,
        };
        let start = match take("FEN") {
            Some((line, fen)) => Position::from_fen(&fen).map_err(at(line))?,
            None => Position::start(),
        };
        take("SetUp");
        let seed = match take("Seed") {
            Some((line, text)) => {
                let error = |_| at(line)(format!("{text:?} is not a seed"));
                Some(text.parse().map_err(error)?)
            }
            None => None,
        };
        let narrator = match take("Narrator") {
            Some((line, name)) => Some(
                [Color::White, Color::Black]
                    .into_iter()
                    .find(|&color| color_name(color) == name)
                    .ok_or_else(|| at(line)(format!("{name:?} is neither White nor Black")))?,
            ),
            None => None,
        };
        let ending = match take("Ending") {
            Some((line, name)) => {
                let ending = Ending::from_name(&name);
                Some((line, ending.ok_or_else(|| at(line)(format!("{name:?} is not an ending")))?))
            }
            None => None,
        };
        let termination = take("Termination").map(|(_, text)| text).unwrap_or_default();
        // A few moves without tags need no result; a file with tags and no result was truncated.
        if raw.result.is_none() && !raw.tags.is_empty() {
            let reason = "the file is truncated: no result or * after the moves";
            return Err(at(raw.last_line())(reason));
        }
        if let (Some(result), Some((line, tag))) = (&raw.result, take("Result"))
            && *result != tag
        {
            return Err(at(line)(format!("result {tag:?}, but the moves end with {result:?}")));
        }
        let winner = match raw.result.as_deref() {
            Some("1-0") => Some(Some(Color::White)),
            Some("0-1") => Some(Some(Color::Black)),
            Some("1/2-1/2") => Some(None),
            _ => None,
        };
        let is_known =
            |name: &str, value: &str| !(TAG_ROSTER.contains(&name) && value == unknown(name));
        let tags = tags
            .into_iter()
            .map(|(name, (_, value))| (name, value))
            .filter(|(name, value)| is_known(name, value))
            .collect();
        let setup = Setup { ruleset, draws, start };
        Ok(GameTags { is_kriegspiel, setup, seed, narrator, ending, winner, termination, tags })
    }

    /// The outcome according to the `Ending` tag, if there is one.
    pub fn stated_end(&self) -> Result<Option<Outcome>, PgnError> {
        match (self.ending, self.winner) {
            (None, _) => Ok(None),
            (Some((line, ending)), Some(winner)) => match Outcome::checked(ending, winner) {
                Some(outcome) => Ok(Some(outcome)),
                None => {
                    Err(at(line)(format!("ending {:?} cannot have this result", ending.name())))
                }
            },
            (Some((line, ending)), None) => {
                Err(at(line)(format!("ending {:?} without a result", ending.name())))
            }
        }
    }

    /// The most likely outcome according to the result, if the game was not decided on the board.
    pub fn likely_end(&self) -> Option<Outcome> {
        let winner = self.winner?;
        let ending = match (self.termination.to_ascii_lowercase().as_str(), winner) {
            (_, None) => Ending::Agreement,
            ("time forfeit", _) => Ending::Flag,
            ("abandoned", _) => Ending::Abandonment,
            _ => Ending::Resignation,
        };
        Some(Outcome { ending, winner })
    }
}

fn parse_draw_rules(text: &str) -> Result<DrawRules, String> {
    let mut draws = DrawRules::NONE;
    for name in text.split(',').map(str::trim).filter(|name| *name != "none") {
        match Ending::from_name(name) {
            Some(Ending::FiftyMoves) => draws.fifty_moves = true,
            Some(Ending::Threefold) => draws.threefold = true,
            Some(Ending::InsufficientMaterial) => draws.insufficient_material = true,
            _ => return Err(format!("{:?} is not a draw rule", excerpt(name))),
        }
    }
    Ok(draws)
}
