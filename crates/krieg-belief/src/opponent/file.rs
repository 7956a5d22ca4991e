//! Kinds of players as text: for each its name, how likely it is to be met, and what it feature_weights.

use std::fmt::Write as _;

use krieg_core::excerpt;
use thiserror::Error;

use super::feature_groups::{FEATURE_GROUPS, MOVE_FEATURES};
use super::hidden_layer::{HIDDEN_UNITS, HiddenActivations, HiddenLayer};
use super::mixture::MAX_OPPONENT_TYPES;

/// One kind of player: what it feature_weights, feature by feature.
#[derive(Debug, Clone, PartialEq)]
pub struct OpponentType {
    /// Its name, without spaces.
    pub name: String,
    /// How likely it is to be met.
    pub prior: f32,
    /// How much it feature_weights each feature: a move with one more of it is played e to this power as often.
    pub feature_weights: Box<[f32; MOVE_FEATURES]>,
    /// How much it feature_weights each impression.
    pub output_weights: HiddenActivations,
}

impl OpponentType {
    /// A kind that feature_weights nothing, and plays every move as often as any other.
    pub fn new(name: &str) -> Self {
        OpponentType {
            name: name.to_string(),
            prior: 1.0,
            feature_weights: Box::new([0.0; MOVE_FEATURES]),
            output_weights: [0.0; HIDDEN_UNITS],
        }
    }
}

/// Why a text holds no opponents.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OpponentMixtureError {
    /// It is something else.
    #[error("this is no file of opponents: it does not begin with {HEADING:?}")]
    WrongHeading,
    /// A line that is neither a kind of player nor a group of features.
    #[error("line {line}: {text:?} is neither a player nor a group of features")]
    UnknownLine {
        /// Counted from 1.
        line: usize,
        /// The line's beginning.
        text: String,
    },
    /// A player without a name, with a name that was there before, or without a chance.
    #[error(
        "line {0}: a player needs a name of his own and a chance above 0, as in: player greedy 0.2"
    )]
    InvalidType(usize),
    /// A group with the wrong number of numbers, or with something that is none.
    #[error("line {line}: {name} needs {wanted} numbers")]
    WrongNumbers {
        /// Counted from 1.
        line: usize,
        /// The group.
        name: &'static str,
        /// Its length.
        wanted: usize,
    },
    /// A group stands twice for one player.
    #[error("line {0}: this stands here twice")]
    DuplicateGroup(usize),
    /// A group that is not there.
    #[error("{player} lacks {group}")]
    MissingGroup {
        /// The player.
        player: String,
        /// The group.
        group: &'static str,
    },
    /// None, or too many.
    #[error("there are {0} players, and there can be from 1 to {MAX_OPPONENT_TYPES}")]
    TypeCount(usize),
    /// Nobody has this name.
    #[error("there is no {0:?} among the players")]
    UnknownType(String),
}

const HEADING: &str = "krieg opponents 2";
/// Beyond this a number says no more, and would not fit into those that are reckoned with in a game.
pub const MAX_WEIGHT: f32 = 8.0;
/// What raises hidden_layer stands in thousandths: there are many thousands of these numbers.
const SHARED: f32 = 1e3;

/// What stands before a player's output_weights, and before how each thing that is noticed about a board or a move raises the hidden_layer.
const TASTES: &str = "impressions";
const OF_BOARDS: &str = "board";
const OF_MOVES: &str = "move";

/// The text of these players.
pub fn write(kinds: &[OpponentType], hidden_layer: &HiddenLayer) -> String {
    let mut text = format!("{HEADING}\n");
    for kind in kinds {
        let _ = writeln!(text, "player {} {}", kind.name, kind.prior);
        for group in FEATURE_GROUPS {
            text.push_str(group.name);
            write_numbers(&mut text, &kind.feature_weights[group.start..group.start + group.len]);
        }
        text.push_str(TASTES);
        write_numbers(&mut text, &kind.output_weights);
    }
    for (name, rows) in
        [(OF_BOARDS, &hidden_layer.board_weights), (OF_MOVES, &hidden_layer.move_weights)]
    {
        for (number, row) in rows.iter().enumerate() {
            let _ = write!(text, "{name} {number}");
            write_numbers(&mut text, &row.map(|number| (number * SHARED).round()));
        }
    }
    text
}

