//! # The umpire
//!
//! Kriegspiel is chess in which each player sees only his own men. A player *tries* a move; an
//! umpire, who sees the whole board, answers. What he says, and who hears it, is the
//! [`Ruleset`]. This crate is that umpire, for the rulesets people play.
//!
//! The idea of the crate is one sentence: **a player's [`View`] is a function of what that player
//! heard.** It starts from his own [`Men`] and changes only by [`Announcement`]s, so it has no path
//! to the umpire's [`Position`], and the list of sensible [`Tries`] that it offers cannot give
//! anything away. The [`Umpire`] holds the position and one view for each player, and asks the
//! mover's own view whether a try makes sense before it looks at the board.
//!
//! ```text
//!   Try ──► Umpire ── is it sensible? ──► View of the mover
//!             │ ───── is it legal? ─────► Position
//!             ▼
//!        Announcement ──► View of the mover
//!                    └──► View of the opponent, where the ruleset lets him hear it
//! ```
//!
//! A [`Game`] is an umpire with a [`Record`] of every try and every answer. A record filtered to
//! what one player knows is a [`Transcript`].
//!
//! ```
//! use krieg_core::{Color, Game, Position, Ruleset, Setup, Try};
//!
//! let mut game = Game::new(Setup { ruleset: Ruleset::ICC, ..Setup::default() });
//! for tried in ["e2e4", "d7d5", "e4d5"] {
//!     let said = game.judge(tried.parse()?)?;
//!     println!("{said}");
//! }
//! let record = game.into_record();
//! assert_eq!(record.entries().len(), 3);
//! // Black does not know what White played, but he lost a pawn.
//! let black = record.transcript(Color::Black);
//! assert_eq!(black.lines[2].tried, None);
//! assert_eq!(black.lines[2].said.to_string(), "White moved. Pawn on d5 captured. No pawn tries.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where to read on: [`Ruleset`] for what differs between the games people play, [`Umpire`] for how a
//! try is judged, [`View`] for what a player knows. The rules of chess are `cozy-chess`, whose
//! squares, men and sets of squares are used as they are.

mod announcement;
mod answer;
mod check;
mod draws;
mod fen;
mod game;
mod men;
mod moves;
mod outcome;
mod pawn_tries;
pub mod placement;
mod position;
mod record;
mod ruleset;
mod transcript;
mod tries;
mod umpire;
mod view;

pub use announcement::{Announcement, Capture, Kind, PawnNews, Verdict};
pub use check::{Checks, Direction};
pub use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square, bitboard};
pub use draws::{DrawRules, is_insufficient, repetition_key};
pub use fen::FenError;
pub use game::{Game, Setup, WrongEnd};
pub use men::Men;
pub use moves::{Move, MoveError, Promotion};
pub use outcome::{Ending, Outcome};
pub use pawn_tries::{PawnTries, pawn_diagonals};
pub use position::{IllegalMove, Position};
pub use record::{Entry, Record, TagError};
pub use ruleset::{
    AfterYes, Audience, PawnInformation, Ruleset, Senseless, Stalemate, UnknownRuleset,
};
pub use transcript::{Ear, Line, Transcript};
pub use tries::{Tries, Try};
pub use umpire::{NotAccepted, Umpire};
pub use view::{Taken, View};

/// A colour in words.
///
/// ```
/// use krieg_core::{Color, color_name};
/// assert_eq!(color_name(Color::White), "White");
/// ```
pub fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// A kind of man in words.
///
/// ```
/// use krieg_core::{Piece, piece_name};
/// assert_eq!(piece_name(Piece::Knight), "knight");
/// ```
pub fn piece_name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

/// The beginning of a text, short enough to be quoted in an error message.
///
/// ```
/// use krieg_core::excerpt;
/// assert_eq!(excerpt("e2e4"), "e2e4");
/// assert_eq!(excerpt(&"x".repeat(100)).chars().count(), 61);
/// ```
pub fn excerpt(text: &str) -> String {
    shorten(text, 60)
}

/// A number that tells contents apart, by FNV-1a: for telling files apart and noticing damage, not for safety from malice.
///
/// ```
/// use krieg_core::checksum;
/// assert_ne!(checksum(b"e2e4"), checksum(b"e2e5"));
/// ```
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// What is wrong with a text, short enough for one line, however long the text was.
///
/// ```
/// use krieg_core::reason;
/// assert_eq!(reason("has 7 ranks"), "has 7 ranks");
/// assert!(reason("x".repeat(1_000_000)).len() < 400);
/// ```
pub fn reason(text: impl ToString) -> String {
    shorten(&text.to_string(), 300)
}

fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
