//! The settings of `marshal`. Their defaults are in the registry of players.

use krieg_belief::OpponentMixture;

use super::OpponentMemory;
use super::value::ValueModel;
use crate::ModelKind;

/// The settings of [`Marshal`](super::Marshal); each field is a parameter of the player.
#[derive(Debug, Clone)]
pub struct MarshalSettings {
    /// Maximum number of particles in the belief.
    pub particles: usize,
    /// Boards examined per particle and turn to rejuvenate the particles; 0 disables rejuvenation.
    pub rejuvenation: f64,
    /// The kind of opponent model.
    pub model: ModelKind,
    /// The types of opponents of [`ModelKind::Fitted`].
    pub opponents: OpponentMixture,
    /// The value model.
    pub value: ValueModel,
    /// Simulations per turn without a clock.
    pub simulations: u64,
    /// Maximum number of own moves per simulation.
    pub depth: usize,
    /// The exploration constant of PUCT.
    pub exploration: f64,
    /// Value deducted from an unvisited try (first-play urgency reduction).
    pub first_play_penalty: f64,
    /// Search threads, each with its own tree.
    pub threads: usize,
    /// Whether hopeless games are resigned.
    pub resign: bool,
    /// The file that keeps the posterior over opponent types between games.
    pub memory: Option<OpponentMemory>,
}
