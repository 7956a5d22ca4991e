//! The options of `krieg play`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use krieg_core::Ruleset;
use krieg_players::PlayerSpec;
use krieg_time::TimeControl;

#[derive(Debug, Default, Args)]
pub struct PlayOptions {
    /// The opponent (see `krieg players`); without one, two people share the keyboard
    pub player: Option<PlayerSpec>,
    /// Your colour [default: white]
    #[arg(long = "as", value_name = "COLOR", requires = "player")]
    pub color: Option<OwnColor>,
    /// The opponent's time control, such as 1/move, 300+5 or 5000n; you have no clock
    #[arg(long, value_name = "CONTROL", requires = "player")]
    pub tc: Option<TimeControl>,
    /// Let the opponent think on your time too
    #[arg(long, requires = "player", requires = "tc")]
    pub ponder: bool,
    /// Seed of the opponent's random numbers; by default every game is different
    #[arg(long, value_name = "N", requires = "player")]
    pub seed: Option<u64>,
    /// The ruleset (see `krieg rulesets`) [default: icc]
    #[arg(long, value_name = "NAME")]
    pub ruleset: Option<Ruleset>,
    /// Start position, instead of the initial position of chess
    #[arg(long)]
    pub fen: Option<String>,
    /// Write the record to this file after every try, as extended PGN, or as JSON if the name ends
    /// in .jsonl. If the file has an unfinished game, that game continues
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Draw boards with letters instead of chess symbols
    #[arg(long)]
    pub ascii: bool,
    /// Ask for confirmation before a try is sent; at a terminal this is the default
    #[arg(long)]
    pub confirm: bool,
    /// Send every try without confirmation
    #[arg(long, conflicts_with = "confirm")]
    pub no_confirm: bool,
}

/// The colour of the person at the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OwnColor {
    White,
    Black,
    Random,
}
