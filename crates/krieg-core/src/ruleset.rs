//! The rulesets: what the umpire says, and to whom, as data.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Who hears something.
///
/// ```
/// use krieg_core::{Audience, Ruleset};
/// assert_eq!(Ruleset::ICC.refusals, Audience::Mover);
/// assert_eq!(Ruleset::ENGLISH.refusals, Audience::Both);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Audience {
    /// Only the player whose try it was.
    Mover,
    /// Both players.
    Both,
}

/// What the side to move learns of its pawn tries.
///
/// ```
/// use krieg_core::{AfterYes, PawnInformation, Ruleset};
/// assert_eq!(Ruleset::ICC.pawns, PawnInformation::Count);
/// assert_eq!(Ruleset::ENGLISH.pawns, PawnInformation::Asked(AfterYes::OneTry));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PawnInformation {
    /// Nothing. Every diagonal is worth a try.
    Silent,
    /// Nothing, until it asks "any?", which it may do once a turn.
    Asked(AfterYes),
    /// Whether there is a try.
    Whether,
    /// How many tries there are.
    Count,
    /// From which squares there is a try.
    Squares,
}

/// The price of hearing "yes" to "any?".
///
/// ```
/// use krieg_core::{AfterYes, PawnInformation, Ruleset};
/// assert_eq!(Ruleset::BERKELEY_ANY.pawns, PawnInformation::Asked(AfterYes::UntilOneIsLegal));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AfterYes {
    /// Only pawn captures, until one of them is legal.
    UntilOneIsLegal,
    /// One pawn capture must be tried; if it is refused, the player is free again.
    OneTry,
}

/// What becomes of a try that could not be a move even with nobody else on the board, or that
/// was refused before.
///
/// ```
/// use krieg_core::{Ruleset, Senseless};
/// assert_eq!(Ruleset::RAND.senseless, Senseless::Nonsense);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Senseless {
    /// It is refused like any other.
    Refused,
    /// The umpire calls it nonsense.
    Nonsense,
    /// The umpire does not take it, and nobody hears anything.
    NotAccepted,
}

/// What a stalemate is.
///
/// ```
/// use krieg_core::{Ruleset, Stalemate};
/// assert_eq!(Ruleset::RAND.stalemate, Stalemate::Loses);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stalemate {
    /// A draw.
    Draw,
    /// A loss for the side that cannot move.
    Loses,
}

/// A ruleset: named choices, and no code. A new one is a new value of this type.
///
/// Records name their ruleset, so one that is not in [`Ruleset::ALL`] can be played, but its
/// records cannot be read back.
///
/// ```
/// use krieg_core::Ruleset;
/// let icc: Ruleset = "icc".parse()?;
/// assert_eq!(icc, Ruleset::ICC);
/// assert_eq!(Ruleset::default(), icc);
///
/// // A house rule: ICC, but everybody hears refusals.
/// let ours = Ruleset { name: "ours", refusals: krieg_core::Audience::Both, ..Ruleset::ICC };
/// # let _ = ours;
/// # Ok::<(), krieg_core::UnknownRuleset>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ruleset {
    /// The name in commands and records.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// What the side to move learns of its pawn tries.
    pub pawns: PawnInformation,
    /// Who hears that a try was refused.
    pub refusals: Audience,
    /// What becomes of a senseless or repeated try.
    pub senseless: Senseless,
    /// Whether a capture tells if the captured man was a pawn or a piece.
    pub victim_told: bool,
    /// Whether a capture tells if the capturing man was a pawn or a piece.
    pub capturer_told: bool,
    /// Whether a capture en passant is said to be one. Then the square named is the one where
    /// the capturing pawn lands; otherwise it is the captured pawn's.
    pub en_passant_told: bool,
    /// Whether a promotion is told, without the man or the square.
    pub promotion_told: bool,
    /// What a stalemate is.
    pub stalemate: Stalemate,
}

impl Ruleset {
    /// The Internet Chess Club's wild 16, also played at the Computer Olympiads.
    pub const ICC: Ruleset = Ruleset {
        name: "icc",
        about: "Internet Chess Club, wild 16: the number of pawn tries is told",
        pawns: PawnInformation::Count,
        refusals: Audience::Mover,
        senseless: Senseless::Refused,
        victim_told: true,
        capturer_told: false,
        en_passant_told: false,
        promotion_told: false,
        stalemate: Stalemate::Draw,
    };

