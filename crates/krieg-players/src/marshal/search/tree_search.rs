//! One search thread: a tree, the player's position in it, and its own random numbers.
//!
//! With several threads each grows its own tree, and the visit counts are added up (root
//! parallelisation).

use std::sync::atomic::{AtomicBool, Ordering};

use krieg_belief::{OpponentContext, OpponentPolicy, WeightedBelief};
use krieg_core::{Announcement, Color, Move, Observation, Setup, Try, Verdict, View};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::budget::SearchBudget;
use super::edge::Edge;
use super::prior::{mix_priors, sampled_priors};
use super::puct_tree::{NodeIndex, ObservationHash, PuctParams, PuctTree, ROOT};
use super::sequential_halving::SequentialHalving;
use super::simulation::{SampledState, Simulator};
use super::transition::AnnouncementSummary;
use crate::marshal::MarshalSettings;
use crate::marshal::learned_prior::LearnedPolicy;

/// The state of one search thread.
pub struct TreeSearch<M> {
    pub simulator: Simulator<M>,
    tree: PuctTree,
    /// The node of the player's present decision, or of the last one during the opponent's turn.
    node: NodeIndex,
    /// The player's accepted move in the present turn, its announcement, and that of the reply.
    accepted: Option<(Move, Announcement, Option<Announcement>)>,
    rng: Xoshiro256PlusPlus,
}

/// What a search starts from.
pub struct SearchRoot<'a> {
    pub view: &'a View,
    /// The policy of the learned network, if it is a part of the prior.
    pub learned: Option<&'a LearnedPolicy>,
    pub belief: &'a (dyn WeightedBelief + Sync),
    pub announced: AnnouncementSummary,
    pub plies_without_progress: u16,
}

/// Maximum number of nodes and edges of a tree, at about 30 bytes each.
const TREE_CAPACITY: usize = 4_000_000;
/// Number of boards drawn from the belief at a time.
const BATCH: usize = 1024;
/// Number of boards drawn first: there may be no time for more.
const FIRST_BATCH: usize = 128;
/// Number of these boards that determine the priors at the root.
const PRIOR_BOARDS: usize = 64;

