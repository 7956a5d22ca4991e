//! How evidence fades.

use krieg_core::Ruleset;

use crate::*;

/// A game in which White's rook and Black's king wander.
fn case(tries: usize) -> Case {
    let fen = "4k3/8/8/8/8/8/7r/R3K3 w - - 0 1";
    let moves = ["a1a4", "h2h3", "a4b4", "h3h2", "b4a4", "h2h3", "a4a5", "h3h2", "a5a4"];
    Case::white(Ruleset::ICC, fen, &moves[..tries].join(" "))
}

#[test]
fn evidence_is_written_by_its_age_in_moves_of_both_sides() {
    let [fast, slow] = evidence_planes(EMPTY);
    for (age, expected) in [(255, 255), (170, 243), (113, 231), (75, 220)].into_iter().enumerate() {
        let case = case(1 + age);
        assert_eq!((case.byte(Square::A2, fast), case.byte(Square::A2, slow)), expected, "{age}");
    }
}

#[test]
fn newer_evidence_of_the_same_kind_replaces_older() {
    let [fast, _] = evidence_planes(EMPTY);
    assert_eq!(case(2).byte(Square::A4, fast), 0, "never marked");
    assert_eq!(case(3).byte(Square::A4, fast), 255, "the rook left");
    assert_eq!(case(6).byte(Square::A4, fast), 75, "age 3");
    assert_eq!(case(7).byte(Square::A4, fast), 255, "the rook left again");
}

#[test]
fn refusal_does_not_age_other_evidence() {
    let fen = "4k3/8/8/8/8/r7/8/R3K3 w - - 0 1";
    let [fast, slow] = evidence_planes(TARGET_REFUSED);
    let case = Case::white(Ruleset::ICC, fen, "a1a4 a1a5 a1a6");
    for square in squares("a4 a5 a6") {
        assert_eq!((case.byte(square, fast), case.byte(square, slow)), (255, 255));
    }
}

#[test]
fn old_evidence_fades_to_nothing() {
    let mut setup = krieg_core::Setup {
        start: krieg_core::Position::from_fen("4k3/8/8/8/8/8/7r/R3K3 w - - 0 1").unwrap(),
        ..Default::default()
    };
    setup.draws = krieg_core::DrawRules::NONE;
    let mut game = krieg_core::Game::new(setup);
    for number in 0..300 {
        let tries = [["a1b1", "h2g2", "b1a1", "g2h2"], ["a1a4", "h2g2", "a4a1", "g2h2"]];
        game.judge(tries[usize::from(number < 4)][number % 4].parse().unwrap()).unwrap();
    }
    let encoder = encoder(game.record(), Color::White);
    let input = encoder.encode(None);
    let [fast, slow] = evidence_planes(EMPTY);
    assert_eq!(input.planes[Square::A2 as usize][fast], 0);
    assert_eq!(input.planes[Square::A2 as usize][slow], 0);
    assert_eq!(input.planes[Square::B1 as usize][fast], 170);
    assert_eq!(input.scalars[36..39], [255, 75, 255]);
}
