//! Own pieces, their attacks, castling rights, the last move, and refused tries.

use krieg_core::{BitBoard, Ruleset};

use crate::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn own_pieces_are_on_their_planes() {
    for case in [Case::white(Ruleset::ICC, START, ""), Case::black(Ruleset::ICC, START, "")] {
        let rank =
            |square: Square| if case.player == Color::White { square } else { square.flip_rank() };
        let expected = ["", "b1 g1", "c1 f1", "a1 h1", "d1", "e1"];
        for (plane, names) in expected.into_iter().enumerate().skip(1) {
            assert_eq!(case.plane(plane), squares(names).into_iter().map(rank).collect());
        }
        assert_eq!(case.plane(0).len(), 8);
        assert_eq!(case.input.planes[4][5], 255, "the king is at the bottom for both");
    }
}

#[test]
fn attacks_of_own_pieces_are_counted_own_squares_included() {
    let case = Case::white(Ruleset::ICC, START, "");
    assert_eq!(case.byte(Square::F3, 6), 51 * 3, "by pawns on e2 and g2 and the knight");
    assert_eq!(case.byte(Square::E2, 6), 51 * 4, "by king, queen, bishop and knight");
    assert_eq!(case.byte(Square::A1, 6), 0);
    assert_eq!(case.byte(Square::E4, 6), 0, "a pawn does not attack what it steps to");
}

#[test]
fn number_of_attackers_saturates_at_five() {
    let fen = "7k/8/8/1Q1Q4/8/1Q1R1Q2/8/K2Q4 w - - 0 1";
    let case = Case::black(Ruleset::ICC, fen, "");
    assert_eq!(case.byte(Square::D3, 6), 0, "only own pieces are counted");
    let case = Case::white(Ruleset::ICC, fen, "");
    assert_eq!(case.byte(Square::D3, 6), 255, "by five queens");
    let fen = "7k/3R4/8/1Q1Q4/8/1Q1R1Q2/5N2/K2Q4 w - - 0 1";
    let case = Case::white(Ruleset::ICC, fen, "");
    assert_eq!(case.byte(Square::D3, 6), 255, "and a knight");
}

#[test]
fn castling_rights_are_on_the_corners_of_the_rooks() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1";
    assert_eq!(Case::white(Ruleset::ICC, fen, "").plane(7), squares("a1 h1"));
    assert_eq!(Case::black(Ruleset::ICC, fen, "").plane(7), squares("h8"));
    assert_eq!(Case::white(Ruleset::ICC, fen, "a1a2").plane(7), squares("h1"));
    assert_eq!(Case::black(Ruleset::ICC, fen, "h1h8").plane(7), BitBoard::EMPTY);
}

#[test]
fn own_last_move_stays_until_the_next_one() {
    let case = Case::white(Ruleset::ICC, START, "e2e4 e7e5");
    assert_eq!((case.plane(8), case.plane(9)), (squares("e2"), squares("e4")));
    let case = Case::white(Ruleset::ICC, START, "e2e4 e7e5 e1e3 e1e2");
    assert_eq!((case.plane(8), case.plane(9)), (squares("e1"), squares("e2")));
    let case = Case::black(Ruleset::ICC, START, "e2e4");
    assert_eq!((case.plane(8), case.plane(9)), (BitBoard::EMPTY, BitBoard::EMPTY));
}

#[test]
fn refused_tries_of_the_turn_are_counted_by_origin_and_target() {
    let fen = "4k3/8/8/8/8/r7/8/R3K3 w - - 0 1";
    let case = Case::white(Ruleset::ICC, fen, "a1a4 a1a5");
    assert_eq!(case.byte(Square::A1, 10), 51 * 2);
    assert_eq!((case.byte(Square::A4, 11), case.byte(Square::A5, 11)), (51, 51));
    let case = Case::white(Ruleset::ICC, fen, "a1a4 a1a5 a1a6 a1a7 a1a8 a1h2");
    assert_eq!(case.byte(Square::A1, 10), 255, "five or more");
    let next = Case::white(Ruleset::ICC, fen, "a1a4 a1a2 e8e7");
    assert_eq!((next.plane(10), next.plane(11)), (BitBoard::EMPTY, BitBoard::EMPTY));
    let black = Case::black(Ruleset::ENGLISH, fen, "a1a4");
    assert_eq!(black.plane(10), BitBoard::EMPTY, "the opponent's tries are unknown");
}
