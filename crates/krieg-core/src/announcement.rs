//! What the umpire says.

use std::fmt;

use cozy_chess::{BitBoard, Color, Square};

use crate::{Audience, Checks, Outcome, color_name};

/// A man as the umpire names it when it is captured: nothing finer is ever said.
///
/// ```
/// use krieg_core::{Kind, Piece};
/// assert_eq!(Kind::of(Piece::Queen), Kind::Piece);
/// assert_eq!(Kind::of(Piece::Pawn).name(), "pawn");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A pawn.
    Pawn,
    /// Anything but a pawn.
    Piece,
}

impl Kind {
    /// The kind of a man.
    pub fn of(piece: cozy_chess::Piece) -> Self {
        if piece == cozy_chess::Piece::Pawn { Kind::Pawn } else { Kind::Piece }
    }

    /// `pawn` or `piece`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Pawn => "pawn",
            Kind::Piece => "piece",
        }
    }
}

/// A capture, as far as the ruleset tells it.
///
/// ```
/// use krieg_core::{Capture, Color, Position, Ruleset, Square, Umpire};
/// let start = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
/// let said = Umpire::new(Ruleset::BERKELEY, start).judge("e4d5".parse()?)?;
/// let bare = Capture { square: Square::D5, victim: None, capturer: None, en_passant: false };
/// assert_eq!(said.capture, Some(bare), "Berkeley tells the square and nothing else");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Capture {
    /// The captured man's square, or the landing square where en passant is told.
    pub square: Square,
    /// What was captured, where that is told.
    pub victim: Option<Kind>,
    /// What captured, where that is told.
    pub capturer: Option<Kind>,
    /// Said to be en passant.
    pub en_passant: bool,
}

/// What is said of the pawn tries of the side that is to move now.
///
/// ```
/// use krieg_core::{PawnNews, Position, Ruleset, Umpire};
/// let umpire = Umpire::new(Ruleset::ICC, Position::start());
/// assert_eq!(umpire.opening().pawns, PawnNews::Count(0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PawnNews {
    /// Nothing.
    Silent,
    /// How many tries there are.
    Count(u8),
    /// Whether there is one.
    Whether(bool),
    /// The squares of the pawns that have one.
    From(BitBoard),
}

impl PawnNews {
    /// Whether it was said that there is a try.
    ///
    /// ```
    /// use krieg_core::PawnNews;
    /// assert!(PawnNews::Count(2).is_some_there() && !PawnNews::Silent.is_some_there());
    /// ```
    pub fn is_some_there(&self) -> bool {
        match self {
            PawnNews::Silent => false,
            PawnNews::Count(count) => *count > 0,
            PawnNews::Whether(is_there) => *is_there,
            PawnNews::From(squares) => !squares.is_empty(),
        }
    }
}

/// What happened, at the head of every announcement.
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
    /// The try was legal, and stands.
    Moved,
    /// The try was refused.
    Refused,
    /// The try was nonsense.
    Nonsense,
    /// The answer to "any?".
    Any(bool),
    /// The game ended away from the board: somebody resigned, agreed, left or ran out of time.
    Ended,
}

/// One utterance of the umpire, with who hears it.
///
/// Every field is what the ruleset lets the audience know and no more, so an announcement can be
/// handed on to its audience as it is. Its text is the umpire's words:
///
/// ```
/// use krieg_core::{Position, Ruleset, Umpire};
/// let start = Position::from_fen("4k3/4p3/8/8/8/8/4R3/4K3 w - - 0 1")?;
/// let mut umpire = Umpire::new(Ruleset::ICC, start);
/// let said = umpire.judge("e2e7".parse()?)?;
/// assert_eq!(said.to_string(), "White moved. Pawn on e7 captured. File check. No pawn tries.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Announcement {
    /// Whose try is answered; at the beginning, who is to move; at an end away from the board,
    /// who resigned, left or ran out of time.
    pub by: Color,
    /// What happened.
    pub verdict: Verdict,
    /// Who hears all this.
    pub audience: Audience,
    /// A capture.
    pub capture: Option<Capture>,
    /// A pawn promoted, where that is told.
    pub promoted: bool,
    /// The checks on the side that is to move now. Mate is announced as mate, not as check.
    pub checks: Checks,
    /// The pawn tries of the side that is to move now.
    pub pawns: PawnNews,
    /// The end of the game.
    pub end: Option<Outcome>,
}

impl Announcement {
    /// A verdict with nothing more to say.
    ///
    /// ```
    /// use krieg_core::{Announcement, Audience, Color, Verdict};
    /// let said = Announcement::plain(Color::White, Verdict::Refused, Audience::Mover);
    /// assert_eq!(said.to_string(), "Illegal.");
    /// ```
    pub fn plain(by: Color, verdict: Verdict, audience: Audience) -> Self {
        Announcement {
            by,
            verdict,
            audience,
            capture: None,
            promoted: false,
            checks: Checks::NONE,
            pawns: PawnNews::Silent,
            end: None,
        }
    }

    /// Makes it the last one: when the game is over, checks and pawn tries are not told.
    pub(crate) fn end_with(&mut self, outcome: Outcome) {
        self.end = Some(outcome);
        self.checks = Checks::NONE;
        self.pawns = PawnNews::Silent;
    }

    /// Whether this player hears it.
    ///
    /// ```
    /// use krieg_core::{Announcement, Audience, Color, Verdict};
    /// let said = Announcement::plain(Color::White, Verdict::Refused, Audience::Mover);
    /// assert!(said.is_heard_by(Color::White));
    /// assert!(!said.is_heard_by(Color::Black));
    /// ```
    pub fn is_heard_by(&self, player: Color) -> bool {
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
            let victim = match capture.victim {
                Some(Kind::Pawn) => "Pawn",
                Some(Kind::Piece) => "Piece",
                None => "Man",
            };
            if capture.en_passant {
                write!(f, " Captured en passant, landing on {}", capture.square)?;
            } else {
                write!(f, " {victim} on {} captured", capture.square)?;
            }
            match capture.capturer {
                Some(capturer) => write!(f, " by a {}.", capturer.name())?,
                None => f.write_str(".")?,
            }
        }
        if self.promoted {
            f.write_str(" A pawn promoted.")?;
        }
        for direction in self.checks.iter() {
            let name = direction.name();
            write!(f, " {}{} check.", name[..1].to_uppercase(), &name[1..])?;
        }
        match self.pawns {
            PawnNews::Silent => {}
            PawnNews::Count(0) | PawnNews::Whether(false) => f.write_str(" No pawn tries.")?,
            PawnNews::Count(1) => f.write_str(" 1 pawn try.")?,
            PawnNews::Count(count) => write!(f, " {count} pawn tries.")?,
            PawnNews::Whether(true) => f.write_str(" There is a pawn try.")?,
            PawnNews::From(BitBoard::EMPTY) => f.write_str(" No pawn tries.")?,
            PawnNews::From(squares) => {
                let names: Vec<_> = squares.into_iter().map(|s| s.to_string()).collect();
                write!(f, " Pawn tries from {}.", names.join(", "))?;
            }
        }
        match self.end {
            Some(outcome) => write!(f, " {outcome}"),
            None => Ok(()),
        }
    }
}
