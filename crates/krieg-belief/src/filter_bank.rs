//! A bank of particle filters: one for each group of opponent types, weighted by their evidence.
//!
//! A filter whose boards were predicted by one policy says little about other policies: on its
//! boards the opponent has always moved as predicted. So the posterior within one filter hardly
//! notices that all its types are wrong. Two filters compete: each predicts every announcement, and
//! Bayes' rule compares the predictions (multiple-model estimation; Magill, 1965). One member has
//! the fitted types, the other the plain types, which are right about a player without a plan.

use std::time::Instant;

use cozy_chess::{Move as BoardMove, Square};
use krieg_core::{Color, Observation, Position, Setup, Verdict, View};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use crate::{
    Belief, Contradiction, Deadline, Densities, OpponentBoard, OpponentContext, OpponentMap,
    OpponentMixture, ParticleFilter, WeightedBelief,
};

/// Exponent of the likelihood of an announcement, as in the posterior of a mixture: the boards on
/// which it is computed are uncertain themselves.
const LIKELIHOOD_EXPONENT: f64 = 0.5;
/// Share of the evidence that is forgotten after each move of the opponent.
const FORGETTING: f64 = 0.03;
/// Minimum weight of a member's boards, however surprising the announcements are to it (a defensive
/// mixture). With a minimum of 0.15 the belief about `greedy` was worse than that of a filter with
/// plain types alone, by half a nat per turn.
const MIN_WEIGHT: f64 = 0.25;

/// A filter with its evidence.
struct Member {
    filter: ParticleFilter<OpponentMixture>,
    /// The indices of the filter's types among all types.
    types: Vec<usize>,
    /// The prior probability of these types.
    prior: f64,
    /// The discounted logarithm of the likelihood of all announcements, up to a constant that all
    /// members share.
    log_likelihood: f64,
    /// The evidence of the filter that is contained in it.
    seen_evidence: f64,
}

/// Several particle filters, each with its own group of opponent types.
///
/// ```
/// use krieg_belief::{Belief, Densities, FilterBank, OpponentMixture, WeightedBelief};
/// use krieg_core::{Color, Setup};
/// let opponents = OpponentMixture::default().with_strangers();
/// let bank =
///     FilterBank::new(&Setup::default(), Color::White, 1_000, opponents, Densities::default(), 1);
/// assert_eq!(bank.weights().len(), 2);
/// assert!((bank.weights().iter().sum::<f64>() - 1.0).abs() < 1e-9);
/// ```
pub struct FilterBank {
    members: Vec<Member>,
    /// All types, with the posterior of all members.
    mixture: OpponentMixture,
    deadline: Option<Deadline>,
}

impl FilterBank {
    /// The belief of a player at the start of a game. All members together have at most this number
    /// of particles. Each group of types in the mixture gets a filter.
    #[must_use]
    pub fn new(
        setup: &Setup,
        player: Color,
        capacity: usize,
        opponents: OpponentMixture,
        densities: Densities,
        seed: u64,
    ) -> Self {
        let groups = opponents.groups();
        // Equal shares: with few boards, a member whose weight is low could not come back.
        let capacity = capacity.div_ceil(groups.len().max(1));
        let member = |(number, group): (u64, Vec<usize>)| {
            let prior: f32 = group.iter().map(|index| opponents.prior()[*index]).sum();
            let model = opponents.group(&group);
            let seed = seed ^ number;
            let densities = densities.clone();
            let filter = ParticleFilter::new(setup, player, capacity, model, densities, seed);
            let (prior, log_likelihood, seen_evidence) = (f64::from(prior), 0.0, 0.0);
            Member { filter, types: group, prior, log_likelihood, seen_evidence }
        };
        let members = (0..).zip(groups).map(member).collect();
        FilterBank { members, mixture: opponents, deadline: None }
    }

    /// Sets the boards examined per particle of capacity and turn for repair and rejuvenation; 0
    /// disables both.
    #[must_use]
    pub fn with_rejuvenation(mut self, boards_per_particle: f64) -> Self {
        let set = |mut member: Member| {
            member.filter = member.filter.with_rejuvenation(boards_per_particle);
            member
        };
        self.members = self.members.into_iter().map(set).collect();
        self
    }

    /// The posterior probability of each member's types. A search needs it: to expect random moves
    /// of an opponent who plans is costly, so the prior of players without a plan is low.
    #[must_use]
    pub fn posterior(&self) -> Vec<f64> {
        self.posterior_with(|member| member.prior)
    }

    /// The weight of each member's boards. They sum to 1. All members have the same prior here, and
    /// no weight is less than a quarter: boards that both kinds of players can have reached are
    /// right about more opponents.
    #[must_use]
    pub fn weights(&self) -> Vec<f64> {
        // A single member has the weight 1.
        let min = MIN_WEIGHT.min(1.0 / self.members.len() as f64);
        let rest = 1.0 - min * self.members.len() as f64;
        self.posterior_with(|_| 1.0).into_iter().map(|weight| min + rest * weight).collect()
    }

