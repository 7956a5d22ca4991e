//! Evidence of own moves, refusals, captures and checks.

use krieg_core::{BitBoard, Ruleset};

use crate::*;

const ICC: Ruleset = Ruleset::ICC;
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn accepted_move_marks_origin_and_path_as_empty() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    assert_eq!(Case::white(ICC, fen, "a1a4").evidence(EMPTY), squares("a1 a2 a3"));
    assert_eq!(Case::white(ICC, START, "e2e4").evidence(EMPTY), squares("e2 e3"));
    assert_eq!(Case::white(ICC, START, "g1f3").evidence(EMPTY), squares("g1"));
    let black = Case::black(ICC, START, "e2e4 d7d5");
    assert_eq!(black.evidence(EMPTY), squares("d7 d6"));
}

#[test]
fn castling_marks_origin_and_squares_between_king_and_rook_as_empty() {
    let fen = "r3k3/8/8/8/8/8/8/R3K2R w KQq - 0 1";
    assert_eq!(Case::white(ICC, fen, "e1c1").evidence(EMPTY), squares("e1 b1 c1 d1"));
    assert_eq!(Case::white(ICC, fen, "e1g1").evidence(EMPTY), squares("e1 f1 g1"));
    let black = Case::black(ICC, fen, "h1h2 e8c8");
    assert_eq!(black.evidence(EMPTY), squares("e8 b8 c8 d8"));
}

#[test]
fn refused_slider_marks_path_as_blocked_and_target_as_refused() {
    let case = Case::white(ICC, "4k3/8/8/8/8/r7/8/R3K3 w - - 0 1", "a1a5");
    assert_eq!(case.evidence(BLOCKED), squares("a2 a3 a4"));
    assert_eq!(case.evidence(TARGET_REFUSED), squares("a5"));
    assert_eq!(case.evidence(EMPTY), BitBoard::EMPTY);
}

#[test]
fn refused_knight_marks_only_its_target() {
    let case = Case::white(ICC, "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3");
    assert_eq!(case.evidence(TARGET_REFUSED), squares("c3"));
    assert_eq!(case.evidence(BLOCKED), BitBoard::EMPTY);
}

#[test]
fn refused_double_step_marks_passed_square_and_target_as_blocked() {
    let case = Case::white(ICC, "4k3/8/8/8/4n3/8/4P3/K7 w - - 0 1", "e2e4");
    assert_eq!(case.evidence(BLOCKED), squares("e3 e4"));
    assert_eq!(case.evidence(PUSH_REFUSED), BitBoard::EMPTY);
}

#[test]
fn refused_castling_marks_squares_between_king_and_rook_as_blocked() {
    let case = Case::white(ICC, "4k3/8/8/8/8/8/8/Rn2K3 w Q - 0 1", "e1c1");
    assert_eq!(case.evidence(BLOCKED), squares("b1 c1 d1"));
    assert_eq!(case.evidence(KING_REFUSED), BitBoard::EMPTY);
}

#[test]
fn refused_king_step_marks_its_target() {
    let case = Case::white(ICC, "4k3/8/8/8/8/8/3r4/R3K3 w - - 0 1", "e1d1 e1f1");
    assert_eq!(case.evidence(KING_REFUSED), squares("d1"));
    assert_eq!(case.evidence(BLOCKED), BitBoard::EMPTY);
}

#[test]
fn refused_single_step_marks_its_target() {
    let case = Case::white(ICC, "4k3/8/8/8/8/4n3/4P3/K7 w - - 0 1", "e2e3");
    assert_eq!(case.evidence(PUSH_REFUSED), squares("e3"));
    assert_eq!(case.evidence(BLOCKED), BitBoard::EMPTY);
}

#[test]
fn refused_pawn_capture_marks_its_target() {
    let case = Case::white(Ruleset::BERKELEY, START, "e2d3");
    assert_eq!(case.evidence(CAPTURE_REFUSED), squares("d3"));
    assert_eq!(case.evidence(PUSH_REFUSED), BitBoard::EMPTY);
}

#[test]
fn senseless_and_repeated_tries_count_but_leave_no_evidence() {
    let refused = "4k3/8/8/8/8/8/3r4/R3K3 w - - 0 1";
    let once = Case::white(ICC, refused, "e1d1");
    let twice = Case::white(ICC, refused, "e1d1 e1e4 e1d1");
    assert_eq!(twice.byte(Square::E1, 10), 51 * 3);
    assert_eq!(twice.scalar(21), 17 * 3);
    for kind in 0..15 {
        assert_eq!(once.evidence(kind), twice.evidence(kind));
    }
}

#[test]
fn own_capture_marks_the_square_of_the_captured_piece() {
    let passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    for ruleset in [ICC, Ruleset::ENGLISH] {
        let case = Case::white(ruleset, passant, "e5d6");
        assert_eq!(case.evidence(CAPTURED), squares("d5"), "{ruleset}");
    }
    let fen = "4k3/8/8/8/8/r7/8/R3K3 w - - 0 1";
    assert_eq!(Case::white(ICC, fen, "a1a3").evidence(CAPTURED), squares("a3"));
    assert_eq!(Case::black(ICC, fen, "a1a3").evidence(CAPTURED), BitBoard::EMPTY);
}

