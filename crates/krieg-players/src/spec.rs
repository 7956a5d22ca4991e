//! Players as text: a name, with parameters in brackets.

use std::fmt;
use std::str::FromStr;

use krieg_core::excerpt;
use thiserror::Error;

use crate::{Player, PlayerError, PlayerKind, PlayerRegistry, Settings};

/// A player by name, with its parameters: `random`, or `engine(cmd="python3 bot.py",timeout=5)`.
///
/// Values that contain commas or unbalanced brackets, or that start or end with spaces, are quoted.
/// Parsing with [`FromStr`] knows the built-in players; [`PlayerRegistry::parse`] knows those of a
/// registry.
///
/// ```
/// use krieg_players::PlayerSpec;
/// let spec: PlayerSpec = "engine( cmd = ./bot --deep , timeout=60)".parse()?;
/// assert_eq!(spec.to_string(), r#"engine(cmd="./bot --deep")"#, "60 is the default");
/// let error = "randm".parse::<PlayerSpec>().unwrap_err();
/// assert_eq!(error.to_string(), r#"there is no player "randm"; did you mean random?"#);
/// # Ok::<(), krieg_players::SpecError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PlayerSpec {
    kind: PlayerKind,
    /// The parameters that differ from their defaults, in the order of the kind's list.
    given: Vec<(String, String)>,
}

/// Why a text is not a player, or why the player cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// The text does not have the form of a player spec.
    #[error("{0:?} is not a player: write name or name(parameter=value,…)")]
    Form(String),
    /// No player has this name.
    #[error("there is no player {name:?}; {suggestions}")]
    Player {
        /// The name.
        name: String,
        /// Similar names.
        suggestions: Suggestions,
    },
    /// The player has no such parameter.
    #[error("{player} has no parameter {name:?}; {suggestions}")]
    Parameter {
        /// The player.
        player: &'static str,
        /// The parameter.
        name: String,
        /// Similar names.
        suggestions: Suggestions,
    },
    /// A parameter is given twice.
    #[error("{player}: {name:?} is given twice")]
    Twice {
        /// The player.
        player: &'static str,
        /// The parameter.
        name: String,
    },
    /// A required parameter is missing.
    #[error("{player} needs {parameter}, as in {player}({parameter}=…)")]
    Missing {
        /// The player.
        player: &'static str,
        /// The parameter.
        parameter: String,
    },
    /// A parameter has an invalid value.
    #[error("{player}: {parameter} cannot be {value:?}: {reason}")]
    Value {
        /// The player.
        player: &'static str,
        /// The parameter.
        parameter: String,
        /// The value.
        value: String,
        /// Why it is invalid.
        reason: String,
    },
    /// The player's program does not start.
    #[error("{0}")]
    StartFailed(PlayerError),
    /// A registry already has a player of this name.
    #[error("there is already a player called {0:?}")]
    NameTaken(&'static str),
}

/// Names similar to an unknown one, or all names if none is similar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestions {
    names: Vec<&'static str>,
    are_similar: bool,
}

impl Suggestions {
    /// Names with at least this Jaro–Winkler similarity are suggested.
    const MIN_SIMILARITY: f64 = 0.75;

    fn for_name(name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        let all: Vec<&'static str> = known.collect();
        let name = name.to_ascii_lowercase();
        let similarity = |known: &str| strsim::jaro_winkler(&name, known);
        let overlaps =
            |known: &str| name.contains(known) || !name.is_empty() && known.contains(&name);
        let is_similar =
            |known: &&str| similarity(known) > Suggestions::MIN_SIMILARITY || overlaps(known);
        let mut names: Vec<&'static str> = all.iter().copied().filter(is_similar).collect();
        names.sort_by(|a, b| similarity(b).total_cmp(&similarity(a)));
        if names.is_empty() {
            return Suggestions { names: all, are_similar: false };
        }
        Suggestions { names, are_similar: true }
    }
}

impl fmt::Display for Suggestions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.are_similar, self.names.is_empty()) {
            (true, _) => write!(f, "did you mean {}?", self.names.join(" or ")),
            (false, false) => write!(f, "choose one of {}", self.names.join(", ")),
            (false, true) => f.write_str("it has none"),
        }
    }
}

