//! The options of `krieg show` and `krieg convert`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use krieg_core::Color;

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
