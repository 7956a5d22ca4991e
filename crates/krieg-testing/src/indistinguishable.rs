//! Pairs of games that one player cannot distinguish, although the opponent's pieces differ.

use krieg_core::{Color, Game, Move, Setup, Try, Verdict};
use rand::{Rng, seq::SliceRandom};

use crate::{random_try, seeded_rng};

/// Maximum number of steps of a pair of games. A step is one try of the player, or a whole turn of
/// the opponent.
const MAX_STEPS: usize = 80;

/// Plays a pair of games and passes both to `inspect` before every turn, for as long as `player`
/// has made the same observations in both.
pub fn play_indistinguishable_games(
    setup: Setup,
    player: Color,
    seed: u64,
    mut inspect: impl FnMut(&Game, &Game),
) {
    let mut rng = seeded_rng(seed);
    let mut one = Game::new(setup.clone());
    let mut other = Game::new(setup);
    for _ in 0..MAX_STEPS {
        inspect(&one, &other);
        if one.umpire().outcome().is_some() {
            return;
        }
        if one.umpire().turn() != player {
            if !play_opponent_turn(player, &mut one, &mut other, &mut rng) {
                return;
            }
            continue;
        }
        let tried = random_try(one.umpire().view(player), &mut rng);
        let (answer, other_answer) = (one.judge(tried), other.judge(tried));
        if answer != other_answer {
            // The answers tell the games apart, so the pair ends. An error must not: it may not
            // depend on the opponent's pieces.
            assert!(
                answer.is_ok() && other_answer.is_ok(),
                "{tried}: {answer:?} and {other_answer:?}"
            );
            return;
        }
    }
}

/// Plays the opponent's turn in one game, and finds tries for the other game that give `player` the
/// same observations. Returns `false` if there are none.
fn play_opponent_turn(player: Color, one: &mut Game, other: &mut Game, rng: &mut impl Rng) -> bool {
    let mut observed = Vec::new();
    loop {
        let tried = random_try(one.umpire().view(!player), rng);
        let Ok(announcement) = one.judge(tried) else { continue };
        if announcement.is_observed_by(player) {
            observed.push((tried, announcement));
        }
        if announcement.verdict == Verdict::Moved {
            break;
        }
    }
    for (tried, announcement) in observed {
        // Any try with the same announcement will do; one that differs from the original is
        // preferred.
        let view = other.umpire().view(!player);
        let mut candidates: Vec<Try> = view.tries().iter().map(Try::Move).collect();
        if matches!(announcement.verdict, Verdict::Nonsense | Verdict::Refused) {
            let square = view.pieces().all().next_square().expect("there is a king");
            candidates.push(Try::Move(Move::new(square, square)));
        }
        if tried == Try::Any {
            candidates = vec![Try::Any];
        }
        candidates.shuffle(rng);
        candidates.sort_by_key(|candidate| *candidate == tried);
        let indistinguishable = candidates.into_iter().find_map(|candidate| {
            let mut game = other.clone();
            (game.judge(candidate) == Ok(announcement)).then_some(game)
        });
        match indistinguishable {
            Some(game) => *other = game,
            None => return false,
        }
    }
    true
}
