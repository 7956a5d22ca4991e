//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use krieg_arena::Shard;
use krieg_arena::statistics::Sprt;
use krieg_chess::clock::TimeControl;
use krieg_chess::tune::{Fit, Training};
use krieg_core::{Color, Ruleset};
use krieg_players::PlayerSpec;

/// The Kriegspiel workbench: chess in which you see only your own men, and an umpire answers.
#[derive(Debug, Parser)]
#[command(name = "krieg", version, after_help = "Without a command, `krieg` is `krieg play`.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
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
        Command::Play(PlayOptions::default())
    }
}

#[derive(Debug, Default, Args)]
pub struct PlayOptions {
    /// Whom to play against (see `krieg players`); without one, two people share the keyboard
    pub player: Option<PlayerSpec>,
    /// The colour of your men; White, if none is named
    #[arg(long = "as", value_name = "COLOR", requires = "player")]
    pub color: Option<Man>,
    /// How much the player may think: 1/move, 300+5, 5000n. Your own time is not counted
    #[arg(long, value_name = "CONTROL", requires = "player")]
    pub tc: Option<TimeControl>,
    /// Where the player's random numbers come from; by default, another game each time
    #[arg(long, value_name = "N", requires = "player")]
    pub seed: Option<u64>,
    /// The ruleset (see `krieg rulesets`); icc if none is named
    #[arg(long, value_name = "NAME")]
    pub ruleset: Option<Ruleset>,
    /// Begin from this position instead of the start of chess
    #[arg(long)]
    pub fen: Option<String>,
    /// Keep the record here, rewritten after every try: extended PGN, or JSON for *.jsonl. If a
    /// game was left in it, that game goes on
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Draw the board with letters
    #[arg(long)]
    pub ascii: bool,
    /// Ask before a try is sent, so that a slip of the finger can be taken back. At a terminal that is so anyway
    #[arg(long)]
    pub confirm: bool,
    /// Send every try as it is typed
    #[arg(long, conflicts_with = "confirm")]
    pub no_confirm: bool,
}

/// A side, or either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Man {
    /// White
    White,
    /// Black
    Black,
    /// As chance has it
    Either,
}

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

/// Who tells the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// Everything
    Umpire,
    /// What White knows
    White,
    /// What Black knows
    Black,
}

impl Side {
    /// The player, unless it is the umpire.
    pub fn player(self) -> Option<Color> {
        match self {
            Side::Umpire => None,
            Side::White => Some(Color::White),
            Side::Black => Some(Color::Black),
        }
    }
}

#[derive(Debug, Args)]
pub struct ShowOptions {
    /// A file of games, PGN or JSON lines; - is standard input
    pub file: PathBuf,
    /// From whose side; by default, from the file's
    #[arg(long)]
    pub side: Option<Side>,
    /// Which game of the file
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub game: usize,
    /// Stop after this many moves of both sides together, and show the board there
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,
    /// Draw the board with letters
    #[arg(long)]
    pub ascii: bool,
}

/// A notation for games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Notation {
    /// Extended PGN
    Pgn,
    /// JSON lines, one game a line
    Json,
}