/// These numbers to the end of the line.
fn write_numbers(text: &mut String, numbers: &[f32]) {
    for number in numbers {
        let _ = write!(text, " {number}");
    }
    text.push('\n');
}

/// A player whose lines are being read: himself, and which groups were there.
struct Half {
    kind: OpponentType,
    seen: Vec<bool>,
}

impl Half {
    /// Takes in a group of numbers, by its place among the groups. The output_weights come last.
    fn take(&mut self, at: usize, numbers: &[f32]) {
        match FEATURE_GROUPS.get(at) {
            Some(group) => {
                self.kind.feature_weights[group.start..][..group.len].copy_from_slice(numbers)
            }
            None => self.kind.output_weights.copy_from_slice(numbers),
        }
    }
}

/// The name and the length of a group, by its place.
fn group(at: usize) -> (&'static str, usize) {
    FEATURE_GROUPS.get(at).map_or((TASTES, HIDDEN_UNITS), |group| (group.name, group.len))
}

/// Reads such a text. What follows a # is a remark. What is not said to raise an impression does not.
pub fn read(text: &str) -> Result<(Vec<OpponentType>, HiddenLayer), OpponentMixtureError> {
    let mut lines = (1..).zip(text.lines());
    if lines.next().is_none_or(|(_, first)| first.trim_end() != HEADING) {
        return Err(OpponentMixtureError::WrongHeading);
    }
    let mut halves: Vec<Half> = Vec::new();
    let mut hidden_layer = HiddenLayer::zero();
    for (number, line) in lines {
        let mut words = line.split('#').next().unwrap_or("").split_whitespace();
        let Some(first) = words.next() else { continue };
        let unknown = || OpponentMixtureError::UnknownLine { line: number, text: excerpt(line) };
        if first == "player" {
            let kind = player(words).ok_or(OpponentMixtureError::InvalidType(number))?;
            if halves.iter().any(|half| half.kind.name == kind.name) {
                return Err(OpponentMixtureError::InvalidType(number));
            }
            halves.push(Half { kind, seen: vec![false; FEATURE_GROUPS.len() + 1] });
            continue;
        }
        let rows = match first {
            OF_BOARDS => Some((OF_BOARDS, &mut hidden_layer.board_weights)),
            OF_MOVES => Some((OF_MOVES, &mut hidden_layer.move_weights)),
            _ => None,
        };
        if let Some((name, rows)) = rows {
            let row = words.next().and_then(|word| word.parse::<usize>().ok());
            let row = row.and_then(|row| rows.get_mut(row)).ok_or_else(unknown)?;
            let numbers = numbers(words, number, (name, HIDDEN_UNITS), MAX_WEIGHT * SHARED)?;
            row.iter_mut().zip(numbers).for_each(|(place, number)| *place = number / SHARED);
            continue;
        }
        let at = (0..=FEATURE_GROUPS.len()).find(|at| group(*at).0 == first).ok_or_else(unknown)?;
        let half = halves.last_mut().ok_or_else(unknown)?;
        if std::mem::replace(&mut half.seen[at], true) {
            return Err(OpponentMixtureError::DuplicateGroup(number));
        }
        half.take(at, &numbers(words, number, group(at), MAX_WEIGHT)?);
    }
    for Half { kind, seen } in &halves {
        if let Some(at) = seen.iter().position(|seen| !seen) {
            let (player, group) = (kind.name.clone(), group(at).0);
            return Err(OpponentMixtureError::MissingGroup { player, group });
        }
    }
    if halves.is_empty() || halves.len() > MAX_OPPONENT_TYPES {
        return Err(OpponentMixtureError::TypeCount(halves.len()));
    }
    Ok((halves.into_iter().map(|half| half.kind).collect(), hidden_layer))
}

