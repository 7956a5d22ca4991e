//! Every weighted belief gives normalized weights and knows what the opponent knows.

use krieg_belief::{
    BoardSet, Densities, FilterBank, Hybrid, OpponentMixture, ParticleFilter, UniformPolicy,
    WeightedBelief,
};
use krieg_core::{Color, Observer, Ruleset, Setup};
use krieg_testing::{random_game, seeded_rng};

/// The capacity of each belief.
const CAPACITY: usize = 2_000;

/// The beliefs of one player at the start of a game; the first is the reference.
fn beliefs(setup: &Setup, player: Color) -> Vec<Box<dyn WeightedBelief>> {
    let densities = Densities::default;
    let filter = ParticleFilter::new(setup, player, CAPACITY, UniformPolicy, densities(), 1);
    vec![
        Box::new(filter),
        Box::new(BoardSet::new(setup, player, CAPACITY, 1)),
        Box::new(Hybrid::new(setup, player, CAPACITY, densities(), 1)),
    ]
}

/// A bank of filters for the built-in types and for strangers.
fn bank(setup: &Setup, player: Color) -> FilterBank {
    let opponents = OpponentMixture::default().with_strangers();
    FilterBank::new(setup, player, CAPACITY, opponents, Densities::default(), 1)
}

#[test]
fn weighted_beliefs_agree_on_what_the_opponent_knows() {
    let mut compared = 0;
    for (seed, ruleset) in (0..).zip(Ruleset::ALL.into_iter().cycle().take(16)) {
        let setup = Setup { ruleset, ..Setup::default() };
        let player = if seed % 2 == 0 { Color::White } else { Color::Black };
        let record = random_game(setup.clone(), seed, 40).into_record();
        let mut beliefs = beliefs(&setup, player);
        beliefs.push(Box::new(bank(&setup, player)));
        let mut observer = Observer::new(player);
        let mut rng = seeded_rng(seed);
        for observation in record.entries().iter().filter_map(|entry| observer.observe(entry)) {
            if observation.announcement.end.is_some() {
                break;
            }
            for belief in &mut beliefs {
                belief.observe(&observation).ok();
            }
            let [reference, others @ ..] = &beliefs[..] else { unreachable!() };
            for belief in others {
                assert_eq!(belief.opponent_context(), reference.opponent_context());
                assert_eq!(belief.opponent_context_to_move(), reference.opponent_context_to_move());
                assert_eq!(belief.view(), reference.view());
                compared += 1;
            }
            for belief in beliefs.iter().filter(|belief| belief.board_count() > Some(0)) {
                let sum: f64 = belief.weighted_boards().map(|(_, weight)| weight).sum();
                assert!((sum - 1.0).abs() < 1e-6, "{ruleset}: {sum}");
                assert_eq!(belief.sample_with_last_moves(20, &mut rng).len(), 20);
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn only_a_mixture_has_a_posterior_over_opponent_types() {
    let setup = Setup::default();
    let (player, densities) = (Color::White, Densities::default);
    for belief in beliefs(&setup, player) {
        assert!(belief.opponent_mixture().is_none());
    }
    let model = OpponentMixture::default();
    let names = model.names().to_vec();
    let filter = ParticleFilter::new(&setup, player, 10, model, densities(), 1);
    assert_eq!(filter.opponent_mixture().unwrap().names(), names);
    let all = OpponentMixture::default().with_strangers().names().to_vec();
    assert_eq!(bank(&setup, player).opponent_mixture().unwrap().names(), all);
}
