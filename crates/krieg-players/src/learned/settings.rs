//! The settings of `learned`, and its parameters with their defaults.

use std::fs;
use std::sync::Arc;

use krieg_net::Network;

use super::Learned;
use super::search::SearchSettings;
use crate::{Parameter, PlayerKind, Settings, SpecError};

/// The settings of [`Learned`](super::Learned); each field is a parameter of the player.
#[derive(Debug, Clone)]
pub struct LearnedSettings {
    /// How freely tries are drawn: with 1 as the network was trained, with 0 only the best.
    pub temperature: f32,
    /// The network.
    pub network: Arc<Network>,
    /// The search.
    pub search: SearchSettings,
}

impl LearnedSettings {
    /// The values of [`Learned::KIND`]'s parameters.
    pub fn from_parameters(settings: &Settings) -> Result<Self, SpecError> {
        Ok(LearnedSettings {
            temperature: settings.non_negative("temperature")? as f32,
            network: network_parameter(settings, "network")?,
            search: SearchSettings::from_parameters(settings)?,
        })
    }
}

impl Default for LearnedSettings {
    /// The defaults of the parameters.
    fn default() -> Self {
        let settings = Settings::new(Learned::KIND.name, Learned::KIND.parameters, &[]);
        LearnedSettings::from_parameters(&settings).expect("the defaults are valid")
    }
}

/// The network in the file that this parameter names, or the embedded one.
pub(crate) fn network_parameter(
    settings: &Settings,
    name: &str,
) -> Result<Arc<Network>, SpecError> {
    let Some(path) = settings.path(name)? else { return Ok(Network::embedded()) };
    let bytes = fs::read(&path).map_err(|error| {
        let reason = format!("{error}: give the path of a file that ends in .net");
        settings.invalid(name, &path, &reason)
    })?;
    let network = Network::read(&bytes);
    network.map(Arc::new).map_err(|error| settings.invalid(name, &path, &error.to_string()))
}

impl Learned {
    /// The entry of `learned` in the registry of players.
    pub const KIND: PlayerKind = PlayerKind {
        name: "learned",
        about: "plays at once, by a neural network that learned from games against itself",
        parameters: &[
            Parameter::new(
                "temperature",
                "how freely tries are drawn; 1: as the network was trained, 0: only the best",
                "0.3",
            ),
            Parameter::new(
                "network",
                "a file of a network (docs/learned.md) instead of the embedded one",
                "",
            ),
            SearchSettings::SIMULATIONS,
            SearchSettings::CANDIDATES,
            SearchSettings::WORLDS,
            SearchSettings::REGULARIZATION,
            SearchSettings::PARTICLES,
            Parameter::MOVETIME,
            Parameter::TABLEBASES,
        ],
        make: |settings| {
            let learned = Learned::new(LearnedSettings::from_parameters(settings)?);
            settings.with_movetime(settings.with_tablebases(learned)?)
        },
    };
}
