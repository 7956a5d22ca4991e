//! The parameters of a player, and the values that they are given.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use crate::lone_king::LoneKingController;
use crate::timed_belief::BeliefSettings;
use crate::{AlwaysRecapture, FixedMoveTime, Player, SpecError};

/// The names of the entries of a registry, separated by commas.
pub(crate) fn names_of<T, N: ToString>(entries: &[T], name: impl Fn(&T) -> N) -> String {
    let names: Vec<String> = entries.iter().map(|entry| name(entry).to_string()).collect();
    names.join(", ")
}

/// A parameter of a kind of player.
///
/// ```
/// use krieg_players::Parameter;
/// const EXPLORATION: Parameter = Parameter::new("exploration", "the constant of UCT", "0.5");
/// assert_eq!(EXPLORATION.default, Some("0.5"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// A description in a few words.
    pub about: &'static str,
    /// The default value as text; `None` if the parameter is required.
    pub default: Option<&'static str>,
    /// Whether the value is a command line that is run when the player is made.
    pub is_command: bool,
    /// The names and descriptions of the possible values, if the value is one of a registry.
    pub choices: fn() -> Vec<(&'static str, &'static str)>,
}

impl Parameter {
    /// Whether a [`LoneKingController`] plays the player's endings against a lone king.
    pub const TABLEBASES: Parameter = Parameter::new("tablebases", ABOUT_TABLEBASES, "yes");
    /// The same, off by default: players that others are measured against do not change.
    pub const NO_TABLEBASES: Parameter = Parameter::new("tablebases", ABOUT_TABLEBASES, "no");
    /// The parameter of players that search: a time of their own for each move.
    pub const MOVETIME: Parameter = Parameter::new(
        "movetime",
        "milliseconds per move, with or without a clock; 0: as the clock says",
        "0",
    );

    /// Whether the player recaptures whenever it can, as many programs do.
    pub const ALWAYS_RECAPTURE: Parameter = Parameter::new(
        "always_recapture",
        "yes: recapture whenever it is possible; no: as the search decides",
        "no",
    );

    /// An optional parameter.
    pub const fn new(name: &'static str, about: &'static str, default: &'static str) -> Self {
        Parameter { name, about, default: Some(default), is_command: false, choices: Vec::new }
    }

    /// A parameter that must be given.
    pub const fn required(name: &'static str, about: &'static str) -> Self {
        Parameter { name, about, default: None, is_command: false, choices: Vec::new }
    }

    /// The same parameter, whose value is one of these.
    #[must_use]
    pub const fn with_choices(self, choices: fn() -> Vec<(&'static str, &'static str)>) -> Self {
        Parameter { choices, ..self }
    }

    /// The same parameter as a command line that is run when the player is made.
    #[must_use]
    pub const fn as_command(self) -> Self {
        Parameter { is_command: true, ..self }
    }
}

const ABOUT_TABLEBASES: &str =
    "yes: mate a lone king with the endgame tables, or by a search towards them; no: do not";

/// The values of a player's parameters. [`PlayerKind::make`](crate::PlayerKind::make) receives
/// them.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    player: &'static str,
    parameters: &'static [Parameter],
    given: &'a [(String, String)],
}

impl<'a> Settings<'a> {
    /// The values for a player with these parameters: the given ones, and defaults for the rest.
    pub fn new(
        player: &'static str,
        parameters: &'static [Parameter],
        given: &'a [(String, String)],
    ) -> Self {
        Settings { player, parameters, given }
    }

    /// The value of a parameter, given or default.
    ///
    /// ```
    /// use krieg_players::{Parameter, Settings};
    /// const PARAMETERS: &[Parameter] = &[Parameter::new("depth", "plies to search", "4")];
    /// let given = [("depth".to_string(), "6".to_string())];
    /// assert_eq!(Settings::new("mine", PARAMETERS, &given).get::<u32>("depth")?, 6);
    /// assert_eq!(Settings::new("mine", PARAMETERS, &[]).get::<u32>("depth")?, 4);
    /// # Ok::<(), krieg_players::SpecError>(())
    /// ```
    pub fn get<T: FromStr<Err: Display>>(&self, name: &str) -> Result<T, SpecError> {
        let given = self.given.iter().find(|(given, _)| given == name);
        let default = || self.parameters.iter().find(|known| known.name == name)?.default;
        let text = given.map(|(_, value)| value.as_str()).or_else(default);
        let text = text.ok_or_else(|| SpecError::Missing {
            player: self.player,
            parameter: name.to_string(),
        })?;
        text.parse().map_err(|error: T::Err| {
            self.invalid(name, krieg_core::excerpt(text), &error.to_string())
        })
    }

