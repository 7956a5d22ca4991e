//! Extended PGN: a game of Kriegspiel with every refused try, in a file that ordinary chess
//! programs can open.
//!
//! Source: Favini 2010, appendix B. The moves are ordinary PGN. A comment after each move,
//! `{messages:refused tries}`, holds the umpire's messages about the move and the tries that were
//! refused before it:
//!
//! ```text
//! 1. e4 {P0:} 1... d5 {P1:} 2. exd5 {P0,Xd5:Bb5,Qg4}
//! ```
//!
//! `P` is the number of pawn tries of the side to move next, `C` a check (`R`ank, `F`ile, `L`ong or
//! `S`hort diagonal, k`N`ight), `X` a capture, `A` the answer to "any?" (`A1` yes, `A0` no). If a
//! ruleset only announces whether there is a pawn try, that is `P0` or `P1`; if it names the pawns,
//! each has a code of its own, `Pe5`.
//!
//! Facts about the whole game are tags: `Ruleset`, `DrawRules`, `Seed`, `Ending`. A record has no
//! `Variant` tag, because its move text is plain chess and chess programs refuse a variant that
//! they do not know. The transcript of one player has a `Narrator` tag, and `??` stands for every
//! move that the player does not know. This is not chess, so a transcript has the tag
//! `Variant "Kriegspiel"`. Records with that tag, which earlier versions wrote, are read as well.
//!
//! Reading is strict: an umpire replays the game, and a message that this umpire would not give is
//! an error. A file without these tags is a game of ordinary chess. It is read as a game without
//! refused tries and without declared draws, and its comments are ignored.

mod comment;
mod lexer;
mod read;
mod record;
mod tags;
mod transcript;
mod write;

use thiserror::Error;

pub use read::read;
pub use write::{write_record, write_transcript};

/// The text is not a valid game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct PgnError {
    /// Number of the line, starting at 1.
    pub line: usize,
    /// What is wrong there, with the offending text.
    pub reason: String,
}

/// Turns a reason into an error on this line.
fn at<E: ToString>(line: usize) -> impl Fn(E) -> PgnError {
    move |error| PgnError { line, reason: krieg_core::short_reason(error) }
}

/// The tags of the Seven Tag Roster in their order, without `Result`.
const TAG_ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// Value of a roster tag that is not known.
fn unknown(tag: &str) -> &'static str {
    if tag == "Date" { "????.??.??" } else { "?" }
}
