//! The options of `krieg tablebase`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use krieg_tablebase::{Endgame, Tablebase};

#[derive(Debug, Subcommand)]
pub enum TablebaseCommand {
    /// Build tables and those they depend on; existing tables are kept, interrupted builds continue
    Build(TablebaseBuildOptions),
    /// Look up whether a win is forced, in how many moves, and by which tries
    Probe(TablebaseProbeOptions),
    /// List the existing tables
    List(TablebaseFolder),
    /// Write a table as text, one entry per line: pieces and possible kings, moves to mate, tries
    Export(TablebaseExportOptions),
    /// Make a table from exported text
    Import(TablebaseImportOptions),
    /// Check tables by forward and exhaustive search on the umpire's boards
    Verify(TablebaseVerifyOptions),
    /// Count entries by distance and by number of kings; with --html, write web pages
    Stats(TablebaseStatsOptions),
}

#[derive(Debug, Args)]
pub struct TablebaseFolder {
    /// The folder of the tables [default: $KRIEG_TABLEBASES, or krieg/tablebases in the user's
    /// cache directory]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

impl TablebaseFolder {
    /// The tables in the folder.
    pub fn open(&self) -> Tablebase {
        Tablebase::new(self.dir.clone().unwrap_or_else(Tablebase::default_folder))
    }
}

#[derive(Debug, Args)]
pub struct TablebaseBuildOptions {
    /// Endgames such as krk, kbnk or kqpk
    #[arg(value_name = "ENDGAME", required_unless_present = "pieces")]
    pub endgames: Vec<Endgame>,
    /// All endgames with up to N pieces on the board, both kings included
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=5))]
    pub pieces: Option<u8>,
    /// Remove the tables of these endgames first and build them again
    #[arg(long)]
    pub rebuild: bool,
    /// Number of threads [default: one per processor core]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Do not show progress
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub folder: TablebaseFolder,
}

#[derive(Debug, Args)]
pub struct TablebaseProbeOptions {
    /// The attacker's pieces, and the lone king on every square where it may be, as FEN:
    /// kkkkkk2/7R/kkk5/8/4k3/2K1k3/4k3/3k4. The attacker is to move
    pub fen: String,
    /// Print a line of JSON
    #[arg(long)]
    pub json: bool,
    /// Draw the board with ASCII letters
    #[arg(long)]
    pub ascii: bool,
    /// Do not build a missing table
    #[arg(long)]
    pub no_build: bool,
    #[command(flatten)]
    pub folder: TablebaseFolder,
}

#[derive(Debug, Args)]
pub struct TablebaseExportOptions {
    /// The endgame
    pub endgame: Endgame,
    /// Write to this file instead of standard output; the file appears when it is complete
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub folder: TablebaseFolder,
}

#[derive(Debug, Args)]
pub struct TablebaseImportOptions {
    /// The endgame
    pub endgame: Endgame,
    /// The file with the text; - is standard input
    pub file: PathBuf,
    /// Replace an existing table
    #[arg(long)]
    pub replace: bool,
    #[command(flatten)]
    pub folder: TablebaseFolder,
}

#[derive(Debug, Args)]
pub struct TablebaseVerifyOptions {
    /// The endgames [default: all existing tables]
    #[arg(value_name = "ENDGAME")]
    pub endgames: Vec<Endgame>,
    /// Number of entries and of random king sets for the expensive checks
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2_000,
        value_parser = clap::value_parser!(u32).range(1..=10_000_000),
    )]
    pub sample: u32,
    /// Seed of the random sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Make the expensive checks for every entry
    #[arg(long)]
    pub all: bool,
    /// Play N random won metapositions, and N in which the king may be anywhere, to mate against a
    /// defender who sees everything
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(0..=1_000_000),
    )]
    pub play: u32,
    /// Play every won metaposition in which the king may be anywhere, from each of its squares
    #[arg(long)]
    pub play_all: bool,
    #[command(flatten)]
    pub folder: TablebaseFolder,
}

#[derive(Debug, Args)]
pub struct TablebaseStatsOptions {
    /// The endgames [default: all existing tables]
    #[arg(value_name = "ENDGAME")]
    pub endgames: Vec<Endgame>,
    /// Write a web page per endgame, and an index, to this folder
    #[arg(long, value_name = "DIR")]
    pub html: Option<PathBuf>,
    /// Print a line of JSON per endgame instead of a table
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub folder: TablebaseFolder,
}
