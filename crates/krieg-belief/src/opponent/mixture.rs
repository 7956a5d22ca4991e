//! Several opponent types at once, with a posterior over them.

use std::sync::{Arc, LazyLock};

use cozy_chess::{BitBoard, Color, Move as BoardMove};
use krieg_core::Position;

use super::file::{self, OpponentMixtureError, OpponentType};
use super::hidden_layer::HiddenLayer;
use super::move_probabilities::MoveProbabilities;
use super::quantized::QuantizedNetwork;
use super::type_rule::{PLAIN_TYPES, RECAPTURING_SUFFIX, TypeRule};
use super::undefended::undefended_penalty;
use crate::{OpponentBoard, OpponentContext, OpponentPolicy};

#[cfg(test)]
mod tests;

/// Maximum number of opponent types: one for each lane of two registers of four numbers.
pub const MAX_OPPONENT_TYPES: usize = 8;

/// A number for each opponent type.
pub type PerType = [f32; MAX_OPPONENT_TYPES];

/// Exponent of the likelihood of one turn. It is less than 1 because the boards on which the
/// likelihood is computed are uncertain themselves. Half or twice this value gave no better
/// log-loss.
const LIKELIHOOD_EXPONENT: f64 = 0.5;
/// Share of a fitted type's prior that its variant who always recaptures gets.
const RECAPTURING_SHARE: f32 = 0.4;
/// Prior probability that the opponent is of a plain type.
const PLAIN_SHARE: f32 = 0.1;
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
    /// The rule of each type. The fitted types come first, in the order of the network.
    rules: Vec<TypeRule>,
    network: Arc<QuantizedNetwork>,
    prior: Vec<f32>,
    posterior: Vec<f32>,
    /// The likelihood of this turn's observation for each type, up to a common factor.
    likelihood: Vec<f64>,
    /// The moves that were weighed last.
    moves: MoveProbabilities,
    /// The share of the penalty for undefended pieces, by the posterior.
    penalty_share: f64,
    /// Whether any type uses the network.
    needs_network: bool,
    /// Whether there are types for strangers.
    has_strangers: bool,
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
        let network = Arc::new(QuantizedNetwork::new(types.to_vec(), hidden_layer));
        let names = types.iter().map(|one| one.name.clone()).collect();
        let rules = (0..count).map(TypeRule::Fitted).collect();
        let prior = types.iter().map(|one| one.prior).collect();
        Ok(OpponentMixture::with_rules(network, names, rules, prior))
    }

    /// A mixture of types with these names, rules and priors, which need not sum to 1.
    fn with_rules(
        network: Arc<QuantizedNetwork>,
        names: Vec<String>,
        rules: Vec<TypeRule>,
        mut prior: Vec<f32>,
    ) -> Self {
        normalize(&mut prior);
        let needs_network = rules.iter().any(|rule| !matches!(rule, TypeRule::Plain(_)));
        let mut mixture = OpponentMixture {
            network,
            posterior: prior.clone(),
            likelihood: vec![0.0; names.len()],
            prior,
            names,
            rules,
            moves: MoveProbabilities::default(),
            penalty_share: 0.0,
            needs_network,
            has_strangers: false,
        };
        mixture.update_penalty_share();
        mixture
    }

    /// The mixture with a variant of each fitted type that recaptures whenever it is possible.
    #[must_use]
    pub fn with_recapturing_variants(self) -> Self {
        let OpponentMixture { network, mut names, mut rules, mut prior, .. } = self;
        let fitted = network.types().len();
        names.truncate(fitted);
        rules.truncate(fitted);
        prior.truncate(fitted);
        for index in 0..fitted {
            names.push(format!("{}{RECAPTURING_SUFFIX}", names[index]));
            rules.push(TypeRule::Recapturing(index));
            prior.push(prior[index] * RECAPTURING_SHARE);
            prior[index] *= 1.0 - RECAPTURING_SHARE;
        }
        OpponentMixture::with_rules(network, names, rules, prior)
    }

    /// The mixture with types for strangers beside the fitted ones: their
    /// [recapturing variants](Self::with_recapturing_variants) and the [plain types](PLAIN_TYPES).
    #[must_use]
    pub fn with_strangers(self) -> Self {
        let OpponentMixture { network, mut names, mut rules, mut prior, .. } =
            self.with_recapturing_variants();
        prior.iter_mut().for_each(|prior| *prior *= 1.0 - PLAIN_SHARE);
        let sum: f32 = PLAIN_TYPES.iter().map(|plain| plain.prior).sum();
        for plain in PLAIN_TYPES {
            names.push(plain.name.to_string());
            rules.push(TypeRule::Plain(plain.policy));
            prior.push(PLAIN_SHARE * plain.prior / sum);
        }
        OpponentMixture::with_rules(network, names, rules, prior).marked_as_robust()
    }

    /// The same mixture with the mark that it has types for strangers.
    fn marked_as_robust(mut self) -> Self {
        self.has_strangers = true;
        self.update_penalty_share();
        self
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

    /// The fitted types with their priors.
    #[must_use]
    pub fn types(&self) -> Vec<OpponentType> {
        let with_prior =
            |(one, prior): (&OpponentType, &f32)| OpponentType { prior: *prior, ..one.clone() };
        self.network.types().iter().zip(&self.prior).map(with_prior).collect()
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
        &self.posterior
    }

    /// The prior probability of each type.
    #[must_use]
    pub fn prior(&self) -> &[f32] {
        &self.prior
    }

    /// Whether there are [types for strangers](Self::with_strangers) beside the fitted ones.
    #[must_use]
    pub fn has_strangers(&self) -> bool {
        self.has_strangers
    }

    /// Replaces the posterior. There is a weight for each type, and they need not sum to 1.
    pub(crate) fn set_posterior(&mut self, weights: &[f32]) {
        self.posterior.copy_from_slice(weights);
        normalize(&mut self.posterior);
        self.update_penalty_share();
    }

    /// The indices of the types in groups that need a belief of their own: types with preferences
    /// learned from games, and plain types.
    pub(crate) fn groups(&self) -> Vec<Vec<usize>> {
        let types = self.network.types();
        let is_plain = |index: &usize| self.rules[*index].penalty_share(types) == 0.0;
        let (plain, others) = (0..self.rules.len()).partition(is_plain);
        [others, plain].into_iter().filter(|group: &Vec<usize>| !group.is_empty()).collect()
    }

    /// The mixture of only the types with these indices.
    pub(crate) fn group(&self, indices: &[usize]) -> Self {
        OpponentMixture::with_rules(
            self.network.clone(),
            indices.iter().map(|index| self.names[*index].clone()).collect(),
            indices.iter().map(|index| self.rules[*index]).collect(),
            indices.iter().map(|index| self.prior[*index]).collect(),
        )
        .marked_as_robust()
    }

    /// The same types with another prior, which need not sum to 1. Missing and invalid weights
    /// count as 0; if all are 0, the prior is unchanged.
    #[must_use]
    pub fn with_prior(mut self, weights: &[f32]) -> Self {
        let mut prior = vec![0.0; self.names.len()];
        for (weight, given) in prior.iter_mut().zip(weights) {
            *weight = if given.is_finite() { given.max(0.0) } else { 0.0 };
        }
        if prior.iter().sum::<f32>() > 0.0 {
            normalize(&mut prior);
            self.posterior.clone_from(&prior);
            self.prior = prior;
            self.update_penalty_share();
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

    /// The mixture without the fitted types that were fitted to games of this player, alone or with
    /// others. The general type remains.
    pub fn without_player(self, player: &str) -> Result<Self, OpponentMixtureError> {
        self.retain(|one| !one.is_fitted_to(player))
    }

    fn filtered(
        self,
        name: &str,
        predicate: impl Fn(&OpponentType) -> bool,
    ) -> Result<Self, OpponentMixtureError> {
        if !self.types().iter().any(|known| known.name == name) {
            return Err(OpponentMixtureError::UnknownType(krieg_core::excerpt(name)));
        }
        self.retain(predicate)
    }

    /// The mixture with only the fitted types that satisfy the predicate. If it had recapturing
    /// variants or types for strangers, it has them again.
    fn retain(
        self,
        predicate: impl Fn(&OpponentType) -> bool,
    ) -> Result<Self, OpponentMixtureError> {
        let types: Vec<OpponentType> = self.types().into_iter().filter(predicate).collect();
        let has_strangers = self.has_strangers();
        let has_variants = self.names.len() > self.network.types().len();
        let mixture = OpponentMixture::new(&types, self.hidden_layer().clone())?;
        Ok(match (has_strangers, has_variants) {
            (true, _) => mixture.with_strangers(),
            (false, true) => mixture.with_recapturing_variants(),
            (false, false) => mixture,
        })
    }

    /// The probability, by each fitted type, of one of the moves that were weighed last.
    #[cfg(test)]
    pub(super) fn probabilities(&self, index: usize) -> PerType {
        let types = 0..self.network.types().len();
        let mut probabilities = [0.0; MAX_OPPONENT_TYPES];
        types.for_each(|one| {
            probabilities[one] = self.moves.probability(TypeRule::Fitted(one), index);
        });
        probabilities
    }

    /// Computes the share of the penalty for undefended pieces from the posterior. Without types
    /// for strangers the penalty applies to all types.
    fn update_penalty_share(&mut self) {
        let types = self.network.types();
        let each = self.rules.iter().zip(&self.posterior);
        let of_types = each.map(|(rule, weight)| rule.penalty_share(types) * f64::from(*weight));
        self.penalty_share = if self.has_strangers { of_types.sum() } else { 1.0 };
    }
}

/// Scales the weights to the sum 1.
fn normalize(weights: &mut [f32]) {
    let sum: f32 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
}

impl OpponentPolicy for OpponentMixture {
    fn weigh_moves(
        &mut self,
        position: &Position,
        context: &OpponentContext,
        moves: &[BoardMove],
        weights: &mut Vec<f64>,
    ) {
        let OpponentMixture { network, rules, posterior, moves: probabilities, .. } = self;
        let network = self.needs_network.then_some(&**network);
        probabilities.set(network, position, context, moves);
        probabilities.mix(rules.iter().copied().zip(posterior.iter().copied()), weights);
    }

    fn add_evidence(&mut self, board_weight: f64, consistent: &[(usize, f64)]) {
        let mut likelihood = std::mem::take(&mut self.likelihood);
        for &(index, multiplicity) in consistent {
            for (sum, rule) in likelihood.iter_mut().zip(&self.rules) {
                let probability = f64::from(self.moves.probability(*rule, index));
                *sum += board_weight * multiplicity * probability;
            }
        }
        self.likelihood = likelihood;
    }

    fn update_posterior(&mut self) {
        let best = self.likelihood.iter().copied().fold(0.0, f64::max);
        // If no board explained the observation, it says nothing about the opponent.
        if best.is_normal() {
            for (weight, likelihood) in self.posterior.iter_mut().zip(&self.likelihood) {
                *weight *= (likelihood / best).powf(LIKELIHOOD_EXPONENT) as f32;
            }
            normalize(&mut self.posterior);
            for (weight, prior) in self.posterior.iter_mut().zip(&self.prior) {
                *weight += PRIOR_SHARE * (prior - *weight);
            }
            self.update_penalty_share();
        }
        self.likelihood.fill(0.0);
    }

    fn board_penalty(&self, board: &OpponentBoard, own: BitBoard, color: Color) -> f64 {
        undefended_penalty(board, own, color)
    }

    fn penalty_share(&self) -> f64 {
        self.penalty_share
    }

    fn mixture(&self) -> Option<&OpponentMixture> {
        Some(self)
    }
}
