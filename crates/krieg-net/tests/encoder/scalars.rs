//! The scalars, one test per group.

use krieg_core::{DrawRules, Ruleset, Setup};
use krieg_net::OpponentKind;

use crate::*;

const ICC: Ruleset = Ruleset::ICC;
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const ONE_TRY: &str = "4k3/8/8/3p4/1P2P3/8/8/4K3 w - - 0 1";
/// White captures en passant.
const PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";

#[test]
fn opponents_pieces_are_counted_down_by_captures() {
    assert_eq!(Case::white(ICC, START, "").scalar(0), 15 * 16);
    assert_eq!(Case::white(ICC, START, "e2e4 d7d5 e4d5").scalar(0), 15 * 15);
    assert_eq!(Case::black(ICC, START, "e2e4 d7d5 e4d5").scalar(0), 15 * 16);
}

#[test]
fn own_captures_are_counted_by_announced_kind() {
    let counts =
        |ruleset, fen, tries| Case::white(ruleset, fen, tries).input.scalars[1..4].to_vec();
    assert_eq!(counts(ICC, START, "e2e4 d7d5 e4d5"), [30, 0, 0]);
    assert_eq!(counts(ICC, "4k3/8/8/8/8/r7/8/R3K3 w - - 0 1", "a1a3"), [0, 30, 0]);
    assert_eq!(counts(Ruleset::BERKELEY, START, "e2e4 d7d5 e4d5"), [0, 0, 15]);
    assert_eq!(counts(Ruleset::ENGLISH, PASSANT, "e5d6"), [30, 0, 0]);
    assert_eq!(counts(Ruleset::BERKELEY, PASSANT, "e5d6"), [0, 0, 15]);
}

#[test]
fn own_pawn_tries_are_whether_and_how_many() {
    let tries = |ruleset, fen| Case::white(ruleset, fen, "").input.scalars[4..7].to_vec();
    assert_eq!(tries(ICC, ONE_TRY), [255, 0, 51]);
    assert_eq!(tries(ICC, START), [0, 255, 0]);
    assert_eq!(tries(Ruleset::CINCINNATI, ONE_TRY), [255, 0, 0]);
    assert_eq!(tries(Ruleset::RAND, ONE_TRY), [255, 0, 51]);
    assert_eq!(tries(Ruleset::RAND, START), [0, 255, 0]);
    assert_eq!(tries(Ruleset::BERKELEY, ONE_TRY), [0, 0, 0]);
    let many = "4k3/8/8/1p1p1p2/P1P1P1P1/8/8/4K3 w - - 0 1";
    assert_eq!(tries(ICC, many), [255, 0, 255], "six tries count as five");
    assert_eq!(tries(Ruleset::RAND, many), [255, 0, 204], "of four pawns");
}

#[test]
fn opponents_pawn_tries_are_those_of_its_last_turn() {
    let tries = |case: Case| case.input.scalars[7..10].to_vec();
    assert_eq!(tries(Case::black(ICC, ONE_TRY, "e1e2")), [255, 0, 51]);
    assert_eq!(tries(Case::white(ICC, ONE_TRY, "")), [0, 0, 0], "there was no turn before");
    assert_eq!(tries(Case::white(ICC, ONE_TRY, "e1e2 e8e7")), [255, 0, 51], "d5xe4");
    assert_eq!(tries(Case::white(ICC, START, "e2e4 e7e5")), [0, 255, 0]);
}

#[test]
fn checks_on_the_player_are_written_by_direction_and_number() {
    let checks = |fen| Case::white(ICC, fen, "").input.scalars[10..16].to_vec();
    assert_eq!(checks("4k3/8/8/8/8/8/8/r3K3 w - - 0 1"), [255, 0, 0, 0, 0, 127]);
    assert_eq!(checks("4k3/8/8/4r3/7b/8/8/4K3 w - - 0 1"), [0, 255, 0, 255, 0, 254]);
    assert_eq!(checks("4k3/7p/8/b7/8/8/8/4K3 w - - 0 1"), [0, 0, 255, 0, 0, 127]);
    assert_eq!(checks("4k3/p7/8/8/8/3n4/8/4K3 w - - 0 1"), [0, 0, 0, 0, 255, 127]);
    assert_eq!(checks(START), [0; 6]);
}

