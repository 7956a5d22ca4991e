//! Exchanging one move of a trajectory for another possible one.

use cozy_chess::{File, Move as BoardMove};
use rand::RngExt;

use super::ParticleFilter;
use super::displacement::Displacement;
use super::trajectory::TrajectoryNode;
use super::turn::{Successor, TurnStart};
use crate::OpponentPolicy;

/// A move of a trajectory, with the other moves that fit the same announcement.
pub struct BranchPoint {
    /// The node before the move: its generation and its index there.
    pub before: (usize, u32),
    old: TrajectoryNode,
    /// The rest of the trajectory.
    rest: Vec<TrajectoryNode>,
    /// The other moves.
    pub alternatives: Vec<Successor>,
    /// The sum of the probabilities of the alternatives, by the present opponent model. (The stored
    /// probability of the old move is that of an earlier posterior.)
    alternatives_sum: f64,
    /// The likelihood of the announcement, over all of these moves.
    likelihood: f64,
}

/// A trajectory in which one move was exchanged.
pub struct ExchangedTrajectory {
    /// The nodes from the exchanged move on.
    pub nodes: Vec<TrajectoryNode>,
    /// The Metropolis–Hastings acceptance ratio against the original trajectory.
    pub acceptance: f64,
}

impl BranchPoint {
    /// The probability with which an alternative is proposed.
    pub fn proposal_probability(&self, next: &Successor) -> f64 {
        next.probability / self.alternatives_sum
    }

    /// The pieces that would be displaced at the end of the trajectory if this move was exchanged.
    /// `None` for castling and promotions, which squares alone do not describe.
    pub fn displacement_at_end(&self, next: &Successor) -> Option<Displacement> {
        if is_special(self.old.mv) || is_special(next.mv) {
            return None;
        }
        let mut displacement = Displacement::new(self.old.mv, next.mv);
        for node in &self.rest {
            displacement.translate(node.mv);
        }
        Some(displacement)
    }
}

/// Whether a move promotes or may be castling, which is encoded as the king capturing its own rook.
fn is_special(mv: BoardMove) -> bool {
    let is_far = mv.from.file() == File::E && matches!(mv.to.file(), File::A | File::H);
    mv.promotion.is_some() || (is_far && mv.from.rank() == mv.to.rank())
}

impl<M: OpponentPolicy> ParticleFilter<M> {
    /// A random branch point among the last `max_depth` moves of the trajectory to this node.
    pub(super) fn branch_point(
        &mut self,
        generation: usize,
        node: u32,
        max_depth: usize,
    ) -> Option<BranchPoint> {
        let ancestors = self.trajectories.ancestors(generation, node, max_depth + 1);
        if ancestors.len() < 2 {
            return None;
        }
        let at = self.rng.random_range(1..ancestors.len());
        let before = ancestors[at];
        let mut later = ancestors[..at].iter().rev().map(|place| *self.trajectories.node(*place));
        let old = later.next()?;
        let rest = later.collect();
        let turns = &self.trajectories.turns[before.0];
        let start = *self.trajectories.node(before);
        let position = &turns.own.replay(&start.board, &self.rules)?;
        let ParticleFilter { buffer, rules, model, .. } = self;
        let start = TurnStart { position, last_move: start.last_move() };
        buffer.expand(start, rules, turns, model, usize::MAX, || 0.0);
        let likelihood = buffer.likelihood();
        let alternatives = buffer.successors.iter().filter(|next| next.mv != old.mv).copied();
        let alternatives: Vec<Successor> = alternatives.collect();
        let alternatives_sum = alternatives.iter().map(|next| next.probability).sum();
        Some(BranchPoint { before, old, rest, alternatives, alternatives_sum, likelihood })
    }

    /// Replays the trajectory with this move at the branch point and the same later moves. `None`
    /// if that is illegal or contradicts an announcement.
    pub(super) fn exchange(
        &mut self,
        branch_point: &BranchPoint,
        next: Successor,
    ) -> Option<ExchangedTrajectory> {
        let mut displacement = Displacement::new(branch_point.old.mv, next.mv);
        let mut nodes = vec![TrajectoryNode::of(next, Some(branch_point.likelihood))];
        // Proposals are made in proportion to the probabilities, so at the branch point only the
        // normalisers remain in the ratio: the sums over the moves other than the old and the new
        // one.
        let mut acceptance = branch_point.alternatives_sum
            / (branch_point.likelihood - next.probability).max(f64::EPSILON);
        debug_assert!(acceptance >= 0.0, "probabilities are not negative");
        let (mut board, mut last_move) = (next.board, next.mv);
        for (number, old) in (branch_point.before.0 + 1..).zip(&branch_point.rest) {
            let turns = &self.trajectories.turns[number];
            let position = &turns.own.replay(&board, &self.rules)?;
            let mv = displacement.translate(old.mv);
            let ParticleFilter { buffer, rules, model, .. } = self;
            let start = TurnStart { position, last_move: Some(last_move) };
            let next = buffer.follow(start, rules, turns, model, mv)?;
            acceptance *= next.probability / old.probability;
            // The likelihood would need the other moves of this turn too.
            nodes.push(TrajectoryNode::of(next, None));
            (board, last_move) = (next.board, next.mv);
        }
        Some(ExchangedTrajectory { nodes, acceptance })
    }
}
