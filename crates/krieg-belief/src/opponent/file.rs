//! Kinds of players as text: for each its name, how likely it is to be met, and what it likes.

use std::fmt::Write as _;

use krieg_core::excerpt;
use thiserror::Error;

use super::features::{FEATURES, GROUPS};
use super::impressions::{IMPRESSIONS, Impression, Impressions};
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
    /// How much it likes each impression.
    pub tastes: Impression,
}

impl Kind {
    /// A kind that likes nothing, and plays every move as often as any other.
    pub fn new(name: &str) -> Self {
        Kind {
            name: name.to_string(),
            prior: 1.0,
            likes: Box::new([0.0; FEATURES]),
            tastes: [0.0; IMPRESSIONS],
        }
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

const HEADING: &str = "krieg opponents 2";
/// Beyond this a number says no more, and would not fit into those that are reckoned with in a game.
pub const MOST: f32 = 8.0;
/// What raises impressions stands in thousandths: there are many thousands of these numbers.
const SHARED: f32 = 1e3;

/// What stands before a player's tastes, and before how each thing that is noticed about a board or a move raises the impressions.
const TASTES: &str = "impressions";
const OF_BOARDS: &str = "board";
const OF_MOVES: &str = "move";

/// The text of these players.
pub fn write(kinds: &[Kind], impressions: &Impressions) -> String {
    let mut text = format!("{HEADING}\n");
    for kind in kinds {
        let _ = writeln!(text, "player {} {}", kind.name, kind.prior);
        for group in GROUPS {
            text.push_str(group.name);
            write_numbers(&mut text, &kind.likes[group.start..group.start + group.len]);
        }
        text.push_str(TASTES);
        write_numbers(&mut text, &kind.tastes);
    }
    for (name, rows) in [(OF_BOARDS, &impressions.of_boards), (OF_MOVES, &impressions.of_moves)] {
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
    kind: Kind,
    seen: Vec<bool>,
}

impl Half {
    /// Takes in a group of numbers, by its place among the groups. The tastes come last.
    fn take(&mut self, at: usize, numbers: &[f32]) {
        match GROUPS.get(at) {
            Some(group) => self.kind.likes[group.start..][..group.len].copy_from_slice(numbers),
            None => self.kind.tastes.copy_from_slice(numbers),
        }
    }
}

/// The name and the length of a group, by its place.
fn group(at: usize) -> (&'static str, usize) {
    GROUPS.get(at).map_or((TASTES, IMPRESSIONS), |group| (group.name, group.len))
}

/// Reads such a text. What follows a # is a remark. What is not said to raise an impression does not.
pub fn read(text: &str) -> Result<(Vec<Kind>, Impressions), OpponentsError> {
    let mut lines = (1..).zip(text.lines());
    if lines.next().is_none_or(|(_, first)| first.trim_end() != HEADING) {
        return Err(OpponentsError::Another);
    }
    let mut halves: Vec<Half> = Vec::new();
    let mut impressions = Impressions::none();
    for (number, line) in lines {
        let mut words = line.split('#').next().unwrap_or("").split_whitespace();
        let Some(first) = words.next() else { continue };
        let unknown = || OpponentsError::Unknown { line: number, text: excerpt(line) };
        if first == "player" {
            let kind = player(words).ok_or(OpponentsError::Player(number))?;
            if halves.iter().any(|half| half.kind.name == kind.name) {
                return Err(OpponentsError::Player(number));
            }
            halves.push(Half { kind, seen: vec![false; GROUPS.len() + 1] });
            continue;
        }
        let rows = match first {
            OF_BOARDS => Some((OF_BOARDS, &mut impressions.of_boards)),
            OF_MOVES => Some((OF_MOVES, &mut impressions.of_moves)),
            _ => None,
        };
        if let Some((name, rows)) = rows {
            let row = words.next().and_then(|word| word.parse::<usize>().ok());
            let row = row.and_then(|row| rows.get_mut(row)).ok_or_else(unknown)?;
            let numbers = numbers(words, number, (name, IMPRESSIONS), MOST * SHARED)?;
            row.iter_mut().zip(numbers).for_each(|(place, number)| *place = number / SHARED);
            continue;
        }
        let at = (0..=GROUPS.len()).find(|at| group(*at).0 == first).ok_or_else(unknown)?;
        let half = halves.last_mut().ok_or_else(unknown)?;
        if std::mem::replace(&mut half.seen[at], true) {
            return Err(OpponentsError::Twice(number));
        }
        half.take(at, &numbers(words, number, group(at), MOST)?);
    }
    for Half { kind, seen } in &halves {
        if let Some(at) = seen.iter().position(|seen| !seen) {
            let (player, group) = (kind.name.clone(), group(at).0);
            return Err(OpponentsError::Missing { player, group });
        }
    }
    if halves.is_empty() || halves.len() > MOST_KINDS {
        return Err(OpponentsError::Count(halves.len()));
    }
    Ok((halves.into_iter().map(|half| half.kind).collect(), impressions))
}

/// A player's name and how likely he is to be met.
fn player<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Kind> {
    let (Some(name), Some(prior), None) = (words.next(), words.next(), words.next()) else {
        return None;
    };
    let prior = prior.parse().ok().filter(|prior| (f32::MIN_POSITIVE..=MOST).contains(prior))?;
    Some(Kind { prior, ..Kind::new(name) })
}

/// As many numbers as there should be, none of them farther from nought than `most`.
fn numbers<'a>(
    words: impl Iterator<Item = &'a str>,
    line: usize,
    (name, wanted): (&'static str, usize),
    most: f32,
) -> Result<Vec<f32>, OpponentsError> {
    let number = |word: &str| word.parse().ok().filter(|number: &f32| number.abs() <= most);
    let numbers: Option<Vec<f32>> = words.map(number).collect();
    numbers.filter(|numbers| numbers.len() == wanted).ok_or(OpponentsError::Numbers {
        line,
        name,
        wanted,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> (Vec<Kind>, Impressions) {
        let mut first = Kind::new("first");
        first.prior = 0.25;
        for (at, like) in first.likes.iter_mut().enumerate() {
            *like = at as f32 / 256.0 - 2.5;
        }
        first.tastes[7] = 0.125;
        let mut impressions = Impressions::none();
        impressions.of_boards[3][1] = -0.5;
        impressions.of_moves[FEATURES - 1][31] = 1.25;
        (vec![first, Kind::new("second")], impressions)
    }

    #[test]
    fn what_was_written_is_read() {
        let (kinds, impressions) = two();
        let text = write(&kinds, &impressions);
        assert_eq!(read(&text), Ok(two()));
        let with_remarks = text.replace("player second", "# another\n\nplayer second");
        assert_eq!(read(&with_remarks), Ok(two()));
    }

    #[test]
    fn a_damaged_file_is_refused_with_the_line() {
        let (kinds, impressions) = two();
        let text = write(&kinds, &impressions);
        let changed = |from: &str, to: &str| read(&text.replacen(from, to, 1)).unwrap_err();
        assert_eq!(read("something else"), Err(OpponentsError::Another));
        assert_eq!(read(""), Err(OpponentsError::Another));
        assert_eq!(read(HEADING), Err(OpponentsError::Count(0)));
        assert_eq!(changed("player first 0.25", "player first"), OpponentsError::Player(2));
        assert_eq!(changed("player first 0.25", "player first -1"), OpponentsError::Player(2));
        assert_eq!(
            changed("player first 0.25", "player second 1"),
            OpponentsError::Player(4 + GROUPS.len())
        );
        assert!(matches!(changed("\nman ", "\nmen "), OpponentsError::Unknown { line: 3, .. }));
        assert!(matches!(changed("\nman ", "\nman x "), OpponentsError::Numbers { line: 3, .. }));
        assert!(matches!(changed("\nman ", "\nman NaN "), OpponentsError::Numbers { .. }));
        assert!(matches!(changed("\nman ", "\nman 1 "), OpponentsError::Numbers { .. }));
        assert!(matches!(changed("\nman ", "\n# "), OpponentsError::Missing { group: "man", .. }));
        assert!(matches!(changed("player second 1\n", ""), OpponentsError::Twice(_)));
        assert!(matches!(changed("\nboard 3 ", "\nboard 3000 "), OpponentsError::Unknown { .. }));
        assert!(matches!(
            changed("\nmove 1 ", "\nmove 1 1 "),
            OpponentsError::Numbers { name: "move", wanted: IMPRESSIONS, .. }
        ));
        assert!(matches!(
            read(&format!("{HEADING}\nman 1\n")),
            Err(OpponentsError::Unknown { line: 2, .. })
        ));
    }
}