#[derive(Debug, Args)]
pub struct ConvertOptions {
    /// A file of games, PGN or JSON lines; - is standard input
    pub file: PathBuf,
    /// The notation to write
    #[arg(long, value_name = "NOTATION")]
    pub to: Notation,
    /// Keep only what this side knows
    #[arg(long)]
    pub side: Option<Side>,
    /// Write here instead of to standard output; the file appears when it is whole
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum LearnCommand {
    /// Where men stand, by move number and colour
    Densities {
        /// Folders of contests, or files of games (PGN or JSON lines)
        #[arg(required = true)]
        games: Vec<PathBuf>,
        /// Where the densities go
        #[arg(long, short, value_name = "FILE")]
        out: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub enum TuneCommand {
    /// Play games, one a line; a file that has some of them already is continued
    Games(TuneGamesOptions),
    /// Fit the weights of the classical evaluation to games
    Weights(TuneWeightsOptions),
    /// Train a network on games
    Network(TuneNetworkOptions),
}

#[derive(Debug, Args)]
pub struct TuneGamesOptions {
    /// Where the games go
    pub out: PathBuf,
    /// How many games the file should have in the end
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub games: u64,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Where the openings come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Random plies before the engine takes over; with fewer, openings are more like those people play
    #[arg(long, value_name = "N|N-M", default_value = "8", value_parser = plies)]
    pub random_plies: (u32, u32),
    /// Games at a time; by default, one for each core
    #[arg(long, value_name = "N", value_parser = positive)]
    pub threads: Option<usize>,
    /// What the engine plays with: `network`, `classical`, `first-guess`, or a file of either kind
    #[arg(long, value_name = "NAME|FILE", default_value = "network")]
    pub evaluation: PathBuf,
}

#[derive(Debug, Args)]
pub struct TuneWeightsOptions {
    /// Files of games made by `krieg tune games`
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// Where the weights go
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Times through all positions
    #[arg(long, value_name = "N", default_value_t = Fit::default().epochs)]
    pub epochs: u32,
    /// How much a game's result counts against what the search thought, from 0 to 1
    #[arg(long, value_name = "X", default_value_t = Fit::default().blend)]
    pub blend: f32,
    /// How strongly weights are held to where they begin
    #[arg(long, value_name = "X", default_value_t = Fit::default().prior)]
    pub prior: f64,
    /// Where the order of positions comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// What to begin with: `first-guess`, `classical`, or a file of weights
    #[arg(long, value_name = "NAME|FILE", default_value = "first-guess")]
    pub start: PathBuf,
}

#[derive(Debug, Args)]
pub struct TuneNetworkOptions {
    /// Files of games made by `krieg tune games`
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// Where the network goes
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Times through all positions
    #[arg(long, value_name = "N", default_value_t = Training::default().epochs, value_parser = clap::value_parser!(u32).range(1..))]
    pub epochs: u32,
    /// How much a game's result counts against what the search thought, from 0 to 1
    #[arg(long, value_name = "X", default_value_t = Training::default().blend)]
    pub blend: f32,
    /// Where the first numbers and the order of positions come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// A network to go on from: `network`, or a file; by default, training begins from nothing
    #[arg(long, value_name = "NAME|FILE")]
    pub start: Option<PathBuf>,
    /// How far a step goes in the beginning; a network to go on from wants less
    #[arg(long, value_name = "X", default_value_t = Training::default().rate)]
    pub rate: f32,
    /// Positions to a step
    #[arg(long, value_name = "N", default_value_t = Training::default().batch, value_parser = positive)]
    pub batch: usize,
    /// Threads, of which eight are of use; by default, one for each core. The network is the same on any number
    #[arg(long, value_name = "N", value_parser = positive)]
    pub threads: Option<usize>,
}

#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    /// Random games, umpired, beside bare chess and, with --python, beside other referees
    Umpire(BenchUmpireOptions),
    /// A match of our chess engine against another, over UCI
    Engines(BenchEnginesOptions),
    /// Values for every move on many boards: time against agreement with a long search
    Batch(BenchBatchOptions),
    /// How well each belief pictures the other side, stage by stage, and what it costs
    Belief(BenchBeliefOptions),
}

#[derive(Debug, Args)]
pub struct BenchBeliefOptions {
    /// Folders of contests, or files of games (PGN or JSON lines)
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// Boards kept by each belief
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = positive)]
    pub boards: usize,
    /// Games to look at, of those there are
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = positive)]
    pub most: usize,
    /// Print one line of JSON instead of a table
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct BenchBatchOptions {
    /// Boards, taken from games the engine plays against itself
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = positive)]
    pub boards: usize,
    /// Nodes of the long search on each board
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub reference: u64,
    /// Threads; by default, one for each core
    #[arg(long, value_name = "N", value_parser = positive)]
    pub threads: Option<usize>,
    /// Moves this close to the best, in hundredths of a pawn, are valued exactly
    #[arg(long, value_name = "N")]
    pub spread: Option<i32>,
    /// Times each budget is measured
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = positive)]
    pub rounds: usize,
    /// Where the games come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

#[derive(Debug, Args)]
pub struct BenchEnginesOptions {
    /// The opponent: a program and its arguments, as one word, such as "gnuchess -u"
    pub opponent: String,
    /// An option of the opponent, as Name=Value; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// An option of our engine
    #[arg(long = "our-option", value_name = "NAME=VALUE")]
    pub our_options: Vec<String>,
    /// Another program in place of our engine
    #[arg(long, value_name = "COMMAND")]
    pub ours: Option<String>,
    /// Games, two from each opening
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// The time control: 100ms/move, 10+0.1, 40/60, 5000n
    #[arg(long, value_name = "CONTROL", default_value = "100ms/move")]
    pub control: krieg_chess::clock::TimeControl,
    /// Games at a time; by default, one for each core
    #[arg(long, value_name = "N", value_parser = positive)]
    pub concurrency: Option<usize>,
    /// Where the openings come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How late a move may be, in milliseconds; where each move has its own time, a second by default
    #[arg(long, value_name = "MS")]
    pub tolerance: Option<u64>,
    /// Play every game to its end, even if both engines hold it for decided
    #[arg(long)]
    pub to_the_end: bool,
    /// Keep the games here, one a line; a match that was interrupted goes on
    #[arg(long, value_name = "FILE")]
    pub keep: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct BenchUmpireOptions {
    /// The ruleset
    #[arg(long, value_name = "NAME", default_value = "icc")]
    pub ruleset: Ruleset,
    /// Rounds; in each, everybody plays once
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = positive)]
    pub rounds: usize,
    /// Seconds for each player in each round
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    pub seconds: f64,
    /// Where random games come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// A Python that has `kriegspiel` and `open_spiel`, to measure them in the same run
    #[arg(long, value_name = "PYTHON")]
    pub python: Option<PathBuf>,
    /// Print one line of JSON instead of a table
    #[arg(long)]
    pub json: bool,
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
