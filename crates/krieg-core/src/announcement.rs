//! The umpire's announcements: what is announced after a try, and to whom.

use std::fmt;

use cozy_chess::{BitBoard, Color, Square};

use crate::{Audience, Checks, Outcome, color_name};

/// The kind of a captured or capturing piece, as the umpire announces it. No ruleset announces
/// anything more specific.
///
/// ```
/// use krieg_core::{Piece, PieceKind};
/// assert_eq!(PieceKind::of(Piece::Queen), PieceKind::Piece);
/// assert_eq!(PieceKind::of(Piece::Pawn).name(), "pawn");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// A pawn.
    Pawn,
    /// Any piece except a pawn.
    Piece,
}

impl PieceKind {
    /// The kind of a piece.
    pub fn of(piece: cozy_chess::Piece) -> Self {
        if piece == cozy_chess::Piece::Pawn { PieceKind::Pawn } else { PieceKind::Piece }
    }

    /// `pawn` or `piece`.
    pub fn name(self) -> &'static str {
        match self {
            PieceKind::Pawn => "pawn",
            PieceKind::Piece => "piece",
        }
    }
}

/// An announced capture, with the details that the ruleset announces.
///
/// ```
/// use krieg_core::{Capture, Color, Position, Ruleset, Square, Umpire};
/// let start = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
/// let announcement = Umpire::new(Ruleset::BERKELEY, start).judge("e4d5".parse()?)?;
/// let expected = Capture { square: Square::D5, victim: None, capturer: None, en_passant: false };
/// assert_eq!(announcement.capture, Some(expected), "Berkeley announces only the square");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Capture {
    /// The square of the captured piece. If the capture is announced as en passant, the square
    /// where the capturing pawn lands.
    pub square: Square,
    /// The kind of the captured piece, if the ruleset announces it.
    pub victim: Option<PieceKind>,
    /// The kind of the capturing piece, if the ruleset announces it.
    pub capturer: Option<PieceKind>,
    /// Whether the capture is announced as en passant.
    pub en_passant: bool,
}

/// What is announced about the pawn tries of the side to move.
///
/// ```
/// use krieg_core::{PawnTryAnnouncement, Position, Ruleset, Umpire};
/// let umpire = Umpire::new(Ruleset::ICC, Position::start());
/// assert_eq!(umpire.opening().pawn_tries, PawnTryAnnouncement::Count(0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PawnTryAnnouncement {
    /// Nothing is announced.
    Silent,
    /// The number of pawn tries.
    Count(u8),
    /// Whether there is a pawn try.
    Whether(bool),
    /// The squares of the pawns that have a pawn try.
    From(BitBoard),
}

impl PawnTryAnnouncement {
    /// Whether at least one pawn try was announced.
    ///
    /// ```
    /// use krieg_core::PawnTryAnnouncement;
    /// assert!(PawnTryAnnouncement::Count(2).has_pawn_try());
    /// assert!(!PawnTryAnnouncement::Silent.has_pawn_try());
    /// ```
    pub fn has_pawn_try(&self) -> bool {
        match self {
            PawnTryAnnouncement::Silent => false,
            PawnTryAnnouncement::Count(count) => *count > 0,
            PawnTryAnnouncement::Whether(is_there) => *is_there,
            PawnTryAnnouncement::From(squares) => !squares.is_empty(),
        }
    }
}

/// The first part of every announcement: what happened.
///
/// ```
/// use krieg_core::{Position, Ruleset, Umpire, Verdict};
/// let mut umpire = Umpire::new(Ruleset::CINCINNATI, Position::start());
/// assert_eq!(umpire.judge("e2e5".parse()?)?.verdict, Verdict::Nonsense);
/// assert_eq!(umpire.judge("e2e4".parse()?)?.verdict, Verdict::Moved);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The game begins.
    Begun,
    /// The try was accepted: the move is legal and was played.
    Moved,
    /// The try was refused.
    Refused,
    /// The try was called nonsense: it is impossible whatever the opponent's pieces are.
    Nonsense,
    /// The answer to "any?".
    Any(bool),
    /// The game ended by resignation, agreement, abandonment or time.
    Ended,
}

