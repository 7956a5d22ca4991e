//! `marshal`, the strongest player: Monte Carlo tree search on a weighted belief with a fitted
//! opponent model.
//!
//! The belief is any [`WeightedBelief`], by default a particle filter
//! ([`ParticleFilter`](krieg_belief::ParticleFilter)): thousands of boards that are consistent with
//! all observations, weighted by the probability of the opponent's moves that lead to them. The
//! opponent model is a mixture of several types of players fitted to games; the posterior over the
//! types sharpens during the game ([`OpponentMixture`](krieg_belief::OpponentMixture)).
//!
//! The search is POMCP (Silver and Veness, 2010): a tree over own tries and announcements. Each
//! simulation draws a board from the belief, selects tries by PUCT, samples the opponent's replies
//! from the model, and values its leaf by the [`value`] model. The last part of the budget is spent
//! by sequential halving on the most promising tries. A refused try is a branch that costs no turn,
//! so the information it gives needs no extra term in the value.
//!
//! Two limits: the player never sees the true board, and in the tree the opponent follows a fixed
//! policy without a plan.
//!
//! | file or folder | contents |
//! | --- | --- |
//! | `settings.rs` | the settings and parameters |
//! | `player.rs` | the implementation of [`Player`](crate::Player) |
//! | `search_control.rs` | the time of a try, search threads, pondering |
//! | `learned_prior.rs` | the policy of the learned network as a part of the prior |
//! | `search/` | the tree search |
//! | `decision.rs` | the choice among searched tries, resignation, draw offers |
//! | `opponent_memory.rs` | the posterior over opponent types on disk |
//! | `value/` | the value model |
//! | `explain/` | the explanation of a decision |

mod decision;
mod explain;
mod learned_prior;
mod opponent_memory;
mod player;
mod search;
mod search_control;
mod settings;
#[cfg(test)]
mod tests;
pub mod value;

pub(crate) use search::apply_obligation;
use std::time::Duration;

use krieg_belief::{BoardSet, WeightedBelief};
use krieg_core::{Color, Setup, View};

use crate::draw_guard::DrawGuard;
use crate::timed_belief::TimedBelief;
use crate::{GameSettings, OpponentModel, Seat};
pub use explain::{Explanation, TryEffects, TryExplanation};
use learned_prior::LearnedPrior;
pub use learned_prior::LearnedPriorSettings;
pub use opponent_memory::OpponentMemory;
use search::{AnnouncementSummary, TreeSearch};
pub use settings::MarshalSettings;

/// The player `marshal`.
pub struct Marshal {
    settings: MarshalSettings,
    belief: TimedBelief<Box<dyn WeightedBelief + Send + Sync>>,
    /// One per search thread.
    searches: Vec<TreeSearch<OpponentModel>>,
    /// The memory of the learned network; `None` if the prior is only heuristic.
    learned_prior: Option<LearnedPrior>,
    /// The opponent's name in the present game, if known.
    opponent: Option<String>,
    /// The name of the opponent of the next game, if known.
    next_opponent: Option<String>,
    /// The player's view. It follows the observations and does not depend on the player's choices.
    view: View,
    draw_guard: DrawGuard,
    /// What was announced at the start of the turn.
    announced: AnnouncementSummary,
    /// Plies since the last capture or the player's last pawn move.
    plies_without_progress: u16,
    /// Consecutive turns with an expected score below the resignation threshold.
    hopeless_turns: u32,
    /// Consecutive turns with an expected score low enough to accept a draw.
    worse_turns: u32,
    /// The time for one try at the start of the game; zero without a clock.
    time_per_try: Duration,
    remark: String,
}

impl Marshal {
    /// A player that waits for its first game.
    #[must_use]
    pub fn new(settings: MarshalSettings) -> Self {
        let (setup, color) = (Setup::default(), Color::White);
        // A new belief is created when a game begins.
        let belief = BoardSet::new(&setup, color, 1, 0);
        Marshal {
            belief: TimedBelief::with(Box::new(belief)),
            searches: search_control::tree_searches(&settings, &setup, color, 0),
            learned_prior: None,
            opponent: None,
            next_opponent: None,
            view: Seat::new(color, &GameSettings::default(), 0).view(),
            draw_guard: DrawGuard::default(),
            announced: AnnouncementSummary::default(),
            plies_without_progress: 0,
            hopeless_turns: 0,
            worse_turns: 0,
            time_per_try: Duration::ZERO,
            remark: String::new(),
            settings,
        }
    }
}
