//! What keeps the boards different from each other.
//!
//! Every board is thinned out of many, so after some moves all that are left descend from a few, and are alike in what happened long ago. Two
//! ways lead from one possible game to another: to live through the last moves again, and to exchange a single move for another one and keep the
//! rest. Both change games so that each comes up as often as it is likely (Metropolis and Hastings), and neither lets in a board that does not fit
//! everything heard.

use rand::RngExt;

use super::trajectory::TrajectoryNode;
use super::turn::Turn;
use super::{Particle, ParticleFilter, WeightedSampler, resample};
use crate::{OpponentBoard, OpponentPolicy};

/// So many moves back at most one of them is exchanged.
const FARTHEST: usize = 24;
/// So many moves back at most a game is lived through again.
const LONGEST: usize = 8;

/// A game that ends otherwise.
struct Other {
    /// The number of the board at which it leaves the known ones.
    from: u32,
    steps: Vec<TrajectoryNode>,
    /// How likely it is to be taken in place of the one it came from.
    accept: f64,
}

impl<M: OpponentPolicy> ParticleFilter<M> {
    /// Finds other boards near those that there are, as many as there is room for, until so many have been looked at.
    pub(super) fn freshen(&mut self, budget: usize) {
        self.scratch.looked_at = 0;
        let drawing = WeightedSampler::of(&self.living);
        let room = self.most.saturating_sub(self.living.len());
        let mut others: Vec<Particle> = Vec::new();
        let mut stayed = vec![0u32; self.living.len()];
        let mut tried = 0;
        while self.scratch.looked_at < budget && tried < room && !self.pace.is_late() {
            tried += 1;
            self.scratch.looked_at += 1;
            let number = drawing.draw(self.rng.random());
            let step = self.living[number].step;
            let again = self.rng.random_bool(0.5);
            let other = if again { self.relive(step) } else { self.jitter(step) };
            let accepted = other.filter(|other| self.rng.random::<f64>() < other.accept);
            match accepted.and_then(|other| self.take(other)) {
                Some(other) => {
                    others.push(other);
                    self.care.regenerated += u64::from(again);
                    self.care.exchanged += u64::from(!again);
                }
                None => stayed[number] += 1,
            }
        }
        self.mix(others, &stayed, tried);
    }

    /// Takes a game in, if it fits the own turn so far.
    fn take(&mut self, other: Other) -> Option<Particle> {
        let now = self.own.replay(&other.steps.last()?.board, &self.rules)?;
        let board = OpponentBoard::of(&now, !self.view.player());
        let step = self.history.graft(other.from, &other.steps);
        Some(Particle { step, board, weight: 0.0 })
    }

    /// Puts the boards that were there and those that were found together, each group with as much weight as it has members. Whoever stayed where he
    /// was when another was looked for counts among those found.
    fn mix(&mut self, others: Vec<Particle>, stayed: &[u32], tried: usize) {
        let each = 1.0 / (self.living.len() + tried) as f64;
        let part = self.living.len() as f64 * each;
        for (living, stayed) in self.living.iter_mut().zip(stayed) {
            living.weight = living.weight * part + f64::from(*stayed) * each;
        }
        self.living.extend(others.into_iter().map(|other| Particle { weight: each, ..other }));
    }

    /// Keeps no more boards than so many.
    pub(super) fn thin(&mut self, most: usize) {
        let weights: Vec<f64> = self.living.iter().map(|living| living.weight).collect();
        let chosen = resample::choose(&weights, most, self.rng.random());
        let chosen = chosen.into_iter();
        self.living =
            chosen.map(|(number, weight)| Particle { weight, ..self.living[number] }).collect();
    }

    /// Lives through the last few exchanges again.
    fn relive(&mut self, step: u32) -> Option<Other> {
        let back = self.rng.random_range(1..=LONGEST);
        let ancestors = self.history.ancestors(self.history.now(), step, back + 1);
        let (&(generation, from), since) = ancestors.split_last()?;
        if since.is_empty() {
            return None;
        }
        let old = since.iter().map(|place| self.seen_at(*place)).sum::<Option<f64>>()?;
        let first = self.history.step((generation, from));
        let (mut board, mut last) = (first.board, first.last());
        let (mut steps, mut new) = (Vec::with_capacity(since.len()), 0.0);
        for exchange in &self.history.exchanges[generation..] {
            let position = exchange.own.replay(&board, &self.rules)?;
            let ParticleFilter { scratch, rules, model, rng, .. } = self;
            scratch.look(
                Turn { board: &position, last },
                rules,
                exchange,
                model,
                usize::MAX,
                || 0.0,
            );
            let (next, seen) = (scratch.draw(rng.random())?, scratch.seen());
            new += seen.ln();
            steps.push(TrajectoryNode::of(next, Some(seen)));
            (board, last) = (next.board, Some(next.mv));
        }
        Some(Other { from, steps, accept: (new - old).exp() })
    }

    /// The logarithm of how likely what was heard was to be heard on the board before this one.
    fn seen_at(&mut self, place: (usize, u32)) -> Option<f64> {
        let step = *self.history.step(place);
        if let Some(seen) = step.seen {
            return Some(seen.ln());
        }
        let generation = place.0.checked_sub(1)?;
        let exchange = &self.history.exchanges[generation];
        let before = *self.history.step((generation, step.parent));
        let position = exchange.own.replay(&before.board, &self.rules)?;
        let ParticleFilter { scratch, rules, model, .. } = self;
        let last = before.last();
        scratch.look(Turn { board: &position, last }, rules, exchange, model, usize::MAX, || 0.0);
        Some(scratch.seen().ln())
    }

    /// Exchanges one move for another, and keeps those after it.
    fn jitter(&mut self, step: u32) -> Option<Other> {
        let crossroads = self.crossroads(self.history.now(), step, FARTHEST)?;
        let mut at = self.rng.random::<f64>();
        let passes = |next: &&super::turn::Successor| {
            at -= crossroads.share(next);
            at < 0.0
        };
        let next = *crossroads.others.iter().find(passes).or(crossroads.others.last())?;
        let exchanged = self.exchange(&crossroads, next)?;
        Some(Other { from: crossroads.before.1, steps: exchanged.steps, accept: exchanged.accept })
    }
}
