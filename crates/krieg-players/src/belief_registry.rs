//! The registry of beliefs: representations of the boards that are possible for a player.

use std::fmt;
use std::str::FromStr;

use krieg_belief::{
    Belief, BoardSet, Densities, FilterBank, Hybrid, LastObservation, OpponentMixture,
    ParticleFilter, WeightedBelief,
};

use crate::settings::names_of;
use crate::{OPPONENT_MODELS, OpponentModel, OpponentModelKind, Seat};

/// All beliefs. To add one, write a file for it in `krieg-belief` and add an entry here.
pub const BELIEFS: &[BeliefKind] = &[
    BeliefKind {
        name: "pool",
        about: "a sample of the boards that fit all observations; empty once none fits",
        uses_opponent_model: false,
        make: MakeBelief::Weighted(|BeliefConfig { seat, particles, .. }| {
            Box::new(BoardSet::new(&seat.setup, seat.color, particles, seat.seed))
        }),
    },
    BeliefKind {
        name: "aosp",
        about: "the same, refilled from the last observation when it is empty",
        uses_opponent_model: false,
        make: MakeBelief::Weighted(|config| Box::new(hybrid(&config).refill_only_when_empty())),
    },
    BeliefKind {
        name: "los",
        about: "boards drawn from piece densities that fit the last observation",
        uses_opponent_model: false,
        make: MakeBelief::Unweighted(|BeliefConfig { seat, .. }| {
            Box::new(LastObservation::new(&seat.setup, seat.color, Densities::default()))
        }),
    },
    BeliefKind {
        name: "hs",
        about: "hybrid sampling: a pool that is refilled from the last observation when it is low",
        uses_opponent_model: false,
        make: MakeBelief::Weighted(|config| Box::new(hybrid(&config))),
    },
    BeliefKind {
        name: "smc",
        about: "a particle filter: weighted boards with their trajectories",
        uses_opponent_model: true,
        make: MakeBelief::Weighted(|config| {
            let BeliefConfig { seat, particles, rejuvenation, opponent_model } = config;
            let (setup, densities) = (&seat.setup, Densities::default());
            let opponent_model = match opponent_model {
                // Each group of types has a filter of its own.
                OpponentModel::Mixture(opponents) if opponents.has_strangers() => {
                    let color = seat.color;
                    let bank =
                        FilterBank::new(setup, color, particles, *opponents, densities, seat.seed);
                    return match rejuvenation {
                        Some(boards) => Box::new(bank.with_rejuvenation(boards)),
                        None => Box::new(bank),
                    };
                }
                other => other,
            };
            let filter = ParticleFilter::new(
                setup,
                seat.color,
                particles,
                opponent_model,
                densities,
                seat.seed,
            );
            Box::new(match rejuvenation {
                Some(boards) => filter.with_rejuvenation(boards),
                None => filter,
            })
        }),
    },
];

fn hybrid(config: &BeliefConfig) -> Hybrid {
    let BeliefConfig { seat, particles, .. } = config;
    Hybrid::new(&seat.setup, seat.color, *particles, Densities::default(), seat.seed)
}

/// What a new belief is made from, at the start of a game.
pub struct BeliefConfig<'a> {
    /// Whose belief it is, and in which game.
    pub seat: &'a Seat,
    /// Maximum number of boards.
    pub particles: usize,
    /// Boards examined per particle and turn to rejuvenate a particle filter; `None` for the
    /// filter's default.
    pub rejuvenation: Option<f64>,
    /// How a particle filter predicts the opponent.
    pub opponent_model: OpponentModel,
}

/// A belief that players can name.
#[derive(Clone, Copy)]
pub struct BeliefKind {
    /// The name, as it stands in `belief=`.
    pub name: &'static str,
    /// A description in a few words.
    pub about: &'static str,
    /// Whether the opponent model makes a difference.
    pub uses_opponent_model: bool,
    /// Makes the belief.
    pub make: MakeBelief,
}

/// Makes a belief at the start of a game.
#[derive(Clone, Copy)]
pub enum MakeBelief {
    /// A belief that enumerates weighted boards. Every player can use it.
    Weighted(fn(BeliefConfig) -> Box<dyn WeightedBelief + Send + Sync>),
    /// A belief that only samples boards.
    Unweighted(fn(BeliefConfig) -> Box<dyn Belief + Send>),
}

impl BeliefKind {
    /// The belief with this name.
    pub(crate) fn named(name: &str) -> Self {
        name.parse().expect("the name is in the registry")
    }

    /// Whether the belief enumerates weighted boards.
    pub fn is_weighted(&self) -> bool {
        matches!(self.make, MakeBelief::Weighted(_))
    }

