//! Tests of the mate search on 200 mates in one to five moves, which Stockfish confirms.

use krieg_chess::uci::{Client, EngineCommand, Go, Timeouts};
use krieg_chess::{MateResult, MateSearch, Score};
use krieg_core::Position;
use krieg_io::Program;

fn suite() -> Vec<(u32, Position)> {
    include_str!("mates.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (moves, fen) = line.split_once(' ').unwrap();
            (moves.parse().unwrap(), Position::from_fen(fen).unwrap())
        })
        .collect()
}

#[test]
fn the_suite_contains_mates_of_every_length() {
    let suite = suite();
    assert_eq!(suite.len(), 200);
    for moves in 1..=5 {
        assert!(suite.iter().filter(|(length, _)| *length == moves).count() >= 20);
    }
}

#[test]
fn every_mate_is_found() {
    for (moves, position) in suite() {
        let mut search = MateSearch::new(5_000_000);
        let MateResult::Mate(line) = search.mate_within(position.board(), moves) else {
            panic!("no mate in {moves}: {position}");
        };
        assert!(line.len() < 2 * moves as usize, "{position}");
        let mut current = position.clone();
        for mv in line {
            current.play(current.player_move(mv)).unwrap();
        }
        assert!(!current.can_move() && !current.checks().is_empty(), "{position}");
    }
}

#[test]
fn there_is_no_mate_in_fewer_moves() {
    for (moves, position) in suite().into_iter().filter(|(moves, _)| *moves <= 4) {
        let result = MateSearch::new(5_000_000).mate_within(position.board(), moves - 1);
        assert_eq!(result, MateResult::NoMate, "{position}");
    }
}

#[test]
#[ignore = "needs Stockfish; ./test provides it"]
fn stockfish_confirms_every_mate() {
    let program =
        std::env::var("KRIEG_STOCKFISH").expect("KRIEG_STOCKFISH is the path of the program");
    let command =
        EngineCommand { program: Program { name: program, arguments: vec![] }, options: vec![] };
    let mut stockfish = Client::start(command, Timeouts::default()).unwrap();
    for (moves, position) in suite() {
        stockfish.new_game().unwrap();
        let mut found = None;
        // Other versions of Stockfish may need more nodes.
        for nodes in [100_000, 1_000_000, 10_000_000] {
            found = stockfish.go(&position, &[], &Go::Nodes(nodes)).unwrap().score;
            if found == Some(Score::mate_in(moves)) {
                break;
            }
        }
        assert_eq!(found, Some(Score::mate_in(moves)), "{position}");
    }
}
