//! The options of `krieg play`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use krieg_core::Ruleset;
use krieg_players::PlayerSpec;
use krieg_time::TimeControl;

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
