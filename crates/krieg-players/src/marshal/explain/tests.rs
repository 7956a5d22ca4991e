//! Explanations of positions with an obvious best try.

use krieg_core::{Color, Game, Piece, Position, Ruleset, Setup, Square};
use krieg_time::{Clock, TimeControl};

use super::*;
use crate::marshal::MarshalSettings;
use crate::{Player, Seat};

/// The explanation for White after these tries from this position.
fn explain(ruleset: Ruleset, fen: &str, tries: &[&str]) -> Explanation {
    let setup = Setup { ruleset, start: Position::from_fen(fen).unwrap(), ..Setup::default() };
    let mut game = Game::new(setup.clone());
    for tried in tries {
        game.judge(tried.parse().unwrap()).unwrap();
    }
    let (color, control) = (Color::White, TimeControl::Unlimited);
    let settings = MarshalSettings { simulations: 600, particles: 500, ..Default::default() };
    let mut marshal = Marshal::new(settings);
    marshal.begin(&Seat { color, setup, control, seed: 7 }).unwrap();
    for observation in &game.record().transcript(color).observations {
        marshal.observe(observation).unwrap();
    }
    marshal.explain(game.umpire().view(color), &Clock::new(control))
}

#[test]
fn a_lost_knight_is_recaptured() {
    let fen = "r3k3/8/8/8/4N3/3P4/PP6/4K3 b - - 0 1";
    // The rook moves to a4, the king steps aside, and the rook captures the knight.
    let tries = ["a8a4", "e1f2", "a4e4"];
    let explanation = explain(Ruleset::ICC, fen, &tries);
    let best = explanation.best().unwrap();
    assert_eq!(explanation.name(best.mv), "dxe4");
    assert_eq!((best.effects.legal, best.effects.captures()), (1.0, 1.0));
    assert_eq!(best.effects.victim(), Some(Piece::Rook));
    assert!(best.effects.exchange > 4.0, "{best:?}");
    assert_eq!((best.effects.checks, best.exclusion), (0.0, None));
    assert!(explanation.is_exact && explanation.contradiction.is_none());
    assert_eq!(explanation.map.probability(Piece::Rook, Square::E4), 1.0);
    assert!(explanation.expected().unwrap() > 0.6, "{:?}", explanation.expected());
    let opponent_types = &explanation.opponent_types;
    let sum: f64 = opponent_types.iter().map(|(_, probability)| probability).sum();
    assert!((sum - 1.0).abs() < 1e-4 && opponent_types.len() > 1, "{opponent_types:?}");
    let reasons = explanation.reasons();
    assert!(reasons[0].contains("dxe4"), "{reasons:?}");
}

#[test]
fn probabilities_are_in_range_and_visit_shares_sum_to_one() {
    let fen = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 1";
    let explanation = explain(Ruleset::ICC, fen, &["c3d5", "f6e4"]);
    let tries = &explanation.tries;
    assert!((tries.iter().map(|known| known.visit_share).sum::<f64>() - 1.0).abs() < 1e-9);
    for known in tries {
        let TryEffects { legal, checks, mates, recaptured, .. } = known.effects;
        for probability in [legal, checks, mates, recaptured, known.effects.captures()] {
            assert!((0.0..=1.0 + 1e-9).contains(&probability), "{known:?}");
        }
        assert!(known.expected.is_none_or(|score| (0.0..=1.0).contains(&score)), "{known:?}");
    }
    // Tries with enough visits are ranked by their lower confidence bound; the others come last.
    let most = tries.iter().map(|known| known.visits).max().unwrap();
    let (known, unknown): (Vec<_>, Vec<_>) =
        tries.iter().partition(|known| known.visits >= most / 8);
    let lower_bound =
        |known: &TryExplanation| known.expected.unwrap() - 0.3 / f64::from(known.visits + 1).sqrt();
    assert!(known.len() > 1 && known.is_sorted_by(|a, b| lower_bound(a) >= lower_bound(b)));
    assert!(!unknown.is_empty() && tries[known.len()].visits < most / 8);
}

#[test]
fn a_piece_on_a_defended_square_is_likely_to_be_recaptured() {
    let fen = "4k3/pppppppp/8/8/8/8/8/3QK3 w - - 0 1";
    let explanation = explain(Ruleset::ICC, fen, &[]);
    let capture = explanation.of("d1d7".parse().unwrap()).unwrap();
    assert_eq!((capture.effects.legal, capture.effects.checks), (1.0, 1.0));
    assert!(capture.effects.recaptured > 0.6, "by the king, or it steps aside: {capture:?}");
    assert!(capture.effects.exchange < -7.0, "a queen for a pawn: {capture:?}");
}

#[test]
fn an_en_passant_capture_counts_as_a_recapture() {
    let fen = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
    let explanation = explain(Ruleset::ICC, fen, &[]);
    let recaptured = |mv: &str| explanation.of(mv.parse().unwrap()).unwrap().effects.recaptured;
    assert!(recaptured("e2e4") > 0.05);
    assert_eq!(recaptured("e1f2"), 0.0);
}

#[test]
fn any_is_asked_first_under_rulesets_that_have_it() {
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    let before = explain(Ruleset::ENGLISH, fen, &[]);
    assert!(before.should_ask && before.tries.is_empty() && before.preferred.is_none());
    let after = explain(Ruleset::ENGLISH, fen, &["any?"]);
    assert!(!after.should_ask);
    assert_eq!(after.best().unwrap().effects.captures(), 1.0);
}

#[test]
fn there_are_no_tries_during_the_opponents_turn() {
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    let explanation = explain(Ruleset::ICC, fen, &["e4d5"]);
    assert!(explanation.tries.is_empty() && !explanation.should_ask);
    assert!(explanation.reasons().is_empty());
    assert_eq!(explanation.map.occupancy(Square::D5), 0.0);
}
