//! Kinds of players as text: for each its name, how likely it is to be met, and what it likes.

use std::fmt::Write as _;

use krieg_core::excerpt;
use thiserror::Error;

use super::features::{FEATURES, GROUPS};
use super::mixture::MOST_KINDS;

/// One kind of player: what it likes, feature by feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Kind {
    /// Its name, without spaces.
    pub name: String,
    /// How likely it is to be met.
    pub prior: f32,
    /// How much it likes each feature: a move with one more of it is played e to this power as often.
    pub likes: Box<[f32; FEATURES]>,
}

impl Kind {
    /// A kind that likes nothing, and plays every move as often as any other.
    pub fn new(name: &str) -> Self {
        Kind { name: name.to_string(), prior: 1.0, likes: Box::new([0.0; FEATURES]) }
    }
}

/// Why a text holds no opponents.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OpponentsError {
    /// It is something else.
    #[error("this is no file of opponents: it does not begin with {HEADING:?}")]
    Another,
    /// A line that is neither a kind of player nor a group of features.
    #[error("line {line}: {text:?} is neither a player nor a group of features")]
    Unknown {
        /// Counted from 1.
        line: usize,
        /// The line's beginning.
        text: String,
    },
    /// A player without a name, with a name that was there before, or without a chance.
    #[error(
        "line {0}: a player needs a name of his own and a chance above 0, as in: player greedy 0.2"
    )]
    Player(usize),
    /// A group with the wrong number of numbers, or with something that is none.
    #[error("line {line}: {name} needs {wanted} numbers")]
    Numbers {
        /// Counted from 1.
        line: usize,
        /// The group.
        name: &'static str,
        /// Its length.
        wanted: usize,
    },
    /// A group stands twice for one player.
    #[error("line {0}: this stands here twice")]
    Twice(usize),
    /// A group that is not there.
    #[error("{player} lacks {group}")]
    Missing {
        /// The player.
        player: String,
        /// The group.
        group: &'static str,
    },
    /// None, or too many.
    #[error("there are {0} players, and there can be from 1 to {MOST_KINDS}")]
    Count(usize),
    /// Nobody has this name.
    #[error("there is no {0:?} among the players")]
    Nobody(String),
}

const HEADING: &str = "krieg opponents 1";
/// Beyond this a number says no more, and a sum of them might not be one.
const MOST: f32 = 100.0;

/// The text of these players.
pub fn write(kinds: &[Kind]) -> String {
    let mut text = format!("{HEADING}\n");
    for kind in kinds {
        let _ = writeln!(text, "player {} {}", kind.name, kind.prior);
        for group in GROUPS {
            text.push_str(group.name);
            for like in &kind.likes[group.start..group.start + group.len] {
                let _ = write!(text, " {like}");
            }
            text.push('\n');
        }
    }
    text
}

/// Reads such a text. What follows a # is a remark.
pub fn read(text: &str) -> Result<Vec<Kind>, OpponentsError> {
    let mut lines = (1..).zip(text.lines());
    if lines.next().is_none_or(|(_, first)| first.trim_end() != HEADING) {
        return Err(OpponentsError::Another);
    }
    let mut kinds: Vec<(Kind, Vec<bool>)> = Vec::new();
    for (number, line) in lines {
        let mut words = line.split('#').next().unwrap_or("").split_whitespace();
        let Some(first) = words.next() else { continue };
        let unknown = || OpponentsError::Unknown { line: number, text: excerpt(line) };
        if first == "player" {
            let wrong = OpponentsError::Player(number);
            let (name, prior, rest) = (words.next(), words.next(), words.next());
            let (Some(name), Some(prior), None) = (name, prior, rest) else { return Err(wrong) };
            let prior =
                prior.parse().ok().filter(|prior| (f32::MIN_POSITIVE..=MOST).contains(prior));
            let Some(prior) = prior else { return Err(wrong) };
            if kinds.iter().any(|(kind, _)| kind.name == name) {
                return Err(wrong);
            }
            kinds.push((Kind { prior, ..Kind::new(name) }, vec![false; GROUPS.len()]));
            continue;
        }
        let at = GROUPS.iter().position(|group| group.name == first).ok_or_else(unknown)?;
        let (kind, seen) = kinds.last_mut().ok_or_else(unknown)?;
        let group = GROUPS[at];
        if std::mem::replace(&mut seen[at], true) {
            return Err(OpponentsError::Twice(number));
        }
        let wrong =
            || OpponentsError::Numbers { line: number, name: group.name, wanted: group.len };
        let likes: Vec<f32> = words
            .map(|word| word.parse().ok().filter(|like: &f32| like.abs() <= MOST))
            .collect::<Option<_>>()
            .ok_or_else(wrong)?;
        if likes.len() != group.len {
            return Err(wrong());
        }
        kind.likes[group.start..group.start + group.len].copy_from_slice(&likes);
    }
    for (kind, seen) in &kinds {
        if let Some(at) = seen.iter().position(|seen| !seen) {
            let (player, group) = (kind.name.clone(), GROUPS[at].name);
            return Err(OpponentsError::Missing { player, group });
        }
    }
    if kinds.is_empty() || kinds.len() > MOST_KINDS {
        return Err(OpponentsError::Count(kinds.len()));
    }
    Ok(kinds.into_iter().map(|(kind, _)| kind).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Vec<Kind> {
        let mut first = Kind::new("first");
        first.prior = 0.25;
        for (at, like) in first.likes.iter_mut().enumerate() {
            *like = at as f32 / 64.0 - 2.5;
        }
        vec![first, Kind::new("second")]
    }

    #[test]
    fn what_was_written_is_read() {
        assert_eq!(read(&write(&two())), Ok(two()));
        let with_remarks = write(&two()).replace("player second", "# another\n\nplayer second");
        assert_eq!(read(&with_remarks), Ok(two()));
    }

    #[test]
    fn a_damaged_file_is_refused_with_the_line() {
        let text = write(&two());
        let changed = |from: &str, to: &str| read(&text.replacen(from, to, 1)).unwrap_err();
        assert_eq!(read("something else"), Err(OpponentsError::Another));
        assert_eq!(read(""), Err(OpponentsError::Another));
        assert_eq!(read(HEADING), Err(OpponentsError::Count(0)));
        assert_eq!(changed("player first 0.25", "player first"), OpponentsError::Player(2));
        assert_eq!(changed("player first 0.25", "player first -1"), OpponentsError::Player(2));
        assert_eq!(
            changed("player first 0.25", "player second 1"),
            OpponentsError::Player(3 + GROUPS.len())
        );
        assert!(matches!(changed("\nman ", "\nmen "), OpponentsError::Unknown { line: 3, .. }));
        assert!(matches!(changed("\nman ", "\nman x "), OpponentsError::Numbers { line: 3, .. }));
        assert!(matches!(changed("\nman ", "\nman NaN "), OpponentsError::Numbers { .. }));
        assert!(matches!(changed("\nman ", "\nman 1 "), OpponentsError::Numbers { .. }));
        assert!(matches!(changed("\nman ", "\n# "), OpponentsError::Missing { group: "man", .. }));
        assert!(matches!(
            read(&format!("{text}{}", &text[text.rfind("\nman").unwrap()..])),
            Err(OpponentsError::Twice(_))
        ));
        assert!(matches!(
            read(&format!("{HEADING}\nman 1\n")),
            Err(OpponentsError::Unknown { line: 2, .. })
        ));
    }
}
