//! Opponent types as text: for each its name, its prior, and its weights.
//!
//! ```text
//! krieg opponents 3
//! type greedy 0.07 0      the name and the prior of a type, and optionally its share of the
//!                         penalty for undefended pieces; what follows belongs to it
//! moved-piece 0.01 …      a group of move features, with a weight for each
//! hidden -0.3 …           the output weights of the hidden units
//! board-feature 8 153 …   the weights of a board feature in the hidden layer, in thousandths
//! move-feature 0 12 …     the weights of a move feature in the hidden layer, in thousandths
//! ```
//!
//! A `#` begins a comment. Features that have no line in the hidden layer have the weight 0 there.
//! Files of version 2 had other names for the same numbers and are still read; see
//! [`VERSION_2_NAMES`].

use std::fmt::Write as _;

use krieg_core::excerpt;
use thiserror::Error;

use super::feature_groups::{FEATURE_GROUPS, MOVE_FEATURES};
use super::hidden_layer::{HIDDEN_UNITS, HiddenActivations, HiddenLayer};
use super::mixture::MAX_OPPONENT_TYPES;

/// One type of players: a conditional logit over legal moves.
#[derive(Debug, Clone, PartialEq)]
pub struct OpponentType {
    /// The name, without spaces.
    pub name: String,
    /// The prior probability, relative to the other types.
    pub prior: f32,
    /// The share of the penalty for undefended pieces that applies to boards of this type: 1 for
    /// players who plan, 0 for players whose pieces stand anywhere.
    pub penalty_share: f32,
    /// The weight of each move feature in the logit of a move.
    pub feature_weights: Box<[f32; MOVE_FEATURES]>,
    /// The weight of each hidden unit in the logit of a move.
    pub output_weights: HiddenActivations,
}

impl OpponentType {
    /// A type whose weights are all 0, so that it plays every legal move with equal probability.
    #[must_use]
    pub fn new(name: &str) -> Self {
        OpponentType {
            name: name.to_string(),
            prior: 1.0,
            penalty_share: 1.0,
            feature_weights: Box::new([0.0; MOVE_FEATURES]),
            output_weights: [0.0; HIDDEN_UNITS],
        }
    }
}

impl OpponentType {
    /// Whether the type was fitted to games of this player, alone or with others: the name lists
    /// the players, with a number if several types have the same players. The general type was
    /// fitted to all players and counts for none.
    #[must_use]
    pub fn is_fitted_to(&self, player: &str) -> bool {
        let mut players = self.name.split('+');
        players.any(|one| {
            let number = one.strip_prefix(player).map(|rest| rest.strip_prefix('-'));
            one == player || number.flatten().is_some_and(|number| number.parse::<u32>().is_ok())
        })
    }
}

/// The name of the type that is fitted to the games of all players.
pub const GENERAL_TYPE: &str = "general";

/// Why a text does not define opponent types, or a mixture cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OpponentMixtureError {
    /// The first line is something else.
    #[error("line 1: {0:?} is not {HEADING:?}")]
    WrongHeading(String),
    /// A line that begins with no known word, or with a feature that does not exist.
    #[error("line {line}: {text:?} is neither an opponent type nor weights of features")]
    UnknownLine {
        /// The number of the line, from 1.
        line: usize,
        /// The beginning of the line.
        text: String,
    },
    /// A type without a name, with the name of an earlier type, without a prior, or with an
    /// invalid share of the penalty.
    #[error(
        "line {line}: {text:?} needs a new name, a prior above 0, and perhaps a share from 0 to 1, \
         as in \"type greedy 0.2 0\""
    )]
    InvalidType {
        /// The number of the line, from 1.
        line: usize,
        /// The beginning of the line.
        text: String,
    },
    /// A line with the wrong number of weights, or with a weight that is not a number in range.
    #[error("line {line}: {name}: expected {expected} number(s) between -{limit} and {limit}")]
    WrongNumbers {
        /// The number of the line, from 1.
        line: usize,
        /// The group, or what the line begins with.
        name: &'static str,
        /// How many numbers belong there.
        expected: usize,
        /// The largest absolute value.
        limit: u32,
    },
    /// A group occurs twice for one type.
    #[error("line {line}: {name} occurs twice for one opponent type")]
    DuplicateGroup {
        /// The number of the line, from 1.
        line: usize,
        /// The group.
        name: &'static str,
    },
    /// A type lacks a group.
    #[error("opponent type {opponent_type:?} lacks {name}")]
    MissingGroup {
        /// The type.
        opponent_type: String,
        /// The group.
        name: &'static str,
    },
    /// No types, or more than [`MAX_OPPONENT_TYPES`].
    #[error("there must be 1 to {MAX_OPPONENT_TYPES} opponent types, not {0}")]
    TypeCount(usize),
    /// No type has this name.
    #[error("there is no opponent type {0:?}")]
    UnknownType(String),
}

