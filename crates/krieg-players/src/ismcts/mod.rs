//! Information-set Monte Carlo tree search: a tree over own tries and announcements, grown on
//! boards sampled from a belief.
//!
//! The algorithm is that of Cowling, Powley and Whitehouse (2012), as Foret (2021, sections 4.4.2
//! and 5.8) applied it to Kriegspiel. An iteration samples a board and descends the tree: in the
//! player's own nodes by UCT, among the tries that are legal on that board; after that, by the
//! umpire's announcements. At the end one node is added, the board there is evaluated, and the
//! value is backed up along the path. The try with the most visits is submitted or, with
//! `final_choice=visit-rate`, the one with the most visits per availability.
//!
//! - `ismcts` has one tree, in which the opponent plays like the semi-random player.
//! - `mo-ismcts` has a tree for each side (multiple observers). Both are descended at the same
//!   time, each by what its side observes, so the opponent chooses what is good for them. The
//!   opponent's tree has one root for all sampled boards, as if the opponent did not know their own
//!   pieces: a known simplification, because a separate root for each arrangement would never be
//!   visited twice.
//! - `darkboard2a` is approach A of Favini (2010, section 5.6): boards that fit the last
//!   observation, and rollouts that are adjudicated.
//!
//! With `leaf=evaluation` leaves are evaluated by a quiescence search of the chess engine
//! ([`QuiescenceEvaluator`](krieg_chess::QuiescenceEvaluator)) instead of a rollout, which hardly
//! ever ends in mate.

mod final_choice;
mod iteration;
mod leaf;
mod rollout;
mod selection;
#[cfg(test)]
mod tests;
mod tree;

use std::time::Instant;

use krieg_core::{Color, Observation, Setup, Try, Verdict, View};
use krieg_time::Clock;

use crate::random::TrySampler;
use crate::timed_belief::{BeliefSettings, TimedBelief};
use crate::{
    BeliefKind, Choice, OpponentModelKind, Parameter, Player, PlayerError, PlayerKind, SearchLimit,
    Seat, Settings, SpecError,
};
pub use final_choice::FinalChoice;
use iteration::ObserverTrees;
pub use leaf::LeafEvaluation;
use leaf::LeafEvaluator;
pub use selection::Expansion;
use selection::SelectionParams;
use tree::{ROOT, TryStats};

/// The settings of [`Ismcts`].
#[derive(Debug, Clone)]
pub struct IsmctsSettings {
    /// The exploration constant of UCT.
    pub exploration: f64,
    /// Iterations per turn, without a clock.
    pub iterations: u64,
    /// The belief from which boards are sampled.
    pub belief: BeliefSettings,
    /// How leaves are evaluated.
    pub leaf: LeafEvaluation,
    /// Number of plies after which a rollout is a draw.
    pub max_plies: u32,
    /// When an unvisited try is selected.
    pub expansion: Expansion,
    /// By what the try is chosen after the search.
    pub final_choice: FinalChoice,
    /// Whether the opponent has a tree too.
    pub with_opponent: bool,
}

const ITERATIONS: &str = "iterations per turn, without a clock";
const EXPLORATION: &str = "the exploration constant of UCT";
const MAX_PLIES: &str = "plies after which a rollout is a draw";
/// The parameters of `ismcts` and `mo-ismcts`.
const PARAMETERS: &[Parameter] = &[
    Parameter::new("exploration", EXPLORATION, "0.05"),
    Parameter::new("iterations", ITERATIONS, "2000"),
    BeliefSettings::particles("4000"),
    BeliefSettings::BELIEF,
    BeliefSettings::opponent_model("recapture"),
    Parameter::new(
        "leaf",
        "how a leaf is valued: evaluation, rollout or adjudicated",
        "evaluation",
    ),
    Parameter::new("max_plies", MAX_PLIES, "300"),
    Parameter::new(
        "expansion",
        "all-first: every try is visited once first; first-play-urgency: unless others do better",
        "first-play-urgency",
    ),
    Parameter::new(
        "final_choice",
        "visits: the try with the most visits; visit-rate: the most visits per availability",
        "visit-rate",
    ),
    Parameter::ALWAYS_RECAPTURE,
    Parameter::MOVETIME,
    Parameter::TABLEBASES,
];

