//! Announcements computed from a position alone, without the history of a game.
//!
//! Search and state estimation use these functions to compute what the umpire would announce on a
//! hypothetical position, and to test whether a position is consistent with an announcement.

use cozy_chess::{Piece, Rank, Square};

use crate::draws::is_insufficient_material;
use crate::{
    Announcement, Audience, Capture, Checks, DrawRules, Ending, Move, Outcome, PawnTryAnnouncement,
    PawnTryRule, PieceKind, Position, Ruleset, StalemateRule, Verdict,
};

impl Position {
    /// Answers a sensible move as the umpire does. A legal move is played.
    ///
    /// Threefold repetition is not declared, because it depends on the history of the game, which
    /// the [`Umpire`](crate::Umpire) keeps. All other draws are.
    ///
    /// ```
    /// use krieg_core::{DrawRules, Position, Ruleset, Verdict};
    /// let mut position = Position::from_fen("4k3/8/8/8/8/8/3r4/R3K3 w - - 0 1")?;
    /// let refused = position.answer("e1d1".parse()?, &Ruleset::ICC, DrawRules::ALL);
    /// assert_eq!(refused.verdict, Verdict::Refused);
    /// let moved = position.answer("e1d2".parse()?, &Ruleset::ICC, DrawRules::ALL);
    /// assert_eq!(moved.to_string(), "White moved. Piece on d2 captured. No pawn tries.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(&mut self, mv: Move, ruleset: &Ruleset, draws: DrawRules) -> Announcement {
        let mover = self.turn();
        let board_move = self.board_move(mv);
        if !self.board().is_legal(board_move) {
            return Announcement::plain(mover, Verdict::Refused, ruleset.refusals);
        }
        let mut announcement = Announcement::plain(mover, Verdict::Moved, Audience::Both);
        announcement.capture = self.capture(mv, ruleset);
        announcement.promoted = ruleset.announces_promotion && mv.promotion.is_some();
        self.play_legal(board_move);
        self.announce_state(&mut announcement, ruleset, draws);
        announcement
    }

    /// The announcement at the start of a game from this position: the checks on, and the pawn
    /// tries of, the side to move.
    ///
    /// ```
    /// use krieg_core::{DrawRules, Position, Ruleset};
    /// let opening = Position::start().opening(&Ruleset::ICC, DrawRules::ALL);
    /// assert_eq!(opening.to_string(), "White to move. No pawn tries.");
    /// ```
    pub fn opening(&self, ruleset: &Ruleset, draws: DrawRules) -> Announcement {
        let mut announcement = Announcement::plain(self.turn(), Verdict::Begun, Audience::Both);
        self.announce_state(&mut announcement, ruleset, draws);
        announcement
    }

    /// Whether this position, reached by a move, is consistent with the checks, the pawn tries and
    /// the end in the announcement of that move. The capture and the promotion are not compared,
    /// because they depend on the move.
    ///
    /// This gives the same result as comparing with [`answer`](Position::answer), but stops at the
    /// first difference. State estimation calls it about a million times per second.
    ///
    /// ```
    /// use krieg_core::{DrawRules, Position, Ruleset};
    /// let mut position = Position::start();
    /// let announcement = position.answer("e2e4".parse()?, &Ruleset::ICC, DrawRules::ALL);
    /// assert!(position.is_consistent_with(&announcement, &Ruleset::ICC, DrawRules::ALL));
    /// let in_check = Position::from_fen("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1")?;
    /// assert!(!in_check.is_consistent_with(&announcement, &Ruleset::ICC, DrawRules::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_consistent_with(
        &self,
        announcement: &Announcement,
        ruleset: &Ruleset,
        draws: DrawRules,
    ) -> bool {
        if announcement.end.is_some() {
            return self.end(ruleset, draws) == announcement.end;
        }
        Checks::on(self.board()) == announcement.checks
            && self.pawn_try_announcement(ruleset) == announcement.pawn_tries
            && self.end(ruleset, draws).is_none()
    }

    fn pawn_try_announcement(&self, ruleset: &Ruleset) -> PawnTryAnnouncement {
        match ruleset.pawn_tries {
            PawnTryRule::Silent | PawnTryRule::Asked(_) => PawnTryAnnouncement::Silent,
            PawnTryRule::Whether => PawnTryAnnouncement::Whether(self.pawn_tries().count > 0),
            PawnTryRule::Count => PawnTryAnnouncement::Count(self.pawn_tries().count),
            PawnTryRule::Squares => PawnTryAnnouncement::From(self.pawn_tries().from),
        }
    }

    /// Adds what is announced about the position: its end, or else the checks and pawn tries.
    fn announce_state(&self, announcement: &mut Announcement, ruleset: &Ruleset, draws: DrawRules) {
        announcement.end = self.end(ruleset, draws);
        if announcement.end.is_some() {
            return;
        }
        announcement.checks = Checks::on(self.board());
        announcement.pawn_tries = self.pawn_try_announcement(ruleset);
    }

    /// The end of the game that this position implies. Checkmate and stalemate have precedence
    /// over insufficient material, and that over the fifty-move rule.
    fn end(&self, ruleset: &Ruleset, draws: DrawRules) -> Option<Outcome> {
        let opponent = Some(!self.turn());
        let draw = |ending| Some(Outcome { ending, winner: None });
        if !self.can_move() {
            if !self.board().checkers().is_empty() {
                return Some(Outcome { ending: Ending::Checkmate, winner: opponent });
            }
            let winner = if ruleset.stalemate == StalemateRule::Loses { opponent } else { None };
            return Some(Outcome { ending: Ending::Stalemate, winner });
        }
        if draws.insufficient_material && is_insufficient_material(self.board()) {
            return draw(Ending::InsufficientMaterial);
        }
        if draws.fifty_moves && self.board().halfmove_clock() >= 100 {
            return draw(Ending::FiftyMoves);
        }
        None
    }

    /// The capture that a legal move is about to make, as the ruleset announces it.
    ///
    /// ```
    /// use krieg_core::{Position, Ruleset, Square};
    /// let position = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
    /// let capture = position.capture("e4d5".parse()?, &Ruleset::ICC).unwrap();
    /// assert_eq!(capture.square, Square::D5);
    /// assert_eq!(position.capture("e4e5".parse()?, &Ruleset::ICC), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn capture(&self, mv: Move, ruleset: &Ruleset) -> Option<Capture> {
        let board = self.board();
        let kind_on = |square| {
            if board.pieces(Piece::Pawn).has(square) { PieceKind::Pawn } else { PieceKind::Piece }
        };
        let capturer = kind_on(mv.from);
        let is_occupied = board.colors(!self.turn()).has(mv.to);
        let is_diagonal_pawn_move = capturer == PieceKind::Pawn && mv.from.file() != mv.to.file();
        if !is_occupied && !is_diagonal_pawn_move {
            return None;
        }
        let is_en_passant = !is_occupied;
        let victim_square = Square::new(mv.to.file(), Rank::Fifth.relative_to(self.turn()));
        let square =
            if is_en_passant && !ruleset.announces_en_passant { victim_square } else { mv.to };
        let victim = if is_en_passant { PieceKind::Pawn } else { kind_on(mv.to) };
        Some(Capture {
            square,
            victim: ruleset.announces_victim.then_some(victim),
            capturer: ruleset.announces_capturer.then_some(capturer),
            en_passant: is_en_passant && ruleset.announces_en_passant,
        })
    }
}
