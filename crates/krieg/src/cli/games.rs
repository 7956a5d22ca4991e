//! The options of `krieg show` and `krieg convert`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use krieg_core::Color;

/// Whose knowledge of a game is shown or kept.
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
    /// The player, or `None` for the umpire.
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
    /// File of games (PGN or JSON lines), result folder of a match, or - for standard input
    pub file: PathBuf,
    /// Whose knowledge to show; by default, all that the file contains
    #[arg(long)]
    pub side: Option<Side>,
    /// Number of the game in the file
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub game: usize,
    /// Stop after this many moves of both sides together, and show the board there
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,
    /// Draw the board with letters instead of chess symbols
    #[arg(long)]
    pub ascii: bool,
}

/// A notation for games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Notation {
    /// Extended PGN
    Pgn,
    /// JSON lines, one game per line
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
    /// File of games (PGN or JSON lines), result folder of a match, or - for standard input
    pub file: PathBuf,
    /// Notation of the output
    #[arg(long, value_name = "NOTATION")]
    pub to: Notation,
    /// Keep only what this side knows
    #[arg(long)]
    pub side: Option<Side>,
    /// Output file, written completely or not at all [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
