//! Several opponent types at once, with a posterior over them.

use std::sync::{Arc, LazyLock};

use cozy_chess::{BitBoard, Color, Move as BoardMove};
use krieg_core::Position;

use super::exp::exp;
use super::file::{self, OpponentMixtureError, OpponentType};
use super::hidden_layer::HiddenLayer;
use super::move_features::MoveFeatures;
use super::quantized::QuantizedNetwork;
use super::undefended::undefended_penalty;
use crate::{OpponentBoard, OpponentContext, OpponentPolicy};

#[cfg(test)]
mod tests;

/// Maximum number of opponent types: one for each lane of two registers of four numbers.
pub const MAX_OPPONENT_TYPES: usize = 8;

/// A number for each opponent type.
pub type PerType = [f32; MAX_OPPONENT_TYPES];

/// Share of uniformly random legal moves in the policy of every type.
const UNIFORM_SHARE: f32 = 0.01;
/// Exponent of the likelihood of one turn. It is less than 1 because the boards on which the
/// likelihood is computed are uncertain themselves. Half or twice this value gave no better
/// log-loss.
const LIKELIHOOD_EXPONENT: f64 = 0.5;
/// Share of the prior that is mixed into the posterior after each turn, so that the posterior
/// follows an opponent whose style changes.
const PRIOR_SHARE: f32 = 0.02;

/// An opponent of one of several types, each learned from games.
///
/// Each type is a policy: the probability of a move is the softmax of the logits of all legal
/// moves. The posterior over the types is updated by Bayes' rule after each move of the opponent.
///
/// ```
/// use krieg_belief::{OpponentPolicy, OpponentMixture, OpponentContext};
/// use krieg_core::Position;
/// let mut opponents = OpponentMixture::default();
/// let start = Position::start();
/// let moves = ["e2e4", "g1f3", "h2h4"].map(|mv| start.board_move(mv.parse().unwrap()));
/// let mut weights = Vec::new();
/// opponents.weigh_moves(&start, &OpponentContext::default(), &moves, &mut weights);
/// assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-6);
/// assert_eq!(opponents.posterior(), opponents.prior());
/// ```
#[derive(Debug, Clone)]
pub struct OpponentMixture {
    names: Vec<String>,
    network: Arc<QuantizedNetwork>,
    prior: PerType,
    posterior: PerType,
    /// The likelihood of this turn's observation for each type, up to a common factor.
    likelihood: [f64; MAX_OPPONENT_TYPES],
    /// For each move that was weighed last, its probability by each type, up to a factor for each
    /// type: the exponential function of its logit minus the largest logit.
    unnormalized: Vec<PerType>,
    /// The factors that make probabilities of these.
    normalizers: PerType,
    /// The part of every move's probability that is due to [`UNIFORM_SHARE`].
    uniform_part: f32,
}

static BUILT_IN: LazyLock<OpponentMixture> = LazyLock::new(|| {
    OpponentMixture::read(include_str!("../../opponents.txt")).expect("the built-in file is valid")
});

impl Default for OpponentMixture {
    /// The built-in types, learned from games of the arena (`docs/beliefs.md`).
    fn default() -> Self {
        BUILT_IN.clone()
    }
}

impl OpponentMixture {
    /// A mixture of these types with their priors, which need not sum to 1.
    pub fn new(
        types: &[OpponentType],
        hidden_layer: HiddenLayer,
    ) -> Result<Self, OpponentMixtureError> {
        let count = types.len();
        if count == 0 || count > MAX_OPPONENT_TYPES {
            return Err(OpponentMixtureError::TypeCount(count));
        }
        let mut prior = [0.0; MAX_OPPONENT_TYPES];
        prior.iter_mut().zip(types).for_each(|(prior, one)| *prior = one.prior);
        let prior = normalized(prior);
        Ok(OpponentMixture {
            names: types.iter().map(|one| one.name.clone()).collect(),
            network: Arc::new(QuantizedNetwork::new(types.to_vec(), hidden_layer)),
            prior,
            posterior: prior,
            likelihood: [0.0; MAX_OPPONENT_TYPES],
            unnormalized: Vec::new(),
            normalizers: [0.0; MAX_OPPONENT_TYPES],
            uniform_part: 0.0,
        })
    }

    /// Reads a mixture from the [text format](mod@file).
    pub fn read(text: &str) -> Result<Self, OpponentMixtureError> {
        let (types, hidden_layer) = file::read(text)?;
        OpponentMixture::new(&types, hidden_layer)
    }

    /// Writes the mixture in the [text format](mod@file), with the prior.
    #[must_use]
    pub fn write(&self) -> String {
        file::write(&self.types(), self.hidden_layer())
    }

    /// The types with their priors.
    #[must_use]
    pub fn types(&self) -> Vec<OpponentType> {
        let with_prior = |(one, prior): (&OpponentType, f32)| OpponentType { prior, ..one.clone() };
        self.network.types().iter().zip(self.prior).map(with_prior).collect()
    }

    /// The hidden layer, which all types share.
    #[must_use]
    pub fn hidden_layer(&self) -> &HiddenLayer {
        self.network.hidden_layer()
    }

    /// The names of the types.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The posterior probability of each type, given the observations so far.
    #[must_use]
    pub fn posterior(&self) -> &[f32] {
        &self.posterior[..self.names.len()]
    }