const HEADING: &str = "krieg opponents 3";
const VERSION_2_HEADING: &str = "krieg opponents 2";
/// Largest absolute weight. A larger one would not fit the quantized network.
pub const MAX_WEIGHT: f32 = 8.0;
/// Weights of the hidden layer are written as multiples of one over this.
const HIDDEN_SCALE: f32 = 1e3;

const TYPE: &str = "type";
const OUTPUT_WEIGHTS: &str = "hidden";
const BOARD_FEATURE: &str = "board-feature";
const MOVE_FEATURE: &str = "move-feature";

/// The first words of lines in version 2, with their present names. The other groups have kept
/// their names. One more difference: the [`GENERAL_TYPE`] was called [`VERSION_2_GENERAL_TYPE`].
pub const VERSION_2_NAMES: &[(&str, &str)] = &[
    ("player", TYPE),
    ("impressions", OUTPUT_WEIGHTS),
    ("board", BOARD_FEATURE),
    ("move", MOVE_FEATURE),
    ("man", "moved-piece"),
    ("early-to-pawn", "opening-to-pawn"),
    ("early-to-knight", "opening-to-knight"),
    ("early-to-bishop", "opening-to-bishop"),
    ("early-to-rook", "opening-to-rook"),
    ("early-to-queen", "opening-to-queen"),
    ("early-to-king", "opening-to-king"),
    ("retreats", "retreat"),
    ("far", "slide-length"),
    ("again", "same-piece-again"),
    ("undoes", "reversal"),
    ("took", "capturer-moves-on"),
    ("castles", "castling"),
    ("loses-castling", "castling-rights-lost"),
    ("promotes", "promotion"),
    ("passed", "passed-pawn"),
    ("takes-back", "recapture"),
    ("takes-back-with-the-least", "least-valuable-recapture"),
    ("goes-to-old-losses", "to-earlier-loss"),
    ("aims-at-losses", "attacks-loss"),
    ("pawn-captures", "pawn-capture"),
    ("takes", "capture"),
    ("takes-guarded", "capture-of-defended"),
    ("checked", "check-evasion"),
    ("checks", "gives-check"),
    ("guarded", "defended-destination"),
    ("exposed", "attacked-destination"),
    ("exposed-to-lesser", "attacked-by-lesser"),
    ("leaves-danger", "leaves-attack"),
    ("unguards", "leaves-undefended"),
    ("guards", "defends"),
    ("threatens", "threat"),
    ("freedom", "mobility"),
    ("nearer-to-the-king", "closer-to-king"),
    ("mates", "checkmate"),
];

/// The name of the [`GENERAL_TYPE`] in version 2.
pub const VERSION_2_GENERAL_TYPE: &str = "anybody";

/// Writes these types as text.
#[must_use]
pub fn write(types: &[OpponentType], hidden_layer: &HiddenLayer) -> String {
    let mut text = format!("{HEADING}\n");
    for opponent_type in types {
        let OpponentType { name, prior, penalty_share, .. } = opponent_type;
        let _ = match *penalty_share {
            1.0 => writeln!(text, "{TYPE} {name} {prior}"),
            share => writeln!(text, "{TYPE} {name} {prior} {share}"),
        };
        for group in FEATURE_GROUPS {
            text.push_str(group.name);
            let weights = &opponent_type.feature_weights[group.start..group.start + group.len];
            write_numbers(&mut text, weights);
        }
        text.push_str(OUTPUT_WEIGHTS);
        write_numbers(&mut text, &opponent_type.output_weights);
    }
    for (name, rows) in
        [(BOARD_FEATURE, &hidden_layer.board_weights), (MOVE_FEATURE, &hidden_layer.move_weights)]
    {
        for (feature, row) in rows.iter().enumerate() {
            let _ = write!(text, "{name} {feature}");
            write_numbers(&mut text, &row.map(|weight| (weight * HIDDEN_SCALE).round()));
        }
    }
    text
}

/// Appends these numbers and ends the line.
fn write_numbers(text: &mut String, numbers: &[f32]) {
    for number in numbers {
        let _ = write!(text, " {number}");
    }
    text.push('\n');
}

/// A type whose lines are being read.
struct PartialType {
    opponent_type: OpponentType,
    /// For each group, and the output weights after them, whether it has been read.
    is_read: Vec<bool>,
}

impl PartialType {
    /// Stores the weights of a group. The index after the last group is that of the output weights.
    fn set_group(&mut self, index: usize, weights: &[f32]) {
        let OpponentType { feature_weights, output_weights, .. } = &mut self.opponent_type;
        match FEATURE_GROUPS.get(index) {
            Some(group) => {
                feature_weights[group.start..][..group.len].copy_from_slice(weights);
            }
            None => output_weights.copy_from_slice(weights),
        }
    }
}

/// The name and the length of a group. The index after the last group is that of the output
/// weights.
fn group(index: usize) -> (&'static str, usize) {
    let output_weights = (OUTPUT_WEIGHTS, HIDDEN_UNITS);
    FEATURE_GROUPS.get(index).map_or(output_weights, |group| (group.name, group.len))
}