/// One announcement of the umpire, with its audience.
///
/// Every field holds what the ruleset makes known to the audience and no more, so an announcement
/// can be passed to its audience unchanged. `Display` writes the umpire's wording:
///
/// ```
/// use krieg_core::{Position, Ruleset, Umpire};
/// let start = Position::from_fen("4k3/4p3/8/8/8/8/4R3/4K3 w - - 0 1")?;
/// let mut umpire = Umpire::new(Ruleset::ICC, start);
/// assert_eq!(
///     umpire.judge("e2e7".parse()?)?.to_string(),
///     "White moved. Pawn on e7 captured. File check. No pawn tries.",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Announcement {
    /// The player whose try is answered. For [`Verdict::Begun`] the player to move first; for
    /// [`Verdict::Ended`] the player who resigned, left or ran out of time.
    pub by: Color,
    /// What happened.
    pub verdict: Verdict,
    /// Who observes the announcement.
    pub audience: Audience,
    /// The capture, if there was one.
    pub capture: Option<Capture>,
    /// Whether a promotion is announced.
    pub promoted: bool,
    /// The checks on the side to move. Checkmate is announced in `end`, not here.
    pub checks: Checks,
    /// The pawn tries of the side to move.
    pub pawn_tries: PawnTryAnnouncement,
    /// The end of the game.
    pub end: Option<Outcome>,
}

impl Announcement {
    /// An announcement of a verdict alone.
    ///
    /// ```
    /// use krieg_core::{Announcement, Audience, Color, Verdict};
    /// let refusal = Announcement::plain(Color::White, Verdict::Refused, Audience::Mover);
    /// assert_eq!(refusal.to_string(), "Illegal.");
    /// ```
    pub fn plain(by: Color, verdict: Verdict, audience: Audience) -> Self {
        Announcement {
            by,
            verdict,
            audience,
            capture: None,
            promoted: false,
            checks: Checks::NONE,
            pawn_tries: PawnTryAnnouncement::Silent,
            end: None,
        }
    }

    /// Adds the end of the game, and removes checks and pawn tries: they are not announced after
    /// the last move.
    pub(crate) fn end_with(&mut self, outcome: Outcome) {
        self.end = Some(outcome);
        self.checks = Checks::NONE;
        self.pawn_tries = PawnTryAnnouncement::Silent;
    }

    /// Whether this player observes the announcement.
    ///
    /// ```
    /// use krieg_core::{Announcement, Audience, Color, Verdict};
    /// let refusal = Announcement::plain(Color::White, Verdict::Refused, Audience::Mover);
    /// assert!(refusal.is_observed_by(Color::White));
    /// assert!(!refusal.is_observed_by(Color::Black));
    /// ```
    pub fn is_observed_by(&self, player: Color) -> bool {
        self.audience == Audience::Both || self.by == player
    }
}

impl fmt::Display for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.verdict {
            Verdict::Begun => write!(f, "{} to move.", color_name(self.by))?,
            Verdict::Moved => write!(f, "{} moved.", color_name(self.by))?,
            Verdict::Refused => f.write_str("Illegal.")?,
            Verdict::Nonsense => f.write_str("Nonsense.")?,
            Verdict::Any(true) => f.write_str("Any? Yes.")?,
            Verdict::Any(false) => f.write_str("Any? No.")?,
            Verdict::Ended => f.write_str("The game is over.")?,
        }
        if let Some(capture) = self.capture {
            capture.write_sentence(f)?;
        }
        if self.promoted {
            f.write_str(" A pawn promoted.")?;
        }
        for direction in self.checks.iter() {
            let name = direction.name();
            write!(f, " {}{} check.", name[..1].to_uppercase(), &name[1..])?;
        }
        self.pawn_tries.write_sentence(f)?;
        match self.end {
            Some(outcome) => write!(f, " {outcome}"),
            None => Ok(()),
        }
    }
}

impl Capture {
    /// Writes the wording: a sentence with a leading space.
    fn write_sentence(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.en_passant, self.victim) {
            (true, _) => write!(f, " Captured en passant, landing on {}", self.square)?,
            (false, Some(PieceKind::Pawn)) => write!(f, " Pawn on {} captured", self.square)?,
            (false, Some(PieceKind::Piece)) => write!(f, " Piece on {} captured", self.square)?,
            (false, None) => write!(f, " Capture on {}", self.square)?,
        }
        match self.capturer {
            Some(capturer) => write!(f, " by a {}.", capturer.name()),
            None => f.write_str("."),
        }
    }
}

impl PawnTryAnnouncement {
    /// Writes the wording: a sentence with a leading space, or nothing.
    fn write_sentence(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PawnTryAnnouncement::Silent => Ok(()),
            PawnTryAnnouncement::Count(0)
            | PawnTryAnnouncement::Whether(false)
            | PawnTryAnnouncement::From(BitBoard::EMPTY) => f.write_str(" No pawn tries."),
            PawnTryAnnouncement::Count(1) => f.write_str(" 1 pawn try."),
            PawnTryAnnouncement::Count(count) => write!(f, " {count} pawn tries."),
            PawnTryAnnouncement::Whether(true) => f.write_str(" There is a pawn try."),
            PawnTryAnnouncement::From(squares) => {
                let names: Vec<_> = squares.into_iter().map(|s| s.to_string()).collect();
                write!(f, " Pawn tries from {}.", names.join(", "))
            }
        }
    }
}
