//! Properties of random games.

use krieg_core::{Color, Game, Move, Setup, Square, Try};
use krieg_net::Encoder;
use krieg_testing::{
    cases, mirrored, play_indistinguishable_games, random_setup, random_try, seeded_rng,
};
use proptest::prelude::*;

use crate::encoder;

fn mirrored_try(tried: Try) -> Try {
    match tried {
        Try::Any => Try::Any,
        Try::Move(mv) => Try::Move(Move { from: mv.from.flip_rank(), to: mv.to.flip_rank(), ..mv }),
    }
}

/// The input and the mask without the scalar of the colour.
fn without_color(encoder: &Encoder) -> (krieg_net::Input, [u64; 65]) {
    let mut input = encoder.encode(None);
    input.scalars[62] = 0;
    (input, encoder.mask())
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn exchanged_colors_give_equal_inputs(seed: u64) {
        let mut rng = seeded_rng(seed);
        let setup = random_setup(&mut rng);
        let mirror = Setup { start: mirrored(&setup.start), ..setup.clone() };
        let (mut game, mut other) = (Game::new(setup), Game::new(mirror));
        for _ in 0..120 {
            if game.umpire().outcome().is_some() {
                break;
            }
            let tried = random_try(game.umpire().view(game.umpire().turn()), &mut rng);
            prop_assert_eq!(game.judge(tried).is_ok(), other.judge(mirrored_try(tried)).is_ok());
        }
        for player in Color::ALL {
            let one = encoder(game.record(), player);
            let two = encoder(other.record(), !player);
            prop_assert_eq!(without_color(&one), without_color(&two));
        }
    }

    #[test]
    fn indistinguishable_games_give_equal_inputs(seed: u64) {
        let mut rng = seeded_rng(seed);
        for player in Color::ALL {
            let setup = random_setup(&mut rng);
            play_indistinguishable_games(setup, player, seed, |one, other| {
                let [one, other] = [one, other].map(|game| encoder(game.record(), player));
                assert_eq!(without_color(&one), without_color(&other));
            });
        }
    }

    #[test]
    fn mask_has_the_sensible_tries(seed: u64) {
        let mut rng = seeded_rng(seed);
        let mut game = Game::new(random_setup(&mut rng));
        for _ in 0..60 {
            if game.umpire().outcome().is_some() {
                break;
            }
            let player = game.umpire().turn();
            let view = game.umpire().view(player);
            let mask = encoder(game.record(), player).mask();
            let orientation = krieg_net::Orientation::of(player);
            for from in Square::ALL {
                for to in Square::ALL {
                    let mut tries = view.tries().iter().filter(|mv| (mv.from, mv.to) == (from, to));
                    let has = mask[orientation.index(from)] >> orientation.index(to) & 1 == 1;
                    let expected = match tries.next() {
                        Some(mv) => mv.promotion.is_none() || tries.count() == 3,
                        None => false,
                    };
                    prop_assert_eq!(has, expected, "{}{}", from, to);
                }
            }
            prop_assert_eq!(mask[64], u64::from(view.can_ask_any()));
            let _ = game.judge(random_try(view, &mut rng));
        }
    }
}