impl IsmctsSettings {
    /// The values of the parameters of [`Ismcts::ISMCTS`] and [`Ismcts::MO_ISMCTS`].
    pub fn from_parameters(settings: &Settings, with_opponent: bool) -> Result<Self, SpecError> {
        Ok(IsmctsSettings {
            exploration: settings.non_negative("exploration")?,
            iterations: settings.positive("iterations")?,
            belief: settings.belief()?,
            leaf: settings.get("leaf")?,
            max_plies: settings.positive("max_plies")?,
            expansion: settings.get("expansion")?,
            final_choice: settings.get("final_choice")?,
            with_opponent,
        })
    }
}

impl Ismcts {
    /// The entry of `ismcts` in the registry of players.
    pub const ISMCTS: PlayerKind = PlayerKind {
        name: "ismcts",
        about: "Monte Carlo tree search over information sets, against a semi-random opponent",
        parameters: PARAMETERS,
        make: |settings| {
            let ismcts = Ismcts::new(IsmctsSettings::from_parameters(settings, false)?);
            let ismcts = settings.with_always_recapture(settings.with_tablebases(ismcts)?)?;
            settings.with_movetime(ismcts)
        },
    };

    /// The entry of `mo-ismcts` in the registry of players.
    pub const MO_ISMCTS: PlayerKind = PlayerKind {
        name: "mo-ismcts",
        about: "ismcts with a second tree for an opponent who chooses what is good for them",
        parameters: PARAMETERS,
        make: |settings| {
            let ismcts = Ismcts::new(IsmctsSettings::from_parameters(settings, true)?);
            let ismcts = settings.with_always_recapture(settings.with_tablebases(ismcts)?)?;
            settings.with_movetime(ismcts)
        },
    };

    /// The entry of `darkboard2a` in the registry of players.
    pub const DARKBOARD2A: PlayerKind = PlayerKind {
        name: "darkboard2a",
        about: "Favini's approach A: boards that fit the last observation, adjudicated rollouts",
        parameters: &[
            Parameter::new("exploration", EXPLORATION, "1"),
            Parameter::new("iterations", ITERATIONS, "1000"),
            Parameter::new("max_plies", MAX_PLIES, "1000"),
            Parameter::NO_TABLEBASES,
        ],
        make: |settings| {
            settings.with_tablebases(Ismcts::new(IsmctsSettings {
                exploration: settings.non_negative("exploration")?,
                iterations: settings.positive("iterations")?,
                max_plies: settings.positive("max_plies")?,
                belief: BeliefSettings {
                    belief: BeliefKind::named("los"),
                    opponent_model: OpponentModelKind::named("uniform"),
                    particles: 1,
                },
                leaf: LeafEvaluation::Adjudicated,
                expansion: Expansion::AllFirst,
                final_choice: FinalChoice::Visits,
                with_opponent: false,
            }))
        },
    };
}

/// A player that searches a tree of information sets.
///
/// ```
/// use krieg_players::{GameRunner, GameSettings, PlayerSpec, Random};
/// let spec: PlayerSpec = "ismcts(iterations=10,particles=50,tablebases=no)".parse()?;
/// let settings = GameSettings { draw_after: Some(3), ..GameSettings::default() };
/// GameRunner::new(settings, 1).play([&mut *spec.make()?, &mut Random::new()]);
/// # Ok::<(), krieg_players::SpecError>(())
/// ```
pub struct Ismcts {
    settings: IsmctsSettings,
    belief: TimedBelief,
    setup: Setup,
    color: Color,
    trees: ObserverTrees,
    leaf: LeafEvaluator,
    sampler: TrySampler,
    remark: String,
}

/// Maximum number of nodes and tries of a tree, at about 50 bytes each.
const TREE_CAPACITY: usize = 400_000;