impl PlayerSpec {
    /// The name of the player, without parameters.
    pub fn name(&self) -> &'static str {
        self.kind.name
    }

    /// Whether making the player runs a command line of its parameters.
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

    /// Makes the player. If it is an external program, the program is started.
    pub fn make(&self) -> Result<Box<dyn Player>, SpecError> {
        (self.kind.make)(&self.settings())
    }

    /// The values of the player's parameters.
    ///
    /// ```
    /// use krieg_players::PlayerSpec;
    /// let spec: PlayerSpec = "pimc(worlds=32)".parse()?;
    /// assert_eq!(spec.settings().get::<u32>("worlds")?, 32);
    /// # Ok::<(), krieg_players::SpecError>(())
    /// ```
    pub fn settings(&self) -> Settings<'_> {
        Settings::new(self.kind.name, self.kind.parameters, &self.given)
    }

    /// Reads a spec from a saved file: a game log, a record, or a database. Parameter names of
    /// earlier versions are replaced by the current ones.
    ///
    /// ```
    /// use krieg_players::PlayerSpec;
    /// let spec = PlayerSpec::from_saved("marshal(boards=500)")?;
    /// assert_eq!(spec.to_string(), "marshal(particles=500)");
    /// # Ok::<(), krieg_players::SpecError>(())
    /// ```
    pub fn from_saved(text: &str) -> Result<Self, SpecError> {
        PlayerRegistry::default().parse_saved(text)
    }

    /// Reads a spec. `rename` may replace names and values of the parameters of the kind.
    pub(crate) fn read(
        text: &str,
        registry: &PlayerRegistry,
        rename: fn(&PlayerKind, &mut String, &mut String),
    ) -> Result<Self, SpecError> {
        // Names go into records and logs, which have no place for control characters.
        let is_printable = !text.chars().any(char::is_control);
        let parts = is_printable.then(|| split_spec(text.trim())).flatten();
        let (name, mut given) = parts.ok_or_else(|| SpecError::Form(excerpt(text)))?;
        let kind = *registry.find(&name).ok_or_else(|| {
            let known = registry.kinds().iter().map(|kind| kind.name);
            let suggestions = Suggestions::for_name(&name, known);
            SpecError::Player { name: excerpt(&name), suggestions }
        })?;
        given.iter_mut().for_each(|(name, value)| rename(&kind, name, value));
        for (index, (name, _)) in given.iter().enumerate() {
            if !kind.parameters.iter().any(|known| known.name == name) {
                let known = kind.parameters.iter().map(|known| known.name);
                let suggestions = Suggestions::for_name(name, known);
                let name = excerpt(name);
                return Err(SpecError::Parameter { player: kind.name, name, suggestions });
            }
            if given[..index].iter().any(|(earlier, _)| earlier == name) {
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

impl PartialEq for PlayerSpec {
    fn eq(&self, other: &Self) -> bool {
        self.kind.name == other.kind.name && self.given == other.given
    }
}

impl Eq for PlayerSpec {}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        PlayerRegistry::default().parse(text)
    }
}

/// A name, and the names and values of parameters.
type SpecParts = (String, Vec<(String, String)>);

fn split_spec(text: &str) -> Option<SpecParts> {
    let Some(open) = text.find('(') else {
        let is_name = !text.is_empty() && !text.contains([')', '=', ',', '"']);
        return is_name.then(|| (text.to_string(), Vec::new()));
    };
    let name = text[..open].trim_end().to_string();
    let inside = text[open + 1..].strip_suffix(')')?;
    let mut given = Vec::new();
    for part in split_at_commas(inside)? {
        let (parameter, value) = part.split_once('=')?;
        given.push((parameter.trim().to_string(), unquote(value.trim())?));
    }
    (!name.is_empty()).then_some((name, given))
}

/// Splits at the commas outside of quotes and brackets.
fn split_at_commas(text: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let (mut begin, mut depth, mut is_quoted, mut is_escaped) = (0, 0u32, false, false);
    for (index, letter) in text.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                parts.push(&text[begin..index]);
                begin = index + 1;
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
        for (index, (name, value)) in self.given.iter().enumerate() {
            write!(f, "{}{name}=", if index == 0 { "(" } else { "," })?;
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
    fn specs_round_trip_through_text() {
        for text in ["random", "semi-random", r#"engine(cmd="sh -c \"a, b)\"",timeout=5)"#] {
            let spec: PlayerSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
        }
        assert_eq!("random()".parse::<PlayerSpec>().unwrap().to_string(), "random");
    }

    #[test]
    fn unknown_names_suggest_similar_ones() {
        assert_eq!(
            error("semirandom"),
            r#"there is no player "semirandom"; did you mean semi-random or random?"#
        );
        assert!(error("zzz").contains("choose one of random, darkboard2a, semi-random,"));
        let message = error("engine(cmd=x, timeouts=3)");
        assert_eq!(message, r#"engine has no parameter "timeouts"; did you mean timeout?"#);
        assert_eq!(
            error("random(seed=3)"),
            r#"random has no parameter "seed"; choose one of tablebases"#
        );
    }

    #[test]
    fn malformed_specs_are_rejected() {
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
        assert_eq!(error("engine(cmd=a,cmd=b)"), r#"engine: "cmd" is given twice"#);
        let spec: PlayerSpec = "engine(cmd=true,timeout=long)".parse().unwrap();
        let Err(error) = spec.make() else { panic!("the timeout is a number") };
        assert!(error.to_string().starts_with(r#"engine: timeout cannot be "long""#), "{error}");
    }
}
