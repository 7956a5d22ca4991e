//! A player who begin_turn that the opponent has moved, and compares that with boards: millions of them.

use cozy_chess::{
    BitBoard, Color, Piece, Rank, Square, get_between_rays, get_bishop_rays, get_king_moves,
    get_knight_moves, get_line_rays, get_pawn_attacks, get_rook_rays,
};
use krieg_core::{Announcement, Checks, Direction, PawnTryAnnouncement, PieceSet, pawn_diagonals};

use crate::{ObservationModel, OpponentBoard};

/// What was said as it became the player's turn, with all that is the same on every board he may find himself on.
///
/// It answers as [`ObservationModel::is_consistent`] does, which makes a position of every board. Here the questions are put to the sets of squares, and
/// a position is made only where these leave a doubt: in check, with a capture in passing at hand, or with hardly a man left.
#[derive(Debug, Clone)]
pub(crate) struct AnnouncementChecker<'a> {
    rules: &'a ObservationModel,
    said: &'a Announcement,
    men: PieceSet,
    color: Color,
    king: Square,
    pawns: BitBoard,
    diagonals: BitBoard,
    lines: BitBoard,
    knights: BitBoard,
    strikers: BitBoard,
    /// PieceSet other than pawns and the king that have a step which no own man blocks: unless pinned, they can move.
    mobile: BitBoard,
    can_mate: bool,
}

impl<'a> AnnouncementChecker<'a> {
    /// A player with these men, the opponent's move made.
    pub fn new(
        rules: &'a ObservationModel,
        men: &PieceSet,
        said: &'a Announcement,
    ) -> Option<Self> {
        let color = men.color();
        let king = men.pieces(Piece::King).next_square()?;
        let mobile = (men.all() & !men.pieces(Piece::Pawn) & !men.pieces(Piece::King))
            .into_iter()
            .filter(|&square| {
                let around = get_king_moves(square);
                let steps = match men.piece_on(square) {
                    Some(Piece::Knight) => get_knight_moves(square),
                    Some(Piece::Bishop) => around & get_bishop_rays(square),
                    Some(Piece::Rook) => around & get_rook_rays(square),
                    _ => around,
                };
                !steps.is_subset(men.all())
            })
            .collect();
        let heavy = men.pieces(Piece::Pawn) | men.pieces(Piece::Rook) | men.pieces(Piece::Queen);
        Some(AnnouncementChecker {
            rules,
            said,
            men: *men,
            color,
            king,
            pawns: men.pieces(Piece::Pawn),
            diagonals: get_bishop_rays(king),
            lines: get_rook_rays(king),
            knights: get_knight_moves(king),
            strikers: get_pawn_attacks(king, color),
            mobile,
            can_mate: !heavy.is_empty(),
        })
    }

    /// Whether this can have been said on such a board.
    #[inline]
    pub fn is_consistent(&self, board: &OpponentBoard) -> bool {
        let enemies = board.all();
        let all = enemies | self.men.all();
        let mut checkers = (board.pieces(Piece::Knight) & self.knights)
            | (board.pieces(Piece::Pawn) & self.strikers);
        let mut pinned = BitBoard::EMPTY;
        let aiming = (board.on_diagonals() & self.diagonals) | (board.on_lines() & self.lines);
        for slider in aiming {
            let between = get_between_rays(slider, self.king) & all;
            if between.is_empty() {
                checkers |= slider.bitboard();
            } else if between.len() == 1 {
                pinned |= between;
            }
        }
        if self.said.end.is_some() || !self.checks_fit(checkers) {
            return self.said.end.is_some() && self.agrees_for_sure(board);
        }
        let Some(pawns_fit) = self.pawns_fit(board, enemies, checkers, pinned) else {
            return self.agrees_for_sure(board);
        };
        if !pawns_fit {
            return false;
        }
        let steps = ahead(self.pawns & !pinned, self.color) & !all;
        let can_move = checkers.is_empty() && !((self.mobile & !pinned) | steps).is_empty();
        let can_mate = self.can_mate || !(board.pieces(Piece::Pawn) | board.on_lines()).is_empty();
        (can_move && can_mate) || self.agrees_for_sure(board)
    }

    fn agrees_for_sure(&self, board: &OpponentBoard) -> bool {
        let position = board.position(&self.men, self.color);
        position.is_some_and(|position| self.rules.is_consistent(&position, self.said))
    }

    #[inline]
    fn checks_fit(&self, checkers: BitBoard) -> bool {
        if checkers.is_empty() || self.said.checks.is_empty() {
            return checkers.is_empty() && self.said.checks.is_empty();
        }
        let between = |checker| Direction::between(self.king, checker);
        Checks::new(checkers.into_iter().map(between)) == self.said.checks
    }

    /// Whether the pawn tries are as they were told, unless a capture in passing is at hand: whether that is legal is a long story.
    #[inline]
    fn pawns_fit(
        &self,
        board: &OpponentBoard,
        enemies: BitBoard,
        checkers: BitBoard,
        pinned: BitBoard,
    ) -> Option<bool> {
        if self.said.pawn_tries == PawnTryAnnouncement::Silent {
            return Some(true);
        }
        if let Some(file) = board.en_passant {
            let to = Square::new(file, Rank::Sixth.relative_to(self.color));
            if !(get_pawn_attacks(to, !self.color) & self.pawns).is_empty() {
                return None;
            }
        }
        let prey = match checkers.len() {
            0 => enemies,
            1 => checkers,
            _ => BitBoard::EMPTY,
        };
        let (towards_a, towards_h) = pawn_diagonals(self.pawns & !pinned, self.color);
        let (towards_a, towards_h) = (towards_a & prey, towards_h & prey);
        let mut count = (towards_a.len() + towards_h.len()) as u8;
        let mut from_pinned = BitBoard::EMPTY;
        // A pinned man cannot answer a check.
        if checkers.is_empty() {
            for pawn in self.pawns & pinned {
                let line = get_line_rays(self.king, pawn);
                let hits = get_pawn_attacks(pawn, self.color) & prey & line;
                count += hits.len() as u8;
                if !hits.is_empty() {
                    from_pinned |= pawn.bitboard();
                }
            }
        }
        Some(match self.said.pawn_tries {
            PawnTryAnnouncement::Silent => true,
            PawnTryAnnouncement::Whether(yes) => yes == (count > 0),
            PawnTryAnnouncement::Count(told) => told == count,
            PawnTryAnnouncement::From(told) => {
                let (from_h, _) = pawn_diagonals(towards_h, !self.color);
                let (_, from_a) = pawn_diagonals(towards_a, !self.color);
                told == (from_h | from_a | from_pinned)
            }
        })
    }
}

/// The squares before these pawns.
#[inline]
pub(crate) fn ahead(pawns: BitBoard, color: Color) -> BitBoard {
    match color {
        Color::White => BitBoard(pawns.0 << 8),
        Color::Black => BitBoard(pawns.0 >> 8),
    }
}
