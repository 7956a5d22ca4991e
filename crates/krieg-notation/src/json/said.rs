//! An announcement as a JSON object.

use krieg_core::{
    Announcement, Audience, BitBoard, Capture, Checks, Color, Direction, Ending, Kind, Outcome,
    PawnNews, Square, Verdict,
};
use serde::{Deserialize, Serialize};

/// `white` or `black`.
///
/// ```
/// use krieg_core::Color;
/// use krieg_notation::json::Side;
/// assert_eq!(serde_json::to_string(&Side::from(Color::White))?, r#""white""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Side {
    White,
    Black,
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

/// What the umpire said. Absent fields are what was not said.
///
/// ```
/// use krieg_core::{Position, Ruleset, Umpire};
/// use krieg_notation::json::Said;
/// let opening = Umpire::new(Ruleset::ICC, Position::start()).opening();
/// let text = serde_json::to_string(&Said::from(&opening))?;
/// assert_eq!(
///     text,
///     r#"{"by":"white","verdict":"begun","heard_by":["white","black"],"pawn_tries":0}"#,
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    by: Side,
    verdict: Word,
    heard_by: Vec<Side>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    capture: Option<CaptureSaid>,
    #[serde(default, skip_serializing_if = "is_false")]
    promoted: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    checks: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pawn_tries: Option<PawnTriesSaid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<End>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
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
struct CaptureSaid {
    square: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    victim: Option<ManKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    capturer: Option<ManKind>,
    #[serde(default, skip_serializing_if = "is_false")]
    en_passant: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ManKind {
    Pawn,
    Piece,
}

/// What is said of pawn tries: a number, yes or no, or squares.
///
/// ```
/// use krieg_core::PawnNews;
/// use krieg_notation::json::PawnTriesSaid;
/// assert_eq!(serde_json::to_string(&PawnTriesSaid::of(PawnNews::Count(2)))?, "2");
/// assert_eq!(serde_json::to_string(&PawnTriesSaid::of(PawnNews::Silent))?, "null");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum PawnTriesSaid {
    Count(u8),
    Whether(bool),
    From(Vec<String>),
}

/// How a game ended.
///
/// ```
/// use krieg_core::{Ending, Outcome};
/// use krieg_notation::json::End;
/// let end = End::from(Outcome { ending: Ending::Stalemate, winner: None });
/// assert_eq!(serde_json::to_string(&end)?, r#"{"ending":"stalemate","winner":null}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    ending: String,
    winner: Option<Side>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl From<&Announcement> for Said {
    fn from(said: &Announcement) -> Self {
        Said {
            by: said.by.into(),
            verdict: match said.verdict {
                Verdict::Begun => Word::Begun,
                Verdict::Moved => Word::Moved,
                Verdict::Refused => Word::Refused,
                Verdict::Nonsense => Word::Nonsense,
                Verdict::Any(true) => Word::Yes,
                Verdict::Any(false) => Word::No,
                Verdict::Ended => Word::Ended,
            },
            heard_by: match said.audience {
                Audience::Both => vec![Side::White, Side::Black],
                Audience::Mover => vec![said.by.into()],
            },
            capture: said.capture.map(|capture| CaptureSaid {
                square: capture.square.to_string(),
                victim: capture.victim.map(ManKind::from),
                capturer: capture.capturer.map(ManKind::from),
                en_passant: capture.en_passant,
            }),
            promoted: said.promoted,
            checks: said.checks.iter().map(|direction| direction.to_string()).collect(),
            pawn_tries: PawnTriesSaid::of(said.pawns),
            end: said.end.map(End::from),
        }
    }
}

impl From<Kind> for ManKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Pawn => ManKind::Pawn,
            Kind::Piece => ManKind::Piece,
        }
    }
}

impl From<ManKind> for Kind {
    fn from(kind: ManKind) -> Self {
        match kind {
            ManKind::Pawn => Kind::Pawn,
            ManKind::Piece => Kind::Piece,
        }
    }
}

