//! The options of `krieg explain`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use krieg_core::Color;
use krieg_players::{OPPONENT_MODELS, OpponentModelKind, PlayerSpec};

use super::positive;

/// Help for `--opponent-model`, with the names of the registry.
fn opponent_model_help() -> String {
    let names: Vec<&str> = OPPONENT_MODELS.iter().map(|kind| kind.name).collect();
    format!("The opponent model of `marshal`, one of {} [default: fitted]", names.join(", "))
}

#[derive(Debug, Args)]
pub struct ExplainOptions {
    /// A file of games (PGN or JSON lines) or the folder of a match; `-` is standard input. A
    /// transcript of one player is enough
    pub file: PathBuf,
    /// The move to explain, by its number in `krieg show`
    #[arg(long = "move", value_name = "N")]
    pub number: u32,
    /// The player whose move is explained [default: the player of a transcript, White in a record]
    #[arg(long = "for", value_name = "COLOR")]
    pub color: Option<Mover>,
    /// The player that explains, with its parameters: `marshal` or `learned`
    #[arg(long = "player", value_name = "PLAYER", default_value = "marshal")]
    pub by: PlayerSpec,
    /// The game in the file, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub game: usize,
    /// The number of answers within the move before this decision: refused tries and "any?"
    #[arg(long = "try", value_name = "N", default_value_t = 0)]
    pub answers: usize,
    /// Simulations of `marshal`'s search [default: as in a game without a clock]
    #[arg(long, value_name = "N", value_parser = positive)]
    pub simulations: Option<usize>,
    /// Maximum number of particles in `marshal`'s belief [default: as in a game]
    #[arg(long, value_name = "N", value_parser = positive)]
    pub particles: Option<usize>,
    /// The opponent model of `marshal` [default: fitted]
    #[arg(long, value_name = "NAME", help = opponent_model_help())]
    pub opponent_model: Option<OpponentModelKind>,
    /// The seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Draw the board with letters
    #[arg(long, conflicts_with = "json")]
    pub ascii: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

/// The player to move.
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
