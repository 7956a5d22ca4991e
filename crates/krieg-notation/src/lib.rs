//! # Games as text
//!
//! A game of Kriegspiel is saved in one of two forms: the umpire's [`Record`], with every try of
//! both sides, or a [`Transcript`], which holds what one player knows. This crate writes and reads
//! both:
//!
//! - [`pgn`]: extended PGN; ordinary chess programs find the moves in it;
//! - [`json`]: JSON lines, one game per line, for programs;
//! - [`MultiKingFen`]: FEN with several possible kings, the entries of endgame tablebases;
//! - [`san`]: single moves in algebraic notation.
//!
//! Reading is strict. An umpire replays a record while it is read, so every record that is returned
//! follows the rules; an error names the line and quotes the offending text.
//!
//! ```
//! use krieg_core::{Color, Game, Setup};
//! use krieg_notation::{SavedGame, pgn};
//!
//! let mut game = Game::new(Setup::default());
//! game.judge("e2e4".parse()?)?;
//! let text = pgn::write_record(game.record());
//! let games: Vec<SavedGame> = pgn::read(&text).collect::<Result<_, _>>()?;
//! assert_eq!(games, [SavedGame::Record(Box::new(game.into_record()))]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod json;
mod multi_king_fen;
mod narrator;
pub mod pgn;
pub mod san;
mod saved_game;
mod transcript_builder;

pub use multi_king_fen::{MultiKingFen, MultiKingFenError};
pub use narrator::Narrator;
pub use saved_game::SavedGame;
pub use transcript_builder::TranscriptBuilder;

#[cfg(doc)]
use krieg_core::{Record, Transcript};