    /// The prior probability of each type.
    #[must_use]
    pub fn prior(&self) -> &[f32] {
        &self.prior[..self.names.len()]
    }

    /// The same types with another prior, which need not sum to 1. Missing and invalid weights
    /// count as 0; if all are 0, the prior is unchanged.
    #[must_use]
    pub fn with_prior(mut self, weights: &[f32]) -> Self {
        let mut prior = [0.0; MAX_OPPONENT_TYPES];
        for (weight, given) in prior.iter_mut().zip(weights).take(self.names.len()) {
            *weight = if given.is_finite() { given.max(0.0) } else { 0.0 };
        }
        if prior.iter().sum::<f32>() > 0.0 {
            self.prior = normalized(prior);
            self.posterior = self.prior;
        }
        self
    }

    /// The mixture with only the type of this name.
    pub fn only(self, name: &str) -> Result<Self, OpponentMixtureError> {
        self.filtered(name, |one| one.name == name)
    }

    /// The mixture without the type of this name.
    pub fn without(self, name: &str) -> Result<Self, OpponentMixtureError> {
        self.filtered(name, |one| one.name != name)
    }

    fn filtered(
        self,
        name: &str,
        predicate: impl Fn(&OpponentType) -> bool,
    ) -> Result<Self, OpponentMixtureError> {
        if !self.names.iter().any(|known| known == name) {
            return Err(OpponentMixtureError::UnknownType(krieg_core::excerpt(name)));
        }
        let types: Vec<OpponentType> = self.types().into_iter().filter(predicate).collect();
        OpponentMixture::new(&types, self.hidden_layer().clone())
    }

    /// The probability, by each type, of one of the moves that were weighed last.
    pub(super) fn probabilities(&self, index: usize) -> PerType {
        let mut probabilities = self.unnormalized[index];
        for (probability, normalizer) in probabilities.iter_mut().zip(self.normalizers) {
            *probability = *probability * normalizer * (1.0 - UNIFORM_SHARE) + self.uniform_part;
        }
        probabilities
    }

    /// Computes the softmax over these moves for each type.
    fn evaluate(&mut self, position: &Position, context: &OpponentContext, moves: &[BoardMove]) {
        let OpponentMixture { network, unnormalized, .. } = self;
        let features = MoveFeatures::new(position.board(), context, moves);
        let board_sums = network.board_sums(position.board(), context);
        unnormalized.clear();
        let mut largest = [f32::MIN; MAX_OPPONENT_TYPES];
        for mv in moves {
            let logits = network.logits(&board_sums, &features, *mv);
            for (largest, logit) in largest.iter_mut().zip(logits) {
                *largest = largest.max(logit);
            }
            unnormalized.push(logits);
        }
        // The largest logit is subtracted, so that nothing overflows.
        let mut sums = [0.0; MAX_OPPONENT_TYPES];
        for of_move in unnormalized.iter_mut() {
            for ((value, largest), sum) in of_move.iter_mut().zip(largest).zip(&mut sums) {
                *value = exp(*value - largest);
                *sum += *value;
            }
        }
        self.normalizers = sums.map(|sum| 1.0 / sum.max(1.0));
        self.uniform_part = UNIFORM_SHARE / moves.len().max(1) as f32;
    }
}

fn normalized(weights: PerType) -> PerType {
    let sum: f32 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

impl OpponentPolicy for OpponentMixture {
    fn weigh_moves(
        &mut self,
        position: &Position,
        context: &OpponentContext,
        moves: &[BoardMove],
        weights: &mut Vec<f64>,
    ) {
        self.evaluate(position, context, moves);
        let mut factors = self.posterior;
        for (factor, normalizer) in factors.iter_mut().zip(self.normalizers) {
            *factor *= normalizer * (1.0 - UNIFORM_SHARE);
        }
        let uniform_part = self.uniform_part;
        weights.extend(self.unnormalized.iter().map(|of_move| {
            let mut parts = *of_move;
            for (part, factor) in parts.iter_mut().zip(factors) {
                *part *= factor;
            }
            f64::from(parts.iter().sum::<f32>() + uniform_part)
        }));
    }

    fn add_evidence(&mut self, board_weight: f64, consistent: &[(usize, f64)]) {
        for &(index, multiplicity) in consistent {
            let probabilities = self.probabilities(index);
            for (likelihood, probability) in self.likelihood.iter_mut().zip(probabilities) {
                *likelihood += board_weight * multiplicity * f64::from(probability);
            }
        }
    }

    fn update_posterior(&mut self) {
        let likelihood = std::mem::take(&mut self.likelihood);
        let best = likelihood.iter().copied().fold(0.0, f64::max);
        // If no board explained the observation, it says nothing about the opponent.
        if best.is_normal() {
            for (weight, likelihood) in self.posterior.iter_mut().zip(likelihood) {
                *weight *= (likelihood / best).powf(LIKELIHOOD_EXPONENT) as f32;
            }
            self.posterior = normalized(self.posterior);
            for (weight, prior) in self.posterior.iter_mut().zip(self.prior) {
                *weight += PRIOR_SHARE * (prior - *weight);
            }
        }
    }

    fn board_penalty(&self, board: &OpponentBoard, own: BitBoard, color: Color) -> f64 {
        undefended_penalty(board, own, color)
    }

    fn mixture(&self) -> Option<&OpponentMixture> {
        Some(self)
    }
}