/// Number of boards sampled at a time, and first: there may be no time for more.
const BATCH: usize = 64;
const FIRST_BATCH: usize = 8;

/// Without a clock, the iterations after a refusal are divided by this.
const REFUSAL_DIVISOR: u64 = 4;

impl Ismcts {
    /// A player that waits for its first game.
    #[must_use]
    pub fn new(settings: IsmctsSettings) -> Self {
        Ismcts {
            belief: TimedBelief::new(),
            setup: Setup::default(),
            color: Color::White,
            trees: new_trees(&settings, Color::White),
            leaf: LeafEvaluator::new(settings.leaf, settings.max_plies),
            sampler: TrySampler::new(0),
            remark: String::new(),
            settings,
        }
    }

    /// Updates the belief and runs iterations, within the limits of the clock.
    fn search(&mut self, view: &View, clock: &Clock) {
        let Some(limit) = self.belief.update(clock, view) else { return };
        let start = Instant::now();
        let divisor = if view.refusals() > 0 { REFUSAL_DIVISOR } else { 1 };
        let (time, iterations) = match limit {
            SearchLimit::Time(time) => (Some(time), u64::MAX),
            SearchLimit::Nodes(nodes) => (None, nodes / divisor),
            SearchLimit::Unlimited => (None, self.settings.iterations / divisor),
        };
        let mut left = iterations.max(1);
        let mut batch = FIRST_BATCH;
        loop {
            let boards = self.belief.sample(batch);
            batch = (2 * batch).min(BATCH);
            let mut usable = 0;
            for board in boards {
                if left == 0 || time.is_some_and(|time| start.elapsed() >= time) {
                    return;
                }
                let Ismcts { trees, setup, leaf, sampler, .. } = self;
                usable += u32::from(trees.iterate(board, view, setup, leaf, sampler));
                left -= 1;
            }
            // No board was sampled, or all contradict the view: more sampling would not help.
            if usable == 0 {
                return;
            }
        }
    }

    /// The best sensible try of those that were visited.
    fn best(&self, view: &View) -> Option<TryStats> {
        let tries = self.trees.of(self.color)?.tries(ROOT).iter();
        let visited = tries.filter(|stats| stats.visits > 0 && view.is_sensible(stats.mv.into()));
        visited.max_by(|one, other| self.settings.final_choice.compare(one, other)).copied()
    }
}

fn new_trees(settings: &IsmctsSettings, player: Color) -> ObserverTrees {
    let selection =
        SelectionParams { exploration: settings.exploration, expansion: settings.expansion };
    ObserverTrees::new(player, settings.with_opponent, TREE_CAPACITY, selection)
}

impl Player for Ismcts {
    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
        self.setup = seat.setup.clone();
        self.color = seat.color;
        self.trees = new_trees(&self.settings, seat.color);
        self.leaf.begin();
        self.sampler = TrySampler::new(seat.seed ^ 0x7265_6573);
        self.remark.clear();
        self.belief.begin(&self.settings.belief, seat)
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        self.remark.clear();
        // After a refusal the trees stay: the values of the other tries are still right.
        if observation.announcement.verdict == Verdict::Moved {
            self.trees.clear();
        }
        self.belief.observe(observation)
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        if view.can_ask_any() {
            return Ok(Try::Any.into());
        }
        self.search(view, clock);
        let Some(best) = self.best(view) else {
            return self.belief.fallback_choice(view, clock);
        };
        let total: u32 = self.trees.of(self.color).map_or(0, |tree| tree.visits(ROOT));
        let TryStats { mv, visits, available, .. } = best;
        let mean = best.mean();
        self.remark = format!(
            "{mv}: expected score {mean:.3}, {visits} of {total} visits, legal {available} times"
        );
        Ok(Try::Move(mv).into())
    }

    fn remark(&self) -> Option<String> {
        let chosen = (!self.remark.is_empty()).then_some(self.remark.as_str());
        chosen.or(self.belief.contradiction()).map(str::to_string)
    }
}
