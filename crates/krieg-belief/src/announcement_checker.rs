//! Tests whether an announcement is possible on a board: a fast version for millions of boards.

use cozy_chess::{
    BitBoard, Color, Piece, Rank, Square, get_between_rays, get_bishop_rays, get_king_moves,
    get_knight_moves, get_line_rays, get_pawn_attacks, get_rook_rays,
};
use krieg_core::{Announcement, Checks, Direction, PawnTryAnnouncement, PieceSet, pawn_diagonals};

use crate::{ObservationModel, OpponentBoard};

/// The announcement at the start of the player's turn, with everything that is the same on all
/// boards.
///
/// The result is that of [`ObservationModel::is_consistent`], which needs a position. This version
/// works on bitboards, and makes a position only where these do not decide: in check, with a
/// possible en passant capture, or with hardly any material.
#[derive(Debug, Clone)]
pub(crate) struct AnnouncementChecker<'a> {
    rules: &'a ObservationModel,
    announcement: &'a Announcement,
    own: PieceSet,
    color: Color,
    king: Square,
    pawns: BitBoard,
    diagonals: BitBoard,
    straights: BitBoard,
    knights: BitBoard,
    pawn_checks: BitBoard,
    /// Own pieces other than pawns and the king with a step that no own piece blocks. Unless
    /// pinned, they can move.
    mobile: BitBoard,
    can_mate: bool,
}

impl<'a> AnnouncementChecker<'a> {
    /// The checker for the player's pieces after the opponent's move. `None` without a king.
    pub fn new(
        rules: &'a ObservationModel,
        own: &PieceSet,
        announcement: &'a Announcement,
    ) -> Option<Self> {
        let color = own.color();
        let king = own.pieces(Piece::King).next_square()?;
        let mobile = (own.all() & !own.pieces(Piece::Pawn) & !own.pieces(Piece::King))
            .into_iter()
            .filter(|&square| {
                let around = get_king_moves(square);
                let steps = match own.piece_on(square) {
                    Some(Piece::Knight) => get_knight_moves(square),
                    Some(Piece::Bishop) => around & get_bishop_rays(square),
                    Some(Piece::Rook) => around & get_rook_rays(square),
                    _ => around,
                };
                !steps.is_subset(own.all())
            })
            .collect();
        let heavy = own.pieces(Piece::Pawn) | own.pieces(Piece::Rook) | own.pieces(Piece::Queen);
        Some(AnnouncementChecker {
            rules,
            announcement,
            own: *own,
            color,
            king,
            pawns: own.pieces(Piece::Pawn),
            diagonals: get_bishop_rays(king),
            straights: get_rook_rays(king),
            knights: get_knight_moves(king),
            pawn_checks: get_pawn_attacks(king, color),
            mobile,
            can_mate: !heavy.is_empty(),
        })
    }

    /// Whether the announcement is possible on this board.
    #[inline]
    pub fn is_consistent(&self, board: &OpponentBoard) -> bool {
        let opponent_pieces = board.all();
        let all = opponent_pieces | self.own.all();
        let mut checkers = (board.pieces(Piece::Knight) & self.knights)
            | (board.pieces(Piece::Pawn) & self.pawn_checks);
        let mut pinned = BitBoard::EMPTY;
        let sliders = (board.diagonal_sliders() & self.diagonals)
            | (board.straight_sliders() & self.straights);
        for slider in sliders {
            let between = get_between_rays(slider, self.king) & all;
            if between.is_empty() {
                checkers |= slider.bitboard();
            } else if between.len() == 1 {
                pinned |= between;
            }
        }
        if self.announcement.end.is_some() || !self.checks_fit(checkers) {
            return self.announcement.end.is_some() && self.is_consistent_position(board);
        }
        let Some(pawns_fit) = self.pawns_fit(board, opponent_pieces, checkers, pinned) else {
            return self.is_consistent_position(board);
        };
        if !pawns_fit {
            return false;
        }
        let steps = ahead(self.pawns & !pinned, self.color) & !all;
        let can_move = checkers.is_empty() && !((self.mobile & !pinned) | steps).is_empty();
        let can_mate =
            self.can_mate || !(board.pieces(Piece::Pawn) | board.straight_sliders()).is_empty();
        (can_move && can_mate) || self.is_consistent_position(board)
    }

    fn is_consistent_position(&self, board: &OpponentBoard) -> bool {
        let position = board.position(&self.own, self.color);
        position.is_some_and(|position| self.rules.is_consistent(&position, self.announcement))
    }

    #[inline]
    fn checks_fit(&self, checkers: BitBoard) -> bool {
        if checkers.is_empty() || self.announcement.checks.is_empty() {
            return checkers.is_empty() && self.announcement.checks.is_empty();
        }
        let between = |checker| Direction::between(self.king, checker);
        Checks::new(checkers.into_iter().map(between)) == self.announcement.checks
    }

    /// Whether the announced pawn tries fit. `None` if an en passant capture is possible, whose
    /// legality the bitboards do not decide.
    #[inline]
    fn pawns_fit(
        &self,
        board: &OpponentBoard,
        opponent_pieces: BitBoard,
        checkers: BitBoard,
        pinned: BitBoard,
    ) -> Option<bool> {
        if self.announcement.pawn_tries == PawnTryAnnouncement::Silent {
            return Some(true);
        }
        if let Some(file) = board.en_passant {
            let to = Square::new(file, Rank::Sixth.relative_to(self.color));
            if !(get_pawn_attacks(to, !self.color) & self.pawns).is_empty() {
                return None;
            }
        }
        let targets = match checkers.len() {
            0 => opponent_pieces,
            1 => checkers,
            _ => BitBoard::EMPTY,
        };
        let (towards_a, towards_h) = pawn_diagonals(self.pawns & !pinned, self.color);
        let (towards_a, towards_h) = (towards_a & targets, towards_h & targets);
        let mut count = (towards_a.len() + towards_h.len()) as u8;
        let mut from_pinned = BitBoard::EMPTY;
        // A pinned piece cannot answer a check.
        if checkers.is_empty() {
            for pawn in self.pawns & pinned {
                let line = get_line_rays(self.king, pawn);
                let hits = get_pawn_attacks(pawn, self.color) & targets & line;
                count += hits.len() as u8;
                if !hits.is_empty() {
                    from_pinned |= pawn.bitboard();
                }
            }
        }
        Some(match self.announcement.pawn_tries {
            PawnTryAnnouncement::Silent => true,
            PawnTryAnnouncement::Whether(yes) => yes == (count > 0),
            PawnTryAnnouncement::Count(announced) => announced == count,
            PawnTryAnnouncement::From(announced) => {
                let (from_h, _) = pawn_diagonals(towards_h, !self.color);
                let (_, from_a) = pawn_diagonals(towards_a, !self.color);
                announced == (from_h | from_a | from_pinned)
            }
        })
    }
}

/// The squares in front of these pawns.
#[inline]
pub(crate) fn ahead(pawns: BitBoard, color: Color) -> BitBoard {
    match color {
        Color::White => BitBoard(pawns.0 << 8),
        Color::Black => BitBoard(pawns.0 >> 8),
    }
}
