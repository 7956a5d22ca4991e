//! All boards after the opponent's move: a fast version for millions of boards.

use cozy_chess::{
    BitBoard, Color, File, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_bishop_rays, get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks,
    get_rook_moves, get_rook_rays,
};
use krieg_core::{Announcement, Capture, PieceKind, PieceSet, pawn_diagonals};

use crate::announcement_checker::{AnnouncementChecker, ahead};
use crate::{ObservationModel, OpponentBoard, OpponentTurn};

/// Generates the boards after every move of the opponent that fits an announcement.
///
/// It finds the same boards as [`ObservationModel::for_each_successor`], several times faster: the
/// player's pieces are the same on all boards, so everything that follows from them is computed
/// once, and a move flips a few bits of the board instead of making a position.
///
/// ```
/// use krieg_belief::{ObservationModel, OpponentBoard, OpponentTurn, SuccessorGenerator};
/// use krieg_core::{Color, Game, Setup};
/// let setup = Setup::default();
/// let mut game = Game::new(setup.clone());
/// let announcement = game.judge("e2e4".parse()?)?;
/// let turn = OpponentTurn::after(&announcement);
/// let board = OpponentBoard::of(game.umpire().position(), Color::Black);
/// let white = game.umpire().position().pieces(Color::White);
/// let announcement = game.judge("d7d5".parse()?)?;
/// let rules = ObservationModel::new(&setup);
/// let own = [&white, &white];
/// let generator = SuccessorGenerator::new(&rules, &turn, own, &announcement).unwrap();
/// let mut count = 0;
/// generator.for_each(&board, || true, |_| count += 1);
/// assert_eq!(count, 2, "White has a pawn try, so the move was d5 or f5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct SuccessorGenerator<'a> {
    rules: &'a ObservationModel,
    turn: &'a OpponentTurn,
    announcement: &'a Announcement,
    own: PieceSet,
    opponent: Color,
    checker: AnnouncementChecker<'a>,
    /// Squares attacked by own pawns, knights and the king, which do not depend on the board.
    attacked: BitBoard,
    /// Where a move of a piece, a step of a pawn and a capture by a pawn can have ended.
    piece_destinations: BitBoard,
    pawn_destinations: BitBoard,
    pawn_capture_destinations: BitBoard,
}

/// A board before the move, with everything that is computed once for all its moves.
struct Before<'b> {
    board: &'b OpponentBoard,
    opponent_pieces: BitBoard,
    all: BitBoard,
    king: Square,
    pinned: BitBoard,
    in_check: bool,
    /// Where a piece other than the king may go: anywhere, or where the move ends a check.
    evasions: BitBoard,
}

impl<'a> SuccessorGenerator<'a> {
    /// The generator for a turn of the opponent and the announcement at its end, with the player's
    /// pieces before and after it. `None` without an own king.
    pub fn new(
        rules: &'a ObservationModel,
        turn: &'a OpponentTurn,
        [before, after]: [&PieceSet; 2],
        announcement: &'a Announcement,
    ) -> Option<Self> {
        let king = before.pieces(Piece::King).next_square()?;
        let (towards_a, towards_h) = pawn_diagonals(before.pieces(Piece::Pawn), before.color());
        let mut attacked = towards_a | towards_h | get_king_moves(king);
        for knight in before.pieces(Piece::Knight) {
            attacked |= get_knight_moves(knight);
        }
        let must_capture_with_pawn = turn.owes_pawn_capture(&rules.ruleset);
        let quiet = if announcement.capture.is_none() && !must_capture_with_pawn {
            !before.all()
        } else {
            BitBoard::EMPTY
        };
        let captured = |capturer| match announcement.capture {
            Some(capture) if fits(&capture, before, capturer, rules) => capture.square.bitboard(),
            _ => BitBoard::EMPTY,
        };
        let by_piece =
            if must_capture_with_pawn { BitBoard::EMPTY } else { captured(PieceKind::Piece) };
        Some(SuccessorGenerator {
            rules,
            turn,
            announcement,
            own: *before,
            opponent: !before.color(),
            checker: AnnouncementChecker::new(rules, after, announcement)?,
            attacked,
            piece_destinations: quiet | by_piece,
            pawn_destinations: quiet,
            pawn_capture_destinations: captured(PieceKind::Pawn),
        })
    }

