//! Extended PGN: a game of Kriegspiel that any chess program can read, with every refused try.
//!
//! The moves are ordinary PGN. After each move stands a comment, `{messages:refused tries}`, with
//! the umpire's messages about the move and the tries that were refused before it (000,
//! appendix B):
//!
//! ```text
//! 1. e4 {P0:} 1... d5 {P1:} 2. exd5 {P0,Xd5:Bb5,Qg4}
//! ```
//!
//! `P` is the number of pawn tries of the side to move next, `C` a check (`R`ank, `F`ile,
//! `L`ong or `S`hort diagonal, k`N`ight), `X` a capture, `A` the answer to "any?" (`A1` yes, `A0` no).
//! Where a ruleset only tells whether there is a try, that is `P0` or `P1`; where it names the
//! pawns, there is a code for each, `Pe5`. The game's own facts are tags: `Variant "Kriegspiel"`,
//! `Ruleset`, `DrawRules`, `Seed`, `Ending`, and `Narrator` in a game as one player tells it, where
//! `??` stands for what he does not know.
//!
//! Reading is strict: the game is played again, and a message that the umpire would not have
//! given is an error. A file without those tags is a game of ordinary chess, which reads as a game
//! without refused tries and without declared draws; its comments are left to people.

mod comment;
mod facts;
mod lexer;
mod narrated;
mod played;
mod read;
mod write;

use thiserror::Error;

pub use read::read;
pub use write::{write_record, write_transcript};

/// The text is no game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct PgnError {
    /// Which line, from one.
    pub line: usize,
    /// What is wrong there, with the offending text.
    pub reason: String,
}

/// Makes an error of a reason, on this line.
fn at<E: ToString>(line: usize) -> impl Fn(E) -> PgnError {
    move |error| PgnError { line, reason: krieg_core::reason(error) }
}

/// The tags that every PGN game has, in their order.
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// What stands in such a tag where nothing is known.
fn unknown(tag: &str) -> &'static str {
    if tag == "Date" { "????.??.??" } else { "?" }
}
