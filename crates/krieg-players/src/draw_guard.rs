//! The draw guard: a player who is ahead excludes tries that repeat the position or may stalemate.

use std::collections::HashMap;

use krieg_belief::OpponentBoard;
use krieg_core::{
    Announcement, Audience, DrawRules, Ending, Move, Observation, Piece, PieceSet, Square,
    StalemateRule, Try, Verdict, View,
};
use krieg_tablebase::attacked_squares;

use crate::lone_king::attacker::{after_move, neighbours};

/// Why a try is excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exclusion {
    /// The player's pieces would be on the same squares for the third time.
    Repetition,
    /// The try may stalemate the opponent.
    Stalemate,
}

impl Exclusion {
    /// The reason in one word.
    ///
    /// ```
    /// use krieg_players::Exclusion;
    /// assert_eq!(Exclusion::Stalemate.name(), "stalemate");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Exclusion::Repetition => "repetition",
            Exclusion::Stalemate => "stalemate",
        }
    }
}

/// Counts the arrangements of the player's own pieces.
#[derive(Debug, Clone, Default)]
pub(crate) struct DrawGuard {
    /// Whether the third repetition of a position is a draw.
    has_repetition_draws: bool,
    /// How often the player was to move with these pieces since the last progress.
    counts: HashMap<PieceSet, u32>,
}

/// With a higher expected score than this, a player avoids draws.
pub(crate) const AHEAD: f64 = 0.6;
/// Opponents with more pieces than this are assumed to have a move.
pub(crate) const MAX_STALEMATE_PIECES: u32 = 6;
/// Number of earlier occurrences with which the next one is the third.
const EARLIER_OCCURRENCES: u32 = 2;

/// Number of boards on which a repeating try is tested for captures and mates.
const REPETITION_BOARDS: usize = 500;

impl DrawGuard {
    /// A guard for a game with these draw rules.
    pub fn new(draws: DrawRules) -> Self {
        DrawGuard { has_repetition_draws: draws.threefold, counts: HashMap::new() }
    }

    /// Counts the player's pieces at the start of a turn.
    pub fn record(&mut self, own: &PieceSet) {
        *self.counts.entry(*own).or_default() += 1;
    }

    /// Updates the counts. `before` are the player's pieces before the observation, `after` those
    /// after it. After a capture or pawn move no earlier position can recur.
    pub fn observe(&mut self, observation: &Observation, before: &PieceSet, after: &PieceSet) {
        if observation.announcement.verdict != Verdict::Moved {
            return;
        }
        if is_progress(observation, before) {
            self.counts.clear();
        }
        if observation.announcement.by != after.color() {
            self.record(after);
        }
    }

    /// Whether the try would put the player's pieces on the same squares for the third time without
    /// ending the game. A capture or mate repeats nothing.
    pub fn repeats(
        &self,
        view: &View,
        mv: Move,
        boards: impl Iterator<Item = OpponentBoard>,
    ) -> bool {
        if !self.has_repetition_draws {
            return false;
        }
        let mut after = view.clone();
        let moved = Announcement::plain(view.player(), Verdict::Moved, Audience::Both);
        after.observe_answer(Try::Move(mv), &moved);
        if self.counts.get(after.pieces()).is_none_or(|count| *count < EARLIER_OCCURRENCES) {
            return false;
        }
        boards.take(REPETITION_BOARDS).any(|board| {
            let Some(mut position) = board.position(view.pieces(), view.player()) else {
                return false;
            };
            let announcement = position.answer(mv, view.ruleset(), DrawRules::NONE);
            announcement.verdict == Verdict::Moved
                && announcement.capture.is_none()
                && announcement.end.is_none()
        })
    }

    /// Whether the try would stalemate the opponent on one of these boards and stalemate is a draw.
    pub fn stalemates(view: &View, mv: Move, boards: impl Iterator<Item = OpponentBoard>) -> bool {
        let ruleset = view.ruleset();
        if ruleset.stalemate == StalemateRule::Loses {
            return false;
        }
        let after = after_move(view.pieces(), mv);
        for board in boards {
            if board.all().len() > MAX_STALEMATE_PIECES {
                return false;
            }
            // There may be thousands of boards and little time. On nearly all of them the king has
            // a move, which is cheap to see.
            let is_en_passant = view.pieces().is_pawn_capture(mv) && !board.all().has(mv.to);
            if !is_en_passant && can_king_move(&after, &board, mv.to) {
                continue;
            }
            let Some(mut position) = board.position(view.pieces(), view.player()) else { continue };
            let announcement = position.answer(mv, ruleset, DrawRules::NONE);
            if announcement.end.is_some_and(|end| end.ending == Ending::Stalemate) {
                return true;
            }
        }
        false
    }
}

