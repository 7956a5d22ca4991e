//! What must be so for weights to make sense.

use cozy_chess::{Board, Square};

use super::{News, Worth};

fn value_with(fen: &str, news: &News) -> f64 {
    let board: Board = fen.parse().unwrap();
    Worth::default().value(&board, board.side_to_move(), news)
}

fn value(fen: &str) -> f64 {
    value_with(fen, &News::default())
}

#[test]
fn the_same_board_with_colours_changed_is_worth_the_same() {
    for (white, black) in [
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1",
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "8/4p1p1/8/1r3P1K/kp5R/3P4/2P5/8 b - - 0 1"),
    ] {
        assert_eq!(value(white), value(black));
        let heard = |square| News { lost_on: Some(square), has_pawn_try: true, quiet: 12 };
        let (d7, d2) = (heard(Square::D7), heard(Square::D2));
        assert_eq!(value_with(white, &d7), value_with(black, &d2));
    }
}

#[test]
fn the_start_is_even_and_a_queen_against_a_bare_king_is_nearly_won() {
    let start = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((start - 0.5).abs() < 0.06, "{start}");
    let won = value("8/8/3k4/8/8/3K4/8/3Q4 w - - 0 1");
    assert!(won > 0.9, "{won}");
    let lost = value("8/8/3k4/8/8/3K4/8/3Q4 b - - 0 1");
    assert!(lost < 0.1, "{lost}");
}

#[test]
fn every_man_more_is_worth_more_and_a_better_man_more_still() {
    // No bishops, for a pair of them is worth more than a rook and a bishop by the weights now.
    for rest in ["r2qk2r/pppp1ppp/8/8/8/8/PPPPPPPP/R.1QK2R", "4k3/pppp4/8/8/8/8/PPPP4/.3K3"] {
        let with = |man: &str| value(&format!("{} w - - 0 1", rest.replace('.', man)));
        let values = ["1", "N", "B", "R", "Q"].map(with);
        assert!(values[0] + 0.02 < values[1] && values[0] + 0.02 < values[2], "{values:?}");
        assert!(values[1] < values[3] && values[2] < values[3], "{values:?}");
        assert!(values[3] + 0.02 < values[4], "{values:?}");
    }
    // Where no king is near to stop it: before the enemy king, far from the own one, a pawn is worth less the further it has come.
    let pawns = ["8/8/8/8", "6P1/8/8/8", "8/8/8/6P1"]
        .map(|pawn| value(&format!("k7/ppp5/{pawn}/PPP5/4K3 w - - 0 1")));
    assert!(pawns[0] < pawns[2] && pawns[2] < pawns[1], "{pawns:?}");
}

#[test]
fn a_man_that_can_be_taken_back_is_not_yet_lost() {
    let fen = "r1bqkb1r/pppp1ppp/2n5/8/4n3/2N2P2/PPPP2PP/R1BQKB1R w KQkq - 0 1";
    let heard = News { lost_on: Some(Square::E4), ..News::default() };
    assert!(value_with(fen, &heard) > value(fen) + 0.02);
    let tries = News { has_pawn_try: true, ..heard };
    assert!(value_with(fen, &tries) > value(fen) + 0.02);
}

#[test]
fn a_lead_that_stands_still_is_worth_less_and_so_is_being_behind() {
    let ahead = "8/8/3k4/8/8/3K4/8/3R4 w - - 0 1";
    let behind = "8/8/3k4/8/8/3K4/8/3R4 b - - 0 1";
    let values = |fen: &str| {
        [0, 20, 50, 90].map(|quiet| value_with(fen, &News { quiet, ..News::default() }))
    };
    assert!(values(ahead).is_sorted_by(|a, b| a > b), "{:?}", values(ahead));
    assert!(values(behind).is_sorted_by(|a, b| a < b), "{:?}", values(behind));
}

/// How long a board takes: `cargo test --release -p krieg-players worth -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement, not a test"]
fn how_long_a_board_takes() {
    let mut worth = Worth::default();
    let boards: Vec<Board> = krieg_testing::LIVELY.iter().map(|fen| fen.parse().unwrap()).collect();
    for board in [&boards[..2], &boards[2..], &boards[..]] {
        let rounds = 200_000;
        let begin = std::time::Instant::now();
        let mut sum = 0.0;
        for board in board.iter().cycle().take(rounds) {
            let color = board.side_to_move();
            let news = News { lost_on: Some(Square::D5), has_pawn_try: true, quiet: 3 };
            sum += worth.value(std::hint::black_box(board), color, &news);
        }
        let each = begin.elapsed().as_nanos() / rounds as u128;
        println!("{each} ns a board, {:.3} on the average", sum / rounds as f64);
    }
}
