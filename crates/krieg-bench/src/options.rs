//! The options of benchmarks.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand};
use krieg_core::{Ruleset, UnknownRuleset};
use krieg_players::{BeliefSpec, PlayerSpec};
use krieg_tablebase::Endgame;

use crate::positive;

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
    /// Whether what weighted boards foretell comes true as often as they say
    Calibration(BenchCalibrationOptions),
    /// How fast every possible board is found, and whether the true one is always among them
    Exact(BenchExactOptions),
    /// Whether a player mates every lone king that the tables say is mated, on a real board
    LoneKing(BenchLoneKingOptions),
    /// How long a question to the endgame tables takes
    Tablebase(BenchTablebaseOptions),
}

#[derive(Debug, Args)]
pub struct BenchLoneKingOptions {
    /// Who hunts him; `krieg players` lists them
    #[arg(value_name = "PLAYER", default_value = "marshal")]
    pub player: PlayerSpec,
    /// An endgame; without a clock players use the tables of these five
    #[arg(long = "endgame", value_name = "ENDGAME", default_values = ["kqk", "krk", "kpk", "kbbk", "kbnk"])]
    pub endgames: Vec<Endgame>,
    /// PieceSet for whom there need be no table, such as kbnp; may be repeated. Not every start is won then, so it is told how many were, with fifty moves and repetition counted
    #[arg(long, value_name = "MEN", conflicts_with = "endgames")]
    pub men: Vec<Hunters>,
    /// Random starts of each
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = positive)]
    pub games: usize,
    /// Where the starts come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

#[derive(Debug, Args)]
pub struct BenchTablebaseOptions {
    /// Endgames whose tables are asked
    #[arg(value_name = "ENDGAME", default_values = ["krk", "kqk", "kbbk", "kbnk"])]
    pub endgames: Vec<Endgame>,
    /// Questions to each
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = positive)]
    pub questions: usize,
    /// Where the questions come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The folder of tables; by default $KRIEG_TABLEBASES, or krieg/tablebases in the user's cache
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct BenchExactOptions {
    /// Folders of contests, or files of games (PGN or JSON lines), in place of random games
    #[arg(value_name = "GAMES")]
    pub files: Vec<PathBuf>,
    /// Random games
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = positive)]
    pub games: usize,
    /// Moves after which a random game is called a draw
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub moves: u32,
    /// The ruleset, or all: one after the other. Games that were read are umpired again
    #[arg(long, value_name = "NAME", default_value = "icc")]
    pub ruleset: Rulesets,
    /// Boards that there is room for
    #[arg(long, value_name = "N", default_value_t = 4_000_000, value_parser = positive)]
    pub most: usize,
    /// Boards of the pool whose time for one move is taken
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = positive)]
    pub pool: usize,
    /// Steps after which a stream gives up finding a board
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: u64,
    /// Where random games come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print one line of JSON instead of tables
    #[arg(long)]
    pub json: bool,
}

/// A king and the men with whom he hunts another: `kbnp`.
#[derive(Debug, Clone)]
pub struct Hunters(pub String);

impl FromStr for Hunters {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let men = text.to_ascii_lowercase();
        let helpers = men.strip_prefix('k').filter(|helpers| (1..=15).contains(&helpers.len()));
        match helpers {
            Some(helpers) if helpers.chars().all(|man| "qrbnp".contains(man)) => Ok(Hunters(men)),
            _ => Err(format!(
                "{:?} is nobody who hunts a king: name a king and up to fifteen of q r b n p, as in kbnp",
                krieg_core::excerpt(text)
            )),
        }
    }
}

/// One ruleset, or all of them.
#[derive(Debug, Clone, Copy)]
pub enum Rulesets {
    One(Ruleset),
    All,
}

impl Rulesets {
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
    /// A belief to measure; may be repeated. By default, all of them
    #[arg(long = "belief", value_name = "NAME")]
    pub beliefs: Vec<BeliefSpec>,
    /// The opponents of smc-fitted, as `krieg learn opponent` writes them; by default, those in the program
    #[arg(long, value_name = "FILE")]
    pub opponents: Option<PathBuf>,
    /// Write plots over the moves of the games here, as a page for the browser
    #[arg(long, value_name = "FILE")]
    pub plots: Option<PathBuf>,
    /// Print one line of JSON instead of a table
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct BenchCalibrationOptions {
    /// Folders of contests, or files of games (PGN or JSON lines)
    #[arg(value_name = "GAMES", required = true)]
    pub files: Vec<PathBuf>,
    /// Boards kept
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = positive)]
    pub boards: usize,
    /// The opponents, as `krieg learn opponent` writes them; by default, those in the program
    #[arg(long, value_name = "FILE")]
    pub opponents: Option<PathBuf>,
    /// Only what this player foretells, by his whole name or up to the bracket; by default, what both do
    #[arg(long = "for", value_name = "NAME")]
    pub believer: Option<String>,
    /// Only what is foretold of this player, in the same way
    #[arg(long, value_name = "NAME")]
    pub against: Option<String>,
    /// Games to look at, of those there are: from everywhere among them
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = positive)]
    pub games: usize,
    /// Where random numbers come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print one line of JSON instead of tables
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
    pub control: krieg_time::TimeControl,
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
