//! Evidence of announced pawn tries.

use krieg_core::{BitBoard, Ruleset};

use crate::*;

/// White's pawns on b4 and e4 can capture; the pawn on e4 takes d5.
const ONE_TRY: &str = "4k3/8/8/3p4/1P2P3/8/8/4K3 w - - 0 1";
const NO_TRY: &str = "4k3/8/8/8/1P2P3/8/3p4/K7 w - - 0 1";
const NOWHERE: BitBoard = BitBoard::EMPTY;

#[test]
fn announced_try_marks_targets_of_all_pawns() {
    for ruleset in [Ruleset::ICC, Ruleset::CINCINNATI] {
        let case = Case::white(ruleset, ONE_TRY, "");
        assert_eq!(case.evidence(PAWN_TRY), squares("a5 c5 d5 f5"), "{ruleset}");
        assert_eq!(case.evidence(NO_PAWN_TRY), NOWHERE, "{ruleset}");
        let case = Case::white(ruleset, NO_TRY, "");
        assert_eq!(case.evidence(PAWN_TRY), NOWHERE, "{ruleset}");
        assert_eq!(case.evidence(NO_PAWN_TRY), squares("a5 c5 d5 f5"), "{ruleset}");
    }
}

#[test]
fn targets_are_without_own_pieces() {
    let case = Case::white(Ruleset::ICC, "4k3/8/8/3pK3/4P3/8/8/8 w - - 0 1", "e5f5");
    assert_eq!(case.evidence(NO_PAWN_TRY), NOWHERE, "the first announcement had one try");
    assert_eq!(case.evidence(PAWN_TRY), squares("d5 f5"), "f5 was free then");
    let case = Case::white(Ruleset::ICC, "4k3/8/8/3p1K2/4P3/8/8/8 w - - 0 1", "");
    assert_eq!(case.evidence(PAWN_TRY), squares("d5"));
}

#[test]
fn announced_squares_mark_tries_of_their_pawns_and_none_of_the_others() {
    let case = Case::white(Ruleset::RAND, ONE_TRY, "");
    assert_eq!(case.evidence(PAWN_TRY), squares("d5 f5"));
    assert_eq!(case.evidence(NO_PAWN_TRY), squares("a5 c5"));
    let case = Case::white(Ruleset::RAND, NO_TRY, "");
    assert_eq!(case.evidence(PAWN_TRY), NOWHERE);
    assert_eq!(case.evidence(NO_PAWN_TRY), squares("a5 c5 d5 f5"));
}

#[test]
fn answer_to_any_marks_own_pawn_tries() {
    for ruleset in [Ruleset::BERKELEY_ANY, Ruleset::ENGLISH] {
        let before = Case::white(ruleset, ONE_TRY, "");
        assert_eq!(before.evidence(PAWN_TRY) | before.evidence(NO_PAWN_TRY), NOWHERE);
        let yes = Case::white(ruleset, ONE_TRY, "any?");
        assert_eq!(yes.evidence(PAWN_TRY), squares("a5 c5 d5 f5"), "{ruleset}");
        let no = Case::white(ruleset, NO_TRY, "any?");
        assert_eq!(no.evidence(NO_PAWN_TRY), squares("a5 c5 d5 f5"), "{ruleset}");
    }
}

/// Black's king on e8 and pawn on d5: white pawns attack the pawn from c4 and e4. From d7 and f7
/// they would attack the king.
const AROUND_BLACK: &str = "c4 e4 d7 f7";

#[test]
fn opponents_try_marks_squares_from_which_a_pawn_attacks_an_own_piece() {
    for ruleset in [Ruleset::ICC, Ruleset::CINCINNATI] {
        let case = Case::black(ruleset, ONE_TRY, "");
        assert_eq!(case.evidence(OPPONENT_PAWN_TRY), squares(AROUND_BLACK), "{ruleset}");
        assert_eq!(case.evidence(NO_OPPONENT_PAWN_TRY), NOWHERE, "{ruleset}");
    }
}

#[test]
fn no_try_of_the_opponent_marks_the_same_squares_without_outer_ranks() {
    // The pawn on d2 would be attacked from c1 and e1, where no pawn can stand.
    for ruleset in [Ruleset::ICC, Ruleset::CINCINNATI, Ruleset::RAND] {
        let case = Case::black(ruleset, NO_TRY, "");
        assert_eq!(case.evidence(NO_OPPONENT_PAWN_TRY), squares("d7 f7"), "{ruleset}");
        assert_eq!(case.evidence(OPPONENT_PAWN_TRY), NOWHERE, "{ruleset}");
        assert_eq!(case.evidence(OPPONENT_PAWN), NOWHERE, "{ruleset}");
    }
}

#[test]
fn opponents_any_marks_squares_of_possible_pawns() {
    let yes = Case::black(Ruleset::ENGLISH, ONE_TRY, "any?");
    assert_eq!(yes.evidence(OPPONENT_PAWN_TRY), squares(AROUND_BLACK));
    let no = Case::black(Ruleset::ENGLISH, NO_TRY, "any?");
    assert_eq!(no.evidence(NO_OPPONENT_PAWN_TRY), squares("d7 f7"));
}

#[test]
fn announced_squares_of_the_opponent_mark_only_its_pawns() {
    let case = Case::black(Ruleset::RAND, ONE_TRY, "");
    assert_eq!(case.evidence(OPPONENT_PAWN), squares("e4"));
    assert_eq!(case.evidence(OPPONENT_PAWN_TRY), NOWHERE);
    assert_eq!(case.evidence(NO_OPPONENT_PAWN_TRY), NOWHERE);
}

#[test]
fn tries_announced_after_a_move_are_those_of_the_other_side() {
    // After d7d5 White has a pawn try.
    let fen = "4k3/3p4/8/8/4P3/8/8/4K3 b - - 0 1";
    let white = Case::white(Ruleset::ICC, fen, "d7d5");
    assert_eq!(white.evidence(PAWN_TRY), squares("d5 f5"));
    let black = Case::black(Ruleset::ICC, fen, "d7d5");
    assert_eq!(black.evidence(OPPONENT_PAWN_TRY), squares(AROUND_BLACK));
}