    /// Cincinnati: whether there is a pawn try is told; refusals are heard by both.
    pub const CINCINNATI: Ruleset = Ruleset {
        name: "cincinnati",
        about: "Cincinnati: whether there is a pawn try is told; refusals are public",
        pawns: PawnInformation::Whether,
        refusals: Audience::Both,
        senseless: Senseless::Nonsense,
        ..Ruleset::ICC
    };

    /// Berkeley: nothing is told of pawn tries, and a capture tells its square only.
    pub const BERKELEY: Ruleset = Ruleset {
        name: "berkeley",
        about: "Berkeley: nothing is told of pawn tries; refusals are public",
        pawns: PawnInformation::Silent,
        refusals: Audience::Both,
        senseless: Senseless::NotAccepted,
        victim_told: false,
        ..Ruleset::ICC
    };

    /// Berkeley with "any?".
    pub const BERKELEY_ANY: Ruleset = Ruleset {
        name: "berkeley-any",
        about: "Berkeley with \"any?\": after \"yes\" only pawn captures until one is legal",
        pawns: PawnInformation::Asked(AfterYes::UntilOneIsLegal),
        ..Ruleset::BERKELEY
    };

    /// English, as at the Gambit in London: "any?" costs one pawn try.
    pub const ENGLISH: Ruleset = Ruleset {
        name: "english",
        about: "English: \"any?\" costs one pawn try; en passant is told",
        pawns: PawnInformation::Asked(AfterYes::OneTry),
        senseless: Senseless::Refused,
        en_passant_told: true,
        ..Ruleset::BERKELEY
    };

    /// RAND: the pawns that have a try are named, promotions are told, stalemate loses.
    pub const RAND: Ruleset = Ruleset {
        name: "rand",
        about: "RAND: squares of pawns with a try and promotions are told; stalemate loses",
        pawns: PawnInformation::Squares,
        promotion_told: true,
        stalemate: Stalemate::Loses,
        ..Ruleset::CINCINNATI
    };

    /// Dutch: English, and a capture tells whether a pawn or a piece made it.
    pub const DUTCH: Ruleset = Ruleset {
        name: "dutch",
        about: "Dutch: English, and a capture tells whether a pawn or a piece made it",
        capturer_told: true,
        ..Ruleset::ENGLISH
    };

    /// Every ruleset that has a name, the default first.
    pub const ALL: [Ruleset; 7] = [
        Ruleset::ICC,
        Ruleset::CINCINNATI,
        Ruleset::BERKELEY,
        Ruleset::BERKELEY_ANY,
        Ruleset::ENGLISH,
        Ruleset::RAND,
        Ruleset::DUTCH,
    ];

    /// What comes after "yes", where the ruleset lets a player ask "any?" at all.
    ///
    /// ```
    /// use krieg_core::{AfterYes, Ruleset};
    /// assert_eq!(Ruleset::ENGLISH.any(), Some(AfterYes::OneTry));
    /// assert_eq!(Ruleset::ICC.any(), None);
    /// ```
    pub fn any(&self) -> Option<AfterYes> {
        match self.pawns {
            PawnInformation::Asked(after) => Some(after),
            _ => None,
        }
    }
}

impl Default for Ruleset {
    fn default() -> Self {
        Ruleset::ICC
    }
}

impl fmt::Display for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// No ruleset has this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{0:?} is no ruleset: there are icc, cincinnati, berkeley, berkeley-any, english, rand, dutch"
)]
pub struct UnknownRuleset(pub String);

impl FromStr for Ruleset {
    type Err = UnknownRuleset;

    fn from_str(name: &str) -> Result<Self, UnknownRuleset> {
        Ruleset::ALL
            .into_iter()
            .find(|ruleset| ruleset.name == name)
            .ok_or_else(|| UnknownRuleset(crate::excerpt(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_lists_every_ruleset() {
        let error = "icy".parse::<Ruleset>().unwrap_err().to_string();
        for ruleset in Ruleset::ALL {
            assert!(error.contains(ruleset.name), "{error}");
        }
    }
}
