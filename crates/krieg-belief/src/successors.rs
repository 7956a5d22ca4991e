//! The opponent's move, made on millions of boards.

use cozy_chess::{
    BitBoard, Color, File, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_bishop_rays, get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks,
    get_rook_moves, get_rook_rays,
};
use krieg_core::{Announcement, Capture, PieceKind, PieceSet, pawn_diagonals};

use crate::announcement_checker::{AnnouncementChecker, ahead};
use crate::{ObservationModel, OpponentBoard, OpponentTurn};

/// Every move the opponent can have made when the player heard this, for one board after the other.
///
/// It finds what [`ObservationModel::for_each_successor`] finds, which is the same in plain words and a few times slower: the player's men are the same on all
/// boards, so what follows from them alone is worked out once, and the board that a move leads to is the old one with a few bits
/// turned, never a whole position.
///
/// ```
/// use krieg_belief::{OpponentTurn, OpponentBoard, SuccessorGenerator, ObservationModel};
/// use krieg_core::{Color, Game, Setup};
/// let setup = Setup::default();
/// let mut game = Game::new(setup.clone());
/// let said = game.judge("e2e4".parse()?)?;
/// let turn = OpponentTurn::after(&said);
/// let board = OpponentBoard::of(game.umpire().position(), Color::Black);
/// let white = game.umpire().position().men(Color::White);
/// let said = game.judge("d7d5".parse()?)?;
/// let rules = ObservationModel::new(&setup);
/// let replies = SuccessorGenerator::new(&rules, &turn, [&white, &white], &said).unwrap();
/// let mut count = 0;
/// replies.for_each(&board, || true, |_| count += 1);
/// assert_eq!(count, 2, "there is a pawn try, so it was d5 or f5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct SuccessorGenerator<'a> {
    rules: &'a ObservationModel,
    turn: &'a OpponentTurn,
    said: &'a Announcement,
    own: PieceSet,
    enemy: Color,
    listener: AnnouncementChecker<'a>,
    /// What the own pawns, knights and king attack, on any board.
    guarded: BitBoard,
    /// Where a piece and a pawn's step can have ended, and where a pawn can have captured.
    pieces_to: BitBoard,
    pawns_to: BitBoard,
    pawns_take: BitBoard,
}

/// The board before the move, as far as all its moves need it.
struct Before<'b> {
    board: &'b OpponentBoard,
    enemies: BitBoard,
    all: BitBoard,
    king: Square,
    pinned: BitBoard,
    in_check: bool,
    /// Where a man other than the king may go: anywhere, or where he ends a check.
    saves: BitBoard,
}

impl<'a> SuccessorGenerator<'a> {
    /// What can have been played in this turn, at the end of which this was said. The men are the player's own before and after.
    /// Nothing, if a king is missing.
    pub fn new(
        rules: &'a ObservationModel,
        turn: &'a OpponentTurn,
        [before, after]: [&PieceSet; 2],
        said: &'a Announcement,
    ) -> Option<Self> {
        let king = before.pieces(Piece::King).next_square()?;
        let (towards_a, towards_h) = pawn_diagonals(before.pieces(Piece::Pawn), before.color());
        let mut guarded = towards_a | towards_h | get_king_moves(king);
        for knight in before.pieces(Piece::Knight) {
            guarded |= get_knight_moves(knight);
        }
        let must_take_with_pawn = turn.owes_pawn_capture(&rules.ruleset);
        let quiet = if said.capture.is_none() && !must_take_with_pawn {
            !before.all()
        } else {
            BitBoard::EMPTY
        };
        let taken = |capturer| match said.capture {
            Some(capture) if fits(&capture, before, capturer, rules) => capture.square.bitboard(),
            _ => BitBoard::EMPTY,
        };
        let by_piece = if must_take_with_pawn { BitBoard::EMPTY } else { taken(PieceKind::Piece) };
        Some(SuccessorGenerator {
            rules,
            turn,
            said,
            own: *before,
            enemy: !before.color(),
            listener: AnnouncementChecker::new(rules, after, said)?,
            guarded,
            pieces_to: quiet | by_piece,
            pawns_to: quiet,
            pawns_take: taken(PieceKind::Pawn),
        })
    }

    /// Hands over every board that may stand now if this one stood before. `may_try` is asked about every move, and may turn it down.
    pub fn for_each(
        &self,
        board: &OpponentBoard,
        mut may_try: impl FnMut() -> bool,
        mut found: impl FnMut(OpponentBoard),
    ) {
        if !self.turn.is_silent() {
            let position = board.position(&self.own, self.enemy);
            if !position.is_some_and(|p| self.turn.is_possible(&p, &self.rules.ruleset)) {
                return;
            }
        }
        let Some(before) = self.look_at(board) else { return };
        let mut consider = |after: OpponentBoard| {
            if may_try() && self.listener.is_consistent(&after) {
                found(after);
            }
        };
        self.pawn_moves(&before, &mut consider);
        if self.rules.ruleset.announces_promotion && self.said.promoted {
            return;
        }
        self.piece_moves(&before, &mut consider);
        self.king_moves(&before, &mut consider);
    }

