//! Players as people write them: a name, with parameters where there are any.

use std::fmt;
use std::str::FromStr;

use krieg_core::excerpt;
use thiserror::Error;

use crate::registry::{Kind, PLAYERS, Settings};
use crate::{Fault, Player};

/// A player by name, with its parameters: `random`, or `engine(cmd="python3 bot.py", patience=5)`.
///
/// Values with commas, brackets that do not match, or spaces at their ends stand in quotes.
///
/// ```
/// use krieg_players::PlayerSpec;
/// let spec: PlayerSpec = "engine( cmd = ./bot --deep , patience=60)".parse()?;
/// assert_eq!(spec.to_string(), r#"engine(cmd="./bot --deep")"#, "sixty is said anyway");
/// let error = "randm".parse::<PlayerSpec>().unwrap_err();
/// assert_eq!(error.to_string(), r#"there is no player "randm"; near: random"#);
/// # Ok::<(), krieg_players::SpecError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PlayerSpec {
    kind: &'static Kind,
    /// In the order of the registry, without what is said anyway.
    given: Vec<(String, String)>,
}

/// Why a text names no player.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SpecError {
    /// It is not of the form.
    #[error("{0:?} is no player: write name or name(parameter=value, …)")]
    Form(String),
    /// Nobody has that name.
    #[error("there is no player {name:?}; {near}")]
    Player {
        /// The name.
        name: String,
        /// Names that are near it.
        near: Near,
    },
    /// The player has no such parameter.
    #[error("{player} has no parameter {name:?}; {near}")]
    Parameter {
        /// The player.
        player: &'static str,
        /// The parameter.
        name: String,
        /// Names that are near it.
        near: Near,
    },
    /// A parameter is given twice.
    #[error("{player}: {name:?} stands twice")]
    Twice {
        /// The player.
        player: &'static str,
        /// The parameter.
        name: String,
    },
    /// A parameter must be given, and is not.
    #[error("{player} needs {parameter}, as in {player}({parameter}=…)")]
    Missing {
        /// The player.
        player: &'static str,
        /// The parameter.
        parameter: String,
    },
    /// A parameter has a value that it cannot have.
    #[error("{player}: {parameter} cannot be {value:?}: {why}")]
    Value {
        /// The player.
        player: &'static str,
        /// The parameter.
        parameter: String,
        /// The value.
        value: String,
        /// What is wrong with it.
        why: String,
    },
    /// The player's program does not start.
    #[error("{0}")]
    NoStart(Fault),
}

/// Names near one that is not known, or all there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Near {
    names: Vec<&'static str>,
    are_near: bool,
}

impl Near {
    /// Names more alike than this are near.
    const ALIKE: f64 = 0.75;

    fn to(name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        let all: Vec<&'static str> = known.collect();
        let name = name.to_ascii_lowercase();
        let alike = |known: &str| strsim::jaro_winkler(&name, known);
        let holds = |known: &str| name.contains(known) || !name.is_empty() && known.contains(&name);
        let mut names: Vec<&'static str> = all
            .iter()
            .copied()
            .filter(|known| alike(known) > Near::ALIKE || holds(known))
            .collect();
        names.sort_by(|a, b| alike(b).total_cmp(&alike(a)));
        if names.is_empty() {
            return Near { names: all, are_near: false };
        }
        Near { names, are_near: true }
    }
}

impl fmt::Display for Near {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names.join(", ");
        match (self.are_near, self.names.is_empty()) {
            (true, _) => write!(f, "near: {names}"),
            (false, false) => write!(f, "there are: {names}"),
            (false, true) => f.write_str("there are none"),
        }
    }
}

impl PlayerSpec {
    /// Whether it is, or asks, a program of somebody else's, which is started when the player is made.
    ///
    /// ```
    /// use krieg_players::PlayerSpec;
    /// assert!("engine(cmd=x)".parse::<PlayerSpec>()?.is_program());
    /// assert!("pimc(engine=x)".parse::<PlayerSpec>()?.is_program());
    /// assert!(!"pimc".parse::<PlayerSpec>()?.is_program());
    /// # Ok::<(), krieg_players::SpecError>(())
    /// ```
    pub fn is_program(&self) -> bool {
        let is_command = |name: &str| {
            self.kind.parameters.iter().any(|known| known.is_command && known.name == name)
        };
        self.given.iter().any(|(name, _)| is_command(name))
    }

    /// Makes the player. One that is a program of its own is started.
    pub fn make(&self) -> Result<Box<dyn Player>, SpecError> {
        (self.kind.make)(&Settings { kind: self.kind, given: &self.given })
    }
}

impl PartialEq for PlayerSpec {
    fn eq(&self, other: &Self) -> bool {
        self.kind.name == other.kind.name && self.given == other.given
    }
}