    /// Calls `found` for every possible board after a move on this board. `is_kept` is called for
    /// every move; if it returns false, the move is left out.
    pub fn for_each(
        &self,
        board: &OpponentBoard,
        mut is_kept: impl FnMut() -> bool,
        mut found: impl FnMut(OpponentBoard),
    ) {
        if !self.turn.is_silent() {
            let position = board.position(&self.own, self.opponent);
            if !position.is_some_and(|p| self.turn.is_possible(&p, &self.rules.ruleset)) {
                return;
            }
        }
        let Some(before) = self.prepare(board) else { return };
        let mut consider = |after: OpponentBoard| {
            if is_kept() && self.checker.is_consistent(&after) {
                found(after);
            }
        };
        self.pawn_moves(&before, &mut consider);
        if self.rules.ruleset.announces_promotion && self.announcement.promoted {
            return;
        }
        self.piece_moves(&before, &mut consider);
        self.king_moves(&before, &mut consider);
    }

    fn prepare<'b>(&self, board: &'b OpponentBoard) -> Option<Before<'b>> {
        let opponent_pieces = board.all();
        let all = opponent_pieces | self.own.all();
        let king = board.pieces(Piece::King).next_square()?;
        let own = |piece| self.own.pieces(piece);
        let mut checkers = (own(Piece::Knight) & get_knight_moves(king))
            | (own(Piece::Pawn) & get_pawn_attacks(king, self.opponent));
        let mut pinned = BitBoard::EMPTY;
        let sliders = ((own(Piece::Bishop) | own(Piece::Queen)) & get_bishop_rays(king))
            | ((own(Piece::Rook) | own(Piece::Queen)) & get_rook_rays(king));
        for slider in sliders {
            let between = get_between_rays(slider, king) & all;
            if between.is_empty() {
                checkers |= slider.bitboard();
            } else if between.len() == 1 {
                pinned |= between;
            }
        }
        let evasions = match checkers.next_square() {
            None => BitBoard::FULL,
            Some(checker) if checkers.len() == 1 => get_between_rays(checker, king) | checkers,
            Some(_) => BitBoard::EMPTY,
        };
        let in_check = !checkers.is_empty();
        Some(Before { board, opponent_pieces, all, king, pinned, in_check, evasions })
    }

    #[inline]
    fn pawn_moves(&self, before: &Before, consider: &mut impl FnMut(OpponentBoard)) {
        let pawns = before.board.pieces(Piece::Pawn);
        let forward = if self.opponent == Color::White { 8 } else { -8 };
        if !self.pawn_destinations.is_empty() {
            let steps = ahead(pawns, self.opponent) & !before.all;
            let third = Rank::Third.relative_to(self.opponent).bitboard();
            let double_steps = ahead(steps & third, self.opponent) & !before.all;
            for to in steps & before.evasions {
                self.pawn_move(before, pawn_origin(to, forward), to, false, consider);
            }
            for to in double_steps & before.evasions {
                self.pawn_move(before, pawn_origin(to, 2 * forward), to, true, consider);
            }
        }
        if !self.pawn_capture_destinations.is_empty() {
            let (towards_a, towards_h) = pawn_diagonals(pawns, self.opponent);
            let destinations = self.pawn_capture_destinations & before.evasions;
            for to in towards_a & destinations {
                self.pawn_move(before, pawn_origin(to, forward - 1), to, false, consider);
            }
            for to in towards_h & destinations {
                self.pawn_move(before, pawn_origin(to, forward + 1), to, false, consider);
            }
        }
        if self.announcement.capture.is_some() {
            self.en_passant_captures(before, pawns, consider);
        }
    }

    #[inline]
    fn pawn_move(
        &self,
        before: &Before,
        from: Square,
        to: Square,
        is_double_step: bool,
        consider: &mut impl FnMut(OpponentBoard),
    ) {
        if is_pin_broken(before, from, to) {
            return;
        }
        let mut after = *before.board;
        after.en_passant = is_double_step.then(|| to.file());
        after.toggle(Piece::Pawn, from.bitboard());
        let promotes = to.rank() == Rank::Eighth.relative_to(self.opponent);
        if self.rules.ruleset.announces_promotion && promotes != self.announcement.promoted {
            return;
        }
        if !promotes {
            after.toggle(Piece::Pawn, to.bitboard());
            return consider(after);
        }
        for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            let mut after = after;
            after.toggle(piece, to.bitboard());
            consider(after);
        }
    }

    fn en_passant_captures(
        &self,
        before: &Before,
        pawns: BitBoard,
        consider: &mut impl FnMut(OpponentBoard),
    ) {
        let Some(file) = before.board.en_passant else { return };
        let ruleset = &self.rules.ruleset;
        let to = Square::new(file, Rank::Sixth.relative_to(self.opponent));
        let passed = Square::new(file, Rank::Fifth.relative_to(self.opponent));
        let announced = Capture {
            square: if ruleset.announces_en_passant { to } else { passed },
            victim: ruleset.announces_victim.then_some(PieceKind::Pawn),
            capturer: ruleset.announces_capturer.then_some(PieceKind::Pawn),
            en_passant: ruleset.announces_en_passant,
        };
        if self.announcement.capture != Some(announced)
            || (ruleset.announces_promotion && self.announcement.promoted)
        {
            return;
        }
        let own = |piece| self.own.pieces(piece);
        for from in get_pawn_attacks(to, !self.opponent) & pawns {
            // Two pieces leave their squares at once, so the attacks on the king are computed anew.
            let all = before.all ^ passed.bitboard() ^ from.bitboard() | to.bitboard();
            let checkers = (get_bishop_moves(before.king, all)
                & (own(Piece::Bishop) | own(Piece::Queen)))
                | (get_rook_moves(before.king, all) & (own(Piece::Rook) | own(Piece::Queen)))
                | (get_knight_moves(before.king) & own(Piece::Knight))
                | (get_pawn_attacks(before.king, self.opponent)
                    & own(Piece::Pawn)
                    & !passed.bitboard());
            if checkers.is_empty() {
                let mut after = *before.board;
                after.en_passant = None;
                after.toggle(Piece::Pawn, from.bitboard() | to.bitboard());
                consider(after);
            }
        }
    }

    #[inline]
    fn piece_moves(&self, before: &Before, consider: &mut impl FnMut(OpponentBoard)) {
        let to = self.piece_destinations & before.evasions & !before.opponent_pieces;
        if to.is_empty() {
            return;
        }
        let of = |piece| before.board.pieces(piece);
        for from in of(Piece::Knight) {
            self.moves_of_piece(before, Piece::Knight, from, to & get_knight_moves(from), consider);
        }
        for from in of(Piece::Bishop) {
            let reached = get_bishop_moves(from, before.all);
            self.moves_of_piece(before, Piece::Bishop, from, to & reached, consider);
        }
        for from in of(Piece::Rook) {
            let reached = get_rook_moves(from, before.all);
            self.moves_of_piece(before, Piece::Rook, from, to & reached, consider);
        }
        for from in of(Piece::Queen) {
            let reached = get_bishop_moves(from, before.all) | get_rook_moves(from, before.all);
            self.moves_of_piece(before, Piece::Queen, from, to & reached, consider);
        }
    }

    #[inline]
    fn moves_of_piece(
        &self,
        before: &Before,
        piece: Piece,
        from: Square,
        mut to: BitBoard,
        consider: &mut impl FnMut(OpponentBoard),
    ) {
        if before.pinned.has(from) {
            to &= get_line_rays(before.king, from);
        }
        let mut removed = *before.board;
        removed.en_passant = None;
        removed.toggle(piece, from.bitboard());
        // A rook that leaves its corner loses the castling right.
        if piece == Piece::Rook {
            removed.castling.0 &= from != home(File::H, self.opponent);
            removed.castling.1 &= from != home(File::A, self.opponent);
        }
        for to in to {
            let mut after = removed;
            after.toggle(piece, to.bitboard());
            consider(after);
        }
    }

    #[inline]
    fn king_moves(&self, before: &Before, consider: &mut impl FnMut(OpponentBoard)) {
        let from = before.king;
        let mut removed = *before.board;
        removed.en_passant = None;
        removed.toggle(Piece::King, from.bitboard());
        removed.castling = (false, false);
        let to = get_king_moves(from)
            & self.piece_destinations
            & !before.opponent_pieces
            & !self.attacked;
        let castles = before.board.castling;
        let may_castle =
            castles != (false, false) && !before.in_check && !self.pawn_destinations.is_empty();
        if to.is_empty() && !may_castle {
            return;
        }
        let attacked = self.attacked_on(before);
        for to in to & !attacked {
            let mut after = removed;
            after.toggle(Piece::King, to.bitboard());
            consider(after);
        }
        if !may_castle {
            return;
        }
        let sides = [
            (castles.0, File::H, File::G, File::F, File::G),
            (castles.1, File::A, File::C, File::D, File::B),
        ];
        for (_, rook, to, rook_to, last) in sides.into_iter().filter(|side| side.0) {
            let [rook, to, rook_to, last] =
                [rook, to, rook_to, last].map(|file| home(file, self.opponent).bitboard());
            if (to | rook_to | last).is_disjoint(before.all) && (to | rook_to).is_disjoint(attacked)
            {
                let mut after = removed;
                after.toggle(Piece::King, to);
                after.toggle(Piece::Rook, rook | rook_to);
                consider(after);
            }
        }
    }

    /// The squares that the opponent's king must not enter. The king itself does not block the
    /// lines of sliders.
    fn attacked_on(&self, before: &Before) -> BitBoard {
        let all = before.all ^ before.king.bitboard();
        let own = |piece| self.own.pieces(piece);
        let mut attacked = self.attacked;
        for bishop in own(Piece::Bishop) | own(Piece::Queen) {
            attacked |= get_bishop_moves(bishop, all);
        }
        for rook in own(Piece::Rook) | own(Piece::Queen) {
            attacked |= get_rook_moves(rook, all);
        }
        attacked
    }
}

/// Whether a capture by such a piece, not en passant, can have been announced like this.
fn fits(
    announced: &Capture,
    own: &PieceSet,
    capturer: PieceKind,
    rules: &ObservationModel,
) -> bool {
    let Some(victim) = own.piece_on(announced.square) else { return false };
    let victim = if victim == Piece::Pawn { PieceKind::Pawn } else { PieceKind::Piece };
    *announced
        == Capture {
            square: announced.square,
            victim: rules.ruleset.announces_victim.then_some(victim),
            capturer: rules.ruleset.announces_capturer.then_some(capturer),
            en_passant: false,
        }
}

/// Whether a piece is pinned and would leave the line of the pin.
#[inline]
fn is_pin_broken(before: &Before, from: Square, to: Square) -> bool {
    before.pinned.has(from) && !get_line_rays(before.king, from).has(to)
}

/// The origin of a pawn that has moved by this difference of square indices.
#[inline]
fn pawn_origin(to: Square, difference: i8) -> Square {
    Square::index((to as i8 - difference) as usize)
}

fn home(file: File, color: Color) -> Square {
    Square::new(file, Rank::First.relative_to(color))
}