/// Whether this is a move after which no earlier position can recur, as far as the player observes
/// it: a capture, or a move of an own pawn. `own` are the player's pieces before the observation.
pub(crate) fn is_progress(observation: &Observation, own: &PieceSet) -> bool {
    let announcement = &observation.announcement;
    let is_own_pawn_move = match observation.tried {
        Some(Try::Move(mv)) if announcement.by == own.color() => {
            own.piece_on(mv.from) == Some(Piece::Pawn)
        }
        _ => false,
    };
    announcement.verdict == Verdict::Moved && (announcement.capture.is_some() || is_own_pawn_move)
}

/// Whether the opponent's king has a move after the player moved a piece to this square.
fn can_king_move(own: &PieceSet, opponent: &OpponentBoard, to: Square) -> bool {
    let others = opponent.all() & !to.bitboard();
    let king = opponent.pieces(Piece::King);
    let occupied = (own.all() | others) & !king;
    let escapes = neighbours(king) & !others & !attacked_squares(own, occupied);
    !escapes.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::{Color, Position, Ruleset};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// A FEN with a few pieces on random squares and Black's king on the back rank near a corner.
    fn random_endgame(rng: &mut Xoshiro256PlusPlus) -> String {
        let mut squares = ['.'; 64];
        squares[rng.random_range(0..3)] = 'k';
        let pieces = ["KQ", "KR", "KQP", "KRN", "KQp", "KPp", "KQbp"][rng.random_range(0..7)];
        for piece in pieces.chars() {
            let at = rng.random_range(if "Pp".contains(piece) { 8..56 } else { 0..40 });
            if squares[at] == '.' {
                squares[at] = piece;
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

    /// Whether White's guard reports stalemate for this move on this board, and whether it is one.
    fn reported_and_actual(position: &Position, mv: Move) -> (bool, bool) {
        let opening = Announcement::plain(Color::White, Verdict::Begun, Audience::Both);
        let view = View::new(Ruleset::ICC, position.pieces(Color::White), &opening);
        let opponent = OpponentBoard::of(position, Color::Black);
        let announcement = position.clone().answer(mv, &Ruleset::ICC, DrawRules::NONE);
        let is_stalemate = announcement.end.is_some_and(|end| end.ending == Ending::Stalemate);
        (DrawGuard::stalemates(&view, mv, [opponent].into_iter()), is_stalemate)
    }

    #[test]
    fn a_mate_or_capture_or_a_ruleset_without_repetition_draws_is_no_repetition() {
        let mate = Position::from_fen("k7/8/2K5/8/8/8/8/1Q6 w - - 0 1").unwrap();
        let capture = Position::from_fen("7k/1n6/2K5/8/8/8/8/1Q6 w - - 0 1").unwrap();
        let quiet = Position::from_fen("7k/8/2K5/8/8/8/8/1Q6 w - - 0 1").unwrap();
        let mv: Move = "b1b7".parse().unwrap();
        let opening = Announcement::plain(Color::White, Verdict::Begun, Audience::Both);
        let view = View::new(Ruleset::ICC, quiet.pieces(Color::White), &opening);
        let mut after = quiet.clone();
        after.play(mv).unwrap();
        let repeats = |draws: DrawRules, boards: &[&Position]| {
            let mut guard = DrawGuard::new(draws);
            guard.record(&after.pieces(Color::White));
            guard.record(&after.pieces(Color::White));
            let boards = boards.iter().map(|board| OpponentBoard::of(board, Color::Black));
            guard.repeats(&view, mv, boards)
        };
        assert!(repeats(DrawRules::default(), &[&mate, &quiet]));
        assert!(!repeats(DrawRules::default(), &[&mate, &capture]));
        assert!(!repeats(DrawRules::NONE, &[&quiet]));
    }

    #[test]
    fn stalemate_after_en_passant_is_found() {
        let position = Position::from_fen("2N5/2K5/k7/3pP2R/8/8/8/8 w - d6 0 1").unwrap();
        assert_eq!(reported_and_actual(&position, "e5d6".parse().unwrap()), (true, true));
    }

    #[test]
    fn the_guard_agrees_with_the_umpire_on_stalemate() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let (mut stalemates, mut others) = (0, 0);
        for _ in 0..3_000 {
            let Ok(position) = Position::from_fen(&random_endgame(&mut rng)) else { continue };
            for mv in position.legal_moves() {
                let (reported, is_stalemate) = reported_and_actual(&position, mv);
                assert_eq!(reported, is_stalemate, "{mv} in {position:?}");
                *if is_stalemate { &mut stalemates } else { &mut others } += 1;
            }
        }
        assert!(stalemates > 100 && others > 10_000, "{stalemates} of {others}");
    }
}
