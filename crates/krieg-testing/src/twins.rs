//! Two games side by side that sound the same to one player, while the hidden men stand elsewhere.

use krieg_core::{Color, Game, Move, Setup, Try, Verdict};
use rand::{Rng, seq::SliceRandom};

use crate::{draw_try, hat};

/// How many tries a pair of games goes on for at most.
const MOST_TRIES: usize = 80;

/// Leads a pair of games and shows it to `look` before every turn, as long as the player has heard
/// the same in both.
pub fn lead_twin_games(setup: Setup, player: Color, seed: u64, mut look: impl FnMut(&Game, &Game)) {
    let mut rng = hat(seed);
    let mut one = Game::new(setup.clone());
    let mut other = Game::new(setup);
    for _ in 0..MOST_TRIES {
        look(&one, &other);
        if one.umpire().outcome().is_some() {
            return;
        }
        if one.umpire().turn() != player {
            if !opponent_moves(player, &mut one, &mut other, &mut rng) {
                return;
            }
            continue;
        }
        let tried = draw_try(one.umpire().view(player), &mut rng);
        let (said, echoed) = (one.judge(tried), other.judge(tried));
        if said != echoed {
            // He has just learned something. Being turned away is not learning: it must not
            // depend on the hidden men at all.
            assert!(said.is_ok() && echoed.is_ok(), "{tried}: {said:?} against {echoed:?}");
            return;
        }
    }
}

/// Lets the opponent move in one world, and finds another move in the other world of which the
/// player hears the same. `false` if there is none.
fn opponent_moves(player: Color, one: &mut Game, other: &mut Game, rng: &mut impl Rng) -> bool {
    let mut heard = Vec::new();
    loop {
        let tried = draw_try(one.umpire().view(!player), rng);
        let Ok(said) = one.judge(tried) else { continue };
        if said.is_heard_by(player) {
            heard.push((tried, said));
        }
        if said.verdict == Verdict::Moved {
            break;
        }
    }
    for (tried, said) in heard {
        // Any try that sounds the same will do; another one than the true one is better.
        let view = other.umpire().view(!player);
        let mut candidates: Vec<Try> = view.tries().iter().map(Try::Move).collect();
        if matches!(said.verdict, Verdict::Nonsense | Verdict::Refused) {
            let square = view.men().all().next_square().expect("a king at least");
            candidates.push(Try::Move(Move::new(square, square)));
        }
        if tried == Try::Any {
            candidates = vec![Try::Any];
        }
        candidates.shuffle(rng);
        candidates.sort_by_key(|candidate| *candidate == tried);
        let sounds_the_same = candidates.into_iter().find_map(|candidate| {
            let mut world = other.clone();
            (world.judge(candidate) == Ok(said)).then_some(world)
        });
        match sounds_the_same {
            Some(world) => *other = world,
            None => return false,
        }
    }
    true
}
