//! Makes the suite of mates in `tests/mates.txt` from self-play games of the engine:
//!
//! ```text
//! krieg tune games games.txt --games 3000
//! cargo run --release -p krieg-learn --example make_mates -- \
//!     "$(tools/engines stockfish)" games.txt
//! ```
//!
//! A position is used if the proof-number search finds a shortest mate in one to five moves, and
//! Stockfish agrees. The suite has forty positions of each length, at most one per game.

use std::process::ExitCode;

use krieg_chess::uci::{Client, EngineCommand, Go, Timeouts};
use krieg_chess::{MateResult, MateSearch, Score};
use krieg_io::Program;
use krieg_learn::evaluation::GameLine;

/// Number of positions per length of the mate.
const EACH: usize = 40;
const STOCKFISH_NODES: u64 = 100_000;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(stockfish), Some(games)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: make_mates STOCKFISH GAMES");
        return ExitCode::FAILURE;
    };
    match make(&stockfish, &games) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn make(stockfish: &str, games: &str) -> Result<(), Box<dyn std::error::Error>> {
    let program = Program { name: stockfish.to_string(), arguments: Vec::new() };
    let command = EngineCommand { program, options: Vec::new() };
    let mut stockfish = Client::start(command, Timeouts::default())?;
    println!(
        "# Positions from self-play games of the engine, each with the number of moves to mate."
    );
    println!("# Made by examples/make_mates.rs; each is confirmed by Stockfish in the test.");
    let mut counts = [0; 6];
    let games = std::fs::read_to_string(games)?;
    for line in games.lines().filter(|line| !line.starts_with('#')) {
        let game: GameLine = line.parse()?;
        let mut position = game.start.clone();
        for &(mv, value) in &game.moves {
            // The search in the game found a mate, though perhaps not the shortest.
            if value >= Score::mate_in(9).value()
                && let MateResult::Mate(line) =
                    MateSearch::new(2_000_000).shortest_mate(position.board(), 5)
                && let moves = line.len().div_ceil(2) as u32
                && counts[moves as usize] < EACH
                && stockfish.go(&position, &[], &Go::Nodes(STOCKFISH_NODES))?.score
                    == Some(Score::mate_in(moves))
            {
                counts[moves as usize] += 1;
                println!("{moves} {position}");
                break;
            }
            position.play(mv)?;
        }
        if counts[1..].iter().all(|&count| count == EACH) {
            break;
        }
    }
    eprintln!("found {:?}", &counts[1..]);
    Ok(())
}
