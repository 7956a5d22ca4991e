//! What is not done, however good it looks: to stalemate a beaten opponent, and to walk in circles while ahead.

use std::collections::HashMap;

use krieg_belief::Hidden;
use krieg_core::{
    Announcement, Audience, DrawRules, Ending, Men, Move, Stalemate, Try, Verdict, View,
};

/// Why a try is not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotDone {
    /// The own men would stand so for the third time.
    Repetition,
    /// It may stalemate the opponent.
    Stalemate,
}

/// Keeps count of how the own men have stood.
#[derive(Debug, Clone, Default)]
pub struct Guard {
    /// How often they have stood so when it was the player's turn, since there was progress.
    stood: HashMap<Men, u32>,
}

/// Opponents with more men than this are not stalemated.
const FEW: u32 = 6;
/// A draw is called when a position stands for the third time.
const THIRD: u32 = 2;

impl Guard {
    /// A turn begins.
    pub fn note(&mut self, men: &Men) {
        *self.stood.entry(*men).or_default() += 1;
    }

    /// There was a capture, or a pawn moved: what stood before will not stand again.
    pub fn forget(&mut self) {
        self.stood.clear();
    }

    /// Whether the own men would stand for the third time as they would after this.
    pub fn repeats(&self, view: &View, mv: Move) -> bool {
        let mut after = view.clone();
        let moved = Announcement::plain(view.player(), Verdict::Moved, Audience::Both);
        after.answered(Try::Move(mv), &moved);
        self.stood.get(after.men()).is_some_and(|times| *times >= THIRD)
    }

    /// Whether this would stalemate the opponent on one of these boards, and that is a draw.
    pub fn stalemates(view: &View, mv: Move, boards: impl Iterator<Item = Hidden>) -> bool {
        let ruleset = view.ruleset();
        if ruleset.stalemate == Stalemate::Loses {
            return false;
        }
        for board in boards {
            if board.all().len() > FEW {
                return false;
            }
            let Some(mut position) = board.position(view.men(), view.player()) else { continue };
            let said = position.answer(mv, ruleset, DrawRules::NONE);
            if said.end.is_some_and(|end| end.ending == Ending::Stalemate) {
                return true;
            }
        }
        false
    }
}
