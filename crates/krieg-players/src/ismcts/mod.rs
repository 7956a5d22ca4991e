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

mod choose;
mod descent;
mod leaf;
mod manner;
mod rollout;
#[cfg(test)]
mod tests;
mod tree;

use std::time::Instant;

use krieg_core::{Color, Observation, Setup, Try, Verdict, View};
use krieg_time::Clock;

use crate::imagining::{Imagining, ImaginingSettings};
use crate::random::TrySampler;
use crate::{Choice, Fault, Player, Seat, Thinking};
pub use choose::Choose;
use descent::Trees;
use leaf::Leaf;
pub use leaf::LeafKind;
pub use manner::Fresh;
use manner::Manner;
use tree::{Arm, ROOT};

/// What the player can be told.
#[derive(Debug, Clone)]
pub struct IsmctsSettings {
    /// How much is given to curiosity: the constant of UCT.
    pub c: f64,
    /// Iterations for a turn, where no clock runs.
    pub iterations: u64,
    /// How boards are imagined.
    pub imagining: ImaginingSettings,
    /// How leaves are valued.
    pub leaf: LeafKind,
    /// A game that is played out is a draw after so many plies.
    pub plies: u32,
    /// When a try is made for the first time.
    pub fresh: Fresh,
    /// Which try is put to the umpire in the end.
    pub choose: Choose,
    /// Whether the opponent has a tree as well.
    pub with_opponent: bool,
}

/// A player who grows a tree of what he may hear.
pub struct Ismcts {
    settings: IsmctsSettings,
    imagining: Imagining,
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
            imagining: Imagining::new(),
            setup: Setup::default(),
            color: Color::White,
            trees: trees(&settings, Color::White),
            leaf: Leaf::new(settings.leaf, settings.plies),
            sampler: TrySampler::new(0),
            remark: String::new(),
            settings,
        }
    }

    /// Lets the trees grow, for as long as there is time.
    fn grow(&mut self, view: &View, clock: &Clock) {
        let Some(thinking) = self.imagining.catch_up(clock, view) else { return };
        let begun = Instant::now();
        let share = if view.refusals() > 0 { LESS_AFTER_REFUSAL } else { 1 };
        let (time, iterations) = match thinking {
            Thinking::Time(time) => (Some(time), u64::MAX),
            Thinking::Nodes(nodes) => (None, nodes / share),
            Thinking::Free => (None, self.settings.iterations / share),
        };
        let mut left = iterations.max(1);
        let mut at_once = DRAWN_FIRST;
        loop {
            let boards = self.imagining.draw(at_once);
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
        looked_at.max_by(|one, other| self.settings.choose.compare(one, other)).copied()
    }
}

fn trees(settings: &IsmctsSettings, player: Color) -> Trees {
    let manner = Manner { c: settings.c, fresh: settings.fresh };
    Trees::new(player, settings.with_opponent, ROOM, manner)
}

impl Player for Ismcts {
    fn begin(&mut self, seat: &Seat) -> Result<(), Fault> {
        self.setup = seat.setup.clone();
        self.color = seat.color;
        self.trees = trees(&self.settings, seat.color);
        self.leaf.begin();
        self.sampler = TrySampler::new(seat.seed ^ 0x7265_6573);
        self.remark.clear();
        self.imagining.begin(&self.settings.imagining, seat)
    }

    fn observe(&mut self, line: &Observation) -> Result<(), Fault> {
        self.remark.clear();
        // After a refusal the trees stay: what was found out about other tries still holds.
        if line.announcement.verdict == Verdict::Moved {
            self.trees.clear();
        }
        self.imagining.observe(line)
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, Fault> {
        if view.can_ask_any() {
            return Ok(Try::Any.into());
        }
        self.grow(view, clock);
        let Some(best) = self.best(view) else { return self.imagining.fall_back(view, clock) };
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
        chosen.or(self.imagining.contradiction()).map(str::to_string)
    }
}