    /// Makes the belief.
    #[must_use]
    pub fn make(&self, config: BeliefConfig) -> Box<dyn Belief + Send> {
        match self.make {
            MakeBelief::Weighted(make) => make(config),
            MakeBelief::Unweighted(make) => make(config),
        }
    }

    /// Makes the belief; `None` if it does not enumerate weighted boards.
    pub fn make_weighted(
        &self,
        config: BeliefConfig,
    ) -> Option<Box<dyn WeightedBelief + Send + Sync>> {
        match self.make {
            MakeBelief::Weighted(make) => Some(make(config)),
            MakeBelief::Unweighted(_) => None,
        }
    }
}

impl PartialEq for BeliefKind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for BeliefKind {}

impl fmt::Debug for BeliefKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BeliefKind({})", self.name)
    }
}

impl FromStr for BeliefKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        BELIEFS
            .iter()
            .copied()
            .find(|kind| kind.name == text)
            .ok_or_else(|| format!("choose one of {}", names_of(BELIEFS, |kind| kind.name)))
    }
}

/// A belief with its opponent model, by one name: `hs`, `smc`, or `smc-fitted`.
///
/// ```
/// use krieg_core::{Color, Setup};
/// use krieg_players::{BeliefSpec, GameSettings, Seat};
/// let spec: BeliefSpec = "smc-fitted".parse()?;
/// assert_eq!((spec.belief.name, spec.opponent_model.name), ("smc", "fitted"));
/// let seat = Seat::new(Color::White, &GameSettings::default(), 1);
/// let belief = spec.make(&seat, 100, &krieg_belief::OpponentMixture::default());
/// assert_eq!(belief.board_count(), Some(1), "both players know the initial position");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BeliefSpec {
    /// The belief.
    pub belief: BeliefKind,
    /// The opponent model of a belief that uses one.
    pub opponent_model: OpponentModelKind,
}

impl BeliefSpec {
    /// The opponent model of a belief whose name says none.
    pub(crate) const DEFAULT_MODEL: &'static str = "recapture";

    /// Every belief, with every opponent model where it uses one.
    #[must_use]
    pub fn all() -> Vec<BeliefSpec> {
        let with_models = |&belief: &BeliefKind| {
            OPPONENT_MODELS
                .iter()
                .filter(move |model| {
                    belief.uses_opponent_model || model.name == BeliefSpec::DEFAULT_MODEL
                })
                .map(move |&opponent_model| BeliefSpec { belief, opponent_model })
        };
        BELIEFS.iter().flat_map(with_models).collect()
    }

    /// Makes the belief of a player at the start of a game, with at most so many boards. A fitted
    /// opponent model has the given types of opponents.
    #[must_use]
    pub fn make(
        &self,
        seat: &Seat,
        particles: usize,
        opponent_types: &OpponentMixture,
    ) -> Box<dyn Belief + Send> {
        let opponent_model = (self.opponent_model.make)(opponent_types);
        self.belief.make(BeliefConfig { seat, particles, rejuvenation: None, opponent_model })
    }

    /// The same; `None` if the belief does not enumerate weighted boards.
    #[must_use]
    pub fn make_weighted(
        &self,
        seat: &Seat,
        particles: usize,
        opponent_types: &OpponentMixture,
    ) -> Option<Box<dyn WeightedBelief + Send + Sync>> {
        let opponent_model = (self.opponent_model.make)(opponent_types);
        let config = BeliefConfig { seat, particles, rejuvenation: None, opponent_model };
        self.belief.make_weighted(config)
    }
}

impl fmt::Display for BeliefSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.belief.name)?;
        let is_default = self.opponent_model.name == BeliefSpec::DEFAULT_MODEL;
        if is_default { Ok(()) } else { write!(f, "-{}", self.opponent_model.name) }
    }
}

impl FromStr for BeliefSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = BeliefSpec::all();
        let names = names_of(&all, BeliefSpec::to_string);
        let found = all.into_iter().find(|spec| spec.to_string() == text);
        found.ok_or_else(|| format!("choose one of {names}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_belief_is_found_by_its_name() {
        let names: Vec<String> = BeliefSpec::all().iter().map(BeliefSpec::to_string).collect();
        let expected = ["pool", "aosp", "los", "hs", "smc-uniform", "smc", "smc-value"];
        assert_eq!(names[..7], expected);
        assert_eq!(names[7..], ["smc-fitted", "smc-recapturing", "smc-robust"]);
        for name in &names {
            assert_eq!(name.parse::<BeliefSpec>().unwrap().to_string(), *name);
        }
        let error = "smcc".parse::<BeliefSpec>().unwrap_err();
        assert!(error.starts_with("choose one of pool, aosp"), "{error}");
    }
}
