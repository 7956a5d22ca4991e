//! What would be said on a board that is only imagined, and whether that is what was said.

use cozy_chess::Move as BoardMove;
use krieg_core::{Announcement, DrawRules, Position, Ruleset, Setup, Try, Verdict};

use crate::{MoveFilter, OpponentTurn};

/// The rules by which imagined boards are compared with what was heard.
///
/// Draws that need a memory are left out: an imagined board has no history, and once such a draw is declared nothing has to be imagined any
/// more.
#[derive(Debug, Clone, Copy)]
pub struct ObservationModel {
    /// The ruleset of the game.
    pub ruleset: Ruleset,
    draws: DrawRules,
}

impl ObservationModel {
    /// The rules of this game.
    pub fn new(setup: &Setup) -> Self {
        let draws = DrawRules { fifty_moves: false, threefold: false, ..setup.draws };
        ObservationModel { ruleset: setup.ruleset, draws }
    }

    /// What becomes of a board when the player's own sensible try got this answer: the board afterwards, or nothing if
    /// the answer would have been another.
    pub fn after_own_try(
        &self,
        board: &Position,
        tried: Try,
        said: &Announcement,
    ) -> Option<Position> {
        let mut after = board.clone();
        match tried {
            Try::Any => {
                let yes = board.pawn_tries().count > 0;
                (said.verdict == Verdict::Any(yes)).then_some(after)
            }
            Try::Move(mv) => {
                if said.verdict != Verdict::Moved {
                    return (!board.is_legal(mv)).then_some(after);
                }
                let answer = after.answer(mv, &self.ruleset, self.draws);
                let is_same = answer.verdict == Verdict::Moved
                    && answer.capture == said.capture
                    && answer.promoted == said.promoted
                    && (answer.checks, answer.pawn_tries, answer.end)
                        == (said.checks, said.pawn_tries, said.end);
                is_same.then_some(after)
            }
        }
    }

    /// Finds every board that may stand after the opponent's turn, in which `said` was the last thing heard, and hands it over
    /// with the move that led to it. `may_try` is asked before a move is looked at closely, and may turn it down.
    pub fn for_each_successor(
        &self,
        board: &Position,
        turn: &OpponentTurn,
        said: &Announcement,
        mut may_try: impl FnMut() -> bool,
        mut found: impl FnMut(BoardMove, Position),
    ) {
        if !turn.is_possible(board, &self.ruleset) {
            return;
        }
        let clue = MoveFilter::new(board, &self.ruleset, turn, said);
        board.board().generate_moves(|mut of_one_man| {
            of_one_man.to &= clue.destinations(of_one_man.piece);
            for mv in of_one_man {
                if !may_try() || !clue.is_consistent(mv) {
                    continue;
                }
                let mut after = board.clone();
                after.play_legal(mv);
                if after.is_consistent_with(said, &self.ruleset, self.draws) {
                    found(mv, after);
                }
            }
            false
        });
    }

    /// Whether the player can have been told this as it became his turn on such a board.
    pub fn is_consistent(&self, board: &Position, said: &Announcement) -> bool {
        board.is_consistent_with(said, &self.ruleset, self.draws)
    }
}
