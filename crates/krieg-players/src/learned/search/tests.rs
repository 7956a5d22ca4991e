//! Tests of the search with a small random network, whose values hardly differ, so that the values
//! of finished games and of values made by hand decide.

use std::sync::Arc;

use krieg_core::{Game, Position, Ruleset, StalemateRule, Verdict};
use krieg_testing::{TEST_POSITIONS, random_network_file};
use krieg_time::TimeControl;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::outcomes::Outcome;
use super::*;
use crate::learned::{Learned, LearnedSettings};
use crate::{Choice, GameRunner, GameSettings, Player, Random};

const SETTINGS: SearchSettings = SearchSettings {
    simulations: 12,
    candidates: 100,
    worlds: 16,
    regularization: 0.03,
    particles: 60,
};

fn network() -> Arc<Network> {
    Arc::new(Network::read(&random_network_file(1, 16, 1, 1)).unwrap())
}

fn learned(search: SearchSettings) -> Learned {
    Learned::new(LearnedSettings { temperature: 0.3, network: network(), search })
}

fn settings(ruleset: Ruleset, fen: &str) -> GameSettings {
    let setup = Setup { ruleset, start: Position::from_fen(fen).unwrap(), ..Setup::default() };
    GameSettings { setup, draw_after: Some(12), ..GameSettings::default() }
}

/// The best try of the player to move in this position, which both players know.
fn best_try(ruleset: Ruleset, fen: &str) -> String {
    let settings = settings(ruleset, fen);
    let seat = Seat::new(settings.setup.start.turn(), &settings, 1);
    let (mut workspace, network) = (Workspace::default(), network());
    let encoder = Encoder::new(seat.color, &seat.setup);
    let mut evaluation = network.evaluate(&encoder.encode(None), &mut workspace);
    // "Any?" is asked without a search if it is the most probable try.
    evaluation.any_logit = -10.0;
    let root = SearchStart {
        view: &seat.view(),
        encoder: &encoder,
        evaluation: &evaluation,
        network: &network,
    };
    let mut search = Search::new(SETTINGS, &seat).unwrap();
    let clock = Clock::new(TimeControl::Unlimited);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let result = search.run(&root, &clock, &mut workspace, &mut rng).unwrap();
    let weights = result.weights(0.0);
    let (best, _) = weights.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    best.to_string()
}

/// The outcomes of a try on one board.
fn outcomes(ruleset: Ruleset, board: &Position, mv: Move) -> Vec<(Outcome, f64)> {
    let setup = Setup { ruleset, ..Setup::default() };
    let policy = (OpponentModelKind::named("fitted").make)(&OpponentMixture::default());
    let mut weights = OutcomeWeights::default();
    let context = OpponentContext::default();
    OutcomeModel::new(&setup, policy).add(&mut weights, mv, board.clone(), context);
    weights.0
}

#[test]
fn a_mate_in_one_is_chosen_and_a_stalemate_where_it_wins() {
    for ruleset in Ruleset::ALL {
        assert_eq!(best_try(ruleset, "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"), "d1d8", "{ruleset}");
    }
    // The queen can mate on g7, and stalemates on f7.
    assert_eq!(best_try(Ruleset::ICC, "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1"), "f2f8");
    // No try mates, and b5b6 stalemates.
    let stalemate = "k7/8/8/1Q6/8/8/7P/2K5 w - - 0 1";
    for ruleset in Ruleset::ALL {
        let wins = ruleset.stalemate == StalemateRule::Loses;
        let board = Position::from_fen(stalemate).unwrap();
        let (outcome, _) = outcomes(ruleset, &board, "b5b6".parse().unwrap())[0];
        assert_eq!(outcome.final_score(Color::White), Some(if wins { 1.0 } else { 0.5 }));
        assert!(!wins || best_try(ruleset, stalemate) == "b5b6", "{ruleset}");
    }
}

