//! # Games as text
//!
//! A game of Kriegspiel can be told in two ways: as the umpire's [`Record`],
//! with every try of both sides, or as a [`Transcript`], which holds what
//! one player knows. This crate writes and reads both:
//!
//! - [`pgn`]: extended PGN, which ordinary chess programs can open;
//! - [`json`]: JSON lines, one game a line, for programs;
//! - [`KingsLine`]: FEN with several possible kings, the lines of endgame tablebases;
//! - [`san`]: single moves in algebraic notation.
//!
//! Reading is strict. A record is played again by an umpire as it is read, so what comes out did
//! happen; an error says on which line and quotes the text.
//!
//! ```
//! use krieg_core::{Color, Game, Setup};
//! use krieg_notation::{Told, pgn};
//!
//! let mut game = Game::new(Setup::default());
//! game.judge("e2e4".parse()?)?;
//! let text = pgn::write_record(game.record());
//! let told: Vec<Told> = pgn::read(&text).collect::<Result<_, _>>()?;
//! assert_eq!(told, [Told::Record(Box::new(game.into_record()))]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod json;
mod kings;
pub mod pgn;
pub mod san;
mod teller;
mod telling;

pub use kings::{KingsError, KingsLine};
pub use teller::Teller;
pub use telling::Telling;

use krieg_core::{Record, Transcript};

/// A game as it was found in a file: told by the umpire, or by a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// Everything.
    Record(Box<Record>),
    /// What one player knows.
    Transcript(Box<Transcript>),
}
