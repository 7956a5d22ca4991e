//! What an announcement says about a move before the position after it is examined.

use cozy_chess::{BitBoard, Color, Move as BoardMove, Piece, Rank, Square};
use krieg_core::{Announcement, Position, Ruleset};

use crate::OpponentTurn;

/// Which of the opponent's legal moves in a position fit an announcement, judged by the move alone.
///
/// A capture is announced with its square and, under some rulesets, with the kinds of both pieces;
/// promotions may be announced; after "any?" there may be an obligation to capture with a pawn. All
/// this is tested without making the move, which is the expensive part.
#[derive(Debug)]
pub struct MoveFilter<'a> {
    position: &'a Position,
    ruleset: &'a Ruleset,
    announcement: &'a Announcement,
    opponent: Color,
    own: BitBoard,
    pawns: BitBoard,
    only_pawn_captures: bool,
    destinations: BitBoard,
}

impl<'a> MoveFilter<'a> {
    /// The filter for a position, with the opponent's turn so far and the announcement of the move.
    #[must_use]
    pub fn new(
        position: &'a Position,
        ruleset: &'a Ruleset,
        turn: &OpponentTurn,
        announcement: &'a Announcement,
    ) -> Self {
        let opponent = position.turn();
        let board = position.board();
        let own = board.colors(!opponent);
        let en_passant =
            board.en_passant().map(|file| Square::new(file, Rank::Sixth.relative_to(opponent)));
        // A capture ends on the announced square; a quiet move does not end on an own piece.
        let destinations = match announcement.capture {
            None => !own,
            Some(capture) => {
                capture.square.bitboard() | en_passant.map_or(BitBoard::EMPTY, Square::bitboard)
            }
        };
        MoveFilter {
            position,
            ruleset,
            announcement,
            opponent,
            own,
            pawns: board.colored_pieces(opponent, Piece::Pawn),
            only_pawn_captures: turn.owes_pawn_capture(ruleset),
            destinations,
        }
    }

    /// The squares on which a move of this kind of piece can have ended. Castling is encoded as the
    /// king capturing its own rook.
    pub fn destinations(&self, piece: Piece) -> BitBoard {
        match piece {
            Piece::King => self.destinations | self.position.board().colors(self.opponent),
            _ => self.destinations,
        }
    }

    /// Whether the opponent was allowed to play this legal move: with an obligation to capture with
    /// a pawn, no other move is.
    pub fn is_permitted(&self, mv: BoardMove) -> bool {
        !self.only_pawn_captures || self.is_pawn_capture(mv)
    }

    fn is_pawn_capture(&self, mv: BoardMove) -> bool {
        self.pawns.has(mv.from) && mv.from.file() != mv.to.file()
    }

    /// Whether a legal move to one of the [`destinations`](Self::destinations) fits the
    /// announcement.
    pub fn is_consistent(&self, mv: BoardMove) -> bool {
        if !self.is_permitted(mv) {
            return false;
        }
        if self.ruleset.announces_promotion && self.announcement.promoted != mv.promotion.is_some()
        {
            return false;
        }
        let is_capture = self.own.has(mv.to) || self.is_pawn_capture(mv);
        if is_capture != self.announcement.capture.is_some() {
            return false;
        }
        let capture = || self.position.capture(self.position.player_move(mv), self.ruleset);
        !is_capture || capture() == self.announcement.capture
    }
}
