//! Something was heard that hardly any board explains. Then games that fit everything before are looked through for one move which, had it been
//! another, would explain it.
//!
//! It is the exchange of a move as in [`freshen`](super::freshen), made before the last step and not after it, tried for all moves that could
//! stand in the place of one, and looked at from the end: whether the men would stand right now is seen fast, whether the whole game still
//! fits is asked only then.

use std::cell::Cell;

use rand::RngExt;

use super::trajectory::TrajectoryNode;
use super::turn::Turn;
use super::{Particle, ParticleFilter, WeightedSampler};
use crate::{OpponentBoard, OpponentPolicy};

/// So many moves back at most one of them is exchanged.
const FARTHEST: usize = 40;

/// A game that explains what was heard.
struct RepairedTrajectory {
    from: u32,
    steps: Vec<TrajectoryNode>,
    board: OpponentBoard,
    /// How likely it is, in parts of what the games it was made from weigh_moves together.
    weight: f64,
}

impl<M: OpponentPolicy> ParticleFilter<M> {
    /// Looks for games near those that were possible before, until so many boards have been looked at, and takes in those that explain everything.
    pub(super) fn repair(&mut self, budget: usize) {
        self.scratch.looked_at = 0;
        let drawing = WeightedSampler::of(&self.before.living);
        let (mut found, mut tries) = (Vec::new(), 0u32);
        while self.scratch.looked_at < budget && found.len() < self.most && !self.pace.is_late() {
            tries += 1;
            self.scratch.looked_at += 1;
            let step = self.before.living[drawing.draw(self.rng.random())].step;
            self.repair_one(step, &mut found);
        }
        // Those found count as much beside those that were left as was tried beside what was there before. Hardly any game that was left
        // would have been exchanged for another, so it stays as it is.
        let part = f64::from(tries) / (self.before.living.len() as f64 + f64::from(tries));
        self.care.repaired += found.len() as u64;
        for RepairedTrajectory { from, steps, board, weight } in found {
            let step = self.history.graft(from, &steps);
            let weight = weight * part / f64::from(tries);
            self.living.push(Particle { step, board, weight });
        }
    }

    /// Tries all moves in the place of one of a game's.
    fn repair_one(&mut self, step: u32, found: &mut Vec<RepairedTrajectory>) -> Option<()> {
        let generation = self.before.generation;
        let end = self.history.step((generation, step)).board;
        let crossroads = self.crossroads(generation, step, FARTHEST)?;
        for next in &crossroads.others {
            // Where the end is not foreseen, every one of them is a game of forty moves to be played through.
            if self.pace.is_late() {
                break;
            }
            let displaced = crossroads.displaced_at_end(next);
            if displaced.is_some_and(|displaced| !self.would_explain(&displaced.put(&end))) {
                continue;
            }
            let Some(exchanged) = self.exchange(&crossroads, *next) else { continue };
            let mut steps = exchanged.steps;
            let weight = crossroads.share(next) * exchanged.accept.min(1.0);
            let Some((last, board)) = steps.last().and_then(|end| self.explain(end)) else {
                continue;
            };
            let seen = last.and_then(|last| last.seen).unwrap_or(1.0);
            steps.extend(last);
            let from = crossroads.before.1;
            found.push(RepairedTrajectory { from, steps, board, weight: weight * seen });
        }
        Some(())
    }

    /// Whether the last thing heard was a move of the opponent's.
    pub(super) fn is_new(&self) -> bool {
        self.before.generation < self.history.now()
    }

    /// Whether what was heard last can be heard on such a board, in the generation before.
    pub(super) fn would_explain(&mut self, board: &OpponentBoard) -> bool {
        self.scratch.looked_at += 1;
        if !self.is_new() {
            return self.own.replay(board, &self.rules).is_some();
        }
        let Some(exchange) = self.history.exchanges.last() else { return false };
        let Some(position) = exchange.own.replay(board, &self.rules) else { return false };
        // One move is enough.
        let explains = Cell::new(false);
        let (turn, said) = (&exchange.enemy, &exchange.said);
        let goes_on = || !explains.get();
        self.rules.for_each_successor(&position, turn, said, goes_on, |_, _| explains.set(true));
        explains.get()
    }

    /// The board now, if a board of the generation before explains what was heard; and the step to it, if the opponent has moved since. One of the moves that fit
    /// stands for all of them.
    pub(super) fn explain(
        &mut self,
        end: &TrajectoryNode,
    ) -> Option<(Option<TrajectoryNode>, OpponentBoard)> {
        if !self.is_new() {
            let now = self.own.replay(&end.board, &self.rules)?;
            return Some((None, OpponentBoard::of(&now, !self.view.player())));
        }
        let exchange = self.history.exchanges.last()?;
        let position = exchange.own.replay(&end.board, &self.rules)?;
        let ParticleFilter { scratch, rules, model, rng, .. } = self;
        scratch.look(
            Turn { board: &position, last: end.last() },
            rules,
            exchange,
            model,
            usize::MAX,
            || 0.0,
        );
        let next = scratch.draw(rng.random())?;
        Some((Some(TrajectoryNode::of(next, Some(scratch.seen()))), next.board))
    }
}
