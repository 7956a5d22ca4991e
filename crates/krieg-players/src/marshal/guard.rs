//! What is not done, however good it looks: to stalemate a beaten opponent, and to walk in circles while ahead.

use std::collections::HashMap;

use krieg_belief::Hidden;
use krieg_core::{
    Announcement, Audience, DrawRules, Ending, Men, Move, Piece, Square, Stalemate, Try, Verdict,
    View,
};

use crate::finish::grip;

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
    /// Whether a third repetition is a draw.
    repetition_draws: bool,
    /// How often they have stood so when it was the player's turn, since there was progress.
    stood: HashMap<Men, u32>,
}

/// Opponents with more men than this are not stalemated.
const FEW: u32 = 6;
/// A draw is called when a position stands for the third time.
const THIRD: u32 = 2;

/// Whether a try takes or mates wherever it is legal is looked up on so many boards.
const SOME: usize = 500;

impl Guard {
    /// A guard in a game with such draws.
    pub fn new(draws: DrawRules) -> Self {
        Guard { repetition_draws: draws.threefold, stood: HashMap::new() }
    }

    /// A turn begins.
    pub fn note(&mut self, men: &Men) {
        *self.stood.entry(*men).or_default() += 1;
    }

    /// There was a capture, or a pawn moved: what stood before will not stand again.
    pub fn forget(&mut self) {
        self.stood.clear();
    }

    /// Whether the own men would stand for the third time as they would after this, and the game may go on. What takes a man or mates repeats nothing.
    pub fn repeats(&self, view: &View, mv: Move, boards: impl Iterator<Item = Hidden>) -> bool {
        if !self.repetition_draws {
            return false;
        }
        let mut after = view.clone();
        let moved = Announcement::plain(view.player(), Verdict::Moved, Audience::Both);
        after.answered(Try::Move(mv), &moved);
        if self.stood.get(after.men()).is_none_or(|times| *times < THIRD) {
            return false;
        }
        boards.take(SOME).any(|board| {
            let Some(mut position) = board.position(view.men(), view.player()) else {
                return false;
            };
            let said = position.answer(mv, view.ruleset(), DrawRules::NONE);
            said.verdict == Verdict::Moved && said.capture.is_none() && said.end.is_none()
        })
    }

    /// Whether this would stalemate the opponent on one of these boards, and that is a draw.
    pub fn stalemates(view: &View, mv: Move, boards: impl Iterator<Item = Hidden>) -> bool {
        let ruleset = view.ruleset();
        if ruleset.stalemate == Stalemate::Loses {
            return false;
        }
        let after = grip::after(view.men(), mv);
        for board in boards {
            if board.all().len() > FEW {
                return false;
            }
            // There may be thousands of boards and hardly any time, and on nearly all of them a look at the king is enough.
            let takes_in_passing = view.men().is_pawn_capture(mv) && !board.all().has(mv.to);
            if !takes_in_passing && can_king_move(&after, &board, mv.to) {
                continue;
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

/// Whether the enemy king has a move after the own men have come to stand so, one of them by going to this square.
fn can_king_move(own: &Men, enemy: &Hidden, to: Square) -> bool {
    let others = enemy.all() & !to.bitboard();
    let king = enemy.pieces(Piece::King);
    let occupied = (own.all() | others) & !king;
    let ways = grip::beside(king) & !others & !grip::attacked(own, occupied);
    !ways.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Color, Position, Ruleset};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Few men on any squares, Black to be stalemated, as a FEN.
    fn ending(rng: &mut Xoshiro256PlusPlus) -> String {
        let mut squares = ['.'; 64];
        // Black has little room as it is.
        squares[rng.random_range(0..3)] = 'k';
        for man in ["KQ", "KR", "KQP", "KRN", "KQp", "KPp", "KQbp"][rng.random_range(0..7)].chars()
        {
            let at = rng.random_range(if "Pp".contains(man) { 8..56 } else { 0..40 });
            if squares[at] == '.' {
                squares[at] = man;
            }
        }
        let rank = |squares: &[char]| {
            let text: String = squares.iter().collect();
            (1..=8)
                .rev()
                .fold(text, |text, empty| text.replace(&".".repeat(empty), &empty.to_string()))
        };
        format!("{} w - - 0 1", squares.chunks(8).map(rank).collect::<Vec<_>>().join("/"))
    }

    /// Whether White's guard thinks that this stalemates on this board, and whether the umpire calls it so.
    fn thought_and_true(position: &Position, mv: Move) -> (bool, bool) {
        let begun = Announcement::plain(Color::White, Verdict::Begun, Audience::Both);
        let view = View::new(Ruleset::ICC, position.men(Color::White), &begun);
        let enemy = Hidden::of(position, Color::Black);
        let said = position.clone().answer(mv, &Ruleset::ICC, DrawRules::NONE);
        let is_one = said.end.is_some_and(|end| end.ending == Ending::Stalemate);
        (Guard::stalemates(&view, mv, [enemy].into_iter()), is_one)
    }

    #[test]
    fn a_third_time_is_no_repetition_if_it_mates_or_takes_or_nobody_counts() {
        let mate = Position::from_fen("k7/8/2K5/8/8/8/8/1Q6 w - - 0 1").unwrap();
        let takes = Position::from_fen("7k/1n6/2K5/8/8/8/8/1Q6 w - - 0 1").unwrap();
        let quiet = Position::from_fen("7k/8/2K5/8/8/8/8/1Q6 w - - 0 1").unwrap();
        let mv: Move = "b1b7".parse().unwrap();
        let begun = Announcement::plain(Color::White, Verdict::Begun, Audience::Both);
        let view = View::new(Ruleset::ICC, quiet.men(Color::White), &begun);
        let mut after = quiet.clone();
        after.play(mv).unwrap();
        let repeats = |draws: DrawRules, boards: &[&Position]| {
            let mut guard = Guard::new(draws);
            guard.note(&after.men(Color::White));
            guard.note(&after.men(Color::White));
            let boards = boards.iter().map(|board| Hidden::of(board, Color::Black));
            guard.repeats(&view, mv, boards)
        };
        assert!(repeats(DrawRules::default(), &[&mate, &quiet]));
        assert!(!repeats(DrawRules::default(), &[&mate, &takes]));
        assert!(!repeats(DrawRules::NONE, &[&quiet]));
    }

    #[test]
    fn a_pawn_taken_in_passing_opens_the_rank_to_the_rook() {
        let position = Position::from_fen("2N5/2K5/k7/3pP2R/8/8/8/8 w - d6 0 1").unwrap();
        assert_eq!(thought_and_true(&position, "e5d6".parse().unwrap()), (true, true));
    }

    #[test]
    fn a_look_at_the_king_finds_every_stalemate_that_the_umpire_calls() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let (mut stalemates, mut others) = (0, 0);
        for _ in 0..3_000 {
            let Ok(position) = Position::from_fen(&ending(&mut rng)) else { continue };
            for mv in position.legal_moves() {
                let (found, is_one) = thought_and_true(&position, mv);
                assert_eq!(found, is_one, "{mv} in {position:?}");
                *if is_one { &mut stalemates } else { &mut others } += 1;
            }
        }
        assert!(stalemates > 100 && others > 10_000, "{stalemates} of {others}");
    }
}