#[test]
fn outcomes_are_what_the_umpire_announces() {
    let mut compared = 0;
    for ruleset in Ruleset::ALL {
        for fen in TEST_POSITIONS {
            let start = Position::from_fen(fen).unwrap();
            let setup = Setup { ruleset, start: start.clone(), ..Setup::default() };
            for mv in start.legal_moves() {
                let outcomes = outcomes(ruleset, &start, mv);
                let sum: f64 = outcomes.iter().map(|(_, weight)| weight).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{sum}");
                let mut game = Game::new(setup.clone());
                // The start position may already be a draw.
                if game.judge(mv.into()).is_err() {
                    continue;
                }
                if let Some(reply) = game.umpire().position().legal_moves().first() {
                    let _ = game.judge((*reply).into());
                }
                let observed = game.record().transcript(start.turn()).observations;
                let is_observed =
                    |(outcome, _): &(Outcome, f64)| outcome.observations(mv).eq(observed.clone());
                assert_eq!(outcomes.iter().filter(|one| is_observed(one)).count(), 1, "{mv} {fen}");
                compared += 1;
            }
        }
    }
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn a_refused_try_has_one_outcome_that_is_no_end() {
    let board = Position::from_fen("4k3/8/8/8/8/8/3r4/R3K3 w - - 0 1").unwrap();
    let outcomes = outcomes(Ruleset::ICC, &board, "e1d1".parse().unwrap());
    assert_eq!(outcomes.len(), 1);
    assert_eq!(outcomes[0].0.answer.verdict, Verdict::Refused);
    assert_eq!(outcomes[0].0.final_score(Color::White), None);
}

#[test]
fn a_capture_that_will_be_recaptured_is_worth_less_than_a_quiet_move() {
    // The pawn on d5 is guarded.
    let fen = "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1";
    let board = Position::from_fen(fen).unwrap();
    let candidate = |mv: &str, prior: f64| {
        let mv: Move = mv.parse().unwrap();
        let weights = OutcomeWeights(outcomes(Ruleset::ICC, &board, mv));
        Candidate::new(mv, prior, weights, Color::White)
    };
    let all = vec![candidate("d1d5", 0.9), candidate("d1d2", 0.1)];
    let mut candidates = Candidates { all, unknown: 0.7, regularization: 0.03 };
    assert!(candidates.weights(1.0)[0] > candidates.weights(1.0)[1], "the prior decides at first");
    while let Some((_, outcome, value)) = candidates.next() {
        let is_lost = outcome.reply.is_some_and(|reply| reply.capture.is_some());
        let has_won = outcome.answer.capture.is_some();
        *value = Some(if is_lost { 0.3 } else { 0.7 } + if has_won { 0.05 } else { 0.0 });
    }
    assert!(candidates.all[0].value(0.7) < candidates.all[1].value(0.7));
    assert!(candidates.weights(1.0)[0] < candidates.weights(1.0)[1]);
}

#[test]
fn the_most_probable_observation_of_the_best_tries_is_evaluated_first() {
    let board = Position::start();
    let candidate = |mv: &str, prior: f64| {
        let mv: Move = mv.parse().unwrap();
        let weights = OutcomeWeights(outcomes(Ruleset::ICC, &board, mv));
        Candidate::new(mv, prior, weights, Color::White)
    };
    let all = vec![candidate("e2e4", 0.8), candidate("a2a4", 0.2)];
    let mut candidates = Candidates { all, unknown: 0.5, regularization: 0.03 };
    let (first, outcome, value) = candidates.next().unwrap();
    assert_eq!(first.to_string(), "e2e4");
    assert_eq!(outcome.reply.unwrap().capture, None);
    // A disappointing value makes the other try the better one.
    *value = Some(0.1);
    assert_eq!(candidates.next().unwrap().0.to_string(), "a2a4");
}

#[test]
fn searching_players_are_deterministic_and_make_sensible_tries_in_all_rulesets() {
    let search = SearchSettings { candidates: 4, worlds: 4, simulations: 4, ..SETTINGS };
    let mut used = learned(search);
    for ruleset in Ruleset::ALL {
        for (seed, fen) in (0..).zip(TEST_POSITIONS) {
            let play = |player: &mut Learned| {
                let runner = GameRunner::new(settings(ruleset, fen), seed);
                runner.play([player, &mut Random::new()])
            };
            let (game, again) = (play(&mut learned(search)), play(&mut used));
            // A try that is not sensible would have been a forfeit.
            assert_eq!(game.record().tags().get(GameRunner::FORFEIT), None, "{ruleset}, {fen}");
            assert_eq!(game.record(), again.record(), "{ruleset}, {fen}");
        }
    }
}

#[test]
fn a_player_that_is_given_the_observations_again_goes_on_in_the_same_way() {
    let settings = settings(Ruleset::ICC, TEST_POSITIONS[1]);
    let mut player = learned(SETTINGS);
    let game = GameRunner::new(settings.clone(), 3).play([&mut player, &mut Random::new()]);
    let transcript = game.record().transcript(Color::White);
    let seat = Seat::new(Color::White, &settings, 3);
    let own: Vec<usize> = (0..transcript.observations.len())
        .filter(|&index| transcript.observations[index].tried.is_some())
        .collect();
    let next = own[own.len() / 2];
    let (mut resumed, mut view) = (learned(SETTINGS), seat.view());
    resumed.begin(&seat).unwrap();
    for observation in &transcript.observations[..next] {
        resumed.observe(observation).unwrap();
        view.observe(observation);
    }
    let choice = resumed.choose(&view, &Clock::new(TimeControl::Unlimited));
    assert_eq!(choice, Ok(Choice::Try(transcript.observations[next].tried.unwrap())));
    let remark = resumed.remark().unwrap();
    assert!(remark.contains("after 12 passes"), "{remark}");
}

#[test]
fn no_simulations_are_no_search() {
    let mut player = learned(SearchSettings { simulations: 0, ..SETTINGS });
    player.begin(&Seat::new(Color::White, &GameSettings::default(), 1)).unwrap();
    assert!(player.search.is_none());
    assert_eq!(LearnedSettings::default().search.simulations, 0);
}

#[test]
fn a_clock_or_a_number_of_nodes_ends_the_search() {
    let search = SearchSettings { simulations: usize::MAX, ..SETTINGS };
    let seat = Seat::new(Color::White, &GameSettings::default(), 1);
    let mut player = learned(search);
    player.begin(&seat).unwrap();
    player.choose(&seat.view(), &Clock::new(TimeControl::Nodes(5))).unwrap();
    assert!(player.remark().unwrap().contains("after 5 passes"));
    let control = TimeControl::Move(Duration::from_millis(40));
    player.begin(&Seat { control, ..seat.clone() }).unwrap();
    let start = Instant::now();
    player.choose(&seat.view(), &Clock::new(control)).unwrap();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}
