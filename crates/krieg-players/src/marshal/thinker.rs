//! One tree, and where the player stands in it. On several cores there are several, each with its own random numbers, and their looks are added up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use krieg_belief::{MoveModel, Particles, Situation};
use krieg_core::{Announcement, Color, Line, Move, Setup, Try, Verdict, View};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::MarshalSettings;
use super::prior::{self, Call};
use super::race::Race;
use super::simulate::{Simulator, World};
use super::tree::{Arm, FIRST, Heard, Manner, NodeId, Tree};

/// Somebody who looks ahead.
pub struct Thinker<M> {
    pub simulator: Simulator<M>,
    tree: Tree,
    /// Where the player stands in it.
    at: NodeId,
    /// His move that stood, what was said to it, and what was said of the opponent's move.
    stood: Option<(Move, Announcement, Option<Announcement>)>,
    rng: Xoshiro256PlusPlus,
}

/// What a thinker knows of the moment.
pub struct Moment<'a, M: MoveModel> {
    pub view: &'a View,
    pub belief: &'a Particles<M>,
    pub call: Call,
    pub quiet: u16,
}

/// How long to think.
#[derive(Debug, Clone, Copy)]
pub enum Budget {
    Until(Instant, Duration),
    Simulations(u64),
}

impl Budget {
    /// What each of so many may spend at the same time.
    pub fn divided(self, among: usize) -> Self {
        match self {
            Budget::Until(..) => self,
            Budget::Simulations(count) => Budget::Simulations((count / among as u64).max(1)),
        }
    }

    /// The part that is spent after so many simulations.
    fn spent(&self, done: u64) -> f64 {
        match *self {
            Budget::Until(begun, time) => begun.elapsed().as_secs_f64() / time.as_secs_f64(),
            Budget::Simulations(count) => done as f64 / count as f64,
        }
    }
}

/// Nodes and tries that a tree has room for: some 30 bytes each.
const ROOM: usize = 4_000_000;
/// Boards are drawn so many at a time, and first fewer: there may be no time for more.
const DRAWN_AT_ONCE: usize = 1024;
const DRAWN_FIRST: usize = 128;
/// What is expected of a try is worked out on so many of them.
const GLANCED_AT: usize = 64;

impl<M: MoveModel> Thinker<M> {
    pub fn new(
        settings: &MarshalSettings,
        setup: &Setup,
        player: Color,
        model: M,
        seed: u64,
    ) -> Self {
        let manner = Manner { c: settings.c, caution: settings.caution };
        Thinker {
            simulator: Simulator::new(
                setup,
                player,
                model,
                settings.worth.clone(),
                manner,
                settings.depth,
            ),
            tree: Tree::new(ROOM),
            at: FIRST,
            stood: None,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// The tries that may be made now, and how they have fared.
    pub fn arms(&self) -> &[Arm] {
        self.tree.arms(self.at)
    }

    /// Has room for no more than so many nodes and tries, and forgets everything.
    #[cfg(test)]
    pub fn confine(&mut self, room: usize) {
        self.tree = Tree::new(room);
        self.at = FIRST;
    }

    /// Thinks about what to try. Whoever goes on thinking has worked out before what is expected of each.
    pub fn think(&mut self, moment: &Moment<M>, budget: Budget, goes_on: bool) {
        // In a full tree looks still count where they begin.
        if self.tree.is_full() && !goes_on {
            self.uproot();
        }
        let memory = moment.belief.memory();
        let mut race = Race::default();
        let begun = budget.spent(0);
        let (mut done, mut at_once) = (0, DRAWN_FIRST);
        loop {
            let drawn = moment.belief.draw(at_once, &mut self.rng);
            if drawn.is_empty() {
                return;
            }
            if done == 0 && !goes_on {
                let boards = drawn.iter().take(GLANCED_AT).map(|(board, _)| board);
                self.tree.set_arms(self.at, prior::imagined(moment.view, moment.call, boards));
            }
            at_once = DRAWN_AT_ONCE;
            for (board, last) in drawn {
                let spent = budget.spent(done);
                if spent >= 1.0 {
                    return;
                }
                let Thinker { simulator, tree, rng, at, .. } = self;
                // Whoever goes on thinking decides between the last two.
                let run = if goes_on { 1.0 } else { (spent - begun) / (1.0 - begun) };
                let first = race.next(tree.arms(*at), run);
                let situation = Situation { last, ..memory };
                let world = World { board, situation, quiet: moment.quiet };
                simulator.simulate(tree, *at, first, world, rng);
                done += 1;
            }
        }
    }

    /// Thinks about what may be heard after the move that stood, until `stop` is set or there is nothing left to think about.
    pub fn ponder(&mut self, moment: &Moment<M>, stop: &AtomicBool) {
        let Some((mv, own, None)) = self.stood else { return };
        let Some(situation) = moment.belief.before_reply() else { return };
        // What is known of other moves is not needed any more, and a quarter of the room is left for the turn itself.
        if self.tree.len() > self.tree.room() / 2 {
            self.uproot();
        }
        while self.tree.len() < self.tree.room() / 4 * 3 {
            let drawn = moment.belief.draw(DRAWN_FIRST, &mut self.rng);
            if drawn.is_empty() {
                return;
            }
            for (board, last) in drawn {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let situation = Situation { last, ..situation };
                let world = World { board, situation, quiet: moment.quiet };
                let Thinker { simulator, tree, rng, at, .. } = self;
                simulator.simulate_reply(tree, *at, (mv, &own), world, rng);
            }
        }
    }

    /// Goes down the tree by what was really heard.
    pub fn follow(&mut self, line: &Line) {
        let said = &line.said;
        let is_own = said.by == self.simulator.player;
        match (said.verdict, line.tried) {
            (Verdict::Refused, Some(Try::Move(mv))) if is_own => {
                match self.tree.refuse(self.at, mv) {
                    Some(at) => self.at = at,
                    None => self.uproot(),
                }
            }
            (Verdict::Moved, Some(Try::Move(mv))) if is_own => {
                // Somebody else may have chosen, without a look at the tree.
                if matches!(self.stood, Some((_, _, Some(_)))) {
                    self.arrive(None);
                }
                self.stood = Some((mv, *said, None));
            }
            (Verdict::Moved, _) => match &mut self.stood {
                Some((_, _, his)) => *his = Some(*said),
                None => self.uproot(),
            },
            (Verdict::Any(yes), Some(Try::Any)) if is_own => self.arrive(Some(yes)),
            _ => {}
        }
    }

    /// The turn begins, after this answer to "any?" where that is asked: the place in the tree is known now.
    pub fn arrive(&mut self, any: Option<bool>) {
        let Some((mv, own, his)) = self.stood.take() else { return };
        let known = his.and_then(|his| self.tree.known(self.at, mv, Heard::new(&own, &his, any)));
        match known {
            Some(at) => self.at = at,
            None => self.uproot(),
        }
    }

    fn uproot(&mut self) {
        self.tree.clear();
        self.at = FIRST;
    }
}
