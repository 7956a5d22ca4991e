//! The options of endgame tables.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use krieg_tablebase::{Endgame, Tablebase};

#[derive(Debug, Subcommand)]
pub enum TablebaseCommand {
    /// Build tables, and those they need; what is there already is kept, what was interrupted goes on
    Build(TablebaseBuildOptions),
    /// Ask whether mate is sure, in how many moves, and what to try
    Probe(TablebaseProbeOptions),
    /// List the tables that are there
    List(TablebaseFolder),
    /// Write a table as text, one entry a line: the men and all possible kings, moves to mate, tries
    Export(TablebaseExportOptions),
    /// Make a table of such text
    Import(TablebaseImportOptions),
    /// Check tables on boards of their own, by forward play and by brute force
    Verify(TablebaseVerifyOptions),
    /// Count entries by distance and by number of kings; with --html, draw pages
    Stats(TablebaseStatsOptions),
}

#[derive(Debug, Args)]
pub struct TablebaseFolder {
    /// The folder of tables; by default $KRIEG_TABLEBASES, or krieg/tablebases in the user's cache
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

impl TablebaseFolder {
    /// The tables in it.
    pub fn open(&self) -> Tablebase {
        Tablebase::new(self.dir.clone().unwrap_or_else(Tablebase::usual_folder))
    }
}

#[derive(Debug, Args)]
pub struct TablebaseBuildOptions {
    /// Endgames such as krk, kbnk, kqpk
    #[arg(value_name = "ENDGAME", required_unless_present = "men")]
    pub endgames: Vec<Endgame>,
    /// Every endgame with up to so many men on the board, kings included
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=5))]
    pub men: Option<u8>,
    /// First remove the tables that are named, and build them again
    #[arg(long)]
    pub anew: bool,
    /// Threads; by default, one for each core
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub folder: TablebaseFolder,
}

#[derive(Debug, Args)]
pub struct TablebaseProbeOptions {
    /// The board: the attacker's men, and the lone king on every square where he may be, as in
    /// kkkkkk2/7R/kkk5/8/4k3/2K1k3/4k3/3k4. The attacker is to move
    pub fen: String,
    /// Print one line of JSON instead of words
    #[arg(long)]
    pub json: bool,
    /// Draw the board with letters
    #[arg(long)]
    pub ascii: bool,
    /// Do not build a table that is missing
    #[arg(long)]
    pub no_build: bool,
    #[command(flatten)]
    pub folder: TablebaseFolder,
}

#[derive(Debug, Args)]
pub struct TablebaseExportOptions {
    /// The endgame
    pub endgame: Endgame,
    /// Write here instead of to standard output; the file appears when it is whole
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub folder: TablebaseFolder,
}

#[derive(Debug, Args)]
pub struct TablebaseImportOptions {
    /// The endgame
    pub endgame: Endgame,
    /// The text; - is standard input
    pub file: PathBuf,
    /// Put it in place of a table that is there
    #[arg(long)]
    pub replace: bool,
    #[command(flatten)]
    pub folder: TablebaseFolder,
}

#[derive(Debug, Args)]
pub struct TablebaseVerifyOptions {
    /// Endgames; by default, all tables that are there
    #[arg(value_name = "ENDGAME")]
    pub endgames: Vec<Endgame>,
    /// Entries, and sets of kings, for which the longer checks are made
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub sample: u32,
    /// Where the sample comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Make the longer checks for every entry
    #[arg(long)]
    pub all: bool,
    /// Play to mate against an all-seeing defender: so many random won metapositions, and as many in
    /// which nothing is known of the king
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub play: u32,
    /// Play every metaposition in which nothing is known of the king, from each of his squares
    #[arg(long)]
    pub play_starts: bool,
    #[command(flatten)]
    pub folder: TablebaseFolder,
}

#[derive(Debug, Args)]
pub struct TablebaseStatsOptions {
    /// Endgames; by default, all tables that are there
    #[arg(value_name = "ENDGAME")]
    pub endgames: Vec<Endgame>,
    /// Draw a page for each endgame, and one of contents, into this folder
    #[arg(long, value_name = "DIR")]
    pub html: Option<PathBuf>,
    /// Print lines of JSON, one an endgame, instead of a table
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub folder: TablebaseFolder,
}
