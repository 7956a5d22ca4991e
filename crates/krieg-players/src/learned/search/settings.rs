//! The settings of the search, and their parameters with defaults.

use crate::timed_belief::BeliefSettings;
use crate::{Parameter, Settings, SpecError};

/// The settings of the search of [`Learned`](crate::learned::Learned).
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct SearchSettings {
    /// Maximum number of passes of the network per try; 0: no search.
    pub simulations: usize,
    /// Maximum number of tries that are compared.
    pub candidates: usize,
    /// Number of boards on which the tries are played.
    pub worlds: usize,
    /// The difference in expected score that makes a try _e_ ≈ 2.7 times as probable.
    pub regularization: f64,
    /// Maximum number of particles in the belief.
    pub particles: usize,
}

impl SearchSettings {
    pub(in crate::learned) const SIMULATIONS: Parameter =
        Parameter::new("simulations", "passes of the network per try in a search; 0: none", "0");
    pub(in crate::learned) const CANDIDATES: Parameter =
        Parameter::new("candidates", "largest number of tries that a search compares", "6");
    pub(in crate::learned) const WORLDS: Parameter =
        Parameter::new("worlds", "boards on which a search plays each try", "200");
    pub(in crate::learned) const REGULARIZATION: Parameter = Parameter::new(
        "regularization",
        "how much more a try must score in a search to be 2.7 times as likely",
        "0.1",
    );
    pub(in crate::learned) const PARTICLES: Parameter = BeliefSettings::particles("3000");

    pub(in crate::learned) fn from_parameters(settings: &Settings) -> Result<Self, SpecError> {
        Ok(SearchSettings {
            simulations: settings.get("simulations")?,
            candidates: settings.positive("candidates")?,
            worlds: settings.positive("worlds")?,
            regularization: settings.positive("regularization")?,
            particles: settings.positive("particles")?,
        })
    }
}
