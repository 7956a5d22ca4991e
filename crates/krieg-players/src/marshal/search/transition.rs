//! The transition model of a simulation: the own move, the opponent's sampled reply, and what the
//! umpire announces.

use cozy_chess::Move as BoardMove;
use krieg_belief::{OpponentContext, OpponentPolicy};
use krieg_core::{Announcement, Move, Outcome, PawnTryAnnouncement, Position, Square};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::any_obligation::apply_obligation;
use super::puct_tree::ObservationHash;
use super::simulation::Simulator;

/// The part of the announcements at the start of a turn that affects priors and values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnnouncementSummary {
    /// The square on which the opponent has just captured.
    pub recapture_square: Option<Square>,
    /// Whether the player was told that one of their pawns can capture.
    pub has_pawn_try: bool,
}

impl AnnouncementSummary {
    /// From the announcement of the opponent's move, and the answer to "any?" if it was asked.
    pub fn new(reply: &Announcement, any: Option<bool>) -> Self {
        AnnouncementSummary {
            recapture_square: reply.capture.map(|capture| capture.square),
            has_pawn_try: reply.pawn_tries.has_pawn_try() || any == Some(true),
        }
    }
}

/// What the player observes between an accepted try and the next decision.
pub(super) struct TurnObservation {
    pub hash: ObservationHash,
    pub summary: AnnouncementSummary,
    pub pawns: PawnTryAnnouncement,
    pub any: Option<bool>,
}

/// How a simulated turn ends.
pub(super) enum TurnResult {
    GameOver(Outcome),
    NextTurn(TurnObservation),
}

impl<M: OpponentPolicy> Simulator<M> {
    /// Plays the own move and a sampled reply.
    pub(super) fn play_turn(
        &mut self,
        board: &mut Position,
        mv: Move,
        context: &mut OpponentContext,
        rng: &mut Xoshiro256PlusPlus,
    ) -> TurnResult {
        let own = self.play_own_move(board, mv, context);
        if let Some(outcome) = own.end {
            return TurnResult::GameOver(outcome);
        }
        self.play_reply(board, &own, context, rng)
    }

    /// Plays a sampled reply of the opponent after this announcement of the own move.
    pub(super) fn play_reply(
        &mut self,
        board: &mut Position,
        own: &Announcement,
        context: &mut OpponentContext,
        rng: &mut Xoshiro256PlusPlus,
    ) -> TurnResult {
        let mv = self.sample_reply(board, context, rng);
        let reply = board.answer(board.player_move(mv), &self.ruleset, self.draws);
        if let Some(outcome) = reply.end {
            return TurnResult::GameOver(outcome);
        }
        context.record_move(Some(mv), reply.capture.map(|capture| capture.square));
        let any = self.ruleset.any().map(|_| has_pawn_try(board));
        TurnResult::NextTurn(TurnObservation {
            hash: ObservationHash::new(own, &reply, any),
            summary: AnnouncementSummary::new(&reply, any),
            pawns: reply.pawn_tries,
            any,
        })
    }

    /// Plays an own move and returns its announcement. The opponent's knowledge is updated.
    pub fn play_own_move(
        &self,
        board: &mut Position,
        mv: Move,
        context: &mut OpponentContext,
    ) -> Announcement {
        let own = board.answer(mv, &self.ruleset, self.draws);
        let has_any = self.ruleset.any().is_some();
        let has_pawn_try = own.pawn_tries.has_pawn_try() || (has_any && has_pawn_try(board));
        context.begin_turn(own.capture.map(|_| mv.to), has_pawn_try);
        own
    }

    /// The opponent's legal moves and their unnormalised probabilities under the opponent model.
    pub fn replies(
        &mut self,
        board: &Position,
        context: &OpponentContext,
    ) -> (&[BoardMove], &[f64]) {
        let Simulator { moves, weights, .. } = self;
        moves.clear();
        weights.clear();
        board.board().generate_moves(|piece_moves| {
            moves.extend(piece_moves);
            false
        });
        self.model.weigh_moves(board, context, moves, weights);
        if let Some(after_yes) = self.ruleset.any().filter(|_| context.has_pawn_try) {
            apply_obligation(after_yes, board, moves, weights);
        }
        (moves, weights)
    }

    /// Samples a reply from the opponent model.
    fn sample_reply(
        &mut self,
        board: &Position,
        context: &OpponentContext,
        rng: &mut Xoshiro256PlusPlus,
    ) -> BoardMove {
        let (moves, weights) = self.replies(board, context);
        let mut at = rng.random::<f64>() * weights.iter().sum::<f64>();
        let is_sampled = |weight: &f64| {
            at -= weight;
            at < 0.0
        };
        let number = weights.iter().position(is_sampled).unwrap_or(moves.len() - 1);
        moves[number]
    }
}

/// Whether the side to move has a legal pawn capture.
pub(super) fn has_pawn_try(board: &Position) -> bool {
    board.pawn_tries().count > 0
}