impl<M: OpponentPolicy> TreeSearch<M> {
    pub fn new(
        settings: &MarshalSettings,
        setup: &Setup,
        player: Color,
        model: M,
        seed: u64,
    ) -> Self {
        let params = PuctParams {
            exploration: settings.exploration,
            first_play_penalty: settings.first_play_penalty,
        };
        let value_model = settings.value_model.clone();
        TreeSearch {
            simulator: Simulator::new(setup, player, model, value_model, params, settings.depth),
            tree: PuctTree::new(TREE_CAPACITY),
            node: ROOT,
            accepted: None,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// The edges of the present decision.
    pub fn edges(&self) -> &[Edge] {
        self.tree.edges(self.node)
    }

    /// Limits the capacity of the tree and clears it.
    #[cfg(test)]
    pub fn set_capacity(&mut self, capacity: usize) {
        self.tree = PuctTree::new(capacity);
        self.node = ROOT;
    }

    /// Searches for the next try. `is_continued` says that the search goes on with more time: the
    /// priors are already set, and only the last round of sequential halving is run.
    pub fn search(&mut self, root: &SearchRoot, budget: SearchBudget, is_continued: bool) {
        // A continued search keeps even a full tree: its visits at the root still count.
        if self.tree.is_full() && !is_continued {
            self.clear();
        }
        let knowledge = root.belief.opponent_context();
        let mut halving = SequentialHalving::default();
        let spent_before = budget.spent(0);
        let (mut done, mut batch) = (0, FIRST_BATCH);
        loop {
            let drawn = root.belief.sample_with_last_moves(batch, &mut self.rng);
            if drawn.is_empty() {
                return;
            }
            if done == 0 && !is_continued {
                let boards = drawn.iter().take(PRIOR_BOARDS).map(|(board, _)| board);
                let mut edges = sampled_priors(root.view, root.announced, boards);
                if let Some(learned) = root.learned {
                    mix_priors(&mut edges, learned);
                }
                self.tree.set_edges(self.node, edges);
                let edges = self.tree.edges(self.node);
                let given = root.learned.map(|learned| learned.candidates(edges));
                halving = SequentialHalving::with_candidates(given.unwrap_or_default());
            }
            batch = BATCH;
            for (board, last_move) in drawn {
                let spent = budget.spent(done);
                if spent >= 1.0 {
                    return;
                }
                let TreeSearch { simulator, tree, rng, node, .. } = self;
                let progress =
                    if is_continued { 1.0 } else { (spent - spent_before) / (1.0 - spent_before) };
                let first = halving.next(tree.edges(*node), progress);
                let context = OpponentContext { last_move, ..knowledge };
                let plies_without_progress = root.plies_without_progress;
                let state = SampledState { board, context, plies_without_progress };
                simulator.simulate(tree, *node, first, state, rng);
                done += 1;
            }
        }
    }

    /// Searches below the accepted move during the opponent's turn, until `stop` is set or the tree
    /// is three quarters full.
    pub fn ponder(&mut self, root: &SearchRoot, stop: &AtomicBool) {
        let Some((mv, own, None)) = self.accepted else { return };
        let Some(context) = root.belief.opponent_context_to_move() else { return };
        // Other moves are no longer possible. A quarter of the capacity is left for the turn
        // itself.
        if self.tree.len() > self.tree.capacity() / 2 {
            self.clear();
        }
        while self.tree.len() < self.tree.capacity() / 4 * 3 {
            let drawn = root.belief.sample_with_last_moves(FIRST_BATCH, &mut self.rng);
            if drawn.is_empty() {
                return;
            }
            for (board, last_move) in drawn {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let context = OpponentContext { last_move, ..context };
                let plies_without_progress = root.plies_without_progress;
                let state = SampledState { board, context, plies_without_progress };
                let TreeSearch { simulator, tree, rng, node, .. } = self;
                simulator.simulate_after_own_move(tree, *node, (mv, &own), state, rng);
            }
        }
    }

    /// Descends in the tree by a real observation.
    pub fn observe(&mut self, observation: &Observation) {
        let announcement = &observation.announcement;
        let is_own = announcement.by == self.simulator.player;
        match (announcement.verdict, observation.tried) {
            (Verdict::Refused, Some(Try::Move(mv))) if is_own => {
                match self.tree.child_after_refusal(self.node, mv) {
                    Some(child) => self.node = child,
                    None => self.clear(),
                }
            }
            (Verdict::Moved, Some(Try::Move(mv))) if is_own => {
                // If the try was chosen without a search, the last turn is still to be finished.
                if matches!(self.accepted, Some((_, _, Some(_)))) {
                    self.start_turn(None);
                }
                self.accepted = Some((mv, *announcement, None));
            }
            (Verdict::Moved, _) => match &mut self.accepted {
                Some((_, _, reply)) => *reply = Some(*announcement),
                None => self.clear(),
            },
            (Verdict::Any(yes), Some(Try::Any)) if is_own => self.start_turn(Some(yes)),
            _ => {}
        }
    }

    /// Descends to the node of the new turn. `any` is the answer to "any?" if it was asked. Until
    /// then the node is not determined.
    pub fn start_turn(&mut self, any: Option<bool>) {
        let Some((mv, own, reply)) = self.accepted.take() else { return };
        let child = reply.and_then(|reply| {
            let observed = ObservationHash::new(&own, &reply, any);
            self.tree.find_child_after_turn(self.node, mv, observed)
        });
        match child {
            Some(child) => self.node = child,
            None => self.clear(),
        }
    }

    fn clear(&mut self) {
        self.tree.clear();
        self.node = ROOT;
    }
}
