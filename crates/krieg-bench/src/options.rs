//! The options of `krieg bench`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand};
use krieg_core::{Ruleset, UnknownRuleset};
use krieg_players::{BeliefSpec, PlayerSpec};
use krieg_tablebase::Endgame;

use crate::positive;

/// A measurement with its options.
#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    /// Speed of the umpire, compared with plain chess and, with --python, other referees
    Umpire(BenchUmpireOptions),
    /// Play a match of the chess engine against another one, over UCI
    Engines(BenchEnginesOptions),
    /// Values of all moves on many boards: time against agreement with a long search
    Batch(BenchBatchOptions),
    /// Accuracy and cost of each belief, by stage of the game
    Belief(BenchBeliefOptions),
    /// Calibration of the particle filter: predicted probabilities against frequencies
    Calibration(BenchCalibrationOptions),
    /// Beliefs about players whom the opponent model was not fitted to: each is left out in turn
    Strangers(BenchStrangersOptions),
    /// Speed and correctness of the exact belief, which stores every possible board
    Exact(BenchExactOptions),
    /// Play against a lone king from positions that the tablebase says are won
    LoneKing(BenchLoneKingOptions),
    /// Time of a tablebase probe
    Tablebase(BenchTablebaseOptions),
    /// Time of one pass of the learned network, with each instruction set of this processor
    Network(BenchNetworkOptions),
}

/// Options of `krieg bench lone-king`.
#[derive(Debug, Args)]
pub struct BenchLoneKingOptions {
    /// The player who should mate; `krieg players` lists them
    #[arg(value_name = "PLAYER", default_value = "marshal")]
    pub player: PlayerSpec,
    /// An endgame; may be repeated. Without a clock, players use the tables of the default ones
    #[arg(
        long = "endgame",
        value_name = "ENDGAME",
        default_values = ["kqk", "krk", "kpk", "kbbk", "kbnk"]
    )]
    pub endgames: Vec<Endgame>,
    /// The player's pieces in place of an endgame with a table, such as kbnp; may be repeated. Not
    /// every position is won then, and draws by fifty moves and repetition count
    #[arg(long, value_name = "PIECES", conflicts_with = "endgames")]
    pub pieces: Vec<PlayerPieces>,
    /// Random positions of each endgame
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = positive)]
    pub games: usize,
    /// Seed of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Options of `krieg bench tablebase`.
#[derive(Debug, Args)]
pub struct BenchTablebaseOptions {
    /// Endgames whose tables are probed
    #[arg(value_name = "ENDGAME", default_values = ["krk", "kqk", "kbbk", "kbnk"])]
    pub endgames: Vec<Endgame>,
    /// Probes of each table
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = positive)]
    pub probes: usize,
    /// Seed of the probes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The folder of tables [default: $KRIEG_TABLEBASES, or krieg/tablebases in the user's cache]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// Options of `krieg bench network`.
#[derive(Debug, Args)]
pub struct BenchNetworkOptions {
    /// A file of a network [default: the network of this program]
    #[arg(value_name = "NETWORK")]
    pub network: Option<PathBuf>,
    /// Seconds for each instruction set
    #[arg(long, value_name = "S", default_value_t = 2.0)]
    pub seconds: f64,
}

/// Options of `krieg bench exact`.
#[derive(Debug, Args)]
pub struct BenchExactOptions {
    /// Folders of matches, or files of games (PGN or JSON lines) [default: random games]
    #[arg(value_name = "GAMES")]
    pub files: Vec<PathBuf>,
    /// Number of random games
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = positive)]
    pub games: usize,
    /// Moves after which a random game is adjudicated as a draw
    #[arg(
        long,
        value_name = "N",
        default_value_t = 60,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub moves: u32,
    /// A ruleset, or `all`. Games from files are umpired again under it
    #[arg(long, value_name = "NAME", default_value = "icc")]
    pub ruleset: Rulesets,
    /// Capacity of the exact belief, in boards
    #[arg(long, value_name = "N", default_value_t = 4_000_000, value_parser = positive)]
    pub capacity: usize,
    /// Capacity of the sampled belief whose time per move is measured
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = positive)]
    pub sample_capacity: usize,
    /// Maximum number of steps of the depth-first search for a board
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_000,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub steps: u64,
    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print one line of JSON and no tables
    #[arg(long)]
    pub json: bool,
}

