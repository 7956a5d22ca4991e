//! Rulesets as data: what the umpire announces, and to whom.
//!
//! To add a ruleset, add a constant of type [`Ruleset`] and a line in `REGISTERED`. The texts that
//! introduce it to players are part of it; its rules are put into words from its fields
//! (`ruleset_text.rs`).

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Who observes an announcement.
///
/// ```
/// use krieg_core::{Audience, Ruleset};
/// assert_eq!(Ruleset::ICC.refusals, Audience::Mover);
/// assert_eq!(Ruleset::ENGLISH.refusals, Audience::Both);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Audience {
    /// Only the player whose try is answered.
    Mover,
    /// Both players.
    Both,
}

/// What the umpire announces about the pawn tries of the side to move.
///
/// ```
/// use krieg_core::{AnyObligation, PawnTryRule, Ruleset};
/// assert_eq!(Ruleset::ICC.pawn_tries, PawnTryRule::Count);
/// assert_eq!(Ruleset::ENGLISH.pawn_tries, PawnTryRule::Asked(AnyObligation::OneTry));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PawnTryRule {
    /// Nothing, so every diagonal pawn move is sensible.
    Silent,
    /// Whether there is one, if the player asks "any?". The question is allowed once per turn.
    Asked(AnyObligation),
    /// Whether there is one.
    Whether,
    /// How many there are.
    Count,
    /// The squares of the pawns that have one.
    Squares,
}

/// What a player must do after the answer "yes" to "any?".
///
/// ```
/// use krieg_core::{AnyObligation, PawnTryRule, Ruleset};
/// let rule = PawnTryRule::Asked(AnyObligation::UntilOneIsLegal);
/// assert_eq!(Ruleset::BERKELEY_ANY.pawn_tries, rule);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnyObligation {
    /// Try only pawn captures until one is accepted.
    UntilOneIsLegal,
    /// Try one pawn capture. If it is refused, the player may try any move.
    OneTry,
}

/// The umpire's answer to a senseless try: one that would be impossible even without the
/// opponent's pieces, or that was refused before in this turn.
///
/// ```
/// use krieg_core::{Ruleset, SenselessTryRule};
/// assert_eq!(Ruleset::RAND.senseless_tries, SenselessTryRule::Nonsense);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SenselessTryRule {
    /// It is refused like any other illegal try.
    Refused,
    /// It is announced as nonsense.
    Nonsense,
    /// It does not count as a try, and nothing is announced.
    Rejected,
}

/// The result of a stalemate.
///
/// ```
/// use krieg_core::{Ruleset, StalemateRule};
/// assert_eq!(Ruleset::RAND.stalemate, StalemateRule::Loses);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StalemateRule {
    /// A draw.
    Draw,
    /// A loss for the side that cannot move.
    Loses,
}

/// The texts that introduce a ruleset to players, beside [`Ruleset::rules_text`].
///
/// ```
/// assert_eq!(krieg_core::Ruleset::ICC.texts.title, "ICC");
/// ```
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct RulesetTexts {
    /// The name as a heading.
    pub title: &'static str,
    /// What is special about it, for a list of rulesets: part of a sentence.
    pub summary: &'static str,
    /// A paragraph about it.
    pub description: &'static str,
    /// A hint for playing by it.
    pub hint: &'static str,
}

/// A ruleset: what the umpire announces, and to whom.
///
/// All code that applies rules reads these fields, so a new ruleset needs no code. Records store
/// the name of their ruleset: a ruleset that is not in [`Ruleset::ALL`] can be played, but its
/// records cannot be read back.
///
/// ```
/// use krieg_core::{Audience, Ruleset};
/// let icc: Ruleset = "icc".parse()?;
/// assert_eq!(icc, Ruleset::ICC);
/// assert_eq!(Ruleset::default(), icc);
///
/// // A variant of ICC in which refusals are public.
/// let public = Ruleset { name: "icc-public", refusals: Audience::Both, ..Ruleset::ICC };
/// assert_ne!(public, icc);
/// # Ok::<(), krieg_core::UnknownRuleset>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ruleset {
    /// The name in commands and records.
    pub name: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// The texts that introduce it to players.
    pub texts: &'static RulesetTexts,
    /// What is announced about pawn tries.
    pub pawn_tries: PawnTryRule,
    /// Who observes that a try was refused.
    pub refusals: Audience,
    /// The answer to a senseless try.
    pub senseless_tries: SenselessTryRule,
    /// Whether a capture announces if the captured piece is a pawn.
    pub announces_victim: bool,
    /// Whether a capture announces if the capturing piece is a pawn.
    pub announces_capturer: bool,
    /// Whether a capture en passant is announced as such. The announced square is then the one
    /// where the capturing pawn lands; otherwise it is the square of the captured pawn.
    pub announces_en_passant: bool,
    /// Whether a promotion is announced, without its square or the new piece.
    pub announces_promotion: bool,
    /// The result of a stalemate.
    pub stalemate: StalemateRule,
}

