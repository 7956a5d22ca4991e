//! The command line.

mod explain;
mod games;
mod learn;
mod matches;
mod play;
mod serve;
mod tablebase;
mod tune;

pub use explain::*;
pub use games::*;
pub use learn::*;
pub use matches::*;
pub use play::*;
pub use serve::*;
pub use tablebase::*;
pub use tune::*;

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use krieg_bench::BenchCommand;
use krieg_players::PlayerSpec;

/// The Kriegspiel workbench: chess in which you see only your own men, and an umpire answers.
#[derive(Debug, Parser)]
#[command(name = "krieg", version, after_help = "Without a command, `krieg` is `krieg serve`.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play in the browser: against bots, people, and with a coach (docs/server.md)
    Serve(ServeOptions),
    /// Play at this terminal, against a player or against somebody at the same keyboard
    Play(PlayOptions),
    /// Umpire games for a program: lines of JSON on standard input and output (docs/referee.md)
    Referee {
        /// How many games may be open at a time
        #[arg(long, value_name = "N", default_value_t = 100_000)]
        max_games: usize,
    },
    /// Tell a recorded game in words, with the board
    Show(ShowOptions),
    /// Turn game files from one notation into another, or into what one player knows
    Convert(ConvertOptions),
    /// Tell what the player marshal believes at a moment of a recorded game, and what it would try and why (docs/explain.md)
    Explain(ExplainOptions),
    /// List the rulesets
    Rulesets,
    /// List the players, with their parameters
    Players {
        /// One of them, with all that is to be said of it
        name: Option<String>,
    },
    /// Play a match between two players, and say who is better by how much
    Match(MatchOptions),
    /// Play a tournament of two or more players, everybody against everybody
    Tournament(TournamentOptions),
    /// Join the folders of a match that was played in shares (--shard) into one
    Merge {
        /// The folder that is made
        into: PathBuf,
        /// The folders that are joined
        #[arg(required = true)]
        folders: Vec<PathBuf>,
    },
    /// Make the reports of a match or tournament anew from its log
    Report {
        /// The folder
        folder: PathBuf,
        /// Write games.pgn too, however many games there are
        #[arg(long)]
        pgn: bool,
    },
    /// Rate players from the folders of matches and tournaments
    Ratings {
        /// The folders; for --glicko, from the oldest to the newest
        #[arg(required = true)]
        folders: Vec<PathBuf>,
        /// Glicko-2, each folder a rating period, instead of Bradley–Terry over all games
        #[arg(long)]
        glicko: bool,
        /// Print one line of JSON instead of a table
        #[arg(long)]
        json: bool,
    },
    /// Lend a player to other programs, over lines (docs/protocol.md)
    Engine {
        /// The player, such as greedy
        #[arg(default_value = "greedy")]
        player: PlayerSpec,
    },
    /// Be a chess engine for programs that speak UCI; words after `uci` are one command to obey
    Uci {
        /// One UCI command, such as `bench` or `perft 5`
        command: Vec<String>,
    },
    /// Perfect endgames against a lone king: build tables, ask them, check them (docs/tablebases.md)
    #[command(subcommand)]
    Tablebase(TablebaseCommand),
    /// Tune the chess engine's evaluation on games it plays against itself
    #[command(subcommand)]
    Tune(TuneCommand),
    /// Learn from games what players imagine with
    #[command(subcommand)]
    Learn(LearnCommand),
    /// Measure speed and strength
    #[command(subcommand)]
    Bench(BenchCommand),
}

impl Default for Command {
    fn default() -> Self {
        Command::Serve(ServeOptions::default())
    }
}

/// A number of things of which there must be some.
fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("a number from 1 on is needed".to_string()),
        Ok(number) => Ok(number),
    }
}

/// `8`, or `4-8`.
fn plies(text: &str) -> Result<(u32, u32), String> {
    let (fewest, most) = text.split_once('-').unwrap_or((text, text));
    match (fewest.parse(), most.parse()) {
        (Ok(fewest), Ok(most)) if fewest <= most && most <= 40 => Ok((fewest, most)),
        _ => Err("a number up to 40, or two as in 4-8, are needed".to_string()),
    }
}
