//! The options of contests between players.

use std::path::PathBuf;

use clap::Args;
use krieg_arena::Shard;
use krieg_arena::statistics::Sprt;
use krieg_chess::clock::TimeControl;
use krieg_core::Ruleset;
use krieg_players::PlayerSpec;

#[derive(Debug, Args)]
pub struct MatchOptions {
    /// The first player; `krieg players` lists them
    pub a: PlayerSpec,
    /// The second player
    pub b: PlayerSpec,
    /// Stop as soon as it is decided whether A is better by E1 Elo points rather than by E0
    #[arg(
        long,
        value_name = "E0,E1[,ALPHA,BETA]",
        allow_hyphen_values = true,
        conflicts_with = "shard"
    )]
    pub sprt: Option<Sprt>,
    #[command(flatten)]
    pub contest: ContestOptions,
}

#[derive(Debug, Args)]
pub struct TournamentOptions {
    /// The players; `krieg players` lists them
    #[arg(required = true, num_args = 2..)]
    pub players: Vec<PlayerSpec>,
    /// Only the first player meets the others
    #[arg(long)]
    pub gauntlet: bool,
    #[command(flatten)]
    pub contest: ContestOptions,
}

#[derive(Debug, Args)]
pub struct ContestOptions {
    /// Games that two players play with each other, in pairs with colours reversed
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub games: u64,
    /// Where openings and the players' random numbers come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Games at a time; by default, one for each core. Without a clock, games are the same on any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    pub jobs: Option<u16>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=2_592_000_000), conflicts_with = "tc")]
    pub movetime: Option<u64>,
    /// The time control: 300, 300+5, 300d5, 40/5400, 1/move, 5000n or none
    #[arg(long, value_name = "CONTROL", default_value = "none")]
    pub tc: TimeControl,
    /// The ruleset (see `krieg rulesets`)
    #[arg(long, value_name = "NAME", default_value_t = Ruleset::ICC)]
    pub ruleset: Ruleset,
    /// Begin from this position instead of the start of chess
    #[arg(long)]
    pub fen: Option<String>,
    /// Random plies, known to both players, before the game begins; both games of a pair have the same
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=100))]
    pub opening_plies: u32,
    /// Call a game a draw after so many moves of each side; by default, only the umpire ends games
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..))]
    pub draw_after: Option<u32>,
    /// Players who can think on the opponent's time do so. Each game then takes two cores at least
    #[arg(long)]
    pub ponder: bool,
    /// Keep the games and write the reports here. If a run was interrupted, the same command goes on
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Play only this share of the games, such as 3/16; `krieg merge` joins the folders
    #[arg(long, value_name = "I/N", requires = "out")]
    pub shard: Option<Shard>,
    /// Write games.pgn, however many games there are; by default, up to 2,000
    #[arg(long, requires = "out")]
    pub pgn: bool,
    /// End with one line of JSON instead of a table
    #[arg(long)]
    pub json: bool,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}
