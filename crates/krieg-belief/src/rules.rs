//! What would be said on a board that is only imagined, and whether that is what was said.

use cozy_chess::{BitBoard, Move as BoardMove, Piece, Rank, Square};
use krieg_core::{Announcement, DrawRules, Position, Ruleset, Setup, Try, Verdict};

use crate::EnemyTurn;

/// The rules by which imagined boards are compared with what was heard.
///
/// Draws that need a memory are left out: an imagined board has no history, and once such a draw is declared nothing has to be imagined any
/// more.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The ruleset of the game.
    pub ruleset: Ruleset,
    draws: DrawRules,
}

impl Rules {
    /// The rules of this game.
    pub fn of(setup: &Setup) -> Self {
        let draws = DrawRules { fifty_moves: false, threefold: false, ..setup.draws };
        Rules { ruleset: setup.ruleset, draws }
    }

    /// What becomes of a board when the player's own sensible try got this answer: the board afterwards, or nothing if
    /// the answer would have been another.
    pub fn after_own(&self, board: &Position, tried: Try, said: &Announcement) -> Option<Position> {
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
                    && (answer.checks, answer.pawns, answer.end)
                        == (said.checks, said.pawns, said.end);
                is_same.then_some(after)
            }
        }
    }

    /// Finds every board that may stand after the opponent's turn, in which `said` was the last thing heard, and hands it over
    /// with the move that led to it. `may_try` is asked before a move is looked at closely, and may turn it down.
    pub fn each_successor(
        &self,
        board: &Position,
        turn: &EnemyTurn,
        said: &Announcement,
        mut may_try: impl FnMut() -> bool,
        mut found: impl FnMut(BoardMove, Position),
    ) {
        if !turn.is_possible(board, &self.ruleset) {
            return;
        }
        let enemy = board.turn();
        let own = board.board().colors(!enemy);
        let pawns = board.board().colored_pieces(enemy, Piece::Pawn);
        let only_pawn_captures = turn.owes_a_pawn_capture(&self.ruleset);
        let passing = board
            .board()
            .en_passant()
            .map(|file| Square::new(file, Rank::Sixth.relative_to(enemy)));
        // Where a capture was heard, somebody landed there; where none was, nobody landed on an own man.
        let landing = match said.capture {
            None => !own,
            Some(capture) => {
                capture.square.bitboard() | passing.map_or(BitBoard::EMPTY, Square::bitboard)
            }
        };
        board.board().generate_moves(|mut of_one_man| {
            let is_king = of_one_man.piece == Piece::King;
            // A king that castles is written as taking his own rook.
            let castling = if is_king { board.board().colors(enemy) } else { BitBoard::EMPTY };
            of_one_man.to &= landing | castling;
            for mv in of_one_man {
                if !may_try() {
                    continue;
                }
                let is_pawn_capture = pawns.has(mv.from) && mv.from.file() != mv.to.file();
                if only_pawn_captures && !is_pawn_capture {
                    continue;
                }
                if self.ruleset.promotion_told && said.promoted != mv.promotion.is_some() {
                    continue;
                }
                let captures = own.has(mv.to) || is_pawn_capture;
                if captures != said.capture.is_some() {
                    continue;
                }
                if captures && board.capture(board.player_move(mv), &self.ruleset) != said.capture {
                    continue;
                }
                let mut after = board.clone();
                after.play_legal(mv);
                if after.agrees_with(said, &self.ruleset, self.draws) {
                    found(mv, after);
                }
            }
            false
        });
    }

    /// Whether the player can have been told this as it became his turn on such a board.
    pub fn agrees(&self, board: &Position, said: &Announcement) -> bool {
        board.agrees_with(said, &self.ruleset, self.draws)
    }
}
