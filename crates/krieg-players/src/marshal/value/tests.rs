//! Properties that sensible weights must have.

use cozy_chess::{Board, Square};

use super::{ValueContext, ValueModel};

fn value_with(fen: &str, context: &ValueContext) -> f64 {
    let board: Board = fen.parse().unwrap();
    ValueModel::default().value(&board, board.side_to_move(), context)
}

fn value(fen: &str) -> f64 {
    value_with(fen, &ValueContext::default())
}

#[test]
fn value_is_symmetric_under_exchange_of_colours() {
    for (white, black) in [
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1",
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "8/4p1p1/8/1r3P1K/kp5R/3P4/2P5/8 b - - 0 1"),
    ] {
        assert_eq!(value(white), value(black));
        let context = |square| ValueContext {
            recapture_square: Some(square),
            has_pawn_try: true,
            plies_without_progress: 12,
        };
        let (d7, d2) = (context(Square::D7), context(Square::D2));
        assert_eq!(value_with(white, &d7), value_with(black, &d2));
    }
}

#[test]
fn the_start_is_even_and_a_queen_against_a_lone_king_is_nearly_won() {
    let start = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((start - 0.5).abs() < 0.06, "{start}");
    let won = value("8/8/3k4/8/8/3K4/8/3Q4 w - - 0 1");
    assert!(won > 0.9, "{won}");
    let lost = value("8/8/3k4/8/8/3K4/8/3Q4 b - - 0 1");
    assert!(lost < 0.1, "{lost}");
}

#[test]
fn more_material_has_a_higher_value() {
    // No bishops: with the present weights a bishop pair is worth more than a rook and a bishop.
    for rest in ["r2qk2r/pppp1ppp/8/8/8/8/PPPPPPPP/R.1QK2R", "4k3/pppp4/8/8/8/8/PPPP4/.3K3"] {
        let with = |piece: &str| value(&format!("{} w - - 0 1", rest.replace('.', piece)));
        let values = ["1", "N", "B", "R", "Q"].map(with);
        assert!(values[0] + 0.02 < values[1] && values[0] + 0.02 < values[2], "{values:?}");
        assert!(values[1] < values[3] && values[2] < values[3], "{values:?}");
        assert!(values[3] + 0.02 < values[4], "{values:?}");
    }
    // No king can stop the pawn on the g-file, so its value rises as it advances. (In front of the
    // opponent's king and far from its own, an advanced pawn has less value with these weights.)
    let pawns = ["8/8/8/8", "6P1/8/8/8", "8/8/8/6P1"]
        .map(|pawn| value(&format!("k7/ppp5/{pawn}/PPP5/4K3 w - - 0 1")));
    assert!(pawns[0] < pawns[2] && pawns[2] < pawns[1], "{pawns:?}");
}

#[test]
fn a_possible_recapture_raises_the_value() {
    let fen = "r1bqkb1r/pppp1ppp/2n5/8/4n3/2N2P2/PPPP2PP/R1BQKB1R w KQkq - 0 1";
    let recapture = ValueContext { recapture_square: Some(Square::E4), ..ValueContext::default() };
    assert!(value_with(fen, &recapture) > value(fen) + 0.02);
    let pawn_try = ValueContext { has_pawn_try: true, ..recapture };
    assert!(value_with(fen, &pawn_try) > value(fen) + 0.02);
}

#[test]
fn plies_without_progress_move_the_value_towards_a_draw() {
    let ahead = "8/8/3k4/8/8/3K4/8/3R4 w - - 0 1";
    let behind = "8/8/3k4/8/8/3K4/8/3R4 b - - 0 1";
    let values = |fen: &str| {
        [0, 20, 50, 90].map(|plies_without_progress| {
            value_with(fen, &ValueContext { plies_without_progress, ..ValueContext::default() })
        })
    };
    assert!(values(ahead).is_sorted_by(|a, b| a > b), "{:?}", values(ahead));
    assert!(values(behind).is_sorted_by(|a, b| a < b), "{:?}", values(behind));
}

/// Time per evaluation: `cargo test --release -p krieg-players value -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement, not a test"]
fn time_per_evaluation() {
    let mut model = ValueModel::default();
    let boards: Vec<Board> =
        krieg_testing::TEST_POSITIONS.iter().map(|fen| fen.parse().unwrap()).collect();
    for board in [&boards[..2], &boards[2..], &boards[..]] {
        let rounds = 200_000;
        let begin = std::time::Instant::now();
        let mut sum = 0.0;
        for board in board.iter().cycle().take(rounds) {
            let color = board.side_to_move();
            let context = ValueContext {
                recapture_square: Some(Square::D5),
                has_pawn_try: true,
                plies_without_progress: 3,
            };
            sum += model.value(std::hint::black_box(board), color, &context);
        }
        let each = begin.elapsed().as_nanos() / rounds as u128;
        println!("{each} ns per board, mean value {:.3}", sum / rounds as f64);
    }
}
