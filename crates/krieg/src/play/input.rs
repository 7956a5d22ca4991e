//! Input and output at the terminal, and the commands that a person can type.

use std::fmt::Display;
use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use krieg_core::{Piece, Rank, Try, View};
use krieg_notation::san;

pub const HELP: &str = "\
Type a move, such as e2e4 or Nf3; e7e8q or e8=Q to promote; O-O to castle. Other commands:
  any?       ask whether you have a pawn capture, if the ruleset allows the question
  tries      list the moves that could be legal, as far as you know
  board      draw your pieces again
  history    list all announcements you have heard and all your tries
  undo       discard a move before it is sent
  save FILE  save the game; `krieg play --record FILE` continues it
  draw       agree to a draw, if two people play
  resign     resign
  quit       leave; with --record the game can be continued later";

/// Maximum length of an input line in bytes. A longer line is split.
const MAX_LINE: u64 = 10_000;

/// What a person typed.
pub enum Input {
    Try(Try),
    Tries,
    Board,
    History,
    Undo,
    Save(PathBuf),
    Draw,
    Resign,
    Quit,
    Help,
}

pub fn print_line(text: impl Display) -> Result<()> {
    Ok(writeln!(io::stdout(), "{text}")?)
}

/// Prints a prompt and reads a line; `None` at the end of the input.
pub fn read_line(prompt: &str) -> Result<Option<String>> {
    let mut out = io::stdout();
    write!(out, "{prompt}")?;
    out.flush()?;
    let mut line = Vec::new();
    let mut input = io::stdin().lock().take(MAX_LINE);
    input.read_until(b'\n', &mut line).context("cannot read from the terminal")?;
    // Invalid UTF-8 does not end the game: it becomes an unknown command.
    Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
}

/// Asks a yes-or-no question. Anything but "yes" means no.
pub fn confirm(question: &str) -> Result<bool> {
    let answer = read_line(&format!("{question} (yes/no) "))?.unwrap_or_default();
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// Parses a line typed by a player with this view.
pub fn parse_input(text: &str, view: &View) -> Result<Input, String> {
    match text.to_ascii_lowercase().as_str() {
        "any" | "any?" => return Ok(Input::Try(Try::Any)),
        "tries" => return Ok(Input::Tries),
        "board" => return Ok(Input::Board),
        "history" => return Ok(Input::History),
        "undo" => return Ok(Input::Undo),
        "draw" => return Ok(Input::Draw),
        "resign" => return Ok(Input::Resign),
        "quit" | "exit" => return Ok(Input::Quit),
        "" | "help" | "?" => return Ok(Input::Help),
        "save" => return Err("the file name is missing: type save FILE".to_string()),
        _ => {}
    }
    if let Some(file) = text.strip_prefix("save ") {
        return Ok(Input::Save(PathBuf::from(file.trim())));
    }
    let pieces = view.pieces();
    let mv = san::read_try(pieces, text).map_err(|error| format!("{error}; type help"))?;
    let last_rank = Rank::Eighth.relative_to(view.player());
    let promotes = pieces.pieces(Piece::Pawn).has(mv.from) && mv.to.rank() == last_rank;
    if promotes && mv.promotion.is_none() {
        return Err(format!("the promotion is missing: type {mv}q to promote to a queen"));
    }
    Ok(Input::Try(mv.into()))
}
