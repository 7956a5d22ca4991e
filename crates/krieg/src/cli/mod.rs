//! The command line.

mod explain;
mod matches;
mod serve;
mod tablebase;
mod tune;

pub use explain::*;
pub use matches::*;
pub use serve::*;
pub use tablebase::*;
pub use tune::*;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use krieg_bench::BenchCommand;
use krieg_core::{Color, Ruleset};
use krieg_players::PlayerSpec;
use krieg_time::TimeControl;

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
    /// The opponent thinks on your time, too
    #[arg(long, requires = "player", requires = "tc")]
    pub ponder: bool,
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
    /// A file of games, PGN or JSON lines, or a contest's folder; - is standard input
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

impl From<Notation> for krieg_arena::Notation {
    fn from(notation: Notation) -> Self {
        match notation {
            Notation::Pgn => krieg_arena::Notation::Pgn,
            Notation::Json => krieg_arena::Notation::Json,
        }
    }
}

#[derive(Debug, Args)]
pub struct ConvertOptions {
    /// A file of games, PGN or JSON lines, or a contest's folder; - is standard input
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
    /// How players choose their moves, for imagining opponents (docs/beliefs.md)
    Opponent(LearnOpponentOptions),
    /// What boards are worth to a player who does not see them (docs/marshal.md)
    Value(LearnValueOptions),
}

#[derive(Debug, Args)]
pub struct LearnValueOptions {
    /// Folders of contests, or files of games (PGN or JSON lines)
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// Where the weights go
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Only games in which both players are among these, by whole names or up to the bracket, with commas between them: against a weak player a strong one wins any board
    #[arg(long, value_name = "NAME,NAME...")]
    pub between: Option<String>,
    /// What came of a turn is told by the next turns of that side, and so much is left for later at each of them; 1: only the outcome of the game counts
    #[arg(long, value_name = "0..1", default_value_t = 0.8, value_parser = part_of_one)]
    pub later: f64,
    /// The weights that the next turns are valued by, in the place of those in the program
    #[arg(long, value_name = "FILE")]
    pub by: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct LearnOpponentOptions {
    /// Folders of contests, or files of games (PGN or JSON lines)
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// Where the opponents go
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// A player not to learn from, by his whole name or up to the bracket; may be repeated
    #[arg(long, value_name = "NAME")]
    pub leave_out: Vec<String>,
    /// Decisions to learn from, at most, for each kind of player
    #[arg(long, value_name = "N", default_value_t = 40_000, value_parser = positive)]
    pub most: usize,
}

/// A number of things of which there must be some.
fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("a number from 1 on is needed".to_string()),
        Ok(number) => Ok(number),
    }
}

fn part_of_one(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|part| (0.0..=1.0).contains(part));
    part.ok_or_else(|| "a number from 0 to 1 is needed".to_string())
}

/// `8`, or `4-8`.
fn plies(text: &str) -> Result<(u32, u32), String> {
    let (fewest, most) = text.split_once('-').unwrap_or((text, text));
    match (fewest.parse(), most.parse()) {
        (Ok(fewest), Ok(most)) if fewest <= most && most <= 40 => Ok((fewest, most)),
        _ => Err("a number up to 40, or two as in 4-8, are needed".to_string()),
    }
}
