//! Tests of the mixture, and a measurement of its speed.

use super::*;
use crate::opponent::decision::Decision;
use crate::opponent::feature_groups as f;
use crate::opponent::move_probabilities::UNIFORM_SHARE;
use crate::opponent::type_rule::{PLAIN_TYPES, RECAPTURING_SUFFIX};
use cozy_chess::Square;
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

/// The weights of the legal moves in this position, after the player has lost a piece on d5.
fn weights_after_loss(model: &mut OpponentMixture, fen: &str) -> Vec<(BoardMove, f64)> {
    let position = Position::from_fen(fen).unwrap();
    let moves: Vec<BoardMove> =
        position.legal_moves().into_iter().map(|mv| position.board_move(mv)).collect();
    let mut context = OpponentContext::default();
    context.begin_turn(Some(Square::D5), false);
    let mut weights = Vec::new();
    model.weigh_moves(&position, &context, &moves, &mut weights);
    moves.into_iter().zip(weights).collect()
}

const QUEEN_ON_D5: &str = "3rk3/1p6/4p3/3Q4/8/8/8/4K3 b - - 0 1";

/// The mixture in which only this type is possible.
fn certain_of(name: &str) -> OpponentMixture {
    let robust = OpponentMixture::default().with_strangers();
    let weight = |known: &String| f32::from(u8::from(known == name));
    let prior: Vec<f32> = robust.names().iter().map(weight).collect();
    assert_eq!(prior.iter().sum::<f32>(), 1.0, "{name}");
    robust.with_prior(&prior)
}

#[test]
fn a_recapturing_type_recaptures_if_it_can() {
    let fitted = OpponentMixture::default();
    for name in fitted.names() {
        let recapturing = format!("{name}{RECAPTURING_SUFFIX}");
        let weights = weights_after_loss(&mut certain_of(&recapturing), QUEEN_ON_D5);
        let recaptures = weights.iter().filter(|(mv, _)| mv.to == Square::D5);
        let recapture: f64 = recaptures.map(|(_, weight)| weight).sum();
        assert!(recapture > 0.98, "{name}: {recapture}");
        let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{name}: {sum}");
        // Without a recapture it plays like the fitted type.
        let none = "r3k3/1p6/8/8/8/8/8/3QK3 b - - 0 1";
        let like = weights_after_loss(&mut certain_of(name), none);
        for (one, other) in weights_after_loss(&mut certain_of(&recapturing), none).iter().zip(like)
        {
            assert!((one.1 - other.1).abs() < 1e-6, "{name}: {one:?} {other:?}");
        }
    }
}

#[test]
fn recapturing_variants_remain_if_a_player_is_left_out() {
    let variants = OpponentMixture::default().with_recapturing_variants();
    let count = OpponentMixture::default().names().len();
    assert_eq!((variants.names().len(), variants.has_strangers()), (2 * count, false));
    assert!((variants.prior().iter().sum::<f32>() - 1.0).abs() < 1e-5);
    let rest = variants.without_player("marshal").unwrap();
    assert_eq!((rest.names().len(), rest.has_strangers()), (2 * count - 2, false));
    assert!(!rest.names().iter().any(|name| name.starts_with("marshal")));
}

#[test]
fn a_plain_type_plays_its_policy() {
    for plain in PLAIN_TYPES {
        let mut weights = Vec::new();
        let by_mixture = weights_after_loss(&mut certain_of(plain.name), QUEEN_ON_D5);
        let position = Position::from_fen(QUEEN_ON_D5).unwrap();
        let moves: Vec<BoardMove> = by_mixture.iter().map(|(mv, _)| *mv).collect();
        let mut context = OpponentContext::default();
        context.begin_turn(Some(Square::D5), false);
        plain.policy.clone().weigh_moves(&position, &context, &moves, &mut weights);
        let sum: f64 = weights.iter().sum();
        for ((mv, probability), weight) in by_mixture.iter().zip(&weights) {
            let uniform = f64::from(UNIFORM_SHARE);
            let expected = (1.0 - uniform) * weight / sum + uniform / moves.len() as f64;
            assert!((probability - expected).abs() < 1e-5, "{} {mv}", plain.name);
        }
    }
}

#[test]
fn an_observed_recapture_favours_recapturing_types() {
    let mut robust = OpponentMixture::default().with_strangers();
    let is_recapturing = |name: &str| name.ends_with(RECAPTURING_SUFFIX);
    let share = |model: &OpponentMixture| {
        let each = model.names().iter().zip(model.posterior());
        each.filter(|(name, _)| is_recapturing(name)).map(|(_, weight)| weight).sum::<f32>()
    };
    let mut before = share(&robust);
    for _ in 0..4 {
        let weights = weights_after_loss(&mut robust, QUEEN_ON_D5);
        let recaptures = (0..).zip(&weights).filter(|(_, (mv, _))| mv.to == Square::D5);
        let consistent: Vec<(usize, f64)> = recaptures.map(|(index, _)| (index, 1.0)).collect();
        robust.add_evidence(1.0, &consistent);
        robust.update_posterior();
        assert!(share(&robust) > before, "{before} {}", share(&robust));
        before = share(&robust);
    }
}

#[test]
fn left_out_players_have_no_types() {
    let robust = OpponentMixture::default().with_strangers();
    for player in ["random", "darkboard2a", "greedy", "mo-ismcts", "pimc", "ismcts", "marshal"] {
        let fitted_to = robust.types().into_iter().filter(|one| one.is_fitted_to(player));
        let names: Vec<String> = fitted_to.map(|one| one.name).collect();
        assert!(!names.is_empty(), "{player}");
        let rest = robust.clone().without_player(player).unwrap();
        for name in &names {
            assert!(name.split('+').any(|one| one == player), "{name}");
            let mut left = rest.names().iter();
            assert!(!left.any(|other| other.strip_suffix(RECAPTURING_SUFFIX) == Some(name)));
            assert!(!rest.names().contains(name), "{name}");
        }
        let expected = robust.names().len() - 2 * names.len();
        assert_eq!(rest.names().len(), expected, "the recapturing variants go, too");
        assert!(rest.names().iter().any(|name| name == "general"));
        assert!((rest.prior().iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
    let numbered = OpponentType::new("hat+cat-2");
    assert!(numbered.is_fitted_to("cat") && numbered.is_fitted_to("hat"));
    assert!(!numbered.is_fitted_to("ca") && !OpponentType::new("mo-cat").is_fitted_to("cat"));
}

#[test]
fn types_are_grouped_by_whether_they_plan() {
    let robust = OpponentMixture::default().with_strangers();
    let groups = robust.groups();
    let names = |group: &Vec<usize>| -> Vec<String> {
        group.iter().map(|index| robust.names()[*index].clone()).collect()
    };
    let [planning, plain] = [0, 1].map(|number| names(&groups[number]));
    assert!(planning.contains(&"marshal".to_string()) && plain.contains(&"greedy".to_string()));
    assert!(PLAIN_TYPES.iter().all(|one| plain.contains(&one.name.to_string())));
    assert_eq!(planning.len() + plain.len(), robust.names().len());
    let planning = robust.group(&groups[0]);
    assert!((planning.penalty_share() - 1.0).abs() < 1e-5, "{}", planning.penalty_share());
    assert_eq!(robust.group(&groups[1]).penalty_share(), 0.0);
    assert_eq!(OpponentMixture::default().penalty_share(), 1.0, "without types for strangers");
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
        if seed % 2 == 0 {
            opponents = opponents.with_strangers();
        }
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
