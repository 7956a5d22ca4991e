//! Repair of trajectories after an observation that hardly any board explains: the previous
//! trajectories are searched for one move that, exchanged for another, explains it.
//!
//! The exchange of a move is the same as in [`rejuvenate`](super::rejuvenate). Here it is made
//! before the last observation, and tried for all alternatives at a branch point. A quick test on
//! the last board (would the pieces stand correctly now?) comes first; only then is the trajectory
//! replayed.

use std::cell::Cell;

use rand::RngExt;

use super::trajectory::TrajectoryNode;
use super::turn::TurnStart;
use super::{Particle, ParticleFilter, WeightedSampler};
use crate::{OpponentBoard, OpponentPolicy};

/// Maximum distance of the exchanged move from the end of the trajectory, in moves of the opponent.
const MAX_DEPTH: usize = 40;

/// A trajectory that explains the last observation.
struct RepairedTrajectory {
    /// The index of the node before the exchanged move.
    parent: u32,
    nodes: Vec<TrajectoryNode>,
    board: OpponentBoard,
    /// The weight relative to the total weight of the trajectories it was made from.
    weight: f64,
}

impl<M: OpponentPolicy> ParticleFilter<M> {
    /// Repairs previous trajectories until `budget` boards have been examined, and adds those that
    /// explain all observations to the particles.
    pub(super) fn repair(&mut self, budget: usize) {
        self.buffer.examined = 0;
        let sampler = WeightedSampler::of(&self.previous.particles);
        let (mut repaired, mut tries) = (Vec::new(), 0u32);
        while self.buffer.examined < budget
            && repaired.len() < self.capacity
            && !self.budget.is_past_soft()
        {
            tries += 1;
            self.buffer.examined += 1;
            let node = self.previous.particles[sampler.draw(self.rng.random())].node;
            self.repair_one(node, &mut repaired);
        }
        // The repaired trajectories and the remaining particles share the weight in proportion to
        // the number of tries and of previous particles. Hardly any remaining trajectory would have
        // been exchanged, so their weights stay as they are.
        let part = f64::from(tries) / (self.previous.particles.len() as f64 + f64::from(tries));
        self.stats.repaired += repaired.len() as u64;
        for RepairedTrajectory { parent, nodes, board, weight } in repaired {
            let node = self.trajectories.graft(parent, &nodes);
            let weight = weight * part / f64::from(tries);
            self.particles.push(Particle { node, board, weight });
        }
    }

    /// Tries all alternatives at one branch point of a trajectory.
    fn repair_one(&mut self, node: u32, repaired: &mut Vec<RepairedTrajectory>) -> Option<()> {
        let generation = self.previous.generation;
        let end = self.trajectories.node((generation, node)).board;
        let branch_point = self.branch_point(generation, node, MAX_DEPTH)?;
        for next in &branch_point.alternatives {
            // The deadline is checked for each alternative, because a replay may have forty moves.
            if self.budget.is_past_soft() {
                break;
            }
            let displacement = branch_point.displacement_at_end(next);
            if displacement
                .is_some_and(|displacement| !self.would_explain(&displacement.apply(&end)))
            {
                continue;
            }
            let Some(exchanged) = self.exchange(&branch_point, *next) else { continue };
            let mut nodes = exchanged.nodes;
            let weight = branch_point.proposal_probability(next) * exchanged.acceptance.min(1.0);
            let Some((last, board)) = nodes.last().and_then(|end| self.explain(end)) else {
                continue;
            };
            let likelihood = last.and_then(|last| last.likelihood).unwrap_or(1.0);
            nodes.extend(last);
            let parent = branch_point.before.1;
            repaired.push(RepairedTrajectory { parent, nodes, board, weight: weight * likelihood });
        }
        Some(())
    }

    /// Whether the last observation was a move of the opponent, and not an answer to an own try.
    pub(super) fn is_after_opponent_move(&self) -> bool {
        self.previous.generation < self.trajectories.newest()
    }

    /// Whether the last observation is possible if this was a board of the previous generation.
    pub(super) fn would_explain(&mut self, board: &OpponentBoard) -> bool {
        self.buffer.examined += 1;
        if !self.is_after_opponent_move() {
            return self.own_turn.replay(board, &self.rules).is_some();
        }
        let Some(turns) = self.trajectories.turns.last() else { return false };
        let Some(position) = turns.own.replay(board, &self.rules) else { return false };
        // One move is enough.
        let explains = Cell::new(false);
        self.rules.for_each_successor(
            &position,
            &turns.opponent,
            &turns.announcement,
            || !explains.get(),
            |_, _| explains.set(true),
        );
        explains.get()
    }

    /// The present board, if a node of the previous generation explains the last observation. If
    /// that was a move of the opponent, also the node after it, with one consistent move drawn at
    /// random.
    pub(super) fn explain(
        &mut self,
        end: &TrajectoryNode,
    ) -> Option<(Option<TrajectoryNode>, OpponentBoard)> {
        if !self.is_after_opponent_move() {
            let now = self.own_turn.replay(&end.board, &self.rules)?;
            return Some((None, OpponentBoard::of(&now, !self.view.player())));
        }
        let turns = self.trajectories.turns.last()?;
        let position = &turns.own.replay(&end.board, &self.rules)?;
        let ParticleFilter { buffer, rules, model, rng, .. } = self;
        let start = TurnStart { position, last_move: end.last_move() };
        buffer.expand(start, rules, turns, model, usize::MAX, || 0.0);
        let next = buffer.draw(rng.random())?;
        Some((Some(TrajectoryNode::of(next, Some(buffer.likelihood()))), next.board))
    }
}