#[test]
fn checks_that_the_own_last_move_gave_are_written_by_direction() {
    let fen = "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1";
    let case = Case::white(ICC, fen, "a1a8 d8d7");
    assert_eq!(case.input.scalars[16..21], [255, 0, 0, 0, 0]);
    assert_eq!(case.input.scalars[10..16], [0; 6]);
    let later = Case::white(ICC, fen, "a1a8 d8d7 a8a1 d7d8");
    assert_eq!(later.input.scalars[16..21], [0; 5]);
}

#[test]
fn refused_tries_of_this_turn_and_of_the_opponents_last_turn_are_counted() {
    let fen = "4k3/8/8/8/8/r7/8/R3K3 w - - 0 1";
    let refusals = |case: Case| (case.scalar(21), case.scalar(22));
    assert_eq!(refusals(Case::white(ICC, fen, "a1a4 a1a5")), (34, 0));
    assert_eq!(refusals(Case::black(ICC, fen, "a1a4 a1a5 a1a2")), (0, 0), "not heard");
    assert_eq!(refusals(Case::black(Ruleset::ENGLISH, fen, "a1a4 a1a5 a1a2")), (0, 34));
    let many = ["a1a4"; 20].join(" ");
    assert_eq!(refusals(Case::white(ICC, fen, &many)), (255, 0), "fifteen or more");
    assert_eq!(refusals(Case::white(ICC, fen, "a1a4 a1a2 e8e7")), (0, 0));
}

#[test]
fn opponents_last_move_is_described_by_capture_capturer_and_promotion() {
    let moved =
        |ruleset, fen, tries| Case::black(ruleset, fen, tries).input.scalars[23..27].to_vec();
    assert_eq!(moved(ICC, ONE_TRY, "e4d5"), [255, 0, 0, 0]);
    assert_eq!(moved(Ruleset::DUTCH, ONE_TRY, "e4d5"), [255, 255, 0, 0]);
    let by_king = "4k3/p7/8/8/8/8/4p3/4K3 w - - 0 1";
    assert_eq!(moved(Ruleset::DUTCH, by_king, "e1e2"), [255, 0, 255, 0]);
    let promotion = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(moved(Ruleset::RAND, promotion, "a7a8q"), [0, 0, 0, 255]);
    assert_eq!(moved(ICC, promotion, "a7a8q"), [0; 4], "not announced");
}

#[test]
fn own_last_move_is_described_by_capture_and_victim() {
    let moved =
        |ruleset, fen, tries| Case::white(ruleset, fen, tries).input.scalars[27..30].to_vec();
    assert_eq!(moved(ICC, START, "e2e4 d7d5 e4d5"), [255, 255, 0]);
    assert_eq!(moved(ICC, "4k3/8/8/8/8/r7/8/R3K3 w - - 0 1", "a1a3"), [255, 0, 255]);
    assert_eq!(moved(Ruleset::BERKELEY, START, "e2e4 d7d5 e4d5"), [255, 0, 0]);
    assert_eq!(moved(Ruleset::ENGLISH, PASSANT, "e5d6"), [255, 255, 0]);
    assert_eq!(moved(ICC, START, "e2e4 d7d5 e4d5 e7e6 d5d6 e6e5"), [0; 3]);
}