    fn posterior_with(&self, prior: impl Fn(&Member) -> f64) -> Vec<f64> {
        let each = self.members.iter().map(|member| member.log_likelihood);
        let highest = each.fold(f64::MIN, f64::max);
        let weight = |one: &Member| prior(one) * (one.log_likelihood - highest).exp();
        let weights: Vec<f64> = self.members.iter().map(weight).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }

    /// The members that know a board, with their weights, which sum to 1.
    fn known(&self) -> impl Iterator<Item = (&Member, f64)> {
        let weights = self.weights();
        let is_known = |member: &Member| !member.filter.is_empty();
        let each = self.members.iter().zip(&weights);
        let sum: f64 = each.filter(|(one, _)| is_known(one)).map(|(_, weight)| weight).sum();
        let each = self.members.iter().zip(weights);
        each.filter(move |(one, _)| is_known(one)).map(move |(one, weight)| (one, weight / sum))
    }

    /// Adds the evidence of the last observation.
    fn update_posterior(&mut self, is_opponent_move: bool) {
        for member in &mut self.members {
            let evidence = member.filter.log_evidence();
            member.log_likelihood += LIKELIHOOD_EXPONENT * (evidence - member.seen_evidence);
            member.seen_evidence = evidence;
            if is_opponent_move {
                member.log_likelihood *= 1.0 - FORGETTING;
            }
        }
        let mut posterior = vec![0.0; self.mixture.names().len()];
        for (member, weight) in self.members.iter().zip(self.posterior()) {
            for (index, probability) in member.types.iter().zip(member.filter.model().posterior()) {
                posterior[*index] = weight as f32 * probability;
            }
        }
        self.mixture.set_posterior(&posterior);
    }
}

impl Belief for FilterBank {
    fn observe(&mut self, observation: &Observation) -> Result<(), Contradiction> {
        let announcement = &observation.announcement;
        let player = self.view().player();
        let is_opponent_move = announcement.verdict == Verdict::Moved && announcement.by != player;
        let (mut result, count) = (Err(Contradiction(*announcement)), self.members.len());
        for (number, member) in self.members.iter_mut().enumerate() {
            // The members that are left share the time.
            let left = (count - number) as u32;
            let now = Instant::now();
            let share = |end: Instant| now + end.saturating_duration_since(now) / left;
            member.filter.set_deadline(self.deadline.map(|deadline| Deadline {
                soft: share(deadline.soft),
                hard: share(deadline.hard),
            }));
            result = member.filter.observe(observation).or(result);
        }
        self.update_posterior(is_opponent_move);
        result
    }

    fn sample(&mut self, count: usize, rng: &mut dyn Rng) -> Vec<Position> {
        self.sample_with_last_moves(count, rng).into_iter().map(|(board, _)| board).collect()
    }

    fn set_deadline(&mut self, deadline: Option<Deadline>) -> bool {
        self.deadline = deadline;
        true
    }

    fn board_count(&self) -> Option<usize> {
        Some(self.members.iter().map(|member| member.filter.len()).sum())
    }

    fn marginals(&self) -> OpponentMap {
        OpponentMap::of(self.weighted_boards())
    }
}

impl WeightedBelief for FilterBank {
    fn view(&self) -> &View {
        self.members[0].filter.view()
    }

    fn weighted_boards(&self) -> Box<dyn Iterator<Item = (OpponentBoard, f64)> + '_> {
        Box::new(self.known().flat_map(|(member, share)| {
            let boards = member.filter.weighted_boards();
            boards.map(move |(board, weight)| (board, share * weight))
        }))
    }

    fn is_complete(&self) -> bool {
        self.members.iter().any(|member| member.filter.is_complete())
    }

    fn sample_with_last_moves(
        &self,
        count: usize,
        rng: &mut dyn Rng,
    ) -> Vec<(Position, Option<BoardMove>)> {
        let (mut drawn, mut share_left) = (Vec::with_capacity(count), 1.0);
        for (member, share) in self.known() {
            let left = count.saturating_sub(drawn.len());
            // A random rounding keeps the shares right on average.
            let here = left as f64 * (share / share_left).min(1.0) + rng.random::<f64>();
            share_left -= share;
            let here = if share_left <= 1e-9 { left } else { (here as usize).min(left) };
            drawn.extend(member.filter.sample_with_last_moves(here, rng));
        }
        drawn.shuffle(rng);
        drawn
    }

    fn opponent_context(&self) -> OpponentContext {
        self.members[0].filter.opponent_context()
    }

    fn opponent_context_to_move(&self) -> Option<OpponentContext> {
        self.members[0].filter.opponent_context_to_move()
    }

    fn opponent_mixture(&self) -> Option<&OpponentMixture> {
        Some(&self.mixture)
    }

    fn destination_probabilities(&mut self) -> Option<[f64; Square::NUM]> {
        let shares = self.weights();
        let (mut sums, mut total) = ([0.0; Square::NUM], 0.0);
        for (member, share) in self.members.iter_mut().zip(shares) {
            let Some(probabilities) = member.filter.destination_probabilities() else { continue };
            sums.iter_mut().zip(probabilities).for_each(|(sum, one)| *sum += share * one);
            total += share;
        }
        (total > 0.0).then(|| sums.map(|sum| sum / total))
    }
}

#[cfg(test)]
mod tests;