impl Ruleset {
    /// The Internet Chess Club's wild 16, also used at the Computer Olympiads.
    pub const ICC: Ruleset = Ruleset {
        name: "icc",
        about: "Internet Chess Club, wild 16: the number of pawn tries is announced",
        texts: &RulesetTexts {
            title: "ICC",
            summary: "the number of pawn tries is announced; only the mover hears refusals",
            description: "The game as it is played on the Internet Chess Club, where it is \
                called wild 16. It is the default here. The umpire announces how many pawn tries \
                there are, and the opponent does not hear when a try is refused.",
            hint: "Your opponent does not hear your refusals, so try as much as you like. Probe \
                with the queen and the rooks before you settle on a move.",
        },
        pawn_tries: PawnTryRule::Count,
        refusals: Audience::Mover,
        senseless_tries: SenselessTryRule::Refused,
        announces_victim: true,
        announces_capturer: false,
        announces_en_passant: false,
        announces_promotion: false,
        stalemate: StalemateRule::Draw,
    };

    /// Cincinnati: the umpire announces whether there is a pawn try, and refusals are public.
    pub const CINCINNATI: Ruleset = Ruleset {
        name: "cincinnati",
        about: "Cincinnati: whether there is a pawn try is announced; refusals are public",
        texts: &RulesetTexts {
            title: "Cincinnati",
            summary: "whether there is a pawn try is announced; both players hear refusals",
            description: "Both players hear everything that the umpire says. The umpire \
                announces that there is a pawn try, but not how many there are, nor where.",
            hint: "A refusal tells your opponent that one of their pieces is in your way. Try \
                what you mean.",
        },
        pawn_tries: PawnTryRule::Whether,
        refusals: Audience::Both,
        senseless_tries: SenselessTryRule::Nonsense,
        ..Ruleset::ICC
    };

    /// Berkeley: pawn tries are not announced, and a capture announces only its square.
    pub const BERKELEY: Ruleset = Ruleset {
        name: "berkeley",
        about: "Berkeley: pawn tries are not announced; refusals are public",
        texts: &RulesetTexts {
            title: "Berkeley",
            summary: "pawn tries are not announced; both players hear refusals",
            description: "The umpire says the least. Pawn tries are not announced, a capture \
                announces only its square, and a senseless try is not even answered.",
            hint: "Every pawn may try its diagonals; consider that your opponent hears the \
                refusals. Keep count of what you have captured.",
        },
        pawn_tries: PawnTryRule::Silent,
        refusals: Audience::Both,
        senseless_tries: SenselessTryRule::Rejected,
        announces_victim: false,
        ..Ruleset::ICC
    };

    /// Berkeley with "any?".
    pub const BERKELEY_ANY: Ruleset = Ruleset {
        name: "berkeley-any",
        about: "Berkeley with \"any?\": after \"yes\" only pawn captures until one is legal",
        texts: &RulesetTexts {
            title: "Berkeley with “any?”",
            summary: "players may ask “any?”; after “yes” a pawn has to capture",
            description: "Berkeley, with a question. Once per turn you may ask whether your \
                pawns have a capture. If the answer is “yes”, you have to make one: only pawn \
                captures are accepted until one of them is legal.",
            hint: "Ask only when you would like to capture with a pawn, whichever pawn it turns \
                out to be.",
        },
        pawn_tries: PawnTryRule::Asked(AnyObligation::UntilOneIsLegal),
        ..Ruleset::BERKELEY
    };