/// The pieces of the player against a lone king, as letters: `kbnp`.
#[derive(Debug, Clone)]
pub struct PlayerPieces(pub String);

impl FromStr for PlayerPieces {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pieces = text.to_ascii_lowercase();
        let others = pieces.strip_prefix('k').filter(|others| (1..=15).contains(&others.len()));
        match others {
            Some(others) if others.chars().all(|letter| "qrbnp".contains(letter)) => {
                Ok(PlayerPieces(pieces))
            }
            _ => Err(format!(
                "{:?} is not a set of pieces: write k and one to fifteen of q r b n p, as in kbnp",
                krieg_core::excerpt(text)
            )),
        }
    }
}

/// One ruleset, or all of them.
#[derive(Debug, Clone, Copy)]
pub enum Rulesets {
    /// This ruleset.
    One(Ruleset),
    /// Every ruleset.
    All,
}

impl Rulesets {
    /// The rulesets as a list.
    #[must_use]
    pub fn list(self) -> Vec<Ruleset> {
        match self {
            Rulesets::One(ruleset) => vec![ruleset],
            Rulesets::All => Ruleset::ALL.to_vec(),
        }
    }
}

impl FromStr for Rulesets {
    type Err = UnknownRuleset;

    fn from_str(name: &str) -> Result<Self, UnknownRuleset> {
        if name == "all" { Ok(Rulesets::All) } else { name.parse().map(Rulesets::One) }
    }
}

/// Help for `--belief`, with the names of the registry.
fn belief_help() -> String {
    let names: Vec<String> = BeliefSpec::all().iter().map(BeliefSpec::to_string).collect();
    let names = names.join(", ");
    format!("A belief to measure, one of {names}; may be repeated [default: all]")
}

/// Options of `krieg bench belief`.
#[derive(Debug, Args)]
pub struct BenchBeliefOptions {
    /// Folders of matches, or files of games (PGN or JSON lines)
    #[arg(value_name = "GAMES", required = true)]
    pub files: Vec<PathBuf>,
    /// Capacity of each belief, in boards
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = positive)]
    pub capacity: usize,
    /// Maximum number of games
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = positive)]
    pub games: usize,
    /// The beliefs to measure [default: all]
    #[arg(long = "belief", value_name = "NAME", help = belief_help())]
    pub beliefs: Vec<BeliefSpec>,
    /// Measure the belief of the learned network in this file; may be repeated. Other beliefs are
    /// then measured only if they are named
    #[arg(long = "network", value_name = "FILE")]
    pub networks: Vec<PathBuf>,
    /// The opponent model of smc-fitted, from `krieg learn opponent` [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    pub opponents: Option<PathBuf>,
    /// Write plots over the course of the games to this web page
    #[arg(long, value_name = "FILE")]
    pub plots: Option<PathBuf>,
    /// Print one line of JSON and no table
    #[arg(long)]
    pub json: bool,
}

/// Options of `krieg bench calibration`.
#[derive(Debug, Args)]
pub struct BenchCalibrationOptions {
    /// Folders of matches, or files of games (PGN or JSON lines)
    #[arg(value_name = "GAMES", required = true)]
    pub files: Vec<PathBuf>,
    /// Number of particles
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = positive)]
    pub particles: usize,
    /// The opponent model, from `krieg learn opponent` [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    pub opponents: Option<PathBuf>,
    /// Follow only this player; a name with or without its parameters [default: both players]
    #[arg(long = "for", value_name = "NAME")]
    pub player: Option<String>,
    /// Follow only the opponents of this player; a name as above
    #[arg(long, value_name = "NAME")]
    pub against: Option<String>,
    /// Maximum number of games, evenly spread over all games
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = positive)]
    pub games: usize,
    /// Seed of the particle filter
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print one line of JSON and no tables
    #[arg(long)]
    pub json: bool,
}

