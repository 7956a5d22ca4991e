//! Information-set Monte Carlo tree search: one tree of what the player may do and hear, grown on one imagined board after another.
//!
//! The algorithm is that of Cowling, Powley and Whitehouse (2012), as Foret (2021, sections 4.4.2 and 5.8) brought it to Kriegspiel. An iteration
//! draws a board from the belief and goes down the tree: in the player's own nodes by UCT, among the tries that are legal on that board;
//! then by what the umpire says. Where the tree ends it grows by a node, the board there is valued, and every try on the way
//! takes its share of the value. In the end the try is put to the umpire that was chosen most often, or, with `choose=share`, most often of the times it
//! could be.
//!
//! - `ismcts` has one tree, and the opponent in it is the semi-random player.
//! - `mo-ismcts` has a tree for each side, and both are descended at the same time, each by what its owner hears. So the opponent chooses what is good
//!   for him. His root is the same for all boards that are drawn, as if he did not know his own men: a known simplification, for a root
//!   to every arrangement of them would never be visited twice.
//! - `darkboard2a` is approach A of Favini (2010, section 5.6): boards by the last observation only, and games that are played out until an ending is
//!   reached that every player wins.
//!
//! With `leaf=chess` leaves are evaluated by a quiescence search of the chess engine
//! ([`QuiescenceEvaluator`](krieg_chess::QuiescenceEvaluator)) instead of a random game, which
//! hardly ever ends in mate.

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
use iteration::Trees;
use leaf::Leaf;
pub use leaf::LeafEvaluation;
pub use selection::Expansion;
use selection::SelectionParams;
use tree::{Arm, ROOT};

/// What the player can be told.
#[derive(Debug, Clone)]
pub struct IsmctsSettings {
    /// How much is given to curiosity: the constant of UCT.
    pub exploration: f64,
    /// Iterations for a turn, where no clock runs.
    pub iterations: u64,
    /// How boards are imagined.
    pub belief: BeliefSettings,
    /// How leaves are valued.
    pub leaf: LeafEvaluation,
    /// A game that is played out is a draw after so many plies.
    pub max_plies: u32,
    /// When a try is made for the first time.
    pub expansion: Expansion,
    /// Which try is put to the umpire in the end.
    pub final_choice: FinalChoice,
    /// Whether the opponent has a tree as well.
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
        "all-first: visit each try once before any again; first-play-urgency: only if it promises more",
        "first-play-urgency",
    ),
    Parameter::new(
        "final_choice",
        "visits: the try with the most visits; visit-rate: the most visits per availability",
        "visit-rate",
    ),
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
            settings.with_movetime(settings.with_tablebases(ismcts)?)
        },
    };

    /// The entry of `mo-ismcts` in the registry of players.
    pub const MO_ISMCTS: PlayerKind = PlayerKind {
        name: "mo-ismcts",
        about: "ismcts with a second tree for an opponent who chooses what is good for them",
        parameters: PARAMETERS,
        make: |settings| {
            let ismcts = Ismcts::new(IsmctsSettings::from_parameters(settings, true)?);
            settings.with_movetime(settings.with_tablebases(ismcts)?)
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

/// A player who grows a tree of what he may hear.
pub struct Ismcts {
    settings: IsmctsSettings,
    belief: TimedBelief,
    setup: Setup,
    color: Color,
    trees: Trees,
    leaf: Leaf,
    sampler: TrySampler,
    remark: String,
}

/// Nodes and tries that a tree has room for: some 50 bytes each.
const ROOM: usize = 400_000;

/// Boards are drawn so many at a time, and first fewer: there may be no time for more.
const DRAWN_AT_ONCE: usize = 64;
const DRAWN_FIRST: usize = 8;

/// Where no clock runs, so much less is thought about a second try.
const LESS_AFTER_REFUSAL: u64 = 4;

impl Ismcts {
    /// A player that waits for its first game.
    pub fn new(settings: IsmctsSettings) -> Self {
        Ismcts {
            belief: TimedBelief::new(),
            setup: Setup::default(),
            color: Color::White,
            trees: trees(&settings, Color::White),
            leaf: Leaf::new(settings.leaf, settings.max_plies),
            sampler: TrySampler::new(0),
            remark: String::new(),
            settings,
        }
    }

    /// Lets the trees grow, for as long as there is time.
    fn grow(&mut self, view: &View, clock: &Clock) {
        let Some(thinking) = self.belief.update(clock, view) else { return };
        let begun = Instant::now();
        let share = if view.refusals() > 0 { LESS_AFTER_REFUSAL } else { 1 };
        let (time, iterations) = match thinking {
            SearchLimit::Time(time) => (Some(time), u64::MAX),
            SearchLimit::Nodes(nodes) => (None, nodes / share),
            SearchLimit::Unlimited => (None, self.settings.iterations / share),
        };
        let mut left = iterations.max(1);
        let mut at_once = DRAWN_FIRST;
        loop {
            let boards = self.belief.sample(at_once);
            at_once = (2 * at_once).min(DRAWN_AT_ONCE);
            let mut fitting = 0;
            for board in boards {
                if left == 0 || time.is_some_and(|time| begun.elapsed() >= time) {
                    return;
                }
                let fits =
                    self.trees.descend(board, view, &self.setup, &mut self.leaf, &mut self.sampler);
                fitting += u32::from(fits);
                left -= 1;
            }
            // None was found, or none is possible: nor will others be.
            if fitting == 0 {
                return;
            }
        }
    }

    /// The sensible try that is to be made, of those that were looked at.
    fn best(&self, view: &View) -> Option<Arm> {
        let arms = self.trees.of(self.color)?.arms(ROOT).iter();
        let looked_at = arms.filter(|arm| arm.visits > 0 && view.is_sensible(arm.mv.into()));
        looked_at.max_by(|one, other| self.settings.final_choice.compare(one, other)).copied()
    }
}

fn trees(settings: &IsmctsSettings, player: Color) -> Trees {
    let selection =
        SelectionParams { exploration: settings.exploration, expansion: settings.expansion };
    Trees::new(player, settings.with_opponent, ROOM, selection)
}

impl Player for Ismcts {
    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
        self.setup = seat.setup.clone();
        self.color = seat.color;
        self.trees = trees(&self.settings, seat.color);
        self.leaf.begin();
        self.sampler = TrySampler::new(seat.seed ^ 0x7265_6573);
        self.remark.clear();
        self.belief.begin(&self.settings.belief, seat)
    }

    fn observe(&mut self, line: &Observation) -> Result<(), PlayerError> {
        self.remark.clear();
        // After a refusal the trees stay: what was found out about other tries still holds.
        if line.announcement.verdict == Verdict::Moved {
            self.trees.clear();
        }
        self.belief.observe(line)
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        if view.can_ask_any() {
            return Ok(Try::Any.into());
        }
        self.grow(view, clock);
        let Some(best) = self.best(view) else {
            return self.belief.fallback_choice(view, clock);
        };
        let total: u32 = self.trees.of(self.color).map_or(0, |tree| tree.visits(ROOT));
        self.remark = format!(
            "{} is worth {:.3}: chosen {} times of {total}, legal {} times",
            best.mv,
            best.mean(),
            best.visits,
            best.available
        );
        Ok(Try::Move(best.mv).into())
    }

    fn remark(&self) -> Option<String> {
        let chosen = (!self.remark.is_empty()).then_some(self.remark.as_str());
        chosen.or(self.belief.contradiction()).map(str::to_string)
    }
}