#[test]
fn any_is_described_by_permission_answer_and_obligation() {
    let any = |ruleset, fen, tries| Case::white(ruleset, fen, tries).input.scalars[30..34].to_vec();
    assert_eq!(any(ICC, ONE_TRY, ""), [0; 4]);
    assert_eq!(any(Ruleset::ENGLISH, ONE_TRY, ""), [255, 0, 0, 0]);
    assert_eq!(any(Ruleset::ENGLISH, ONE_TRY, "any?"), [0, 255, 0, 255]);
    assert_eq!(any(Ruleset::ENGLISH, ONE_TRY, "any? b4c5"), [0, 255, 0, 0], "one try");
    assert_eq!(any(Ruleset::BERKELEY_ANY, ONE_TRY, "any? b4c5"), [0, 255, 0, 255]);
    assert_eq!(any(Ruleset::ENGLISH, START, "any?"), [0, 0, 255, 0]);
    let opponent =
        |tries| Case::black(Ruleset::ENGLISH, ONE_TRY, tries).input.scalars[34..36].to_vec();
    assert_eq!(opponent("any? e4d5"), [255, 0]);
    assert_eq!(opponent("e4d5"), [0, 0]);
    assert_eq!(opponent("any? e4d5 e8e7 any? d5d6"), [0, 255], "only of the last turn");
}

#[test]
fn moves_are_counted_since_the_start_and_since_captures_and_own_pawn_moves() {
    let clocks = |case: Case| case.input.scalars[36..39].to_vec();
    let shuffle = "g1f3 g8f6 f3g1 f6g8 b1c3";
    assert_eq!(clocks(Case::white(ICC, START, shuffle)), [5, 1, 10]);
    assert_eq!(clocks(Case::white(ICC, START, "g1f3 e7e5")), [2, 0, 4], "unknown to White");
    assert_eq!(clocks(Case::black(ICC, START, "g1f3 e7e5 f3g1")), [3, 0, 2]);
    assert_eq!(clocks(Case::black(ICC, START, "g1f3 e7e5 f3e5 b8c6")), [4, 1, 2]);
    assert_eq!(clocks(Case::white(ICC, START, "g1f3 e7e5 f3e5 b8c6")), [4, 1, 2]);
}

#[test]
fn rules_are_flags() {
    let rules = |ruleset| Case::white(ruleset, START, "").input.scalars[39..51].to_vec();
    assert_eq!(rules(ICC), [0, 0, 0, 0, 255, 0, 0, 255, 0, 0, 0, 0]);
    assert_eq!(rules(Ruleset::CINCINNATI), [0, 0, 0, 255, 0, 0, 255, 255, 0, 0, 0, 0]);
    assert_eq!(rules(Ruleset::BERKELEY), [255, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0]);
    assert_eq!(rules(Ruleset::BERKELEY_ANY), [0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0]);
    assert_eq!(rules(Ruleset::ENGLISH), [0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 0, 0]);
    assert_eq!(rules(Ruleset::RAND), [0, 0, 0, 0, 0, 255, 255, 255, 0, 0, 255, 255]);
    assert_eq!(rules(Ruleset::DUTCH), [0, 0, 255, 0, 0, 0, 255, 0, 255, 255, 0, 0]);
}

#[test]
fn draw_rules_are_flags() {
    let flags = |draws| {
        let setup = Setup { draws, ..Setup::default() };
        Encoder::new(Color::White, &setup).encode(None).scalars[51..54].to_vec()
    };
    assert_eq!(flags(DrawRules::ALL), [255; 3]);
    assert_eq!(flags(DrawRules { fifty_moves: false, ..DrawRules::ALL }), [0, 255, 255]);
    assert_eq!(flags(DrawRules { threefold: false, ..DrawRules::ALL }), [255, 0, 255]);
    assert_eq!(flags(DrawRules { insufficient_material: false, ..DrawRules::ALL }), [255, 255, 0]);
}

#[test]
fn kind_of_opponent_and_color_are_flags() {
    for player in Color::ALL {
        let encoder = Encoder::new(player, &Setup::default());
        let black = if player == Color::Black { 255 } else { 0 };
        assert_eq!(encoder.encode(None).scalars[54..], [0, 0, 0, 0, 0, 0, 0, 0, black, 0]);
        for (index, kind) in OpponentKind::ALL.into_iter().enumerate() {
            let mut expected = [0, 0, 0, 0, 0, 0, 0, 0, black, 0];
            expected[index] = 255;
            assert_eq!(encoder.encode(Some(kind)).scalars[54..], expected);
        }
    }
}