/// Reads opponent types and their hidden layer from text.
pub fn read(text: &str) -> Result<(Vec<OpponentType>, HiddenLayer), OpponentMixtureError> {
    let mut lines = (1..).zip(text.lines());
    let heading = lines.next().map_or("", |(_, first)| first.trim_end());
    let is_version_2 = heading == VERSION_2_HEADING;
    if heading != HEADING && !is_version_2 {
        return Err(OpponentMixtureError::WrongHeading(excerpt(heading)));
    }
    let mut types: Vec<PartialType> = Vec::new();
    let mut hidden_layer = HiddenLayer::zero();
    for (number, line) in lines {
        let mut words = line.split('#').next().unwrap_or("").split_whitespace();
        let Some(first) = words.next() else { continue };
        let first = if is_version_2 { current_name(first) } else { first };
        let unknown = || OpponentMixtureError::UnknownLine { line: number, text: excerpt(line) };
        if first == TYPE {
            let invalid =
                || OpponentMixtureError::InvalidType { line: number, text: excerpt(line) };
            let mut opponent_type = read_type(words).ok_or_else(invalid)?;
            if is_version_2 && opponent_type.name == VERSION_2_GENERAL_TYPE {
                opponent_type.name = GENERAL_TYPE.to_string();
            }
            if types.iter().any(|known| known.opponent_type.name == opponent_type.name) {
                return Err(invalid());
            }
            let is_read = vec![false; FEATURE_GROUPS.len() + 1];
            types.push(PartialType { opponent_type, is_read });
            continue;
        }
        let rows = match first {
            BOARD_FEATURE => Some((BOARD_FEATURE, &mut hidden_layer.board_weights)),
            MOVE_FEATURE => Some((MOVE_FEATURE, &mut hidden_layer.move_weights)),
            _ => None,
        };
        if let Some((name, rows)) = rows {
            let feature = words.next().and_then(|word| word.parse::<usize>().ok());
            let row = feature.and_then(|feature| rows.get_mut(feature)).ok_or_else(unknown)?;
            let limit = MAX_WEIGHT * HIDDEN_SCALE;
            let numbers = read_numbers(words, number, (name, HIDDEN_UNITS), limit)?;
            row.iter_mut().zip(numbers).for_each(|(weight, n)| *weight = n / HIDDEN_SCALE);
            continue;
        }
        let index =
            (0..=FEATURE_GROUPS.len()).find(|at| group(*at).0 == first).ok_or_else(unknown)?;
        let current = types.last_mut().ok_or_else(unknown)?;
        let name = group(index).0;
        if std::mem::replace(&mut current.is_read[index], true) {
            return Err(OpponentMixtureError::DuplicateGroup { line: number, name });
        }
        current.set_group(index, &read_numbers(words, number, group(index), MAX_WEIGHT)?);
    }
    for PartialType { opponent_type, is_read } in &types {
        if let Some(index) = is_read.iter().position(|is_read| !is_read) {
            let (opponent_type, name) = (opponent_type.name.clone(), group(index).0);
            return Err(OpponentMixtureError::MissingGroup { opponent_type, name });
        }
    }
    if types.is_empty() || types.len() > MAX_OPPONENT_TYPES {
        return Err(OpponentMixtureError::TypeCount(types.len()));
    }
    Ok((types.into_iter().map(|partial| partial.opponent_type).collect(), hidden_layer))
}

/// The present name of what begins a line in version 2.
fn current_name(word: &str) -> &str {
    VERSION_2_NAMES.iter().find(|(old, _)| *old == word).map_or(word, |(_, name)| name)
}

/// Reads the name and the prior of a type.
fn read_type<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<OpponentType> {
    let (Some(name), Some(prior), share, None) =
        (words.next(), words.next(), words.next().unwrap_or("1"), words.next())
    else {
        return None;
    };
    let is_prior = |prior: &f32| (f32::MIN_POSITIVE..=MAX_WEIGHT).contains(prior);
    let prior = prior.parse().ok().filter(is_prior)?;
    let penalty_share = share.parse().ok().filter(|share| (0.0..=1.0).contains(share))?;
    Some(OpponentType { prior, penalty_share, ..OpponentType::new(name) })
}

/// Reads the expected number of weights, none of which is larger than the limit.
fn read_numbers<'a>(
    words: impl Iterator<Item = &'a str>,
    line: usize,
    (name, expected): (&'static str, usize),
    limit: f32,
) -> Result<Vec<f32>, OpponentMixtureError> {
    let number = |word: &str| word.parse().ok().filter(|number: &f32| number.abs() <= limit);
    let numbers: Option<Vec<f32>> = words.map(number).collect();
    let limit = limit as u32;
    let wrong = OpponentMixtureError::WrongNumbers { line, name, expected, limit };
    numbers.filter(|numbers| numbers.len() == expected).ok_or(wrong)
}

#[cfg(test)]
mod tests;