    /// English, as played at the Gambit in London: "any?" obliges to one pawn capture.
    pub const ENGLISH: Ruleset = Ruleset {
        name: "english",
        about: "English: \"any?\" obliges to one pawn capture; en passant is announced",
        texts: &RulesetTexts {
            title: "English",
            summary: "“any?” obliges to one pawn capture; en passant is announced",
            description: "The game of the English clubs. You may ask “any?” once per turn. If \
                the answer is “yes”, you have to try one pawn capture. If it is refused, you may \
                try anything.",
            hint: "After “yes” you can try a capture that you know to be illegal, and then play \
                what you like. Your opponent hears only “Illegal”.",
        },
        pawn_tries: PawnTryRule::Asked(AnyObligation::OneTry),
        senseless_tries: SenselessTryRule::Refused,
        announces_en_passant: true,
        ..Ruleset::BERKELEY
    };

    /// RAND: the squares of pawns with a pawn try are announced, promotions are announced, and
    /// stalemate loses.
    pub const RAND: Ruleset = Ruleset {
        name: "rand",
        about: "RAND: pawns with a pawn try and promotions are announced; stalemate loses",
        texts: &RulesetTexts {
            title: "RAND",
            summary: "pawns with a pawn try and promotions are announced; stalemate loses",
            description: "Named after the RAND Corporation, whose mathematicians played it. The \
                umpire announces the squares of the pawns that can capture, and promotions. The \
                side that is stalemated loses.",
            hint: "Both players hear the squares, so every pawn try reveals where a pawn stands. \
                A stalemate of your opponent wins.",
        },
        pawn_tries: PawnTryRule::Squares,
        announces_promotion: true,
        stalemate: StalemateRule::Loses,
        ..Ruleset::CINCINNATI
    };

    /// Dutch: English, and a capture announces whether a pawn or a piece captured.
    pub const DUTCH: Ruleset = Ruleset {
        name: "dutch",
        about: "Dutch: English, and a capture announces whether a pawn or a piece captured",
        texts: &RulesetTexts {
            title: "Dutch",
            summary: "like English, and a capture announces whether a pawn or a piece captured",
            description: "Known to us by one rule: after a capture, the umpire announces whether \
                a pawn or a piece captured, but not what was captured. All other rules are as in \
                English.",
            hint: "If a pawn captured, the piece with which you recapture may be taken by \
                another pawn. If a piece captured, recapture.",
        },
        announces_capturer: true,
        ..Ruleset::ENGLISH
    };

    /// The rulesets that can be named in commands and records, the default first.
    const REGISTERED: &[Ruleset] = &[
        Ruleset::ICC,
        Ruleset::CINCINNATI,
        Ruleset::BERKELEY,
        Ruleset::BERKELEY_ANY,
        Ruleset::ENGLISH,
        Ruleset::RAND,
        Ruleset::DUTCH,
    ];

    /// All named rulesets, the default first.
    pub const ALL: [Ruleset; Ruleset::REGISTERED.len()] = {
        let mut all = [Ruleset::ICC; Ruleset::REGISTERED.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = Ruleset::REGISTERED[index];
            index += 1;
        }
        all
    };

    /// The obligation after the answer "yes" to "any?", if the ruleset has that question.
    ///
    /// ```
    /// use krieg_core::{AnyObligation, Ruleset};
    /// assert_eq!(Ruleset::ENGLISH.any(), Some(AnyObligation::OneTry));
    /// assert_eq!(Ruleset::ICC.any(), None);
    /// ```
    pub fn any(&self) -> Option<AnyObligation> {
        match self.pawn_tries {
            PawnTryRule::Asked(obligation) => Some(obligation),
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
#[error("{0:?} is not a ruleset: choose one of {names}", names = ruleset_names())]
pub struct UnknownRuleset(pub String);

fn ruleset_names() -> String {
    Ruleset::ALL.map(|ruleset| ruleset.name).join(", ")
}

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
    fn unknown_ruleset_error_lists_every_ruleset() {
        let error = "icy".parse::<Ruleset>().unwrap_err().to_string();
        for ruleset in Ruleset::ALL {
            assert!(error.contains(ruleset.name), "{error}");
        }
    }
}
