//! The probabilities of tries.

use krieg_core::{Announcement, Color, Position, Promotion, Ruleset, Try, Umpire, View};
use krieg_net::Evaluation;

/// An output in which everything is equally good.
fn neutral() -> Evaluation {
    Evaluation {
        pair_logits: [[0.0; 64]; 64],
        promotion_logits: [[0.0; 4]; 64],
        any_logit: 0.0,
        value: [0.2, 0.4, 0.4],
        belief: [[0.0; 6]; 64],
    }
}

/// An output that prefers the square with the higher number, in the orientation of the player.
fn uneven() -> Evaluation {
    let mut evaluation = neutral();
    for from in 0..64 {
        for to in 0..64 {
            evaluation.pair_logits[from][to] = from as f32 / 10.0 + to as f32 / 20.0;
        }
        evaluation.promotion_logits[from] = [0.5, -1.0, 0.0, from as f32 / 16.0];
    }
    evaluation
}

fn umpire(ruleset: Ruleset, fen: &str) -> Umpire {
    Umpire::new(ruleset, Position::from_fen(fen).unwrap())
}

fn probability(policy: &[(Try, f32)], tried: &str) -> f32 {
    let tried: Try = tried.parse().unwrap();
    policy.iter().find(|(other, _)| *other == tried).unwrap_or_else(|| panic!("{tried}")).1
}

fn assert_close(found: f32, expected: f32) {
    assert!((found - expected).abs() < 1e-6, "{found}, not {expected}");
}

/// Tells the player that this try was refused.
fn refuse(view: &mut View, tried: &str, refusal: &Announcement) {
    view.observe_answer(tried.parse().unwrap(), refusal);
}

/// The answer to a refused try of White.
fn refusal() -> Announcement {
    let mut umpire = umpire(Ruleset::ICC, "k3r3/8/8/8/8/8/8/4K3 w - - 0 1");
    umpire.judge("e1e2".parse().unwrap()).unwrap()
}

#[test]
fn neutral_output_makes_all_tries_equal() {
    let umpire = Umpire::new(Ruleset::ICC, Position::start());
    let policy = neutral().policy(umpire.view(Color::White), 1.0);
    assert_eq!(policy.len(), 20);
    policy.iter().for_each(|&(_, probability)| assert_close(probability, 0.05));
    assert!(neutral().policy(umpire.view(Color::Black), 1.0).is_empty(), "it is White's turn");
}

#[test]
fn temperature_scales_the_logits() {
    let umpire = Umpire::new(Ruleset::ICC, Position::start());
    let view = umpire.view(Color::White);
    for temperature in [0.5_f32, 1.0, 2.0] {
        let policy = uneven().policy(view, temperature);
        assert_close(policy.iter().map(|(_, probability)| probability).sum(), 1.0);
        // From e2 (12) to e4 (28), and from a2 (8) to a3 (16): the logits differ by 0.4 + 0.6.
        let ratio = probability(&policy, "e2e4") / probability(&policy, "a2a3");
        assert!((ratio.ln() - 1.0 / temperature).abs() < 1e-5, "{ratio}");
    }
    let policy = uneven().policy(view, 0.0);
    assert_close(probability(&policy, "h2h4"), 1.0);
}

#[test]
fn black_sees_the_board_mirrored() {
    let fens = ["4k3/8/8/8/8/5n2/PP6/4K3 w - - 0 1", "4k3/pp6/5N2/8/8/8/8/4K3 b - - 0 1"];
    let [white, black] = fens.map(|fen| umpire(Ruleset::ICC, fen));
    let white = uneven().policy(white.view(Color::White), 1.0);
    let black = uneven().policy(black.view(Color::Black), 1.0);
    assert_eq!(white.len(), black.len());
    for (tried, mirrored) in [("a2a4", "a7a5"), ("e1d2", "e8d7"), ("b2b3", "b7b6")] {
        assert_close(probability(&white, tried), probability(&black, mirrored));
    }
    assert!(probability(&white, "e1d2") != probability(&white, "e1f2"));
}

#[test]
fn promotions_share_the_probability_of_their_move() {
    let umpire = umpire(Ruleset::ICC, "7k/4P3/8/8/8/8/8/K7 w - - 0 1");
    let evaluation = uneven();
    let policy = evaluation.policy(umpire.view(Color::White), 1.0);
    let shares =
        Promotion::ALL.map(|piece| probability(&policy, &format!("e7e8{}", piece.letter())));
    // e8 is 60; from e7 (52) to e8 (60) against a1 (0) to b1 (1).
    let ratio = shares.iter().sum::<f32>() / probability(&policy, "a1b1");
    assert!((ratio.ln() - (5.2 + 3.0 - 0.05)).abs() < 1e-4, "{ratio}");
    let logits = evaluation.promotion_logits[60];
    for (share, logit) in shares.iter().zip(logits) {
        assert!(((share / shares[0]).ln() - (logit - logits[0])).abs() < 1e-4);
    }
    let policy = evaluation.policy(umpire.view(Color::White), 0.0);
    assert_close(probability(&policy, "e7e8q"), 1.0);
}

#[test]
fn refused_promotion_excludes_the_other_promotions() {
    let umpire = umpire(Ruleset::ICC, "7k/4P3/8/8/8/8/8/K7 w - - 0 1");
    let mut view = umpire.view(Color::White).clone();
    refuse(&mut view, "e7e8q", &refusal());
    let policy = uneven().policy(&view, 1.0);
    assert_eq!(probability(&policy, "e7e8n"), 0.0);
    assert!(probability(&policy, "a1b1") > 0.0);
    assert_close(policy.iter().map(|(_, probability)| probability).sum(), 1.0);

    for tried in ["a1a2", "a1b1", "a1b2"] {
        refuse(&mut view, tried, &refusal());
    }
    let policy = uneven().policy(&view, 1.0);
    assert_eq!(policy.len(), 3, "no other try is left");
    policy.iter().for_each(|&(_, probability)| assert_close(probability, 1.0 / 3.0));
}

#[test]
fn any_is_a_try_if_it_may_be_asked() {
    let mut umpire = Umpire::new(Ruleset::ENGLISH, Position::start());
    let mut evaluation = neutral();
    evaluation.any_logit = 34_f32.ln(); // 20 moves and 14 pawn captures
    let policy = evaluation.policy(umpire.view(Color::White), 1.0);
    assert_eq!(policy.last().unwrap().0, Try::Any);
    assert_close(probability(&policy, "any?"), 0.5);
    umpire.judge(Try::Any).unwrap();
    let policy = evaluation.policy(umpire.view(Color::White), 1.0);
    assert!(policy.iter().all(|(tried, _)| *tried != Try::Any));
}

#[test]
fn expected_score_counts_a_draw_as_half() {
    assert_close(neutral().expected_score(), 0.4);
}