impl From<Outcome> for End {
    fn from(outcome: Outcome) -> Self {
        End { ending: outcome.ending.name().into(), winner: outcome.winner.map(Side::from) }
    }
}

impl PawnTriesSaid {
    /// Nothing, where nothing was said.
    pub fn of(pawns: PawnNews) -> Option<Self> {
        match pawns {
            PawnNews::Silent => None,
            PawnNews::Count(count) => Some(PawnTriesSaid::Count(count)),
            PawnNews::Whether(there_is) => Some(PawnTriesSaid::Whether(there_is)),
            PawnNews::From(squares) => {
                Some(PawnTriesSaid::From(squares.into_iter().map(|s| s.to_string()).collect()))
            }
        }
    }

    fn read(said: Option<Self>) -> Result<PawnNews, String> {
        Ok(match said {
            None => PawnNews::Silent,
            Some(PawnTriesSaid::Count(count)) => PawnNews::Count(count),
            Some(PawnTriesSaid::Whether(there_is)) => PawnNews::Whether(there_is),
            Some(PawnTriesSaid::From(squares)) => {
                let squares: Result<BitBoard, String> = squares
                    .iter()
                    .try_fold(BitBoard::EMPTY, |set, name| Ok(set | read_square(name)?.bitboard()));
                PawnNews::From(squares?)
            }
        })
    }
}

pub(crate) fn read_square(name: &str) -> Result<Square, String> {
    name.parse().map_err(|_| format!("{name:?} is no square"))
}

impl End {
    /// The outcome, if there can be such a one.
    pub fn read(self) -> Result<Outcome, String> {
        let ending =
            Ending::named(&self.ending).ok_or_else(|| format!("{:?} is no ending", self.ending))?;
        let winner = self.winner.map(Color::from);
        Outcome::checked(ending, winner)
            .ok_or_else(|| format!("{:?} cannot have this winner", self.ending))
    }
}

impl Said {
    /// The announcement, if such a thing can be said.
    ///
    /// ```
    /// use krieg_core::{Position, Ruleset, Umpire};
    /// use krieg_notation::json::Said;
    /// let opening = Umpire::new(Ruleset::ICC, Position::start()).opening();
    /// assert_eq!(Said::from(&opening).read(), Ok(opening));
    /// ```
    pub fn read(self) -> Result<Announcement, String> {
        let by = Color::from(self.by);
        let checks: Result<Vec<Direction>, String> = self
            .checks
            .iter()
            .map(|name| {
                Direction::ALL
                    .into_iter()
                    .find(|direction| direction.name() == name)
                    .ok_or_else(|| format!("{name:?} is no direction of check"))
            })
            .collect();
        let checks = checks?;
        if checks.len() > 2 {
            return Err(format!("{} checks at once", checks.len()));
        }
        let audience = match self.heard_by[..] {
            [Side::White, Side::Black] | [Side::Black, Side::White] => Audience::Both,
            [one] if one == self.by => Audience::Mover,
            _ => return Err("heard_by is neither both nor the player who tried".into()),
        };
        let capture = match self.capture {
            None => None,
            Some(capture) => Some(Capture {
                square: read_square(&capture.square)?,
                victim: capture.victim.map(Kind::from),
                capturer: capture.capturer.map(Kind::from),
                en_passant: capture.en_passant,
            }),
        };
        Ok(Announcement {
            by,
            verdict: match self.verdict {
                Word::Begun => Verdict::Begun,
                Word::Moved => Verdict::Moved,
                Word::Refused => Verdict::Refused,
                Word::Nonsense => Verdict::Nonsense,
                Word::Yes => Verdict::Any(true),
                Word::No => Verdict::Any(false),
                Word::Ended => Verdict::Ended,
            },
            audience,
            capture,
            promoted: self.promoted,
            checks: Checks::new(checks),
            pawns: PawnTriesSaid::read(self.pawn_tries)?,
            end: self.end.map(End::read).transpose()?,
        })
    }
}
