//! What is typed, and what is said back.

use std::fmt::Display;
use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use krieg_core::{Piece, Rank, Try, View};
use krieg_notation::san;

pub const HELP: &str = "\
Try a move as e2e4 or Nf3, e7e8q or e8=Q to promote, O-O to castle. Also:
  any?       ask whether a pawn of yours has a capture, where the rules let you
  tries      list what you may sensibly try
  board      draw your men again
  heard      all that you have heard and tried so far
  undo       before a try is sent, take it back
  save FILE  keep the game; `krieg play --record FILE` takes it up again
  draw       agree to a draw with the other person at this keyboard
  resign     give up
  quit       leave without an end";

/// Nobody types more at once.
const LONGEST_LINE: u64 = 10_000;

/// What a player typed.
pub enum Said {
    Try(Try),
    Tries,
    Board,
    Heard,
    Undo,
    Save(PathBuf),
    Draw,
    Resign,
    Quit,
    Help,
}

pub fn say(words: impl Display) -> Result<()> {
    Ok(writeln!(io::stdout(), "{words}")?)
}

/// The next line that is typed; nothing at the end of the input.
pub fn ask(prompt: &str) -> Result<Option<String>> {
    let mut out = io::stdout();
    write!(out, "{prompt}")?;
    out.flush()?;
    let mut line = Vec::new();
    let mut keyboard = io::stdin().lock().take(LONGEST_LINE);
    keyboard.read_until(b'\n', &mut line).context("cannot read what was typed")?;
    // A slip on the keyboard is no reason to lose the game: what is no text is no move.
    Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
}

pub fn is_sure(question: &str) -> Result<bool> {
    let answer = ask(&format!("{question} (yes/no) "))?.unwrap_or_default();
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// What a line means to a player who sees this.
pub fn understand(text: &str, view: &View) -> Result<Said, String> {
    match text.to_ascii_lowercase().as_str() {
        "any" | "any?" => return Ok(Said::Try(Try::Any)),
        "tries" => return Ok(Said::Tries),
        "board" => return Ok(Said::Board),
        "heard" => return Ok(Said::Heard),
        "undo" => return Ok(Said::Undo),
        "draw" => return Ok(Said::Draw),
        "resign" => return Ok(Said::Resign),
        "quit" | "exit" => return Ok(Said::Quit),
        "" | "help" | "?" => return Ok(Said::Help),
        "save" => return Err("where to? Type save and the name of a file".to_string()),
        _ => {}
    }
    if let Some(file) = text.strip_prefix("save ") {
        return Ok(Said::Save(PathBuf::from(file.trim())));
    }
    let men = view.pieces();
    let mv = san::read_try(men, text).map_err(|error| format!("{error}; type help"))?;
    let last_rank = Rank::Eighth.relative_to(view.player());
    let promotes = men.pieces(Piece::Pawn).has(mv.from) && mv.to.rank() == last_rank;
    if promotes && mv.promotion.is_none() {
        return Err(format!("what shall the pawn become? Try {mv}q, for a queen"));
    }
    Ok(Said::Try(mv.into()))
}
