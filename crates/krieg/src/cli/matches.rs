//! The options of `krieg match` and `krieg tournament`.

use std::path::PathBuf;

use clap::Args;
use krieg_arena::Shard;
use krieg_core::Ruleset;
use krieg_players::{GameSettings, PlayerSpec};
use krieg_stats::Sprt;
use krieg_time::TimeControl;

#[derive(Debug, Args)]
pub struct MatchOptions {
    /// The first player (see `krieg players`)
    pub a: PlayerSpec,
    /// The second player
    pub b: PlayerSpec,
    /// Stop when a sequential test (SPRT) has decided whether A is stronger by E0 or by E1 Elo
    /// points
    #[arg(
        long,
        value_name = "E0,E1[,ALPHA,BETA]",
        allow_hyphen_values = true,
        conflicts_with = "shard"
    )]
    pub sprt: Option<Sprt>,
    #[command(flatten)]
    pub games: GameOptions,
}

#[derive(Debug, Args)]
pub struct TournamentOptions {
    /// The players (see `krieg players`)
    #[arg(required = true, num_args = 2..)]
    pub players: Vec<PlayerSpec>,
    /// Play a gauntlet: only the first player meets the others
    #[arg(long)]
    pub gauntlet: bool,
    #[command(flatten)]
    pub games: GameOptions,
}

#[derive(Debug, Args)]
pub struct GameOptions {
    /// Games per pairing, in pairs with reversed colours
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100,
        value_parser = clap::value_parser!(u64).range(1..=10_000_000)
    )]
    pub games: u64,
    /// Seed of the openings and of the players' random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Games played at the same time; by default one per core. Without a clock the games do not
    /// depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    pub jobs: Option<u16>,
    /// Milliseconds per move
    #[arg(
        long,
        value_name = "MS",
        value_parser = clap::value_parser!(u64).range(1..=2_592_000_000),
        conflicts_with = "tc"
    )]
    pub movetime: Option<u64>,
    /// Time control: 300+5 (seconds and increment), 300d5 (and delay), 40/5400 (seconds for 40
    /// moves), 1/move (seconds per move), 5000n (nodes per move) or none
    #[arg(long, value_name = "CONTROL", default_value = "none")]
    pub tc: TimeControl,
    /// Milliseconds by which a player may exceed its time in each turn before it loses on time
    #[arg(
        long,
        value_name = "MS",
        default_value_t = GameSettings::DEFAULT_TIME_MARGIN.as_millis() as u64
    )]
    pub time_margin: u64,
    /// Ruleset (see `krieg rulesets`)
    #[arg(long, value_name = "NAME", default_value_t = Ruleset::ICC)]
    pub ruleset: Ruleset,
    /// Start position, instead of the initial position of chess
    #[arg(long)]
    pub fen: Option<String>,
    /// Random plies at the beginning, known to both players and the same for both games of a pair
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(..=100)
    )]
    pub opening_plies: u32,
    /// Adjudicate a draw after this many moves per side; by default only the umpire ends games
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..))]
    pub draw_after: Option<u32>,
    /// Let players that can ponder think on the opponent's time. A game then needs two cores
    #[arg(long)]
    pub ponder: bool,
    /// Result folder for games and reports. The same command continues an interrupted run
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Play only this share of the games, such as 3/16; `krieg merge` merges the folders
    #[arg(long, value_name = "I/N", requires = "out")]
    pub shard: Option<Shard>,
    /// Write games.pgn even if there are more than 2,000 games
    #[arg(long, requires = "out")]
    pub pgn: bool,
    /// Print the result as one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}
