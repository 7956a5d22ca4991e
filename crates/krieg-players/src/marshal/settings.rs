//! The settings of `marshal`, and its parameters with their defaults.

use krieg_belief::OpponentMixture;

use super::value::{VALUE_MODELS, ValueFunction, named_or_read};
use super::{LearnedPriorSettings, Marshal, OpponentMemory};
use crate::learned::network_parameter;
use crate::timed_belief::BeliefSettings;
use crate::{
    BeliefKind, OpponentModel, OpponentModelKind, Parameter, PlayerKind, Settings, SpecError,
};

/// The settings of [`Marshal`](super::Marshal); each field is a parameter of the player.
#[derive(Debug, Clone)]
pub struct MarshalSettings {
    /// Maximum number of particles in the belief.
    pub particles: usize,
    /// Boards examined per particle and turn to rejuvenate the particles; 0 disables rejuvenation.
    pub rejuvenation: f64,
    /// The belief. It must enumerate weighted boards.
    pub belief: BeliefKind,
    /// The kind of opponent model.
    pub opponent_model: OpponentModelKind,
    /// The types of opponents of the model `fitted`.
    pub opponent_weights: OpponentMixture,
    /// The value model.
    pub value_model: Box<dyn ValueFunction>,
    /// Simulations per turn without a clock.
    pub simulations: u64,
    /// Maximum number of own moves per simulation.
    pub depth: usize,
    /// The exploration constant of PUCT.
    pub exploration: f64,
    /// Value deducted from an unvisited try (first-play urgency reduction).
    pub first_play_penalty: f64,
    /// The part of the learned network in the prior at the root; `None` if it has none.
    pub learned_prior: Option<LearnedPriorSettings>,
    /// Search threads, each with its own tree.
    pub threads: usize,
    /// Whether hopeless games are resigned.
    pub resign: bool,
    /// The file that keeps the posterior over opponent types between games.
    pub opponent_memory: Option<OpponentMemory>,
}

impl MarshalSettings {
    /// A new opponent model of the chosen kind.
    pub(super) fn new_opponent_model(&self) -> OpponentModel {
        (self.opponent_model.make)(&self.opponent_weights)
    }

    /// The values of [`Marshal::KIND`]'s parameters.
    pub fn from_parameters(settings: &Settings) -> Result<Self, SpecError> {
        Ok(MarshalSettings {
            particles: settings.positive("particles")?,
            rejuvenation: settings.non_negative("rejuvenation")?,
            belief: weighted_belief(settings)?,
            opponent_model: settings.get("opponent_model")?,
            opponent_weights: settings.file("opponent_weights", OpponentMixture::read)?,
            value_model: value_model(settings)?,
            simulations: settings.positive("simulations")?,
            depth: settings.positive("depth")?,
            exploration: settings.non_negative("exploration")?,
            first_play_penalty: settings.non_negative("first_play_penalty")?,
            learned_prior: learned_prior(settings)?,
            threads: settings.positive("threads")?,
            resign: settings.yes_or_no("resign")?,
            opponent_memory: opponent_memory(settings)?,
        })
    }
}

fn weighted_belief(settings: &Settings) -> Result<BeliefKind, SpecError> {
    let belief: BeliefKind = settings.get("belief")?;
    if belief.is_weighted() {
        return Ok(belief);
    }
    Err(settings.invalid("belief", belief.name, "it does not give weighted boards"))
}

fn value_model(settings: &Settings) -> Result<Box<dyn ValueFunction>, SpecError> {
    let text: String = settings.get("value_model")?;
    named_or_read(&text).map_err(|reason| settings.invalid("value_model", &text, &reason))
}

/// The learned prior, if the parameter `prior` asks for it.
fn learned_prior(settings: &Settings) -> Result<Option<LearnedPriorSettings>, SpecError> {
    let share = settings.non_negative("prior_share")?;
    if share > 1.0 {
        return Err(settings.invalid("prior_share", share, "it must be a number from 0 to 1"));
    }
    let candidates = settings.get("prior_candidates")?;
    let prior: String = settings.get("prior")?;
    match prior.as_str() {
        "heuristic" => Ok(None),
        "learned" => {
            let network = network_parameter(settings, "network")?;
            Ok(Some(LearnedPriorSettings { share: share as f32, candidates, network }))
        }
        _ => Err(settings.invalid(
            "prior",
            krieg_core::excerpt(&prior),
            "choose one of heuristic, learned",
        )),
    }
}

fn opponent_memory(settings: &Settings) -> Result<Option<OpponentMemory>, SpecError> {
    let name = "opponent_memory";
    let Some(path) = settings.path(name)? else { return Ok(None) };
    let memory = OpponentMemory::open(&path);
    memory.map(Some).map_err(|reason| settings.invalid(name, &path, &reason))
}

impl Default for MarshalSettings {
    /// The defaults of the parameters.
    fn default() -> Self {
        let settings = Settings::new(Marshal::KIND.name, Marshal::KIND.parameters, &[]);
        MarshalSettings::from_parameters(&settings).expect("the defaults are valid")
    }
}

impl Marshal {
    /// The entry of `marshal` in the registry of players.
    pub const KIND: PlayerKind = PlayerKind {
        name: "marshal",
        about: "tree search on weighted boards, with an opponent model learned from games",
        parameters: &[
            BeliefSettings::particles("12000"),
            Parameter::new(
                "rejuvenation",
                "boards examined per particle and turn to rejuvenate the particles; 0: none",
                "4",
            ),
            BeliefSettings::WEIGHTED_BELIEF,
            BeliefSettings::opponent_model("fitted"),
            Parameter::new(
                "opponent_weights",
                "a file of `krieg learn opponent`, for opponent_model=fitted",
                "",
            ),
            Parameter::new(
                "value_model",
                "how leaves are evaluated: a name, or a file of `krieg learn value`",
                "fitted",
            )
            .with_choices(|| VALUE_MODELS.iter().map(|kind| (kind.name, kind.about)).collect()),
            Parameter::new("simulations", "simulations per turn, without a clock", "4000"),
            Parameter::new("depth", "own moves that a simulation looks ahead", "4"),
            Parameter::new("exploration", "the exploration constant of PUCT", "0.8"),
            Parameter::new(
                "first_play_penalty",
                "how much less than its siblings an unvisited try is expected to score",
                "0.02",
            ),
            Parameter::new(
                "prior",
                "which tries are searched first: by a heuristic, or also by the learned network",
                "heuristic",
            )
            .with_choices(|| {
                vec![
                    ("heuristic", "exchanges on sampled boards, and the last announcement"),
                    ("learned", "the same, mixed with the policy of the learned network"),
                ]
            }),
            Parameter::new(
                "prior_share",
                "for prior=learned: the network's share of the prior, from 0 to 1",
                "0.5",
            ),
            Parameter::new(
                "prior_candidates",
                "for prior=learned: how many of the 8 tries compared at last the network chooses",
                "0",
            ),
            Parameter::new(
                "network",
                "for prior=learned: a file of a network instead of the embedded one",
                "",
            ),
            Parameter::new("threads", "search trees that grow in parallel, each on a core", "1"),
            Parameter::new("resign", "yes: resign hopeless games; no: do not", "no"),
            Parameter::new(
                "opponent_memory",
                "a file that stores the posterior over opponent types, by name",
                "",
            ),
            Parameter::MOVETIME,
            Parameter::TABLEBASES,
        ],
        make: |settings| {
            let marshal = Marshal::new(MarshalSettings::from_parameters(settings)?);
            settings.with_movetime(settings.with_tablebases(marshal)?)
        },
    };
}
