//! What the player observes in the opponent's turn before a move is accepted.

use krieg_core::{
    Announcement, AnyObligation, Audience, PawnTryAnnouncement, Position, Ruleset,
    SenselessTryRule, Try, Verdict, View,
};

/// The opponent's turn so far: the question "any?" and the refused tries, as far as they are
/// public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpponentTurn {
    /// The announcement of the opponent's pawn tries at the start of the turn.
    pawn_tries: PawnTryAnnouncement,
    any: Option<bool>,
    refused: u16,
    refused_since_yes: u16,
}

impl OpponentTurn {
    /// The turn that begins after this announcement.
    pub fn after(announcement: &Announcement) -> Self {
        OpponentTurn {
            pawn_tries: announcement.pawn_tries,
            any: None,
            refused: 0,
            refused_since_yes: 0,
        }
    }

    /// Adds the announcement of a question or a refused try.
    pub fn observe(&mut self, announcement: &Announcement) {
        match announcement.verdict {
            Verdict::Any(yes) => self.any = Some(yes),
            Verdict::Refused => {
                self.refused += 1;
                self.refused_since_yes += u16::from(self.any == Some(true));
            }
            _ => {}
        }
    }

    /// Whether the next accepted move must be a pawn capture: the answer to "any?" was yes, and the
    /// obligation that follows is not fulfilled yet.
    pub fn owes_pawn_capture(&self, ruleset: &Ruleset) -> bool {
        self.any == Some(true)
            && match ruleset.any() {
                Some(AnyObligation::UntilOneIsLegal) => true,
                Some(AnyObligation::OneTry) => self.refused_since_yes == 0,
                None => false,
            }
    }

    /// Whether the opponent was told that there is a pawn try.
    pub fn has_pawn_try(&self) -> bool {
        self.any == Some(true) || self.pawn_tries.has_pawn_try()
    }

    /// Whether nothing was announced in this turn yet, so that it is possible on any board.
    pub fn is_silent(&self) -> bool {
        self.any.is_none() && self.refused == 0
    }

    /// Whether this turn is possible in this position.
    pub fn is_possible(&self, position: &Position, ruleset: &Ruleset) -> bool {
        let answer_fits = self.any.is_none_or(|yes| yes == (position.pawn_tries().count > 0));
        answer_fits && self.refusals_fit(position, ruleset)
    }

    /// A position with fewer sensible but illegal tries than refusals is impossible.
    fn refusals_fit(&self, position: &Position, ruleset: &Ruleset) -> bool {
        if self.refused == 0 {
            return true;
        }
        let opponent = position.turn();
        let plain = |verdict| Announcement::plain(opponent, verdict, Audience::Both);
        let start = Announcement { pawn_tries: self.pawn_tries, ..plain(Verdict::Begun) };
        let mut view = View::new(*ruleset, position.pieces(opponent), &start);
        let illegal =
            |view: &View| view.tries().iter().filter(|&mv| !position.is_legal(mv)).count() as u16;
        // Where senseless tries are refused like any other, a refusal says nothing about the
        // position. An obligation to capture with a pawn still counts below, because then no
        // senseless try is announced as a refusal.
        if ruleset.senseless_tries != SenselessTryRule::Refused && self.refused > illegal(&view) {
            return false;
        }
        if self.refused_since_yes == 0 {
            return true;
        }
        view.observe_answer(Try::Any, &plain(Verdict::Any(true)));
        let owed = match ruleset.any() {
            Some(AnyObligation::UntilOneIsLegal) => self.refused_since_yes,
            _ => 1,
        };
        owed <= illegal(&view)
    }
}
