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

/// The Kriegspiel workbench. Kriegspiel is chess in which you see only your own pieces and an
/// umpire answers your tries.
#[derive(Debug, Parser)]
#[command(
    name = "krieg",
    version,
    after_help = "Without a command, `krieg` does the same as `krieg serve`."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play in the browser, against bots or people, with a coach and a review (docs/server.md)
    Serve(ServeOptions),
    /// Play in this terminal, against a bot or a person at the same keyboard
    Play(PlayOptions),
    /// Umpire games for a program, over JSON lines on standard input and output (docs/referee.md)
    Referee {
        /// Maximum number of open games
        #[arg(long, value_name = "N", default_value_t = 100_000)]
        max_games: usize,
    },
    /// Print a recorded game, as the umpire or one player knows it
    Show(ShowOptions),
    /// Convert game files to another notation, or to what one player knows
    Convert(ConvertOptions),
    /// Print what marshal believes before a move of a recorded game, and why it prefers a try
    /// (docs/explain.md)
    Explain(ExplainOptions),
    /// List the rulesets
    Rulesets,
    /// List the players, with their parameters
    Players {
        /// Describe only this player
        name: Option<String>,
    },
    /// Play a match between two players and report who is stronger, and by how much
    Match(MatchOptions),
    /// Play a tournament of two or more players: a round robin, or a gauntlet
    Tournament(TournamentOptions),
    /// Merge the result folders of a match that was divided with --shard
    Merge {
        /// The merged result folder; it is created if needed
        into: PathBuf,
        /// The result folders to merge
        #[arg(required = true)]
        folders: Vec<PathBuf>,
    },
    /// Write the reports of a match or tournament again from its log
    Report {
        /// The result folder
        folder: PathBuf,
        /// Write games.pgn even if there are more than 2,000 games
        #[arg(long)]
        pgn: bool,
    },
    /// Rate players from the result folders of matches and tournaments
    Ratings {
        /// The result folders; with --glicko, in the order in which they were played
        #[arg(required = true)]
        folders: Vec<PathBuf>,
        /// Compute Glicko-2 ratings, with each folder as a rating period, instead of Bradley–Terry
        /// ratings
        #[arg(long)]
        glicko: bool,
        /// Print one line of JSON instead of a table
        #[arg(long)]
        json: bool,
    },
    /// Serve a player to other programs over a line protocol (docs/protocol.md)
    Engine {
        /// The player (see `krieg players`)
        #[arg(default_value = "greedy")]
        player: PlayerSpec,
    },
    /// Serve the chess engine over UCI, or run one UCI command (docs/engine.md)
    Uci {
        /// A single UCI command to run, such as `bench` or `perft 5`
        command: Vec<String>,
    },
    /// Build, probe and verify tablebases of endings against a lone king (docs/tablebases.md)
    #[command(subcommand)]
    Tablebase(TablebaseCommand),
    /// Train the chess engine's evaluation on self-play games
    #[command(subcommand)]
    Tune(TuneCommand),
    /// Learn densities, opponent models and value models from games
    #[command(subcommand)]
    Learn(LearnCommand),
    /// Measure speed, strength and the quality of beliefs
    #[command(subcommand)]
    Bench(BenchCommand),
}

impl Default for Command {
    fn default() -> Self {
        Command::Serve(ServeOptions::default())
    }
}

/// Parses a number of at least 1.
fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("expected a number of at least 1".to_string()),
        Ok(number) => Ok(number),
    }
}

/// Parses a number of plies, or a range such as `4-8`.
fn plies(text: &str) -> Result<(u32, u32), String> {
    let (min, max) = text.split_once('-').unwrap_or((text, text));
    match (min.parse(), max.parse()) {
        (Ok(min), Ok(max)) if min <= max && max <= 40 => Ok((min, max)),
        _ => Err("expected a number up to 40, or a range such as 4-8".to_string()),
    }
}
