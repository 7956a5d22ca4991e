//! # The referee
//!
//! A program in any language can have games of Kriegspiel umpired by writing lines of JSON to this one and
//! reading lines back. The crate is the protocol: [`Referee`] answers one line, [`serve`] does so
//! for all the lines of a pipe. The lines themselves are described in `docs/referee.md`.
//!
//! A referee stands on the umpire's side of the screen: whoever speaks to it may ask for
//! the position. What it says with each answer, `heard_by`, is for that program to obey when it
//! passes the words on.

mod referee;
mod request;
mod serve;

pub use referee::{Referee, Reply};
pub use serve::{LONGEST_LINE, serve};
