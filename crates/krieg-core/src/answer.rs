//! What an umpire says of a board, with no game around it.
//!
//! This is the part of the umpire that needs no memory. Whoever imagines boards, to search them or to
//! ask which of them agree with what was heard, asks here what would be said on each.

use cozy_chess::{Piece, Rank, Square};

use crate::draws::is_insufficient;
use crate::{
    Announcement, Audience, Capture, Checks, DrawRules, Ending, Kind, Move, Outcome,
    PawnInformation, PawnNews, Position, Ruleset, Stalemate, Verdict,
};

impl Position {
    /// What the umpire says to a sensible move on this board. A legal one is played.
    ///
    /// Of the draws, all are declared that a board shows by itself: not the third occurrence of a
    /// position, which is for an [`Umpire`](crate::Umpire) to remember.
    ///
    /// ```
    /// use krieg_core::{DrawRules, Position, Ruleset, Verdict};
    /// let mut board = Position::from_fen("4k3/8/8/8/8/8/3r4/R3K3 w - - 0 1")?;
    /// let refused = board.answer("e1d1".parse()?, &Ruleset::ICC, DrawRules::ALL);
    /// assert_eq!(refused.verdict, Verdict::Refused);
    /// let moved = board.answer("e1d2".parse()?, &Ruleset::ICC, DrawRules::ALL);
    /// assert_eq!(moved.to_string(), "White moved. Piece on d2 captured. No pawn tries.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(&mut self, mv: Move, ruleset: &Ruleset, draws: DrawRules) -> Announcement {
        let mover = self.turn();
        let board_move = self.board_move(mv);
        if !self.board().is_legal(board_move) {
            return Announcement::plain(mover, Verdict::Refused, ruleset.refusals);
        }
        let mut said = Announcement::plain(mover, Verdict::Moved, Audience::Both);
        said.capture = self.capture(mv, ruleset);
        said.promoted = ruleset.promotion_told && mv.promotion.is_some();
        self.play_legal(board_move);
        self.tell(&mut said, ruleset, draws);
        said
    }

    /// What is said as a game begins here: the checks and the pawn tries of the first to move.
    ///
    /// ```
    /// use krieg_core::{DrawRules, Position, Ruleset};
    /// let opening = Position::start().opening(&Ruleset::ICC, DrawRules::ALL);
    /// assert_eq!(opening.to_string(), "White to move. No pawn tries.");
    /// ```
    pub fn opening(&self, ruleset: &Ruleset, draws: DrawRules) -> Announcement {
        let mut said = Announcement::plain(self.turn(), Verdict::Begun, Audience::Both);
        self.tell(&mut said, ruleset, draws);
        said
    }

    /// Whether the umpire would say this of the board as it stands after a move: the checks, the pawn tries, the end. It is
    /// what [`answer`](Position::answer) says, compared part by part and given up at the first difference: whoever imagines boards asks
    /// this a million times a second. What has to do with the move itself, a capture or a promotion, is not looked at.
    ///
    /// ```
    /// use krieg_core::{DrawRules, Position, Ruleset};
    /// let mut board = Position::start();
    /// let said = board.answer("e2e4".parse()?, &Ruleset::ICC, DrawRules::ALL);
    /// assert!(board.agrees_with(&said, &Ruleset::ICC, DrawRules::ALL));
    /// let other = Position::from_fen("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1")?;
    /// assert!(!other.agrees_with(&said, &Ruleset::ICC, DrawRules::ALL), "here it is check");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn agrees_with(&self, said: &Announcement, ruleset: &Ruleset, draws: DrawRules) -> bool {
        if said.end.is_some() {
            return self.end(ruleset, draws) == said.end;
        }
        Checks::on(self.board()) == said.checks
            && self.pawn_news(ruleset) == said.pawns
            && self.end(ruleset, draws).is_none()
    }

    fn pawn_news(&self, ruleset: &Ruleset) -> PawnNews {
        match ruleset.pawns {
            PawnInformation::Silent | PawnInformation::Asked(_) => PawnNews::Silent,
            PawnInformation::Whether => PawnNews::Whether(self.pawn_tries().count > 0),
            PawnInformation::Count => PawnNews::Count(self.pawn_tries().count),
            PawnInformation::Squares => PawnNews::From(self.pawn_tries().from),
        }
    }

    /// Adds what the side to move now hears of the board: checks and pawn tries, or else the end.
    fn tell(&self, said: &mut Announcement, ruleset: &Ruleset, draws: DrawRules) {
        said.end = self.end(ruleset, draws);
        if said.end.is_some() {
            return;
        }
        said.checks = Checks::on(self.board());
        said.pawns = self.pawn_news(ruleset);
    }

    /// The end that stands on the board, if one does, in the order of weight: mate before all.
    fn end(&self, ruleset: &Ruleset, draws: DrawRules) -> Option<Outcome> {
        let opponent = Some(!self.turn());
        let draw = |ending| Some(Outcome { ending, winner: None });
        if !self.can_move() {
            if !self.board().checkers().is_empty() {
                return Some(Outcome { ending: Ending::Checkmate, winner: opponent });
            }
            let winner = if ruleset.stalemate == Stalemate::Loses { opponent } else { None };
            return Some(Outcome { ending: Ending::Stalemate, winner });
        }
        if draws.insufficient_material && is_insufficient(self.board()) {
            return draw(Ending::InsufficientMaterial);
        }
        if draws.fifty_moves && self.board().halfmove_clock() >= 100 {
            return draw(Ending::FiftyMoves);
        }
        None
    }

    /// The capture that a legal move is about to make, as the ruleset tells it.
    ///
    /// ```
    /// use krieg_core::{Position, Ruleset, Square};
    /// let board = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
    /// let capture = board.capture("e4d5".parse()?, &Ruleset::ICC).unwrap();
    /// assert_eq!(capture.square, Square::D5);
    /// assert_eq!(board.capture("e4e5".parse()?, &Ruleset::ICC), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn capture(&self, mv: Move, ruleset: &Ruleset) -> Option<Capture> {
        let board = self.board();
        let kind_on = |square| {
            if board.pieces(Piece::Pawn).has(square) { Kind::Pawn } else { Kind::Piece }
        };
        let capturer = kind_on(mv.from);
        let is_enemy_there = board.colors(!self.turn()).has(mv.to);
        let is_diagonal = capturer == Kind::Pawn && mv.from.file() != mv.to.file();
        if !is_enemy_there && !is_diagonal {
            return None;
        }
        let in_passing = !is_enemy_there;
        let passed = Square::new(mv.to.file(), Rank::Fifth.relative_to(self.turn()));
        let square = if in_passing && !ruleset.en_passant_told { passed } else { mv.to };
        let victim = if in_passing { Kind::Pawn } else { kind_on(mv.to) };
        Some(Capture {
            square,
            victim: ruleset.victim_told.then_some(victim),
            capturer: ruleset.capturer_told.then_some(capturer),
            en_passant: in_passing && ruleset.en_passant_told,
        })
    }
}
