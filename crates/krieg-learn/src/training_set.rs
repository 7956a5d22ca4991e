//! What all trainings share: replaying recorded games, splitting off a validation set, and the
//! order of samples.

use cozy_chess::Piece;
use krieg_core::{Entry, Game, Record, Try, Verdict};
use rand::{Rng, RngExt};

/// An accepted move of a recorded game.
pub(crate) struct ReplayedMove<'a> {
    /// The game after the move.
    pub game: &'a Game,
    /// The move and its announcement.
    pub entry: &'a Entry,
    /// The piece that moved, before a promotion.
    pub piece: Option<Piece>,
}

/// Calls `visit` for each accepted move of a recorded game.
pub(crate) fn for_each_move(record: &Record, mut visit: impl FnMut(ReplayedMove)) {
    let mut game = record.replay(0);
    for entry in record.entries() {
        let piece = match entry.tried {
            Try::Move(mv) => game.umpire().position().board().piece_on(mv.from),
            Try::Any => None,
        };
        // The record was umpired by the same rules, so this does not fail.
        let _ = game.judge(entry.tried);
        if entry.announcement.verdict == Verdict::Moved {
            visit(ReplayedMove { game: &game, entry, piece });
        }
    }
}

/// Splits samples into a training set and a validation set, which gets one sample in `one_in`. The
/// validation set is the end of the list: the samples of one game are adjacent, so at most one game
/// is in both sets.
pub(crate) fn split_validation<T>(samples: &[T], one_in: usize) -> (&[T], &[T]) {
    samples.split_at(samples.len() - samples.len() / one_in)
}

/// The target of a position: a weighted mean of the outcome of the game and of the expected score
/// that the search found (the bootstrapped part), both from 0 to 1.
pub(crate) fn blended_target(outcome: f32, searched: f32, outcome_weight: f32) -> f32 {
    outcome * outcome_weight + searched * (1.0 - outcome_weight)
}

/// Shuffles the order of samples.
pub(crate) fn shuffle(order: &mut [u32], rng: &mut impl Rng) {
    for i in (1..order.len()).rev() {
        order.swap(i, rng.random_range(0..=i));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krieg_core::Setup;

    #[test]
    fn refused_tries_and_questions_are_not_moves() {
        let mut game = Game::new(Setup::default());
        for tried in ["e2e4", "d7d5", "e4e6", "e4d5"] {
            game.judge(tried.parse().unwrap()).unwrap();
        }
        let mut moves = Vec::new();
        for_each_move(game.record(), |replayed| {
            moves.push((replayed.entry.tried.to_string(), replayed.piece));
        });
        let pawn = Some(Piece::Pawn);
        let moves: Vec<_> = moves.iter().map(|(mv, piece)| (mv.as_str(), *piece)).collect();
        assert_eq!(moves, [("e2e4", pawn), ("d7d5", pawn), ("e4d5", pawn)]);
    }

    #[test]
    fn the_validation_set_is_the_end_of_the_samples() {
        let samples: Vec<u32> = (0..45).collect();
        let (training, validation) = split_validation(&samples, 20);
        assert_eq!((training.len(), validation), (43, &[43, 44][..]));
    }
}
