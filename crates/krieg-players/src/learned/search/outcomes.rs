//! What a try may lead to: everything that the player may observe until its next decision, with
//! probabilities.
//!
//! The network's value depends on the player's observations only. So the boards of the belief, and
//! the opponent's replies on each, are needed for the probabilities of these observations, but not
//! for their values: boards and replies that announce the same share one pass. Every reply counts
//! with its probability by the opponent model; none is drawn at random.

use cozy_chess::Move as BoardMove;
use krieg_belief::{OpponentContext, OpponentPolicy};
use krieg_core::{
    Announcement, Color, DrawRules, Move, Observation, Position, Ruleset, Setup, Try, Verdict,
};

use crate::OpponentModel;
use crate::marshal::apply_obligation;

/// What the player observes between a try and its next decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The answer to the try.
    pub answer: Announcement,
    /// The opponent's move, if the try was accepted and did not end the game.
    pub reply: Option<Announcement>,
}

impl Outcome {
    /// The player's score if the game is over: 1, ½ or 0.
    pub fn final_score(&self, player: Color) -> Option<f64> {
        let end = self.reply.map_or(self.answer.end, |reply| reply.end)?;
        Some(end.winner.map_or(0.5, |winner| f64::from(u8::from(winner == player))))
    }

    /// The observations, for this try.
    pub fn observations(&self, mv: Move) -> impl Iterator<Item = Observation> {
        let own =
            Observation { tried: Some(Try::Move(mv)), announcement: self.answer, spent_ms: None };
        let reply = self.reply.map(|announcement| Observation {
            tried: None,
            announcement,
            spent_ms: None,
        });
        [Some(own), reply].into_iter().flatten()
    }
}

/// Outcomes with their probabilities, up to a common factor.
#[derive(Debug, Clone, Default)]
pub struct OutcomeWeights(pub Vec<(Outcome, f64)>);

impl OutcomeWeights {
    fn add(&mut self, outcome: Outcome, weight: f64) {
        match self.0.iter_mut().find(|(known, _)| *known == outcome) {
            Some((_, sum)) => *sum += weight,
            None => self.0.push((outcome, weight)),
        }
    }
}

/// Plays tries, and all replies to them, on boards of the belief.
pub struct OutcomeModel {
    ruleset: Ruleset,
    draws: DrawRules,
    /// The opponent model.
    pub policy: OpponentModel,
    moves: Vec<BoardMove>,
    weights: Vec<f64>,
}

impl OutcomeModel {
    pub fn new(setup: &Setup, policy: OpponentModel) -> Self {
        // A board of the belief has no history, so draws that depend on it are left out.
        let draws = DrawRules { fifty_moves: false, threefold: false, ..setup.draws };
        let (moves, weights) = (Vec::new(), Vec::new());
        OutcomeModel { ruleset: setup.ruleset, draws, policy, moves, weights }
    }

    /// Adds the outcomes of this try on this board. `context` is what the opponent knows there.
    pub fn add(
        &mut self,
        outcomes: &mut OutcomeWeights,
        mv: Move,
        mut board: Position,
        mut context: OpponentContext,
    ) {
        let answer = board.answer(mv, &self.ruleset, self.draws);
        if answer.verdict != Verdict::Moved || answer.end.is_some() {
            outcomes.add(Outcome { answer, reply: None }, 1.0);
            return;
        }
        let asks = self.ruleset.any().is_some() && board.pawn_tries().count > 0;
        let has_pawn_try = answer.pawn_tries.has_pawn_try() || asks;
        context.begin_turn(answer.capture.map(|_| mv.to), has_pawn_try);
        self.weigh_replies(&board, &context);
        let sum: f64 = self.weights.iter().sum();
        for (reply, weight) in self.moves.iter().zip(&self.weights) {
            let mut after = board.clone();
            let reply = after.answer(after.player_move(*reply), &self.ruleset, self.draws);
            outcomes.add(Outcome { answer, reply: Some(reply) }, weight / sum);
        }
    }

    /// The opponent's legal moves, and their probabilities up to a factor.
    fn weigh_replies(&mut self, board: &Position, context: &OpponentContext) {
        let OutcomeModel { moves, weights, .. } = self;
        moves.clear();
        weights.clear();
        board.board().generate_moves(|of_piece| {
            moves.extend(of_piece);
            false
        });
        self.policy.weigh_moves(board, context, moves, weights);
        if let Some(after_yes) = self.ruleset.any().filter(|_| context.has_pawn_try) {
            apply_obligation(after_yes, board, moves, weights);
        }
    }
}