#[test]
fn capture_by_the_opponent_marks_the_square_of_the_lost_piece() {
    let passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    for ruleset in [ICC, Ruleset::ENGLISH] {
        let case = Case::black(ruleset, passant, "e5d6");
        assert_eq!(case.evidence(LOST), squares("d5"), "{ruleset}");
    }
    let fen = "4k3/8/8/8/8/r7/8/R3K3 w - - 0 1";
    assert_eq!(Case::black(ICC, fen, "a1a3").evidence(LOST), squares("a3"));
}

#[test]
fn announced_capture_by_a_pawn_marks_the_pawn() {
    let passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    let landing = squares("d6");
    assert_eq!(Case::black(Ruleset::ENGLISH, passant, "e5d6").evidence(OPPONENT_PAWN), landing);
    assert_eq!(Case::black(ICC, passant, "e5d6").evidence(OPPONENT_PAWN), BitBoard::EMPTY);
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    assert_eq!(Case::black(Ruleset::DUTCH, fen, "e4d5").evidence(OPPONENT_PAWN), squares("d5"));
    let by_king = "4k3/8/8/8/8/8/3p4/4K3 w - - 0 1";
    let case = Case::black(Ruleset::DUTCH, by_king, "e1d2");
    assert_eq!(case.evidence(OPPONENT_PAWN), BitBoard::EMPTY);
}

#[test]
fn check_along_rank_or_file_marks_both_rays_up_to_own_pieces() {
    let fen = "7k/8/8/8/8/8/1PK3r1/2R5 w - - 0 1";
    let case = Case::white(ICC, fen, "");
    assert_eq!(case.evidence(CHECK_LINE), squares("d2 e2 f2 g2 h2"));
    assert_eq!(Case::black(ICC, fen, "").evidence(CHECK_LINE), BitBoard::EMPTY);
    let fen = "2r4k/8/8/8/2P5/8/1PK5/8 b - - 0 1";
    let case = Case::white(ICC, fen, "c8c4");
    assert_eq!(case.evidence(CHECK_LINE), squares("c1 c3 c4 c5 c6 c7 c8"));
}

#[test]
fn check_on_a_diagonal_marks_the_announced_diagonal() {
    // From e1 the long diagonal leads to a5, the short one to h4.
    let long = Case::white(ICC, "4k3/7p/8/b7/8/8/8/4K3 w - - 0 1", "");
    assert_eq!(long.evidence(CHECK_LINE), squares("d2 c3 b4 a5"));
    let short = Case::white(ICC, "4k3/p7/8/8/7b/8/8/4K3 w - - 0 1", "");
    assert_eq!(short.evidence(CHECK_LINE), squares("f2 g3 h4"));
}

#[test]
fn check_by_a_knight_marks_knight_moves_from_the_king() {
    let case = Case::white(ICC, "4k3/8/8/8/8/3n4/2P5/4K3 w - - 0 1", "");
    assert_eq!(case.evidence(CHECK_LINE), squares("d3 f3 g2"));
}

#[test]
fn double_check_marks_both_lines() {
    let case = Case::white(ICC, "4k3/8/8/4r3/7b/8/8/4K3 w - - 0 1", "");
    assert_eq!(case.evidence(CHECK_LINE), squares("f2 g3 h4 e2 e3 e4 e5 e6 e7 e8"));
}

#[test]
fn own_check_marks_where_the_king_may_stand() {
    let fen = "8/8/8/7k/8/2N5/8/R3K3 w - - 0 1";
    let rank = Case::white(ICC, fen, "a1a5");
    assert_eq!(rank.evidence(KING_LINE), squares("b5 c5 d5 e5 f5 g5 h5"));
    assert_eq!(Case::black(ICC, fen, "a1a5").evidence(KING_LINE), BitBoard::EMPTY);
    let file = Case::white(ICC, "7k/8/8/8/8/8/P7/R3K1R1 w - - 0 1", "g1h1");
    assert_eq!(file.evidence(KING_LINE), squares("h2 h3 h4 h5 h6 h7 h8"));
}

#[test]
fn own_diagonal_check_marks_squares_from_which_the_diagonal_is_as_announced() {
    // The bishop on c4 checks the king on g8 along the long diagonal of g8. Of the squares on both
    // diagonals of c4, d5 and d3 are those from which the bishop is on the short one.
    let case = Case::white(ICC, "6k1/p7/8/8/8/8/4B3/K7 w - - 0 1", "e2c4");
    assert_eq!(case.evidence(KING_LINE), squares("a2 b3 e6 f7 g8 a6 b5 e2 f1"));
}

#[test]
fn own_diagonal_check_marks_squares_that_pawns_attack() {
    let case = Case::white(ICC, "8/3k4/8/4P3/8/8/8/K7 w - - 0 1", "e5e6");
    assert_eq!(case.evidence(KING_LINE), squares("d7 f7"));
}

#[test]
fn own_knight_check_marks_what_knights_attack() {
    let case = Case::white(ICC, "6k1/p7/8/8/8/8/8/K5N1 w - - 0 1", "g1f3");
    assert_eq!(case.evidence(KING_LINE), BitBoard::EMPTY);
    let case = Case::white(ICC, "8/8/8/6k1/p7/8/8/KN4N1 w - - 0 1", "g1f3");
    assert_eq!(case.evidence(KING_LINE), squares("e1 g1 d2 h2 d4 h4 e5 g5 a3 c3"));
}
