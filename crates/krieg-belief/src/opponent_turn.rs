//! What is heard in the opponent's turn before a move of his stands.

use krieg_core::{
    Announcement, AnyObligation, Audience, PawnTryAnnouncement, Position, Ruleset,
    SenselessTryRule, Try, Verdict, View,
};

/// The opponent's turn so far: his question, and his tries that came to nothing, as far as they are heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpponentTurn {
    /// What was said of his pawn tries as his turn began.
    news: PawnTryAnnouncement,
    any: Option<bool>,
    refused: u16,
    refused_since_yes: u16,
}

impl OpponentTurn {
    /// A turn that begins after this was said.
    pub fn after(said: &Announcement) -> Self {
        OpponentTurn { news: said.pawn_tries, any: None, refused: 0, refused_since_yes: 0 }
    }

    /// Hears what was said to a try of his that was no move.
    pub fn observe(&mut self, said: &Announcement) {
        match said.verdict {
            Verdict::Any(yes) => self.any = Some(yes),
            Verdict::Refused => {
                self.refused += 1;
                self.refused_since_yes += u16::from(self.any == Some(true));
            }
            _ => {}
        }
    }

    /// Whether the next move that stands must be a capture by a pawn: he heard "yes", and has not paid yet.
    pub fn owes_pawn_capture(&self, ruleset: &Ruleset) -> bool {
        self.any == Some(true)
            && match ruleset.any() {
                Some(AnyObligation::UntilOneIsLegal) => true,
                Some(AnyObligation::OneTry) => self.refused_since_yes == 0,
                None => false,
            }
    }

    /// Whether he was told that a pawn of his can capture.
    pub fn has_pawn_try(&self) -> bool {
        self.any == Some(true) || self.news.has_pawn_try()
    }

    /// Whether nothing was heard in it yet, so that it can have gone like this on any board.
    pub fn is_silent(&self) -> bool {
        self.any.is_none() && self.refused == 0
    }

    /// Whether his turn can have gone like this on such a board.
    pub fn is_possible(&self, board: &Position, ruleset: &Ruleset) -> bool {
        let answer_fits = self.any.is_none_or(|yes| yes == (board.pawn_tries().count > 0));
        answer_fits && self.refusals_fit(board, ruleset)
    }

    /// A board on which fewer sensible tries fail than were refused is impossible.
    fn refusals_fit(&self, board: &Position, ruleset: &Ruleset) -> bool {
        if self.refused == 0 {
            return true;
        }
        let enemy = board.turn();
        let plain = |verdict| Announcement::plain(enemy, verdict, Audience::Both);
        let began = Announcement { pawn_tries: self.news, ..plain(Verdict::Begun) };
        let mut view = View::new(*ruleset, board.pieces(enemy), &began);
        let failing =
            |view: &View| view.tries().iter().filter(|&mv| !board.is_legal(mv)).count() as u16;
        // Where nonsense is refused too, a refusal tells nothing of the board; but whoever owes a pawn's capture is not
        // heard with nonsense.
        if ruleset.senseless_tries != SenselessTryRule::Refused && self.refused > failing(&view) {
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
        owed <= failing(&view)
    }
}
