//! The options of `krieg learn`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::positive;

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

fn part_of_one(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|part| (0.0..=1.0).contains(part));
    part.ok_or_else(|| "a number from 0 to 1 is needed".to_string())
}