    fn look_at<'b>(&self, board: &'b OpponentBoard) -> Option<Before<'b>> {
        let enemies = board.all();
        let all = enemies | self.own.all();
        let king = board.pieces(Piece::King).next_square()?;
        let own = |piece| self.own.pieces(piece);
        let mut checkers = (own(Piece::Knight) & get_knight_moves(king))
            | (own(Piece::Pawn) & get_pawn_attacks(king, self.enemy));
        let mut pinned = BitBoard::EMPTY;
        let aiming = ((own(Piece::Bishop) | own(Piece::Queen)) & get_bishop_rays(king))
            | ((own(Piece::Rook) | own(Piece::Queen)) & get_rook_rays(king));
        for slider in aiming {
            let between = get_between_rays(slider, king) & all;
            if between.is_empty() {
                checkers |= slider.bitboard();
            } else if between.len() == 1 {
                pinned |= between;
            }
        }
        let saves = match checkers.next_square() {
            None => BitBoard::FULL,
            Some(checker) if checkers.len() == 1 => get_between_rays(checker, king) | checkers,
            Some(_) => BitBoard::EMPTY,
        };
        let in_check = !checkers.is_empty();
        Some(Before { board, enemies, all, king, pinned, in_check, saves })
    }

    #[inline]
    fn pawn_moves(&self, before: &Before, consider: &mut impl FnMut(OpponentBoard)) {
        let pawns = before.board.pieces(Piece::Pawn);
        let forth = if self.enemy == Color::White { 8 } else { -8 };
        if !self.pawns_to.is_empty() {
            let steps = ahead(pawns, self.enemy) & !before.all;
            let third = Rank::Third.relative_to(self.enemy).bitboard();
            let leaps = ahead(steps & third, self.enemy) & !before.all;
            for to in steps & before.saves {
                self.pawn_move(before, back(to, forth), to, false, consider);
            }
            for to in leaps & before.saves {
                self.pawn_move(before, back(to, 2 * forth), to, true, consider);
            }
        }
        if !self.pawns_take.is_empty() {
            let (towards_a, towards_h) = pawn_diagonals(pawns, self.enemy);
            let prey = self.pawns_take & before.saves;
            for to in towards_a & prey {
                self.pawn_move(before, back(to, forth - 1), to, false, consider);
            }
            for to in towards_h & prey {
                self.pawn_move(before, back(to, forth + 1), to, false, consider);
            }
        }
        if self.said.capture.is_some() {
            self.captures_in_passing(before, pawns, consider);
        }
    }

    #[inline]
    fn pawn_move(
        &self,
        before: &Before,
        from: Square,
        to: Square,
        leaps: bool,
        consider: &mut impl FnMut(OpponentBoard),
    ) {
        if is_held(before, from, to) {
            return;
        }
        let mut after = *before.board;
        after.en_passant = leaps.then(|| to.file());
        after.toggle(Piece::Pawn, from.bitboard());
        let promotes = to.rank() == Rank::Eighth.relative_to(self.enemy);
        if self.rules.ruleset.announces_promotion && promotes != self.said.promoted {
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

    fn captures_in_passing(
        &self,
        before: &Before,
        pawns: BitBoard,
        consider: &mut impl FnMut(OpponentBoard),
    ) {
        let Some(file) = before.board.en_passant else { return };
        let ruleset = &self.rules.ruleset;
        let to = Square::new(file, Rank::Sixth.relative_to(self.enemy));
        let passed = Square::new(file, Rank::Fifth.relative_to(self.enemy));
        let told = Capture {
            square: if ruleset.announces_en_passant { to } else { passed },
            victim: ruleset.announces_victim.then_some(PieceKind::Pawn),
            capturer: ruleset.announces_capturer.then_some(PieceKind::Pawn),
            en_passant: ruleset.announces_en_passant,
        };
        if self.said.capture != Some(told) || (ruleset.announces_promotion && self.said.promoted) {
            return;
        }
        let own = |piece| self.own.pieces(piece);
        for from in get_pawn_attacks(to, !self.enemy) & pawns {
            // Two men leave the board's lines at once, and one comes: nothing short of looking tells what that opens.
            let all = before.all ^ passed.bitboard() ^ from.bitboard() | to.bitboard();
            let seen = (get_bishop_moves(before.king, all)
                & (own(Piece::Bishop) | own(Piece::Queen)))
                | (get_rook_moves(before.king, all) & (own(Piece::Rook) | own(Piece::Queen)))
                | (get_knight_moves(before.king) & own(Piece::Knight))
                | (get_pawn_attacks(before.king, self.enemy)
                    & own(Piece::Pawn)
                    & !passed.bitboard());
            if seen.is_empty() {
                let mut after = *before.board;
                after.en_passant = None;
                after.toggle(Piece::Pawn, from.bitboard() | to.bitboard());
                consider(after);
            }
        }
    }

    #[inline]
    fn piece_moves(&self, before: &Before, consider: &mut impl FnMut(OpponentBoard)) {
        let to = self.pieces_to & before.saves & !before.enemies;
        if to.is_empty() {
            return;
        }
        let of = |piece| before.board.pieces(piece);
        for from in of(Piece::Knight) {
            self.man_moves(before, Piece::Knight, from, to & get_knight_moves(from), consider);
        }
        for from in of(Piece::Bishop) {
            let seen = get_bishop_moves(from, before.all);
            self.man_moves(before, Piece::Bishop, from, to & seen, consider);
        }
        for from in of(Piece::Rook) {
            let seen = get_rook_moves(from, before.all);
            self.man_moves(before, Piece::Rook, from, to & seen, consider);
        }
        for from in of(Piece::Queen) {
            let seen = get_bishop_moves(from, before.all) | get_rook_moves(from, before.all);
            self.man_moves(before, Piece::Queen, from, to & seen, consider);
        }
    }

    #[inline]
    fn man_moves(
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
        let mut gone = *before.board;
        gone.en_passant = None;
        gone.toggle(piece, from.bitboard());
        // A rook that leaves its corner castles no more.
        if piece == Piece::Rook {
            gone.castling.0 &= from != home(File::H, self.enemy);
            gone.castling.1 &= from != home(File::A, self.enemy);
        }
        for to in to {
            let mut after = gone;
            after.toggle(piece, to.bitboard());
            consider(after);
        }
    }

    #[inline]
    fn king_moves(&self, before: &Before, consider: &mut impl FnMut(OpponentBoard)) {
        let from = before.king;
        let mut gone = *before.board;
        gone.en_passant = None;
        gone.toggle(Piece::King, from.bitboard());
        gone.castling = (false, false);
        let to = get_king_moves(from) & self.pieces_to & !before.enemies & !self.guarded;
        let castles = before.board.castling;
        let may_castle = castles != (false, false) && !before.in_check && !self.pawns_to.is_empty();
        if to.is_empty() && !may_castle {
            return;
        }
        let guarded = self.guarded_on(before);
        for to in to & !guarded {
            let mut after = gone;
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
                [rook, to, rook_to, last].map(|file| home(file, self.enemy).bitboard());
            if (to | rook_to | last).is_disjoint(before.all) && (to | rook_to).is_disjoint(guarded)
            {
                let mut after = gone;
                after.toggle(Piece::King, to);
                after.toggle(Piece::Rook, rook | rook_to);
                consider(after);
            }
        }
    }

    /// Where the opponent's king must not go. He does not hide himself from a man who looks through his square.
    fn guarded_on(&self, before: &Before) -> BitBoard {
        let all = before.all ^ before.king.bitboard();
        let own = |piece| self.own.pieces(piece);
        let mut guarded = self.guarded;
        for bishop in own(Piece::Bishop) | own(Piece::Queen) {
            guarded |= get_bishop_moves(bishop, all);
        }
        for rook in own(Piece::Rook) | own(Piece::Queen) {
            guarded |= get_rook_moves(rook, all);
        }
        guarded
    }
}

/// Whether a capture by such a man, not in passing, can have been told like this.
fn fits(told: &Capture, own: &PieceSet, capturer: PieceKind, rules: &ObservationModel) -> bool {
    let Some(victim) = own.piece_on(told.square) else { return false };
    let victim = if victim == Piece::Pawn { PieceKind::Pawn } else { PieceKind::Piece };
    *told
        == Capture {
            square: told.square,
            victim: rules.ruleset.announces_victim.then_some(victim),
            capturer: rules.ruleset.announces_capturer.then_some(capturer),
            en_passant: false,
        }
}

/// Whether a man is pinned, and would leave the line that holds him.
#[inline]
fn is_held(before: &Before, from: Square, to: Square) -> bool {
    before.pinned.has(from) && !get_line_rays(before.king, from).has(to)
}

/// Where a pawn came from that has gone so many squares forth.
#[inline]
fn back(to: Square, forth: i8) -> Square {
    Square::index((to as i8 - forth) as usize)
}

fn home(file: File, color: Color) -> Square {
    Square::new(file, Rank::First.relative_to(color))
}