/// A player's name and how likely he is to be met.
fn player<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<OpponentType> {
    let (Some(name), Some(prior), None) = (words.next(), words.next(), words.next()) else {
        return None;
    };
    let prior =
        prior.parse().ok().filter(|prior| (f32::MIN_POSITIVE..=MAX_WEIGHT).contains(prior))?;
    Some(OpponentType { prior, ..OpponentType::new(name) })
}

/// As many numbers as there should be, none of them farther from nought than `most`.
fn numbers<'a>(
    words: impl Iterator<Item = &'a str>,
    line: usize,
    (name, wanted): (&'static str, usize),
    most: f32,
) -> Result<Vec<f32>, OpponentMixtureError> {
    let number = |word: &str| word.parse().ok().filter(|number: &f32| number.abs() <= most);
    let numbers: Option<Vec<f32>> = words.map(number).collect();
    numbers.filter(|numbers| numbers.len() == wanted).ok_or(OpponentMixtureError::WrongNumbers {
        line,
        name,
        wanted,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> (Vec<OpponentType>, HiddenLayer) {
        let mut first = OpponentType::new("first");
        first.prior = 0.25;
        for (at, like) in first.feature_weights.iter_mut().enumerate() {
            *like = at as f32 / 256.0 - 2.5;
        }
        first.output_weights[7] = 0.125;
        let mut hidden_layer = HiddenLayer::zero();
        hidden_layer.board_weights[3][1] = -0.5;
        hidden_layer.move_weights[MOVE_FEATURES - 1][31] = 1.25;
        (vec![first, OpponentType::new("second")], hidden_layer)
    }

    #[test]
    fn what_was_written_is_read() {
        let (kinds, hidden_layer) = two();
        let text = write(&kinds, &hidden_layer);
        assert_eq!(read(&text), Ok(two()));
        let with_remarks = text.replace("player second", "# another\n\nplayer second");
        assert_eq!(read(&with_remarks), Ok(two()));
    }

    #[test]
    fn a_damaged_file_is_refused_with_the_line() {
        let (kinds, hidden_layer) = two();
        let text = write(&kinds, &hidden_layer);
        let changed = |from: &str, to: &str| read(&text.replacen(from, to, 1)).unwrap_err();
        assert_eq!(read("something else"), Err(OpponentMixtureError::WrongHeading));
        assert_eq!(read(""), Err(OpponentMixtureError::WrongHeading));
        assert_eq!(read(HEADING), Err(OpponentMixtureError::TypeCount(0)));
        assert_eq!(
            changed("player first 0.25", "player first"),
            OpponentMixtureError::InvalidType(2)
        );
        assert_eq!(
            changed("player first 0.25", "player first -1"),
            OpponentMixtureError::InvalidType(2)
        );
        assert_eq!(
            changed("player first 0.25", "player second 1"),
            OpponentMixtureError::InvalidType(4 + FEATURE_GROUPS.len())
        );
        assert!(matches!(
            changed("\nman ", "\nmen "),
            OpponentMixtureError::UnknownLine { line: 3, .. }
        ));
        assert!(matches!(
            changed("\nman ", "\nman x "),
            OpponentMixtureError::WrongNumbers { line: 3, .. }
        ));
        assert!(matches!(
            changed("\nman ", "\nman NaN "),
            OpponentMixtureError::WrongNumbers { .. }
        ));
        assert!(matches!(changed("\nman ", "\nman 1 "), OpponentMixtureError::WrongNumbers { .. }));
        assert!(matches!(
            changed("\nman ", "\n# "),
            OpponentMixtureError::MissingGroup { group: "man", .. }
        ));
        assert!(matches!(
            changed("player second 1\n", ""),
            OpponentMixtureError::DuplicateGroup(_)
        ));
        assert!(matches!(
            changed("\nboard 3 ", "\nboard 3000 "),
            OpponentMixtureError::UnknownLine { .. }
        ));
        assert!(matches!(
            changed("\nmove 1 ", "\nmove 1 1 "),
            OpponentMixtureError::WrongNumbers { name: "move", wanted: HIDDEN_UNITS, .. }
        ));
        assert!(matches!(
            read(&format!("{HEADING}\nman 1\n")),
            Err(OpponentMixtureError::UnknownLine { line: 2, .. })
        ));
    }
}
