//! The update of the particles after an observation.

use std::time::Instant;

use krieg_core::{Observation, Try};
use rand::RngExt;

use super::budget::UpdatePhase;
use super::trajectory::TrajectoryNode;
use super::turn::{OwnTurn, TurnPair, TurnStart};
use super::{Particle, ParticleFilter, PreviousParticles, resample};
use crate::opponent_board::BoardMap;
use crate::{OpponentBoard, OpponentPolicy, OpponentTurn};

/// Boards generated per particle of capacity in one turn; more if too few of them are consistent.
/// A factor of 8 predicted no better (`benches/runs`).
const OVERSAMPLING: usize = 3;
/// If there are fewer particles than the capacity divided by this, trajectories are repaired. A
/// divisor of 2 predicted no better.
const REPAIR_DIVISOR: usize = 4;
/// The effort after an answer to an own try is divided by this: there may be many answers per turn,
/// and each tells less than a move of the opponent.
const ANSWER_DIVISOR: f64 = 4.0;
/// Likelihood of an announcement that no board explains.
const MIN_LIKELIHOOD: f64 = 1e-3;
/// Maximum number of boards for which memory is reserved in advance.
const MAX_RESERVED: usize = 1 << 20;

impl<M: OpponentPolicy> ParticleFilter<M> {
    /// Processes the answer to an own try. Returns whether it depended on the board.
    pub(super) fn observe_answer(&mut self, tried: Try, observation: &Observation) -> bool {
        let announcement = &observation.announcement;
        // The umpire refuses a senseless try without looking at the board.
        let is_informative = self.view.is_sensible(tried);
        let (own, to_move) = (*self.view.pieces(), self.view.turn());
        self.view.observe_answer(tried, announcement);
        self.opponent_turn = OpponentTurn::after(announcement);
        if !is_informative {
            return false;
        }
        let start = self.start_phase(UpdatePhase::OwnAnswer);
        self.own_turn.tries.push((tried, *announcement));
        let mut after = Vec::with_capacity(self.particles.len());
        for particle in &self.particles {
            let position = particle.board.position(&own, to_move);
            let position = position.and_then(|p| self.rules.after_own_try(&p, tried, announcement));
            if let Some(position) = position {
                let board = OpponentBoard::of(&position, !own.color());
                after.push(Particle { board, ..*particle });
            }
        }
        self.record_likelihood(total_weight(&after) / total_weight(&self.particles));
        let particles = std::mem::replace(&mut self.particles, after);
        self.budget.record(UpdatePhase::OwnAnswer, particles.len(), start.elapsed());
        self.previous = PreviousParticles { generation: self.trajectories.newest(), particles };
        // Boards that differed only in the captured piece are equal now.
        self.merge();
        true
    }

    /// Processes a move of the opponent: prediction and resampling.
    pub(super) fn observe_opponent_move(&mut self, observation: &Observation) {
        let announcement = &observation.announcement;
        let (own, to_move) = (*self.view.pieces(), self.view.turn());
        let start = self.start_phase(UpdatePhase::OpponentMove);
        let own_turn = std::mem::replace(&mut self.own_turn, OwnTurn::new(own, to_move));
        let turns = TurnPair::new(own_turn, self.opponent_turn, *announcement, self.context);
        let parents = std::mem::take(&mut self.particles);
        // A few moves on each board first. If too few boards result and there is time, more moves.
        let target = OVERSAMPLING.saturating_mul(self.capacity);
        let mut max_moves = target.div_ceil(parents.len().max(1)).max(2);
        let (mut found, mut is_all) =
            self.successors(&parents, &turns, max_moves, false).unwrap_or_default();
        self.budget.record(UpdatePhase::OpponentMove, parents.len(), start.elapsed());
        while !is_all && found.len() * 2 < self.capacity && !self.budget.is_past_soft() {
            max_moves = max_moves.saturating_mul(4);
            let Some(more) = self.successors(&parents, &turns, max_moves, true) else { break };
            (found, is_all) = more;
        }
        self.penalty_share = self.model.penalty_share();
        self.record_likelihood(self.turn_likelihood / total_weight(&parents));
        self.is_complete &= is_all;
        let weights: Vec<f64> = found.iter().map(|(_, weight)| *weight).collect();
        let chosen = resample::choose(&weights, self.capacity, self.rng.random());
        self.is_complete &= chosen.len() == found.len();
        let generation = self.trajectories.newest();
        self.previous = PreviousParticles { generation, particles: parents };
        self.particles = (0..)
            .zip(&chosen)
            .map(|(node, &(at, weight))| Particle { node, board: found[at].0.board, weight })
            .collect();
        self.context = turns.next_context();
        self.model.update_posterior();
        self.trajectories.add(turns, chosen.iter().map(|(at, _)| found[*at].0).collect());
        self.view.observe_announcement(announcement);
        self.own_turn = OwnTurn::new(*self.view.pieces(), self.view.turn());
    }

