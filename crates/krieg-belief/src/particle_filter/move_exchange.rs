//! A move of a possible game, and the others that could have been played there.

use cozy_chess::{File, Move as BoardMove};
use rand::RngExt;

use super::ParticleFilter;
use super::displacement::Displacement;
use super::trajectory::TrajectoryNode;
use super::turn::{Successor, Turn};
use crate::OpponentPolicy;

/// A place in a possible game at which another move would have sounded the same.
pub struct BranchPoint {
    /// The board before the move: its generation and its number there.
    pub before: (usize, u32),
    was: TrajectoryNode,
    /// What was played after it.
    rest: Vec<TrajectoryNode>,
    /// What else could have been played.
    pub others: Vec<Successor>,
    /// The chance of these others together, by what is thought of the opponent now. (What is kept of the move that was played is what was thought of him then.)
    among: f64,
    /// How likely what was heard was to be heard there, by all of these moves.
    seen: f64,
}

/// A game in which one move was exchanged for another.
pub struct ExchangedTrajectory {
    /// The boards from there on.
    pub steps: Vec<TrajectoryNode>,
    /// How likely this game is to be taken in the place of the one that it came from (Metropolis and Hastings).
    pub accept: f64,
}

impl BranchPoint {
    /// How likely this one is chosen among the others.
    pub fn share(&self, next: &Successor) -> f64 {
        next.chance / self.among
    }

    /// The men who would stand elsewhere at the end of the game if this were played here, and nothing else changed. That cannot be told by
    /// squares alone where a king castles or a pawn promotes.
    pub fn displaced_at_end(&self, next: &Successor) -> Option<Displacement> {
        if is_special(self.was.mv) || is_special(next.mv) {
            return None;
        }
        let mut displaced = Displacement::new(self.was.mv, next.mv);
        for step in &self.rest {
            displaced.translate(step.mv);
        }
        Some(displaced)
    }
}

/// Whether a move may be castling, which is written as the king taking his rook, or promotes.
fn is_special(mv: BoardMove) -> bool {
    let is_far = mv.from.file() == File::E && matches!(mv.to.file(), File::A | File::H);
    mv.promotion.is_some() || (is_far && mv.from.rank() == mv.to.rank())
}

impl<M: OpponentPolicy> ParticleFilter<M> {
    /// Any place in the last so many moves of the game that leads to a board of this generation.
    pub(super) fn crossroads(
        &mut self,
        generation: usize,
        step: u32,
        farthest: usize,
    ) -> Option<BranchPoint> {
        let ancestors = self.history.ancestors(generation, step, farthest + 1);
        if ancestors.len() < 2 {
            return None;
        }
        let at = self.rng.random_range(1..ancestors.len());
        let before = ancestors[at];
        let mut later = ancestors[..at].iter().rev().map(|place| *self.history.step(*place));
        let was = later.next()?;
        let rest = later.collect();
        let exchange = &self.history.exchanges[before.0];
        let start = *self.history.step(before);
        let position = exchange.own.replay(&start.board, &self.rules)?;
        let ParticleFilter { scratch, rules, model, .. } = self;
        let last = start.last();
        scratch.look(Turn { board: &position, last }, rules, exchange, model, usize::MAX, || 0.0);
        let seen = scratch.seen();
        let others = scratch.found.iter().filter(|next| next.mv != was.mv).copied();
        let others: Vec<Successor> = others.collect();
        let among = others.iter().map(|other| other.chance).sum();
        Some(BranchPoint { before, was, rest, others, among, seen })
    }

    /// Plays the game with another move here, and the same men to the same squares after it; if that is possible, and would have sounded the same.
    pub(super) fn exchange(
        &mut self,
        crossroads: &BranchPoint,
        next: Successor,
    ) -> Option<ExchangedTrajectory> {
        let mut displaced = Displacement::new(crossroads.was.mv, next.mv);
        let mut steps = vec![TrajectoryNode::of(next, Some(crossroads.seen))];
        // Whoever is likely is chosen often, and left often: what remains is how much is left beside each.
        let mut accept = crossroads.among / (crossroads.seen - next.chance).max(f64::EPSILON);
        debug_assert!(accept >= 0.0, "nothing is less likely than never");
        let (mut board, mut last) = (next.board, next.mv);
        for (number, old) in (crossroads.before.0 + 1..).zip(&crossroads.rest) {
            let exchange = &self.history.exchanges[number];
            let position = exchange.own.replay(&board, &self.rules)?;
            let mv = displaced.translate(old.mv);
            let ParticleFilter { scratch, rules, model, .. } = self;
            let next = scratch.follow(
                Turn { board: &position, last: Some(last) },
                rules,
                exchange,
                model,
                mv,
            )?;
            accept *= next.chance / old.chance;
            // What else could have been played here is not looked at.
            steps.push(TrajectoryNode::of(next, None));
            (board, last) = (next.board, next.mv);
        }
        Some(ExchangedTrajectory { steps, accept })
    }
}
