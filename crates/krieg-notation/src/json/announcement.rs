//! An announcement as a JSON object.

use krieg_core::{
    Announcement, Audience, BitBoard, Capture, Checks, Color, Direction, Ending, Outcome,
    PawnTryAnnouncement, PieceKind, Square, Verdict,
};
use serde::{Deserialize, Serialize};

/// A color as JSON: `white` or `black`.
///
/// ```
/// use krieg_core::Color;
/// use krieg_notation::json::ColorJson;
/// assert_eq!(serde_json::to_string(&ColorJson::from(Color::White))?, r#""white""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum ColorJson {
    White,
    Black,
}

impl From<Color> for ColorJson {
    fn from(color: Color) -> Self {
        match color {
            Color::White => ColorJson::White,
            Color::Black => ColorJson::Black,
        }
    }
}

impl From<ColorJson> for Color {
    fn from(side: ColorJson) -> Self {
        match side {
            ColorJson::White => Color::White,
            ColorJson::Black => Color::Black,
        }
    }
}

/// An announcement of the umpire as JSON. A field is absent if nothing was announced about it.
///
/// ```
/// use krieg_core::{Position, Ruleset, Umpire};
/// use krieg_notation::json::AnnouncementJson;
/// let opening = Umpire::new(Ruleset::ICC, Position::start()).opening();
/// let text = serde_json::to_string(&AnnouncementJson::from(&opening))?;
/// assert_eq!(
///     text,
///     r#"{"by":"white","verdict":"begun","heard_by":["white","black"],"pawn_tries":0}"#,
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnnouncementJson {
    by: ColorJson,
    verdict: VerdictJson,
    heard_by: Vec<ColorJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    capture: Option<CaptureJson>,
    #[serde(default, skip_serializing_if = "is_false")]
    promoted: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    checks: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pawn_tries: Option<PawnTriesJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<OutcomeJson>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum VerdictJson {
    Begun,
    Moved,
    Refused,
    Nonsense,
    Yes,
    No,
    Ended,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaptureJson {
    square: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    victim: Option<PieceKindJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    capturer: Option<PieceKindJson>,
    #[serde(default, skip_serializing_if = "is_false")]
    en_passant: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PieceKindJson {
    Pawn,
    Piece,
}

/// The announcement of pawn tries as JSON: their number, whether there are any, or the squares of
/// the pawns.
///
/// ```
/// use krieg_core::PawnTryAnnouncement;
/// use krieg_notation::json::PawnTriesJson;
/// assert_eq!(serde_json::to_string(&PawnTriesJson::new(PawnTryAnnouncement::Count(2)))?, "2");
/// assert_eq!(serde_json::to_string(&PawnTriesJson::new(PawnTryAnnouncement::Silent))?, "null");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum PawnTriesJson {
    Count(u8),
    Exist(bool),
    Squares(Vec<String>),
}

/// How a game ended, as JSON.
///
/// ```
/// use krieg_core::{Ending, Outcome};
/// use krieg_notation::json::OutcomeJson;
/// let end = OutcomeJson::from(Outcome { ending: Ending::Stalemate, winner: None });
/// assert_eq!(serde_json::to_string(&end)?, r#"{"ending":"stalemate","winner":null}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomeJson {
    ending: String,
    winner: Option<ColorJson>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl From<&Announcement> for AnnouncementJson {
    fn from(announcement: &Announcement) -> Self {
        AnnouncementJson {
            by: announcement.by.into(),
            verdict: match announcement.verdict {
                Verdict::Begun => VerdictJson::Begun,
                Verdict::Moved => VerdictJson::Moved,
                Verdict::Refused => VerdictJson::Refused,
                Verdict::Nonsense => VerdictJson::Nonsense,
                Verdict::Any(true) => VerdictJson::Yes,
                Verdict::Any(false) => VerdictJson::No,
                Verdict::Ended => VerdictJson::Ended,
            },
            heard_by: match announcement.audience {
                Audience::Both => vec![ColorJson::White, ColorJson::Black],
                Audience::Mover => vec![announcement.by.into()],
            },
            capture: announcement.capture.map(|capture| CaptureJson {
                square: capture.square.to_string(),
                victim: capture.victim.map(PieceKindJson::from),
                capturer: capture.capturer.map(PieceKindJson::from),
                en_passant: capture.en_passant,
            }),
            promoted: announcement.promoted,
            checks: announcement.checks.iter().map(|direction| direction.to_string()).collect(),
            pawn_tries: PawnTriesJson::new(announcement.pawn_tries),
            end: announcement.end.map(OutcomeJson::from),
        }
    }
}

impl From<PieceKind> for PieceKindJson {
    fn from(kind: PieceKind) -> Self {
        match kind {
            PieceKind::Pawn => PieceKindJson::Pawn,
            PieceKind::Piece => PieceKindJson::Piece,
        }
    }
}

impl From<PieceKindJson> for PieceKind {
    fn from(kind: PieceKindJson) -> Self {
        match kind {
            PieceKindJson::Pawn => PieceKind::Pawn,
            PieceKindJson::Piece => PieceKind::Piece,
        }
    }
}

impl From<Outcome> for OutcomeJson {
    fn from(outcome: Outcome) -> Self {
        OutcomeJson {
            ending: outcome.ending.name().into(),
            winner: outcome.winner.map(ColorJson::from),
        }
    }
}

impl PawnTriesJson {
    /// The JSON form, or `None` if nothing was announced.
    pub fn new(pawns: PawnTryAnnouncement) -> Option<Self> {
        match pawns {
            PawnTryAnnouncement::Silent => None,
            PawnTryAnnouncement::Count(count) => Some(PawnTriesJson::Count(count)),
            PawnTryAnnouncement::Whether(there_is) => Some(PawnTriesJson::Exist(there_is)),
            PawnTryAnnouncement::From(squares) => {
                Some(PawnTriesJson::Squares(squares.into_iter().map(|s| s.to_string()).collect()))
            }
        }
    }

    fn into_news(announcement: Option<Self>) -> Result<PawnTryAnnouncement, String> {
        Ok(match announcement {
            None => PawnTryAnnouncement::Silent,
            Some(PawnTriesJson::Count(count)) => PawnTryAnnouncement::Count(count),
            Some(PawnTriesJson::Exist(there_is)) => PawnTryAnnouncement::Whether(there_is),
            Some(PawnTriesJson::Squares(squares)) => {
                let squares: Result<BitBoard, String> = squares
                    .iter()
                    .try_fold(BitBoard::EMPTY, |set, name| Ok(set | read_square(name)?.bitboard()));
                PawnTryAnnouncement::From(squares?)
            }
        })
    }
}

pub(crate) fn read_square(name: &str) -> Result<Square, String> {
    name.parse().map_err(|_| format!("{name:?} is not a square"))
}

impl OutcomeJson {
    /// The outcome, or why it is not possible.
    pub fn into_outcome(self) -> Result<Outcome, String> {
        let ending = Ending::from_name(&self.ending)
            .ok_or_else(|| format!("{:?} is not an ending", self.ending))?;
        let winner = self.winner.map(Color::from);
        Outcome::checked(ending, winner)
            .ok_or_else(|| format!("{:?} cannot have this winner", self.ending))
    }
}

impl AnnouncementJson {
    /// The announcement, or why it is not possible.
    ///
    /// ```
    /// use krieg_core::{Position, Ruleset, Umpire};
    /// use krieg_notation::json::AnnouncementJson;
    /// let opening = Umpire::new(Ruleset::ICC, Position::start()).opening();
    /// assert_eq!(AnnouncementJson::from(&opening).into_announcement(), Ok(opening));
    /// ```
    pub fn into_announcement(self) -> Result<Announcement, String> {
        let by = Color::from(self.by);
        let checks: Result<Vec<Direction>, String> = self
            .checks
            .iter()
            .map(|name| {
                Direction::ALL
                    .into_iter()
                    .find(|direction| direction.name() == name)
                    .ok_or_else(|| format!("{name:?} is not a direction of check"))
            })
            .collect();
        let checks = checks?;
        if checks.len() > 2 {
            return Err(format!("{} checks at the same time", checks.len()));
        }
        let audience = match self.heard_by[..] {
            [ColorJson::White, ColorJson::Black] | [ColorJson::Black, ColorJson::White] => {
                Audience::Both
            }
            [one] if one == self.by => Audience::Mover,
            _ => return Err("heard_by is neither both players nor the one who tried".into()),
        };
        let capture = match self.capture {
            None => None,
            Some(capture) => Some(Capture {
                square: read_square(&capture.square)?,
                victim: capture.victim.map(PieceKind::from),
                capturer: capture.capturer.map(PieceKind::from),
                en_passant: capture.en_passant,
            }),
        };
        Ok(Announcement {
            by,
            verdict: match self.verdict {
                VerdictJson::Begun => Verdict::Begun,
                VerdictJson::Moved => Verdict::Moved,
                VerdictJson::Refused => Verdict::Refused,
                VerdictJson::Nonsense => Verdict::Nonsense,
                VerdictJson::Yes => Verdict::Any(true),
                VerdictJson::No => Verdict::Any(false),
                VerdictJson::Ended => Verdict::Ended,
            },
            audience,
            capture,
            promoted: self.promoted,
            checks: Checks::new(checks),
            pawn_tries: PawnTriesJson::into_news(self.pawn_tries)?,
            end: self.end.map(OutcomeJson::into_outcome).transpose()?,
        })
    }
}
