//! `Marshal` as a player: the callbacks of the game.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use krieg_belief::{Belief, WeightedBelief};
use krieg_core::{Observation, PieceSet, Try, Verdict, View};
use krieg_time::Clock;

use super::Marshal;
use super::learned_prior::LearnedPrior;
use super::search::{AnnouncementSummary, Edge, FIFTY_MOVE_PLIES};
use super::search_control::tree_searches;
use crate::draw_guard::{DrawGuard, is_progress};
use crate::timed_belief::particles_in_time;
use crate::{BeliefConfig, Choice, OpponentModel, Player, PlayerError, SearchLimit, Seat};

/// Number of particles per millisecond of the time for a try. Updating that many leaves most of the
/// time for the search.
const PARTICLES_PER_MS: f64 = 100.0;

impl Marshal {
    /// The opponent model at the start of a game: the remembered posterior, or else the prior.
    fn recall_opponent(&self) -> OpponentModel {
        let model = self.settings.new_opponent_model();
        match (model, &self.settings.opponent_memory, &self.opponent) {
            (OpponentModel::Mixture(opponents), Some(memory), Some(name)) => {
                OpponentModel::Mixture(Box::new(memory.recall(name, *opponents)))
            }
            (model, ..) => model,
        }
    }

    /// Stores the posterior over opponent types. A failure goes into the remark; the game is over
    /// anyway.
    fn remember_opponent(&mut self) {
        let (Some(memory), Some(name), Some(opponents)) = (
            &self.settings.opponent_memory,
            self.opponent.take(),
            self.belief.belief().opponent_mixture(),
        ) else {
            return;
        };
        if let Err(error) = memory.record(&name, opponents) {
            self.remark = format!("the opponent {name} was not stored: {error}");
        }
    }

    /// Updates the ply counter after a move of either side. `before` are the own pieces before it.
    fn observe_move(&mut self, observation: &Observation, before: &PieceSet) {
        let announcement = &observation.announcement;
        let is_progress = is_progress(observation, before);
        // If the game goes on at the fifty-move limit, the opponent has moved a pawn, or the rule
        // is not in force.
        let is_past_limit =
            self.plies_without_progress + 1 >= FIFTY_MOVE_PLIES && announcement.end.is_none();
        self.plies_without_progress =
            if is_progress || is_past_limit { 0 } else { self.plies_without_progress + 1 };
        if announcement.by != self.view.player() {
            self.announced = AnnouncementSummary::new(announcement, None);
        }
    }
}

impl Player for Marshal {
    fn set_opponent(&mut self, opponent: &str) {
        self.next_opponent = Some(opponent.to_string());
    }

    fn begin(&mut self, seat: &Seat) -> Result<(), PlayerError> {
        let Seat { color, setup, seed, .. } = seat;
        self.opponent = self.next_opponent.take();
        self.searches = tree_searches(&self.settings, setup, *color, seed ^ 0x6d61_7273);
        let learned_prior = self.settings.learned_prior.clone();
        self.learned_prior = learned_prior.map(|settings| LearnedPrior::new(settings, seat));
        self.view = seat.view();
        self.draw_guard = DrawGuard::new(setup.draws);
        if self.view.is_my_turn() {
            self.draw_guard.record(self.view.pieces());
        }
        self.announced = AnnouncementSummary::default();
        self.plies_without_progress = 0;
        self.hopeless_turns = 0;
        self.worse_turns = 0;
        self.time_per_try = match SearchLimit::of(&Clock::new(seat.control), seat.color) {
            SearchLimit::Time(time) => time,
            SearchLimit::Nodes(_) | SearchLimit::Unlimited => Duration::ZERO,
        };
        self.remark.clear();
        let particles = self.settings.particles.min(particles_in_time(seat, PARTICLES_PER_MS));
        let opponent_model = self.recall_opponent();
        let rejuvenation = Some(self.settings.rejuvenation);
        let config = BeliefConfig { seat, particles, rejuvenation, opponent_model };
        let belief = self.settings.belief.make_weighted(config);
        let belief = belief.ok_or_else(|| {
            PlayerError(format!("{:?} does not give weighted boards", self.settings.belief.name))
        })?;
        self.belief.begin_with(belief, seat)
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        self.remark.clear();
        let announcement = &observation.announcement;
        let is_own = announcement.by == self.view.player();
        let before = *self.view.pieces();
        if let Some(learned_prior) = &mut self.learned_prior {
            learned_prior.observe(observation, self.view.is_my_turn());
        }
        self.view.observe(observation);
        self.draw_guard.observe(observation, &before, self.view.pieces());
        match announcement.verdict {
            Verdict::Moved => self.observe_move(observation, &before),
            Verdict::Any(yes) if is_own => self.announced.has_pawn_try |= yes,
            _ => {}
        }
        self.searches.iter_mut().for_each(|search| search.observe(observation));
        self.belief.observe(observation)?;
        if announcement.end.is_some() {
            self.remember_opponent();
        }
        Ok(())
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<Choice, PlayerError> {
        if view.can_ask_any() {
            return Ok(Try::Any.into());
        }
        self.start_turn();
        self.think(view, clock);
        let Some(best) = self.best(view) else { return self.belief.fallback_choice(view, clock) };
        let total: u32 = self.edges().iter().map(|edge| edge.visits).sum();
        let Edge { mv, visits, .. } = best;
        let boards = self.belief.belief().board_count().unwrap_or(0);
        if visits == 0 {
            self.remark = format!("{mv}: all {total} visits went to excluded tries");
            return Ok(Try::Move(mv).into());
        }
        let expected = best.mean();
        self.remark = format!(
            "{mv}: expected score {expected:.3}, {visits} of {total} visits, {boards} boards"
        );
        if view.refusals() == 0 {
            self.record_expected_score(expected);
        }
        if self.should_resign() {
            return Ok(Choice::Resign);
        }
        Ok(Try::Move(mv).into())
    }

    /// Grows the trees below the accepted move during the opponent's turn.
    fn ponder(&mut self, stop: &AtomicBool) {
        self.ponder_in_threads(stop);
    }

    fn accepts_draw(&self) -> bool {
        self.should_accept_draw()
    }

    fn remark(&self) -> Option<String> {
        let parts = [Some(self.remark.as_str()), self.belief.contradiction()];
        let parts: Vec<&str> =
            parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}
