//! The candidates: their outcomes, their values so far, and which outcome is evaluated next.

use krieg_core::{Color, Move};

use super::outcomes::{Outcome, OutcomeWeights};

/// A try that the search compares with others.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub mv: Move,
    /// The logarithm of its probability by the policy of the network.
    log_prior: f64,
    outcomes: Vec<EvaluatedOutcome>,
}

#[derive(Debug, Clone)]
struct EvaluatedOutcome {
    outcome: Outcome,
    probability: f64,
    /// The player's expected score, once it is known.
    value: Option<f64>,
}

impl Candidate {
    /// A try with this prior probability and these outcomes. The values of outcomes that end the
    /// game are known.
    pub fn new(mv: Move, prior: f64, weights: OutcomeWeights, player: Color) -> Self {
        let sum: f64 = weights.0.iter().map(|(_, weight)| weight).sum();
        let evaluated = |(outcome, weight): (Outcome, f64)| EvaluatedOutcome {
            outcome,
            probability: weight / sum,
            value: outcome.final_score(player),
        };
        let outcomes = weights.0.into_iter().map(evaluated).collect();
        Candidate { mv, log_prior: prior.ln(), outcomes }
    }

    /// The expected score. Outcomes that were not evaluated count as `unknown`.
    pub fn value(&self, unknown: f64) -> f64 {
        self.outcomes.iter().map(|one| one.probability * one.value.unwrap_or(unknown)).sum()
    }

    /// The logit of the improved policy. It maximizes the expected score, less the divergence from
    /// the policy of the network times `regularization`.
    pub fn logit(&self, unknown: f64, regularization: f64) -> f64 {
        self.log_prior + self.value(unknown) / regularization
    }
}

/// The candidates of a decision.
#[derive(Debug, Clone)]
pub struct Candidates {
    pub all: Vec<Candidate>,
    /// The expected score before the try, which counts for outcomes that are not evaluated.
    pub unknown: f64,
    pub regularization: f64,
}

impl Candidates {
    /// The improved policy at this temperature, up to a common factor.
    pub fn weights(&self, temperature: f64) -> Vec<f64> {
        let logit = |one: &Candidate| one.logit(self.unknown, self.regularization);
        let max = self.all.iter().map(logit).fold(f64::MIN, f64::max);
        let weight = |one| ((logit(one) - max) / temperature).exp();
        self.all.iter().map(weight).collect()
    }

    /// The outcome to evaluate next, with its try: the one with the greatest probability if tries
    /// are drawn from the improved policy. `None` if all are known.
    pub fn next(&mut self) -> Option<(Move, Outcome, &mut Option<f64>)> {
        let weights = self.weights(1.0);
        let unknown = self.all.iter_mut().zip(weights).flat_map(|(candidate, weight)| {
            let mv = candidate.mv;
            candidate
                .outcomes
                .iter_mut()
                .filter(|one| one.value.is_none())
                .map(move |one| (weight * one.probability, (mv, one.outcome, &mut one.value)))
        });
        unknown.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, next)| next)
    }
}
