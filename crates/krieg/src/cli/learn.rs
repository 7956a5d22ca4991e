//! The options of `krieg learn`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::positive;

#[derive(Debug, Subcommand)]
pub enum LearnCommand {
    /// Piece densities: where pieces stand, by colour and move number
    Densities {
        /// Folders of matches, or files of games (PGN or JSON lines)
        #[arg(required = true)]
        games: Vec<PathBuf>,
        /// The file of densities to write
        #[arg(long, short, value_name = "FILE")]
        out: PathBuf,
    },
    /// The opponent model: types of players and how they choose moves (docs/beliefs.md)
    Opponent(LearnOpponentOptions),
    /// The value model of the player marshal (docs/marshal.md)
    Value(LearnValueOptions),
}

#[derive(Debug, Args)]
pub struct LearnValueOptions {
    /// Folders of matches, or files of games (PGN or JSON lines)
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// The file of weights to write
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Use only games between these players; names with or without parameters. Games against weak
    /// players say little: a strong player wins them from any board
    #[arg(long, value_name = "NAME,NAME...")]
    pub between: Option<String>,
    /// λ of the TD(λ) targets; with 1 the target is the outcome of the game
    #[arg(long, value_name = "0..1", default_value_t = 0.8, value_parser = fraction)]
    pub lambda: f64,
    /// The value model for bootstrapped targets [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    pub bootstrap: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct LearnOpponentOptions {
    /// Folders of matches, or files of games (PGN or JSON lines)
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// The file of opponent types to write
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Exclude this player's decisions; a name with or without parameters; may be repeated
    #[arg(long, value_name = "NAME")]
    pub exclude: Vec<String>,
    /// Maximum number of decisions per type of player
    #[arg(long, value_name = "N", default_value_t = 40_000, value_parser = positive)]
    pub max_decisions: usize,
}

fn fraction(text: &str) -> Result<f64, String> {
    let fraction = text.parse().ok().filter(|fraction| (0.0..=1.0).contains(fraction));
    fraction.ok_or_else(|| "a number from 0 to 1 is needed".to_string())
}
