//! Perft: leaf counts of game trees, from the move generator and from the umpire, against the
//! published values of the Chess Programming Wiki.

use krieg_core::{DrawRules, Position, Ruleset, Try, Umpire, Verdict};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ENDING: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const PROMOTING: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
const CASTLING: &str = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
const MIDDLE: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

fn leaves(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for mv in position.legal_moves() {
        let mut after = position.clone();
        after.play(mv).expect("a listed move is legal");
        count += leaves(&after, depth - 1);
    }
    count
}

#[test]
fn perft_matches_published_values() {
    for (fen, counts) in [
        (START, &[20, 400, 8_902, 197_281][..]),
        (KIWIPETE, &[48, 2_039, 97_862]),
        (ENDING, &[14, 191, 2_812, 43_238]),
        (PROMOTING, &[6, 264, 9_467]),
        (CASTLING, &[44, 1_486, 62_379]),
        (MIDDLE, &[46, 2_079, 89_890]),
    ] {
        let position = Position::from_fen(fen).unwrap();
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(leaves(&position, depth), count, "{fen} at depth {depth}");
        }
    }
}

/// The same count, with the legal moves found by submitting every sensible try to the umpire.
fn umpired_leaves(umpire: &Umpire, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for mv in umpire.view(umpire.turn()).tries().iter() {
        let mut after = umpire.clone();
        let announcement = after.judge(Try::Move(mv)).expect("a sensible try is accepted");
        if announcement.verdict == Verdict::Moved {
            count += umpired_leaves(&after, depth - 1);
        }
    }
    count
}

#[test]
fn sensible_tries_include_every_legal_move() {
    for ruleset in Ruleset::ALL {
        for (fen, depth, count) in [
            (START, 3, 8_902),
            (KIWIPETE, 2, 2_039),
            (ENDING, 3, 2_812),
            (PROMOTING, 2, 264),
            (CASTLING, 2, 1_486),
        ] {
            let start = Position::from_fen(fen).unwrap();
            let umpire = Umpire::with_draws(ruleset, DrawRules::NONE, start);
            assert_eq!(umpired_leaves(&umpire, depth), count, "{ruleset}: {fen}");
        }
    }
}
