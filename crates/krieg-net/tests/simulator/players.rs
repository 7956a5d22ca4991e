//! Players that prefer what random play rarely does. They see everything, to reach rare positions.

use krieg_core::{DrawRules, Game, Move, Piece, Position, Ruleset, Try, Verdict};
use krieg_testing::random_move;
use rand::{Rng, RngExt};

/// What a player prefers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Preference {
    Any,
    Captures,
    PawnMoves,
    Checks,
    /// Neither captures nor pawn moves.
    QuietMoves,
    /// To take back the last move.
    Repetition,
}

const PREFERENCES: [Preference; 6] = [
    Preference::Any,
    Preference::Captures,
    Preference::PawnMoves,
    Preference::Checks,
    Preference::QuietMoves,
    Preference::Repetition,
];

/// A player with its preference.
pub struct Player {
    preference: Preference,
    last_move: Option<Move>,
    last_try: Option<Move>,
}

impl Player {
    pub fn random(rng: &mut impl Rng) -> Self {
        let preference = PREFERENCES[rng.random_range(0..PREFERENCES.len())];
        Player { preference, last_move: None, last_try: None }
    }

    /// The next try: three of a hundred are senseless, and one of six is "any?" if it may be asked.
    pub fn choose(&mut self, game: &Game, rng: &mut impl Rng) -> Try {
        let umpire = game.umpire();
        let view = umpire.view(umpire.turn());
        match rng.random_range(0..100) {
            0 => return Try::Any,
            1 => return Try::Move(random_move(rng)),
            2 => return Try::Move(self.last_try.unwrap_or_else(|| random_move(rng))),
            3..19 if view.can_ask_any() => return Try::Any,
            _ => {}
        }
        let tries: Vec<Move> = view.tries().iter().collect();
        let preferred: Vec<Move> = match rng.random_range(0..4) {
            0 => Vec::new(),
            _ => tries.iter().copied().filter(|&mv| self.prefers(mv, umpire.position())).collect(),
        };
        let choice = if preferred.is_empty() { &tries } else { &preferred };
        let mv = choice[rng.random_range(0..choice.len())];
        self.last_try = Some(mv);
        if umpire.position().is_legal(mv) {
            self.last_move = Some(mv);
        }
        Try::Move(mv)
    }

    fn prefers(&self, mv: Move, position: &Position) -> bool {
        let pawns = position.board().pieces(Piece::Pawn);
        let is_capture = || position.capture(mv, &Ruleset::ICC).is_some();
        match self.preference {
            Preference::Any => true,
            Preference::Captures => is_capture(),
            Preference::PawnMoves => pawns.has(mv.from),
            Preference::Checks => {
                let mut after = position.clone();
                let answer = after.answer(mv, &Ruleset::ICC, DrawRules::NONE);
                answer.verdict == Verdict::Moved && !after.checks().is_empty()
            }
            Preference::QuietMoves => !pawns.has(mv.from) && !is_capture(),
            Preference::Repetition => {
                self.last_move.is_some_and(|last| (mv.from, mv.to) == (last.to, last.from))
            }
        }
    }
}