/// Options of `krieg bench strangers`.
#[derive(Debug, Args)]
pub struct BenchStrangersOptions {
    /// Folders of matches, or files of games (PGN or JSON lines)
    #[arg(value_name = "GAMES", required = true)]
    pub files: Vec<PathBuf>,
    /// The beliefs to compare with `smc`, whose opponent model needs no fitting
    #[arg(long = "belief", value_name = "NAME", default_values = ["smc-fitted", "smc-robust"])]
    pub beliefs: Vec<BeliefSpec>,
    /// Number of particles
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = positive)]
    pub particles: usize,
    /// The opponent types, from `krieg learn opponent` [default: the built-in ones]
    #[arg(long, value_name = "FILE")]
    pub opponents: Option<PathBuf>,
    /// Follow only this player; a name with or without its parameters [default: every player]
    #[arg(long = "for", value_name = "NAME")]
    pub player: Option<String>,
    /// Maximum number of sides of games per opponent, evenly spread over all games
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = positive)]
    pub games: usize,
    /// Seed of the particle filter
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print one line of JSON and no tables
    #[arg(long)]
    pub json: bool,
}

/// Options of `krieg bench batch`.
#[derive(Debug, Args)]
pub struct BenchBatchOptions {
    /// Number of boards, taken from self-play games of the engine
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = positive)]
    pub boards: usize,
    /// Nodes of the long search on each board
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100_000,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub reference_nodes: u64,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = positive)]
    pub threads: Option<usize>,
    /// Moves within this margin of the best move, in centipawns, get an exact value
    #[arg(long, value_name = "N")]
    pub exact_margin: Option<i32>,
    /// Number of measurements of each budget
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = positive)]
    pub rounds: usize,
    /// Seed of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Options of `krieg bench engines`.
#[derive(Debug, Args)]
pub struct BenchEnginesOptions {
    /// The opponent's command line in quotes, such as "gnuchess -u"
    pub opponent: String,
    /// An option of the opponent, as Name=Value; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// An option of our engine, as Name=Value; may be repeated
    #[arg(long = "our-option", value_name = "NAME=VALUE")]
    pub our_options: Vec<String>,
    /// The command line of another program in place of our engine
    #[arg(long, value_name = "COMMAND")]
    pub our_engine: Option<String>,
    /// Number of games, two from each opening
    #[arg(
        long,
        value_name = "N",
        default_value_t = 200,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub games: u64,
    /// The time control: 100ms/move, 10+0.1, 40/60 or 5000n
    #[arg(long, value_name = "CONTROL", default_value = "100ms/move")]
    pub control: krieg_time::TimeControl,
    /// Number of simultaneous games [default: one per core]
    #[arg(long, value_name = "N", value_parser = positive)]
    pub concurrency: Option<usize>,
    /// Seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Milliseconds by which a move may exceed its time [default: 1000 with a time per move, else
    /// 0]
    #[arg(long, value_name = "MS")]
    pub time_margin: Option<u64>,
    /// Play every game to its end, even if both engines consider it decided
    #[arg(long)]
    pub no_adjudication: bool,
    /// Write the games to this file, one per line; an interrupted match is continued
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Options of `krieg bench umpire`.
#[derive(Debug, Args)]
pub struct BenchUmpireOptions {
    /// The ruleset
    #[arg(long, value_name = "NAME", default_value = "icc")]
    pub ruleset: Ruleset,
    /// Number of rounds; each program is measured once per round
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = positive)]
    pub rounds: usize,
    /// Seconds per program and round
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    pub seconds: f64,
    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// A Python interpreter with `kriegspiel` and `open_spiel`, which are then measured too
    #[arg(long, value_name = "PYTHON")]
    pub python: Option<PathBuf>,
    /// Print one line of JSON and no table
    #[arg(long)]
    pub json: bool,
}