impl Eq for PlayerSpec {}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        // A name goes into records and logs, which have no place for control characters.
        let is_plain = !text.chars().any(char::is_control);
        let parts = is_plain.then(|| read(text.trim())).flatten();
        let (name, given) = parts.ok_or_else(|| SpecError::Form(excerpt(text)))?;
        let kind = PLAYERS.iter().find(|kind| kind.name == name).ok_or_else(|| {
            let near = Near::to(&name, PLAYERS.iter().map(|kind| kind.name));
            SpecError::Player { name: excerpt(&name), near }
        })?;
        for (at, (name, _)) in given.iter().enumerate() {
            if !kind.parameters.iter().any(|known| known.name == name) {
                let near = Near::to(name, kind.parameters.iter().map(|known| known.name));
                return Err(SpecError::Parameter { player: kind.name, name: excerpt(name), near });
            }
            if given[..at].iter().any(|(before, _)| before == name) {
                return Err(SpecError::Twice { player: kind.name, name: excerpt(name) });
            }
        }
        let mut ordered = Vec::new();
        for known in kind.parameters {
            match given.iter().find(|(name, _)| name == known.name) {
                Some(pair) if known.default != Some(pair.1.as_str()) => ordered.push(pair.clone()),
                Some(_) => {}
                None if known.default.is_none() => {
                    let parameter = known.name.to_string();
                    return Err(SpecError::Missing { player: kind.name, parameter });
                }
                None => {}
            }
        }
        Ok(PlayerSpec { kind, given: ordered })
    }
}

type Parts = (String, Vec<(String, String)>);

fn read(text: &str) -> Option<Parts> {
    let Some(open) = text.find('(') else {
        let is_name = !text.is_empty() && !text.contains([')', '=', ',', '"']);
        return is_name.then(|| (text.to_string(), Vec::new()));
    };
    let name = text[..open].trim_end().to_string();
    let inside = text[open + 1..].strip_suffix(')')?;
    let mut given = Vec::new();
    for part in split(inside)? {
        let (parameter, value) = part.split_once('=')?;
        given.push((parameter.trim().to_string(), unquote(value.trim())?));
    }
    (!name.is_empty()).then_some((name, given))
}

/// Splits at the commas that stand in no quotes and no brackets.
fn split(text: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let (mut begin, mut depth, mut is_quoted, mut is_escaped) = (0, 0u32, false, false);
    for (at, letter) in text.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                parts.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    if is_quoted || depth > 0 {
        return None;
    }
    let last = &text[begin..];
    if !(parts.is_empty() && last.trim().is_empty()) {
        parts.push(last);
    }
    Some(parts)
}

fn unquote(value: &str) -> Option<String> {
    let Some(inside) = value.strip_prefix('"') else { return Some(value.to_string()) };
    let inside = inside.strip_suffix('"')?;
    let mut plain = String::new();
    let mut letters = inside.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => plain.push(letters.next()?),
            '"' => return None,
            _ => plain.push(letter),
        }
    }
    Some(plain)
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name)?;
        for (at, (name, value)) in self.given.iter().enumerate() {
            write!(f, "{}{name}=", if at == 0 { "(" } else { "," })?;
            let is_plain = !value.is_empty()
                && value.chars().all(|c| c.is_alphanumeric() || "._-+/".contains(c));
            match is_plain {
                true => f.write_str(value)?,
                false => write!(f, "\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))?,
            }
        }
        if self.given.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<PlayerSpec>().unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_is_read() {
        for text in ["random", "semi-random", r#"engine(cmd="sh -c \"a, b)\"",patience=5)"#] {
            let spec: PlayerSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
        }
        assert_eq!("random()".parse::<PlayerSpec>().unwrap().to_string(), "random");
    }

    #[test]
    fn a_slip_is_answered_with_what_is_near() {
        assert_eq!(
            error("semirandom"),
            r#"there is no player "semirandom"; near: semi-random, random"#
        );
        assert!(error("zzz").contains("there are: random, darkboard2a, semi-random,"));
        let wrong = error("engine(cmd=x, patients=3)");
        assert_eq!(wrong, r#"engine has no parameter "patients"; near: patience, options"#);
        assert_eq!(error("random(seed=3)"), r#"random has no parameter "seed"; there are: tables"#);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "(",
            "ran\ndom",
            "random(",
            "random)",
            "engine(cmd)",
            "engine(cmd=\"x)",
            "a=b",
            "(x=1)",
        ] {
            assert!(matches!(text.parse::<PlayerSpec>(), Err(SpecError::Form(_))), "{text}");
        }
        assert_eq!(error("engine"), "engine needs cmd, as in engine(cmd=…)");
        assert_eq!(error("engine(cmd=a,cmd=b)"), r#"engine: "cmd" stands twice"#);
        let spec: PlayerSpec = "engine(cmd=true,patience=long)".parse().unwrap();
        let Err(wrong) = spec.make() else { panic!("patience is a number") };
        assert!(wrong.to_string().starts_with(r#"engine: patience cannot be "long""#), "{wrong}");
    }
}
