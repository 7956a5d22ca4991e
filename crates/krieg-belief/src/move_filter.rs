//! What can be told of a move by itself, before the board after it is looked at.

use cozy_chess::{BitBoard, Color, Move as BoardMove, Piece, Rank, Square};
use krieg_core::{Announcement, Position, Ruleset};

use crate::OpponentTurn;

/// What was said of the opponent's move, put to one board: which of his legal moves there could have been announced so.
///
/// A capture names its square and, under some rulesets, who took whom; a promotion may be told; whoever asked "any?" may owe a capture by a
/// pawn. All this is seen without making the move, which is what costs time.
#[derive(Debug)]
pub struct MoveFilter<'a> {
    board: &'a Position,
    ruleset: &'a Ruleset,
    said: &'a Announcement,
    enemy: Color,
    own: BitBoard,
    pawns: BitBoard,
    only_pawn_captures: bool,
    landing: BitBoard,
}

impl<'a> MoveFilter<'a> {
    /// What `said` tells of the move on this board, after a turn that went like this.
    pub fn new(
        board: &'a Position,
        ruleset: &'a Ruleset,
        turn: &OpponentTurn,
        said: &'a Announcement,
    ) -> Self {
        let enemy = board.turn();
        let own = board.board().colors(!enemy);
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
        MoveFilter {
            board,
            ruleset,
            said,
            enemy,
            own,
            pawns: board.board().colored_pieces(enemy, Piece::Pawn),
            only_pawn_captures: turn.owes_pawn_capture(ruleset),
            landing,
        }
    }

    /// The squares on which a man of this kind can have landed. A king that castles is written as taking his own rook.
    pub fn destinations(&self, piece: Piece) -> BitBoard {
        match piece {
            Piece::King => self.landing | self.board.board().colors(self.enemy),
            _ => self.landing,
        }
    }

    /// Whether he was free to play this legal move: whoever owes a capture by a pawn may play nothing else.
    pub fn is_permitted(&self, mv: BoardMove) -> bool {
        !self.only_pawn_captures || self.is_pawn_capture(mv)
    }

    fn is_pawn_capture(&self, mv: BoardMove) -> bool {
        self.pawns.has(mv.from) && mv.from.file() != mv.to.file()
    }

    /// Whether a legal move that lands on one of those squares can have been announced so.
    pub fn is_consistent(&self, mv: BoardMove) -> bool {
        if !self.is_permitted(mv) {
            return false;
        }
        if self.ruleset.announces_promotion && self.said.promoted != mv.promotion.is_some() {
            return false;
        }
        let captures = self.own.has(mv.to) || self.is_pawn_capture(mv);
        let capture =
            || self.board.capture(self.board.player_move(mv), self.ruleset) == self.said.capture;
        captures == self.said.capture.is_some() && (!captures || capture())
    }
}
