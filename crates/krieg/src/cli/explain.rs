//! `krieg explain`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use krieg_core::Color;
use krieg_players::ModelKind;

use super::positive;

#[derive(Debug, Args)]
pub struct ExplainOptions {
    /// A file of games, PGN or JSON lines, or a contest's folder; - is standard input. A game as one player tells it is enough
    pub file: PathBuf,
    /// Before which move, by the numbers that `krieg show` gives them
    #[arg(long = "move", value_name = "N")]
    pub number: u32,
    /// Whose move; by default, that of the player who tells the game, or White's, if it is the umpire
    #[arg(long = "for", value_name = "COLOR")]
    pub player: Option<Mover>,
    /// Which game of the file
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub game: usize,
    /// After how many answers within that move: refused tries, and "any?"
    #[arg(long = "try", value_name = "N", default_value_t = 0)]
    pub tries: usize,
    /// How long marshal looks ahead, in simulations; by default, as in a game without a clock
    #[arg(long, value_name = "N", value_parser = positive)]
    pub simulations: Option<usize>,
    /// Boards kept in mind; by default, as in a game
    #[arg(long, value_name = "N", value_parser = positive)]
    pub boards: Option<usize>,
    /// How the opponent is thought to choose: uniform, recapture, value or fitted, which is the default
    #[arg(long)]
    pub model: Option<ModelKind>,
    /// Where the random numbers come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Draw the board with letters
    #[arg(long, conflicts_with = "json")]
    pub ascii: bool,
    /// Print one JSON object instead of words
    #[arg(long)]
    pub json: bool,
}

/// Who is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mover {
    /// White
    White,
    /// Black
    Black,
}

impl From<Mover> for Color {
    fn from(mover: Mover) -> Self {
        match mover {
            Mover::White => Color::White,
            Mover::Black => Color::Black,
        }
    }
}