    /// The distinct boards after the opponent's move, with their weights, and whether these are
    /// all. At most `max_moves` moves are examined on each board. `None` if the soft deadline
    /// passes and `may_stop` is set.
    fn successors(
        &mut self,
        parents: &[Particle],
        turns: &TurnPair,
        max_moves: usize,
        may_stop: bool,
    ) -> Option<(Vec<(TrajectoryNode, f64)>, bool)> {
        let (pieces, to_move) = (self.view.pieces(), self.view.turn());
        let mut found: Vec<(TrajectoryNode, f64)> = Vec::new();
        let mut indices: BoardMap<usize> = BoardMap::default();
        let reserved = OVERSAMPLING.saturating_mul(self.capacity).min(MAX_RESERVED);
        indices.reserve(parents.len().saturating_mul(max_moves).min(reserved));
        let mut is_all = true;
        let mut turn_likelihood = 0.0;
        for parent in parents {
            if may_stop && self.budget.is_past_soft() {
                return None;
            }
            let Some(position) = parent.board.position(pieces, to_move) else { continue };
            let last_move = self.last_move(parent);
            let ParticleFilter { buffer, rules, model, rng, .. } = self;
            let start = TurnStart { position: &position, last_move };
            let draw = || rng.random();
            let is_all_here = buffer.expand(start, rules, turns, model, max_moves, draw);
            model.add_evidence(parent.weight, &buffer.consistent);
            is_all &= is_all_here;
            turn_likelihood += parent.weight * buffer.likelihood();
            let likelihood = is_all_here.then(|| buffer.likelihood());
            let own = pieces.all();
            // The parent's weight already contains the penalty of its board, with the share that
            // applied then.
            let [old_penalty, share] = [self.penalty_share, model.penalty_share()];
            let penalty_of = |board: &OpponentBoard, share: f64| match share > 0.0 {
                true => share * model.board_penalty(board, own, position.turn()),
                false => 0.0,
            };
            let old_penalty = penalty_of(&parent.board, old_penalty);
            for next in &buffer.successors {
                let penalty = penalty_of(&next.board, share);
                let weight = parent.weight * next.weight * (old_penalty - penalty).exp();
                let node = TrajectoryNode::of(*next, likelihood);
                let node = TrajectoryNode { parent: parent.node, ..node };
                let index = *indices.entry(next.board).or_insert(found.len());
                let Some((known, sum)) = found.get_mut(index) else {
                    found.push((node, weight));
                    continue;
                };
                // Of two trajectories to one board, one is kept, drawn by weight.
                *sum += weight;
                if rng.random::<f64>() * *sum < weight {
                    *known = node;
                }
            }
        }
        self.turn_likelihood = turn_likelihood;
        Some((found, is_all))
    }

    /// Adds the likelihood of an announcement to the evidence.
    fn record_likelihood(&mut self, likelihood: f64) {
        // Without any board there is no likelihood, and the announcement counts as a surprise.
        self.log_evidence += likelihood.max(MIN_LIKELIHOOD).ln();
    }

    /// Starts a phase. If there is no time for all particles, they are resampled first.
    fn start_phase(&mut self, phase: UpdatePhase) -> Instant {
        let start = Instant::now();
        let max = self.budget.max_particles(phase);
        if self.particles.len() > max {
            self.resample(max);
            self.is_complete = false;
        }
        start
    }

    /// Repair, perturbation and rejuvenation, as far as they are needed.
    pub(super) fn recover_boards(&mut self) {
        let is_after_opponent_move = self.is_after_opponent_move();
        let divisor = if is_after_opponent_move { 1.0 } else { ANSWER_DIVISOR };
        let budget = (self.rejuvenation / divisor * self.capacity as f64) as usize;
        if self.particles.len() * REPAIR_DIVISOR < self.capacity
            && !self.previous.particles.is_empty()
        {
            self.repair(budget);
            self.merge();
            self.normalize();
            // A king with at most one other piece has few boards anyway.
            let has_few_pieces =
                self.particles.first().is_none_or(|particle| particle.board.all().len() <= 2);
            if self.defensive_share > 0.0
                && is_after_opponent_move
                && !has_few_pieces
                && !self.budget.is_past_soft()
            {
                self.add_defensive_mixture();
            }
        }
        self.normalize();
        if self.particles.is_empty() {
            self.stats.recoveries += 1;
            self.perturb(true);
            self.merge();
            self.normalize();
        }
        // During the opponent's turn there is nothing to choose, and more observations may come.
        if self.view.is_my_turn()
            && !self.particles.is_empty()
            && self.particles.len() * 2 < self.capacity
        {
            self.rejuvenate(budget);
            self.merge();
        }
        self.resample(self.capacity);
    }

    /// Merges particles with equal boards. Of two trajectories to one board, one is kept, drawn by
    /// weight.
    pub(super) fn merge(&mut self) {
        let mut indices: BoardMap<usize> = BoardMap::default();
        indices.reserve(self.particles.len());
        let mut merged: Vec<Particle> = Vec::with_capacity(self.particles.len());
        for particle in &self.particles {
            let index = *indices.entry(particle.board).or_insert(merged.len());
            let Some(known) = merged.get_mut(index) else {
                merged.push(*particle);
                continue;
            };
            known.weight += particle.weight;
            if self.rng.random::<f64>() * known.weight < particle.weight {
                known.node = particle.node;
            }
        }
        self.particles = merged;
    }

    /// Scales the weights to the sum 1.
    pub(super) fn normalize(&mut self) {
        let sum: f64 = self.particles.iter().map(|particle| particle.weight).sum();
        self.particles.iter_mut().for_each(|particle| particle.weight /= sum);
    }
}

fn total_weight(particles: &[Particle]) -> f64 {
    particles.iter().map(|particle| particle.weight).sum()
}
