//! What the umpire would announce on a possible board, compared with what was announced.

use cozy_chess::Move as BoardMove;
use krieg_core::{Announcement, DrawRules, Position, Ruleset, Setup, Try, Verdict};

use crate::{MoveFilter, OpponentTurn};

/// The rules by which possible boards are compared with announcements.
///
/// Draws that depend on the history of the game are left out: a possible board has no history, and
/// after such a draw no belief is needed.
#[derive(Debug, Clone, Copy)]
pub struct ObservationModel {
    /// The ruleset of the game.
    pub ruleset: Ruleset,
    draws: DrawRules,
}

impl ObservationModel {
    /// The rules of this game.
    #[must_use]
    pub fn new(setup: &Setup) -> Self {
        let draws = DrawRules { fifty_moves: false, threefold: false, ..setup.draws };
        ObservationModel { ruleset: setup.ruleset, draws }
    }

    /// The position after a sensible own try with this answer. `None` if the answer would have been
    /// another one.
    pub fn after_own_try(
        &self,
        position: &Position,
        tried: Try,
        announcement: &Announcement,
    ) -> Option<Position> {
        let mut after = position.clone();
        match tried {
            Try::Any => {
                let yes = position.pawn_tries().count > 0;
                (announcement.verdict == Verdict::Any(yes)).then_some(after)
            }
            Try::Move(mv) => {
                if announcement.verdict != Verdict::Moved {
                    return (!position.is_legal(mv)).then_some(after);
                }
                let answer = after.answer(mv, &self.ruleset, self.draws);
                let is_same = answer.verdict == Verdict::Moved
                    && answer.capture == announcement.capture
                    && answer.promoted == announcement.promoted
                    && (answer.checks, answer.pawn_tries, answer.end)
                        == (announcement.checks, announcement.pawn_tries, announcement.end);
                is_same.then_some(after)
            }
        }
    }

    /// Calls `found` for every position that is possible after the opponent's turn with this last
    /// announcement, with the move that leads to it. `is_kept` is called before a move is made; if
    /// it returns false, the move is left out.
    ///
    /// [`SuccessorGenerator`](crate::SuccessorGenerator) does the same several times faster,
    /// without the moves.
    pub fn for_each_successor(
        &self,
        position: &Position,
        turn: &OpponentTurn,
        announcement: &Announcement,
        mut is_kept: impl FnMut() -> bool,
        mut found: impl FnMut(BoardMove, Position),
    ) {
        if !turn.is_possible(position, &self.ruleset) {
            return;
        }
        let filter = MoveFilter::new(position, &self.ruleset, turn, announcement);
        position.board().generate_moves(|mut piece_moves| {
            piece_moves.to &= filter.destinations(piece_moves.piece);
            for mv in piece_moves {
                if !is_kept() || !filter.is_consistent(mv) {
                    continue;
                }
                let mut after = position.clone();
                after.play_legal(mv);
                if after.is_consistent_with(announcement, &self.ruleset, self.draws) {
                    found(mv, after);
                }
            }
            false
        });
    }

    /// Whether this announcement at the start of the player's turn is possible in this position.
    pub fn is_consistent(&self, position: &Position, announcement: &Announcement) -> bool {
        position.is_consistent_with(announcement, &self.ruleset, self.draws)
    }
}
