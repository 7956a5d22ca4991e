//! Tests of the bank of filters.

use super::*;
use krieg_core::{Game, Observer};
use krieg_testing::{random_game, seeded_rng};

fn bank(setup: &Setup, capacity: usize) -> FilterBank {
    let opponents = OpponentMixture::default().with_strangers();
    FilterBank::new(setup, Color::White, capacity, opponents, Densities::default(), 1)
}

/// What White observes in a random game.
fn observations(setup: &Setup, seed: u64, tries: usize) -> Vec<Observation> {
    let game: Game = random_game(setup.clone(), seed, tries);
    let mut observer = Observer::new(Color::White);
    let all = game.record().entries().iter().filter_map(|entry| observer.observe(entry));
    all.take_while(|observation| observation.announcement.end.is_none()).collect()
}

#[test]
fn a_random_opponent_is_recognised_as_plain() {
    let setup = Setup::default();
    let (mut sum, mut games) = (0.0, 0.0);
    for seed in 0..6 {
        let mut bank = bank(&setup, 400);
        let before = bank.posterior()[1];
        assert!((0.1..0.4).contains(&before), "{before}");
        for observation in observations(&setup, seed, 150) {
            let _ = bank.observe(&observation);
        }
        sum += bank.posterior()[1];
        games += 1.0;
    }
    assert!(sum / games > 0.5, "{}", sum / games);
}

#[test]
fn no_member_vanishes() {
    let setup = Setup::default();
    let mut bank = bank(&setup, 200);
    for evidence in [1e3, -1e3] {
        bank.members[0].log_likelihood = evidence;
        let weights = bank.weights();
        assert!(weights.iter().all(|weight| *weight >= MIN_WEIGHT), "{weights:?}");
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
    // Old evidence is forgotten: the posterior returns to the prior.
    bank.members[0].log_likelihood = -10.0;
    assert!(bank.posterior()[0] < 0.01);
    (0..300).for_each(|_| bank.update_posterior(true));
    let prior: f32 = bank.members[0].types.iter().map(|index| bank.mixture.prior()[*index]).sum();
    let posterior = bank.posterior()[0];
    assert!((posterior - f64::from(prior)).abs() < 0.02, "{posterior} {prior}");
}

#[test]
fn the_mixture_has_the_posteriors_of_all_members() {
    let setup = Setup::default();
    let mut bank = bank(&setup, 200);
    for observation in observations(&setup, 3, 60) {
        let _ = bank.observe(&observation);
    }
    let posterior = bank.posterior();
    let mixture = bank.opponent_mixture().unwrap();
    assert!((mixture.posterior().iter().sum::<f32>() - 1.0).abs() < 1e-4);
    for (member, weight) in bank.members.iter().zip(posterior) {
        let sum: f32 = member.types.iter().map(|index| mixture.posterior()[*index]).sum();
        assert!((f64::from(sum) - weight).abs() < 1e-4, "{sum} {weight}");
    }
}

#[test]
fn boards_are_sampled_by_the_weights_of_the_members() {
    let setup = Setup::default();
    let mut bank = bank(&setup, 200);
    let game = observations(&setup, 5, 20);
    game.iter().for_each(|observation| bank.observe(observation).unwrap());
    let map = OpponentMap::of(
        bank.sample_with_last_moves(4_000, &mut seeded_rng(1))
            .iter()
            .map(|(position, _)| (OpponentBoard::of(position, Color::Black), 1.0)),
    );
    let marginals = bank.marginals();
    for square in Square::ALL {
        let [sampled, exact] = [&map, &marginals].map(|map| map.occupancy(square));
        assert!((sampled - exact).abs() < 0.05, "{square}: {sampled} {exact}");
    }
}

#[test]
fn every_member_obeys_the_deadline() {
    let setup = Setup::default();
    let [mut hurried, mut patient] = [(); 2].map(|()| bank(&setup, 4_000));
    for observation in observations(&setup, 7, 40) {
        let now = Instant::now();
        assert!(hurried.set_deadline(Some(Deadline { soft: now, hard: now })));
        for bank in [&mut hurried, &mut patient] {
            let _ = bank.observe(&observation);
        }
    }
    for (one, other) in hurried.members.iter().zip(&patient.members) {
        let [few, many] = [one, other].map(|member| member.filter.len());
        assert!(4 * few < many, "{few} {many}");
    }
}
