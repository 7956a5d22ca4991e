//! What a ruleset announces, in words for players.

use crate::{AnyObligation, Audience, PawnTryRule, Ruleset, SenselessTryRule, StalemateRule};

/// One rule in words: a topic that needs completing, and what the ruleset says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleText {
    /// The topic, such as "A refused try is heard by".
    pub topic: &'static str,
    /// The rule, such as "both players".
    pub rule: &'static str,
}

impl Ruleset {
    /// All rules in words, derived from the fields, in the order in which they are explained.
    ///
    /// ```
    /// use krieg_core::Ruleset;
    /// let rules = Ruleset::ENGLISH.rules_text();
    /// let capture = rules.iter().find(|text| text.topic == "A capture announces").unwrap();
    /// assert_eq!(capture.rule, "the square");
    /// ```
    #[must_use]
    pub fn rules_text(&self) -> Vec<RuleText> {
        let mut texts = vec![("Of pawn tries, the side to move hears", self.pawn_tries_text())];
        texts.extend(self.any().map(|obligation| {
            let rule = match obligation {
                AnyObligation::UntilOneIsLegal => "only pawn captures, until one is legal",
                AnyObligation::OneTry => "one pawn capture, and then anything",
            };
            ("After “yes” a player may try", rule)
        }));
        texts.extend([
            ("A pawn may try its diagonals", self.diagonals_text()),
            (
                "A refused try is heard by",
                match self.refusals {
                    Audience::Mover => "the player who tried it",
                    Audience::Both => "both players",
                },
            ),
            ("A senseless or repeated try is", self.senseless_tries_text()),
            (
                "A capture announces",
                match (self.announces_victim, self.announces_capturer) {
                    (false, false) => "the square",
                    (true, false) => "the square, and whether a pawn or a piece was captured",
                    (false, true) => "the square, and whether a pawn or a piece captured",
                    (true, true) => {
                        "the square, and for both the captured and the capturing side whether it \
                         is a pawn or a piece"
                    }
                },
            ),
            (
                "After a capture en passant, the square is",
                match self.announces_en_passant {
                    true => "where the capturing pawn lands, and it is announced as en passant",
                    false => "where the captured pawn stood",
                },
            ),
            (
                "A promotion is",
                if self.announces_promotion { "announced" } else { "not announced" },
            ),
            (
                "A stalemate is",
                match self.stalemate {
                    StalemateRule::Draw => "a draw",
                    StalemateRule::Loses => "lost by the side that cannot move",
                },
            ),
        ]);
        texts.into_iter().map(|(topic, rule)| RuleText { topic, rule }).collect()
    }

    fn pawn_tries_text(&self) -> &'static str {
        match self.pawn_tries {
            PawnTryRule::Silent => "nothing",
            PawnTryRule::Asked(_) => "nothing, unless it asks “any?”, once per turn",
            PawnTryRule::Whether => "whether there is one",
            PawnTryRule::Count => "how many there are",
            PawnTryRule::Squares => "which pawns have one",
        }
    }

    fn diagonals_text(&self) -> &'static str {
        match self.pawn_tries {
            PawnTryRule::Silent => "always",
            PawnTryRule::Asked(_) => "always, but not after “no”",
            PawnTryRule::Whether => "if there is a pawn try",
            PawnTryRule::Count => "if the number is not 0",
            PawnTryRule::Squares => "from the announced squares",
        }
    }

    fn senseless_tries_text(&self) -> &'static str {
        match (self.senseless_tries, self.refusals) {
            (SenselessTryRule::Refused, Audience::Mover) => "refused like any other illegal try",
            (SenselessTryRule::Refused, Audience::Both) => {
                "refused like any other illegal try, and both players hear it"
            }
            (SenselessTryRule::Nonsense, Audience::Mover) => "announced as “Nonsense”",
            (SenselessTryRule::Nonsense, Audience::Both) => {
                "announced as “Nonsense”, and both players hear it"
            }
            (SenselessTryRule::Rejected, _) => "not accepted, and not announced",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rulesets_with_different_rules_have_different_texts() {
        let texts = Ruleset::ALL.map(|ruleset| ruleset.rules_text());
        for (index, text) in texts.iter().enumerate() {
            assert!(!texts[..index].contains(text), "{}", Ruleset::ALL[index]);
        }
    }

    #[test]
    fn every_ruleset_has_texts_of_its_own() {
        for (index, ruleset) in Ruleset::ALL.iter().enumerate() {
            for earlier in &Ruleset::ALL[..index] {
                assert_ne!(ruleset.texts, earlier.texts, "{ruleset}, {earlier}");
            }
        }
    }
}