    /// The value of a parameter that must be greater than 0.
    pub fn positive<T>(&self, name: &str) -> Result<T, SpecError>
    where
        T: FromStr<Err: Display> + Default + PartialOrd + Display,
    {
        let value: T = self.get(name)?;
        if value > T::default() {
            return Ok(value);
        }
        Err(self.invalid(name, value, "it must be greater than 0"))
    }

    /// The value of a parameter that must be a finite number of at least 0.
    pub fn non_negative(&self, name: &str) -> Result<f64, SpecError> {
        let value: f64 = self.get(name)?;
        if value.is_finite() && value >= 0.0 {
            return Ok(value);
        }
        Err(self.invalid(name, value, "it must be a number of at least 0"))
    }

    /// The value of a parameter that is `yes` or `no`.
    pub fn yes_or_no(&self, name: &str) -> Result<bool, SpecError> {
        let text: String = self.get(name)?;
        match text.as_str() {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(self.invalid(name, krieg_core::excerpt(&text), "choose one of yes, no")),
        }
    }

    /// The path that a parameter names; `None` if it is empty.
    pub fn path(&self, name: &str) -> Result<Option<String>, SpecError> {
        let path: String = self.get(name)?;
        Ok((!path.is_empty()).then_some(path))
    }

    /// The contents of the file that a parameter names, read by `read`; the default value of the
    /// type if no file is named.
    pub fn file<T: Default, E: Display>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, SpecError> {
        let Some(path) = self.path(name)? else { return Ok(T::default()) };
        let text = std::fs::read_to_string(&path);
        let text = text.map_err(|error| self.invalid(name, &path, &error.to_string()))?;
        read(&text).map_err(|error| self.invalid(name, &path, &error.to_string()))
    }

    /// The error that a parameter has an invalid value.
    pub fn invalid(&self, name: &str, value: impl Display, reason: &str) -> SpecError {
        SpecError::Value {
            player: self.player,
            parameter: name.to_string(),
            value: value.to_string(),
            reason: reason.to_string(),
        }
    }

    /// The player with [`Parameter::TABLEBASES`] applied: with `tablebases=yes` a
    /// [`LoneKingController`] plays its endings against a lone king.
    pub fn with_tablebases(
        &self,
        player: impl Player + 'static,
    ) -> Result<Box<dyn Player>, SpecError> {
        Ok(match self.yes_or_no(Parameter::TABLEBASES.name)? {
            true => Box::new(LoneKingController::new(Box::new(player))),
            false => Box::new(player),
        })
    }

    /// The player with [`Parameter::ALWAYS_RECAPTURE`] applied.
    pub fn with_always_recapture(
        &self,
        player: Box<dyn Player>,
    ) -> Result<Box<dyn Player>, SpecError> {
        Ok(match self.yes_or_no(Parameter::ALWAYS_RECAPTURE.name)? {
            true => Box::new(AlwaysRecapture::new(player)),
            false => player,
        })
    }

    /// The player with [`Parameter::MOVETIME`] applied.
    pub fn with_movetime(&self, player: Box<dyn Player>) -> Result<Box<dyn Player>, SpecError> {
        Ok(match self.get(Parameter::MOVETIME.name)? {
            0 => player,
            ms => Box::new(FixedMoveTime::new(player, Duration::from_millis(ms))),
        })
    }

    /// The settings of a belief, from [`BeliefSettings::PARAMETERS`].
    pub(crate) fn belief(&self) -> Result<BeliefSettings, SpecError> {
        Ok(BeliefSettings {
            belief: self.get("belief")?,
            opponent_model: self.get("opponent_model")?,
            particles: self.positive("particles")?,
        })
    }
}
