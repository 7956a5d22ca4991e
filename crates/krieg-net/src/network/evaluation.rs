//! The output of the network, and the probabilities of tries.

use krieg_core::{Move, Promotion, Try, View};

use super::Workspace;
use super::arithmetic::exp;
use super::forward::{CONTENTS, PROMOTIONS};
use crate::{Input, Orientation};

/// The output of the network, in the orientation of the player.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The logit of each pair of origin and target.
    pub pair_logits: [[f32; 64]; 64],
    /// The logits of promoting to a knight, bishop, rook or queen, on each target.
    pub promotion_logits: [[f32; 4]; 64],
    /// The logit of "any?".
    pub any_logit: f32,
    /// The probabilities of a win, a draw and a loss.
    pub value: [f32; 3],
    /// The probabilities of the opponent's pieces on each square: pawn, knight, bishop, rook,
    /// queen, king. All are 0 on squares of own pieces.
    pub belief: [[f32; 6]; 64],
}

/// A lower temperature counts as this one. The best tries then share all probability.
const MIN_TEMPERATURE: f32 = 1e-6;

impl Evaluation {
    /// The output from the logits in the workspace.
    pub(super) fn new(input: &Input, workspace: &Workspace) -> Box<Self> {
        let Workspace { squares, pairs, outcome, .. } = workspace;
        let mut evaluation = Box::new(Evaluation {
            pair_logits: [[0.0; 64]; 64],
            promotion_logits: [[0.0; 4]; 64],
            any_logit: outcome[3],
            value: softmax([outcome[0], outcome[1], outcome[2]]),
            belief: [[0.0; 6]; 64],
        });
        for square in 0..64 {
            evaluation.pair_logits[square] = std::array::from_fn(|to| pairs.get(square, to));
            evaluation.promotion_logits[square] =
                std::array::from_fn(|piece| squares.get(PROMOTIONS + piece, square));
            if input.planes[square][..6].iter().all(|&own| own == 0) {
                let contents: [f32; 7] =
                    softmax(std::array::from_fn(|piece| squares.get(CONTENTS + piece, square)));
                evaluation.belief[square].copy_from_slice(&contents[1..]);
            }
        }
        evaluation
    }

    /// The expected result, from 0 for a loss to 1 for a win.
    #[must_use]
    pub fn expected_score(&self) -> f32 {
        self.value[0] + self.value[1] / 2.0
    }

    /// The probability of each sensible try of the player who is to move in `view`, in the order of
    /// [`View::tries`], then "any?" if it may be asked. Their sum is 1.
    ///
    /// All logits are divided by `temperature`: 1 is the policy as trained, 0 leaves only the best
    /// tries. If one promotion of a pawn was refused in this turn, its other promotions on the same
    /// square would be refused too: they have the probability 0, unless nothing else is left.
    #[must_use]
    pub fn policy(&self, view: &View, temperature: f32) -> Vec<(Try, f32)> {
        let scale = 1.0 / temperature.max(MIN_TEMPERATURE);
        let mut policy: Vec<(Try, f32)> = Vec::with_capacity(view.tries().len() + 1);
        // Two factors of each probability: the logit of the pair of squares, and the promotion.
        let mut factors = Vec::with_capacity(policy.capacity());
        for mv in view.tries().iter() {
            policy.push((Try::Move(mv), 0.0));
            factors.push(self.factors(mv, view, scale));
        }
        if view.can_ask_any() {
            policy.push((Try::Any, 0.0));
            factors.push(Some((self.any_logit * scale, 1.0)));
        }
        if factors.iter().all(Option::is_none) {
            factors.fill(Some((0.0, 1.0)));
        }
        let max = factors.iter().flatten().fold(f32::MIN, |max, (logit, _)| max.max(*logit));
        for ((_, probability), factors) in policy.iter_mut().zip(factors) {
            *probability = factors.map_or(0.0, |(logit, share)| exp(logit - max) * share);
        }
        let sum: f32 = policy.iter().map(|(_, probability)| probability).sum();
        policy.iter_mut().for_each(|(_, probability)| *probability /= sum);
        policy
    }

    /// The logit of a move, and the share of its promotion; `None` if another promotion of it was
    /// refused.
    fn factors(&self, mv: Move, view: &View, scale: f32) -> Option<(f32, f32)> {
        let orientation = Orientation::of(view.player());
        let (from, to) = (orientation.index(mv.from), orientation.index(mv.to));
        let logit = self.pair_logits[from][to] * scale;
        let Some(promotion) = mv.promotion else { return Some((logit, 1.0)) };
        let is_sensible = |&other| view.tries().contains(Move { promotion: Some(other), ..mv });
        let shares = softmax(self.promotion_logits[to].map(|logit| logit * scale));
        let share = shares[promotion as usize];
        Promotion::ALL.iter().all(is_sensible).then_some((logit, share))
    }
}

/// The probabilities of these logits.
fn softmax<const N: usize>(logits: [f32; N]) -> [f32; N] {
    let max = logits.into_iter().fold(f32::MIN, f32::max);
    let weights = logits.map(|logit| exp(logit - max));
    let sum: f32 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}
