//! The control of the search: the budget of a try, search threads, pondering.

use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use krieg_belief::WeightedBelief;
use krieg_core::{Color, Setup, View};
use krieg_time::{Clock, TimeControl};

use super::search::{SearchBudget, SearchRoot, TreeSearch};
use super::{Marshal, MarshalSettings};
use crate::{OpponentModel, SearchLimit};

/// Without a clock, the simulations after a refusal are divided by this.
const REFUSAL_DIVISOR: u64 = 4;
/// Fraction of the remaining time for a move that goes into the next try. With 0.8 hardly any time
/// is left after two refusals.
const TIME_FRACTION: f64 = 0.6;
/// The same for a try that is certainly legal, with a fixed time per move.
const TIME_FRACTION_IF_LEGAL: f64 = 0.85;
/// Time per move that is never planned for (or a quarter of the move's time, if that is less): a
/// busy machine pauses the process now and then.
const RESERVE: Duration = Duration::from_millis(15);
/// A try that is legal with at most this probability gets no extra time: there may have to be
/// another.
const EXTRA_TIME_MIN_LEGAL: f64 = 0.9;
/// Minimum extra time for which a search is continued.
const MIN_EXTRA_TIME: Duration = Duration::from_millis(3);

/// One search per thread, for a new game.
pub(super) fn tree_searches(
    settings: &MarshalSettings,
    setup: &Setup,
    player: Color,
    seed: u64,
) -> Vec<TreeSearch<OpponentModel>> {
    let search = |number| {
        let model = settings.new_opponent_model();
        TreeSearch::new(settings, setup, player, model, seed.wrapping_add(number))
    };
    (0..settings.threads.max(1) as u64).map(search).collect()
}

impl Marshal {
    /// Updates the belief and searches, within the limits of the clock.
    pub(super) fn think(&mut self, view: &View, clock: &Clock) {
        let start = Instant::now();
        let divisor = if view.refusals() > 0 { REFUSAL_DIVISOR } else { 1 };
        let limits = SearchLimit::with_fraction(clock, view.player(), TIME_FRACTION);
        if self.belief.update(clock, view).is_none() {
            return;
        }
        self.update_opponent_models();
        match limits {
            SearchLimit::Time(time) => {
                self.run_searches(view, SearchBudget::Time(start, time), false);
                if let Some(extra) = self.extra_time(view, clock, time) {
                    self.run_searches(view, SearchBudget::Time(start, time + extra), true);
                }
            }
            SearchLimit::Nodes(nodes) => {
                let simulations = (nodes / divisor).max(1);
                self.run_searches(view, SearchBudget::Simulations(simulations), false);
            }
            SearchLimit::Unlimited => {
                let simulations = (self.settings.simulations / divisor).max(1);
                self.run_searches(view, SearchBudget::Simulations(simulations), false);
            }
        }
    }

    /// Copies the belief's posterior over opponent types to the model of each search.
    fn update_opponent_models(&mut self) {
        let Some(opponents) = self.belief.belief().opponent_mixture() else { return };
        for search in &mut self.searches {
            search.simulator.model.copy_posterior(opponents);
        }
    }

    /// How much longer to search with a fixed time per move, where unused time is lost. The more
    /// likely the best try is legal, the less time is kept for another one.
    fn extra_time(&self, view: &View, clock: &Clock, used: Duration) -> Option<Duration> {
        let TimeControl::Move(per_move) = clock.control() else { return None };
        let SearchLimit::Time(most) =
            SearchLimit::with_fraction(clock, view.player(), TIME_FRACTION_IF_LEGAL)
        else {
            return None;
        };
        let left = clock.remaining(view.player())?.saturating_sub(RESERVE.min(per_move / 4));
        let legal = self.belief.belief().legal_probability(self.best(view)?.mv)?;
        let certainty = ((legal - EXTRA_TIME_MIN_LEGAL) / (1.0 - EXTRA_TIME_MIN_LEGAL)).max(0.0);
        let extra = most.min(left).saturating_sub(used).mul_f64(certainty);
        Some(extra).filter(|extra| *extra > MIN_EXTRA_TIME)
    }

    /// Runs all search threads.
    pub(super) fn run_searches(&mut self, view: &View, budget: SearchBudget, is_continued: bool) {
        let learned = self.learned_prior.as_mut().and_then(|prior| prior.policy(view));
        let root = SearchRoot {
            learned: learned.as_ref(),
            view,
            belief: self.belief.belief(),
            announced: self.announced,
            plies_without_progress: self.plies_without_progress,
        };
        match &mut self.searches[..] {
            [single] => single.search(&root, budget, is_continued),
            several => {
                let (root, budget) = (&root, budget.per_thread(several.len()));
                thread::scope(|scope| {
                    for search in several {
                        scope.spawn(move || search.search(root, budget, is_continued));
                    }
                });
            }
        }
    }

    /// Searches during the opponent's turn until `stop` is set.
    pub(super) fn ponder_in_threads(&mut self, stop: &AtomicBool) {
        if self.view.is_my_turn() {
            return;
        }
        self.belief.update_while_pondering(self.time_per_try, stop);
        self.update_opponent_models();
        let root = &SearchRoot {
            learned: None,
            view: &self.view,
            belief: self.belief.belief(),
            announced: self.announced,
            plies_without_progress: self.plies_without_progress,
        };
        thread::scope(|scope| {
            for search in &mut self.searches {
                scope.spawn(move || search.ponder(root, stop));
            }
        });
    }

    /// Moves all searches to the node of the new turn.
    pub(super) fn start_turn(&mut self) {
        self.searches.iter_mut().for_each(|search| search.start_turn(None));
    }
}
