//! The registry of players, by name.

use std::fmt;

use crate::ismcts::Ismcts;
use crate::learned::Learned;
use crate::marshal::Marshal;
use crate::pimc::Pimc;
use crate::protocol::Engine;
use crate::{
    Greedy, Parameter, Player, PlayerSpec, Random, SemiRandom, Settings, SpecError, saved_spec,
};

/// The built-in players, from the weakest to the strongest. To add one, write a file for it and add
/// a line here.
const BUILT_IN: &[PlayerKind] = &[
    Random::KIND,
    Ismcts::DARKBOARD2A,
    SemiRandom::KIND,
    Greedy::KIND,
    Ismcts::MO_ISMCTS,
    Pimc::KIND,
    Ismcts::ISMCTS,
    Learned::KIND,
    Marshal::KIND,
    Engine::KIND,
];

/// A kind of player: its name, its parameters, and how to make one.
///
/// ```
/// use krieg_players::{Parameter, PlayerKind, Random};
/// const KIND: PlayerKind = PlayerKind {
///     name: "mine",
///     about: "tries any sensible move",
///     parameters: &[Parameter::NO_TABLEBASES],
///     make: |settings| settings.with_tablebases(Random::new()),
/// };
/// # let _ = KIND;
/// ```
#[derive(Clone, Copy)]
pub struct PlayerKind {
    /// The name, as it stands in commands and records.
    pub name: &'static str,
    /// How it plays, in one line.
    pub about: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Makes a player from the values of its parameters.
    pub make: fn(&Settings) -> Result<Box<dyn Player>, SpecError>,
}

impl fmt::Debug for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlayerKind({})", self.name)
    }
}

/// The players that can be named.
///
/// The default has the built-in players. Another crate can add its own kinds and parse specs with
/// them; a [`PlayerSpec`] remembers its kind, so matches and tournaments take it like any other.
///
/// ```
/// use krieg_players::{PlayerKind, PlayerRegistry, Random};
/// const MINE: PlayerKind = PlayerKind {
///     name: "mine",
///     about: "tries any sensible move",
///     parameters: &[],
///     make: |_| Ok(Box::new(Random::new())),
/// };
/// let mut registry = PlayerRegistry::default();
/// registry.add(MINE)?;
/// let player = registry.parse("mine")?.make()?;
/// # let _ = player;
/// assert!("mine".parse::<krieg_players::PlayerSpec>().is_err(), "it is not built in");
/// # Ok::<(), krieg_players::SpecError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PlayerRegistry {
    kinds: Vec<PlayerKind>,
}

impl Default for PlayerRegistry {
    fn default() -> Self {
        PlayerRegistry { kinds: BUILT_IN.to_vec() }
    }
}

impl PlayerRegistry {
    /// Adds a kind of player. The error says that the name is taken or cannot be written.
    pub fn add(&mut self, kind: PlayerKind) -> Result<(), SpecError> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if kind.name.is_empty() || !kind.name.chars().all(is_name) {
            return Err(SpecError::Form(kind.name.to_string()));
        }
        if self.find(kind.name).is_some() {
            return Err(SpecError::NameTaken(kind.name));
        }
        self.kinds.push(kind);
        Ok(())
    }

    /// All kinds of players. The built-in ones come first, from the weakest to the strongest, and
    /// `engine` is the last of them.
    pub fn kinds(&self) -> &[PlayerKind] {
        &self.kinds
    }

    /// The kind of player with this name.
    pub fn find(&self, name: &str) -> Option<&PlayerKind> {
        self.kinds.iter().find(|kind| kind.name == name)
    }

    /// Reads a player spec, such as `pimc(worlds=32)`.
    pub fn parse(&self, text: &str) -> Result<PlayerSpec, SpecError> {
        PlayerSpec::read(text, self, |_, _, _| {})
    }

    /// Reads a player spec from a saved file, which may have parameter names of earlier versions.
    pub fn parse_saved(&self, text: &str) -> Result<PlayerSpec, SpecError> {
        PlayerSpec::read(text, self, |kind, name, value| {
            if BUILT_IN.iter().any(|built_in| built_in.name == kind.name) {
                saved_spec::rename_parameter(name, value);
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_but_engine_has_tablebases_and_baselines_have_them_off() {
        for kind in BUILT_IN.iter().filter(|kind| kind.name != "engine") {
            let tablebases = kind.parameters.iter().find(|known| known.name == "tablebases");
            let is_baseline = ["random", "semi-random", "darkboard2a"].contains(&kind.name);
            let expected = if is_baseline { "no" } else { "yes" };
            assert_eq!(tablebases.and_then(|known| known.default), Some(expected), "{}", kind.name);
        }
        let spec: PlayerSpec = "random(tablebases=yes)".parse().unwrap();
        assert_eq!(spec.to_string(), "random(tablebases=yes)");
        assert!(spec.make().is_ok());
        let Err(error) = "random(tablebases=some)".parse::<PlayerSpec>().unwrap().make() else {
            panic!("the value is invalid")
        };
        assert!(error.to_string().contains("choose one of yes, no"), "{error}");
    }

    #[test]
    fn a_name_is_registered_once_and_can_be_written() {
        let mut registry = PlayerRegistry::default();
        let kind = |name| PlayerKind { name, ..Random::KIND };
        assert_eq!(registry.add(kind("marshal")), Err(SpecError::NameTaken("marshal")));
        for name in ["", "my player", "a(b)", "a=b"] {
            assert!(matches!(registry.add(kind(name)), Err(SpecError::Form(_))), "{name}");
        }
        registry.add(kind("my-player")).unwrap();
        assert_eq!(registry.parse("my-player(tablebases=yes)").unwrap().name(), "my-player");
        assert_eq!(registry.kinds().len(), BUILT_IN.len() + 1);
    }
}
