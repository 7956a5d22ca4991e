//! Tests of the mixture, and a measurement of its speed.

use super::*;
use crate::opponent::decision::Decision;
use crate::opponent::feature_groups as f;
use krieg_testing::{cases, random_game, random_setup, seeded_rng};
use proptest::prelude::*;

/// A type that prefers pawn moves, and one that prefers knight moves.
fn pawns_and_knights() -> OpponentMixture {
    let [mut pawns, mut knights] = ["pawns", "knights"].map(OpponentType::new);
    for stage in 0..4 {
        pawns.feature_weights[f::MOVED_PIECE + 6 * stage] = 3.0;
        knights.feature_weights[f::MOVED_PIECE + 6 * stage + 1] = 3.0;
    }
    OpponentMixture::new(&[pawns, knights], HiddenLayer::zero()).unwrap()
}

fn start() -> (Position, Vec<BoardMove>) {
    let start = Position::start();
    let moves = start.legal_moves().into_iter().map(|mv| start.board_move(mv)).collect();
    (start, moves)
}

#[test]
fn posterior_concentrates_on_the_type_of_the_opponent() {
    let mut opponents = pawns_and_knights();
    let (start, moves) = start();
    let knights = start.board().pieces(cozy_chess::Piece::Knight);
    let by_knight = |(index, mv): (usize, &BoardMove)| knights.has(mv.from).then_some((index, 1.0));
    let consistent: Vec<(usize, f64)> = moves.iter().enumerate().filter_map(by_knight).collect();
    let mut weights = Vec::new();
    let mut before = 0.0;
    for _ in 0..5 {
        weights.clear();
        opponents.weigh_moves(&start, &OpponentContext::default(), &moves, &mut weights);
        let probability = consistent.iter().map(|(index, _)| weights[*index]).sum::<f64>();
        assert!(probability > before, "observed moves become more likely");
        before = probability;
        opponents.add_evidence(0.7, &consistent);
        opponents.update_posterior();
    }
    assert!(opponents.posterior()[1] > 0.95, "{:?}", opponents.posterior());
    assert_eq!(opponents.prior(), [0.5, 0.5]);
}

#[test]
fn unexplained_observation_does_not_change_the_posterior() {
    let mut opponents = pawns_and_knights().with_prior(&[0.1, 0.9]);
    let (start, moves) = start();
    opponents.weigh_moves(&start, &OpponentContext::default(), &moves, &mut Vec::new());
    let before = opponents.posterior().to_vec();
    opponents.add_evidence(0.7, &[]);
    opponents.update_posterior();
    assert_eq!(opponents.posterior(), before);
}

#[test]
fn posterior_follows_an_opponent_that_changes() {
    let mut opponents = pawns_and_knights();
    let (start, moves) = start();
    let index = |text: &str| moves.iter().position(|mv| *mv == text.parse().unwrap()).unwrap();
    let [knight, pawn] = ["g1f3", "e2e4"].map(index);
    for (mv, times) in [(knight, 100), (pawn, 8)] {
        for _ in 0..times {
            opponents.weigh_moves(&start, &OpponentContext::default(), &moves, &mut Vec::new());
            opponents.add_evidence(1.0, &[(mv, 1.0)]);
            opponents.update_posterior();
        }
    }
    assert!(opponents.posterior()[0] > 0.8, "{:?}", opponents.posterior());
}

#[test]
fn types_can_be_selected_and_left_out() {
    let opponents = OpponentMixture::default();
    let first = opponents.names()[0].clone();
    let without = opponents.clone().without(&first).unwrap();
    assert_eq!(without.names().len(), opponents.names().len() - 1);
    assert!((without.prior().iter().sum::<f32>() - 1.0).abs() < 1e-6);
    let only = opponents.clone().only(&first).unwrap();
    assert_eq!((only.names(), only.posterior()), (&[first.clone()][..], &[1.0][..]));
    assert_eq!(only.without(&first).unwrap_err(), OpponentMixtureError::TypeCount(0));
    let unknown = opponents.clone().only("unknown").unwrap_err();
    assert_eq!(unknown.to_string(), "there is no opponent type \"unknown\"");
}

#[test]
fn invalid_prior_is_ignored() {
    let opponents = OpponentMixture::default();
    let certain = opponents.clone().with_prior(&[2.0]);
    assert_eq!((certain.posterior()[0], certain.posterior()[1]), (1.0, 0.0));
    let same = opponents.clone().with_prior(&[f32::NAN, -1.0]);
    assert_eq!(same.posterior(), opponents.posterior());
}

#[test]
fn built_in_file_is_read_and_written_alike() {
    let opponents = OpponentMixture::default();
    let again = OpponentMixture::read(&opponents.write()).unwrap();
    assert_eq!(again.types(), opponents.types());
    assert_eq!(opponents.names().last().map(String::as_str), Some(file::GENERAL_TYPE));
}

proptest! {
    #![proptest_config(cases(64))]
    #[test]
    fn probabilities_sum_to_one_and_are_positive(seed: u64) {
        let mut opponents = OpponentMixture::default();
        let game = random_game(random_setup(&mut seeded_rng(seed)), seed, 80);
        let mut weights = Vec::new();
        let mut all_moves = 0;
        Decision::for_each(game.record(), |_, decision| {
            let (moves, chosen) = decision.moves();
            assert_eq!(moves[chosen], decision.chosen);
            weights.clear();
            opponents.weigh_moves(&decision.position, &decision.context, &moves, &mut weights);
            opponents.add_evidence(1.0, &[(chosen, 1.0)]);
            opponents.update_posterior();
            all_moves += moves.len();
            assert_eq!(weights.len(), moves.len());
            let sum: f64 = weights.iter().sum();
            assert!((sum - 1.0).abs() < 1e-4, "{sum}");
            assert!(weights.iter().all(|weight| *weight > 1e-5), "{weights:?}");
            let sum: f32 = opponents.posterior().iter().sum();
            assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        });
        prop_assert!(all_moves > 0 || game.record().moves() == 0);
    }
}

/// A measurement, not a check:
/// `cargo test --release -p krieg-belief opponent -- --ignored --nocapture`.
#[test]
#[ignore = "measures time"]
fn time_per_board() {
    let mut decisions = Vec::new();
    for seed in 0..20 {
        let game = random_game(krieg_core::Setup::default(), seed, 120);
        Decision::for_each(game.record(), |_, decision| {
            let moves = decision.moves().0;
            decisions.push((decision, moves));
        });
    }
    let mut opponents = OpponentMixture::default();
    let mut weights = Vec::new();
    for _ in 0..3 {
        let start = std::time::Instant::now();
        let rounds = 100;
        for (decision, moves) in std::iter::repeat_n(&decisions, rounds).flatten() {
            weights.clear();
            opponents.weigh_moves(&decision.position, &decision.context, moves, &mut weights);
        }
        let boards = rounds * decisions.len();
        let moves: usize = decisions.iter().map(|(_, moves)| moves.len()).sum();
        println!(
            "{:.2} µs per board with {:.1} moves on average",
            start.elapsed().as_secs_f64() * 1e6 / boards as f64,
            moves as f64 / decisions.len() as f64
        );
    }
}
