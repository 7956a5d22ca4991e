//! Rejuvenation: MCMC moves that keep the particles diverse (Gilks and Berzuini, 2001).
//!
//! After some generations of resampling, all particles descend from a few and agree about the
//! distant past. Two proposals lead from one trajectory to another: regenerating the last moves,
//! and exchanging a single move while the later ones are kept. Metropolis–Hastings acceptance
//! preserves the distribution, and no proposal contradicts an observation.

use rand::RngExt;

use super::trajectory::TrajectoryNode;
use super::turn::{Successor, TurnStart};
use super::{Particle, ParticleFilter, WeightedSampler, resample};
use crate::{OpponentBoard, OpponentPolicy};

/// Maximum distance of an exchanged move from the end of the trajectory, in moves of the opponent.
const MAX_EXCHANGE_DEPTH: usize = 24;
/// Maximum number of moves that are regenerated.
const MAX_REGENERATED: usize = 8;

/// A proposed trajectory.
struct Proposal {
    /// The index of the node at which it leaves the existing trajectories.
    parent: u32,
    nodes: Vec<TrajectoryNode>,
    /// The Metropolis–Hastings acceptance ratio.
    acceptance: f64,
}

impl<M: OpponentPolicy> ParticleFilter<M> {
    /// Adds particles near the existing ones, up to the capacity, until `budget` boards have been
    /// examined.
    pub(super) fn rejuvenate(&mut self, budget: usize) {
        self.buffer.examined = 0;
        let sampler = WeightedSampler::of(&self.particles);
        let free = self.capacity.saturating_sub(self.particles.len());
        let mut accepted: Vec<Particle> = Vec::new();
        let mut rejections = vec![0u32; self.particles.len()];
        let mut proposals = 0;
        while self.buffer.examined < budget && proposals < free && !self.budget.is_past_soft() {
            proposals += 1;
            self.buffer.examined += 1;
            let index = sampler.draw(self.rng.random());
            let node = self.particles[index].node;
            let is_regeneration = self.rng.random_bool(0.5);
            let proposal =
                if is_regeneration { self.regenerate(node) } else { self.exchange_move(node) };
            let proposal =
                proposal.filter(|proposal| self.rng.random::<f64>() < proposal.acceptance);
            match proposal.and_then(|proposal| self.accept(proposal)) {
                Some(particle) => {
                    accepted.push(particle);
                    self.stats.regenerated += u64::from(is_regeneration);
                    self.stats.exchanged += u64::from(!is_regeneration);
                }
                None => rejections[index] += 1,
            }
        }
        self.combine(accepted, &rejections, proposals);
    }

    /// Adds a proposed trajectory, if it fits the own turn so far.
    fn accept(&mut self, proposal: Proposal) -> Option<Particle> {
        let now = self.own_turn.replay(&proposal.nodes.last()?.board, &self.rules)?;
        let board = OpponentBoard::of(&now, !self.view.player());
        let node = self.trajectories.graft(proposal.parent, &proposal.nodes);
        Some(Particle { node, board, weight: 0.0 })
    }

    /// Combines the existing particles with the results of the proposals. Both groups get weight in
    /// proportion to their size. The result of a rejected proposal is the particle it started from.
    fn combine(&mut self, accepted: Vec<Particle>, rejections: &[u32], proposals: usize) {
        let each = 1.0 / (self.particles.len() + proposals) as f64;
        let part = self.particles.len() as f64 * each;
        for (particle, rejections) in self.particles.iter_mut().zip(rejections) {
            particle.weight = particle.weight * part + f64::from(*rejections) * each;
        }
        let with_weight = |particle| Particle { weight: each, ..particle };
        self.particles.extend(accepted.into_iter().map(with_weight));
    }

    /// Reduces the particles to at most `max` by resampling.
    pub(super) fn resample(&mut self, max: usize) {
        let weights: Vec<f64> = self.particles.iter().map(|particle| particle.weight).collect();
        let chosen = resample::choose(&weights, max, self.rng.random());
        let with_weight =
            |(index, weight): (usize, f64)| Particle { weight, ..self.particles[index] };
        self.particles = chosen.into_iter().map(with_weight).collect();
    }

    /// Proposes a trajectory whose last moves are drawn again.
    fn regenerate(&mut self, node: u32) -> Option<Proposal> {
        let back = self.rng.random_range(1..=MAX_REGENERATED);
        let ancestors = self.trajectories.ancestors(self.trajectories.newest(), node, back + 1);
        let (&(generation, parent), since) = ancestors.split_last()?;
        if since.is_empty() {
            return None;
        }
        let old = since.iter().map(|place| self.log_likelihood(*place)).sum::<Option<f64>>()?;
        let first = self.trajectories.node((generation, parent));
        let (mut board, mut last_move) = (first.board, first.last_move());
        let (mut nodes, mut new) = (Vec::with_capacity(since.len()), 0.0);
        for turns in &self.trajectories.turns[generation..] {
            let position = &turns.own.replay(&board, &self.rules)?;
            let ParticleFilter { buffer, rules, model, rng, .. } = self;
            let start = TurnStart { position, last_move };
            buffer.expand(start, rules, turns, model, usize::MAX, || 0.0);
            let (next, likelihood) = (buffer.draw(rng.random())?, buffer.likelihood());
            new += likelihood.ln();
            nodes.push(TrajectoryNode::of(next, Some(likelihood)));
            (board, last_move) = (next.board, Some(next.mv));
        }
        Some(Proposal { parent, nodes, acceptance: (new - old).exp() })
    }

    /// The log-likelihood of the announcement that led to this node, given the board before it.
    fn log_likelihood(&mut self, place: (usize, u32)) -> Option<f64> {
        let node = *self.trajectories.node(place);
        if let Some(likelihood) = node.likelihood {
            return Some(likelihood.ln());
        }
        let generation = place.0.checked_sub(1)?;
        let turns = &self.trajectories.turns[generation];
        let before = *self.trajectories.node((generation, node.parent));
        let position = &turns.own.replay(&before.board, &self.rules)?;
        let ParticleFilter { buffer, rules, model, .. } = self;
        let start = TurnStart { position, last_move: before.last_move() };
        buffer.expand(start, rules, turns, model, usize::MAX, || 0.0);
        Some(buffer.likelihood().ln())
    }

    /// Proposes a trajectory with one move exchanged and the later ones kept.
    fn exchange_move(&mut self, node: u32) -> Option<Proposal> {
        let newest = self.trajectories.newest();
        let branch_point = self.branch_point(newest, node, MAX_EXCHANGE_DEPTH)?;
        let mut at = self.rng.random::<f64>();
        let is_drawn = |next: &&Successor| {
            at -= branch_point.proposal_probability(next);
            at < 0.0
        };
        let alternatives = &branch_point.alternatives;
        let next = *alternatives.iter().find(is_drawn).or(alternatives.last())?;
        let exchanged = self.exchange(&branch_point, next)?;
        Some(Proposal {
            parent: branch_point.before.1,
            nodes: exchanged.nodes,
            acceptance: exchanged.acceptance,
        })
    }
}
