//! `krieg show`: a game told in words, try by try, with the board at the end.

use std::io::{self, Write};

use anyhow::{Result, bail};
use krieg_core::{Color, Observation, Outcome, Ruleset, Verdict, color_name};
use krieg_notation::{Narrator, SavedGame};

use crate::board;
use crate::cli::ShowOptions;
use crate::files::{from_side, read_game};

pub fn show(options: &ShowOptions) -> Result<()> {
    let mut told = read_game(&options.file, options.game)?;
    if let Some(side) = options.side {
        told = from_side(told, side.player())?;
    }
    let has_moved = |line: &&Observation| line.announcement.verdict == Verdict::Moved;
    let plies = told.observations().iter().filter(has_moved).count();
    let last = options.ply.unwrap_or(plies);
    if last > plies {
        bail!("the game has {plies} plies, and no ply {last}");
    }
    let mut out = io::stdout().lock();
    write_heading(&mut out, &told, options.game)?;
    write_story(&mut out, &told, last, options)
}

fn write_heading(out: &mut impl Write, told: &SavedGame, number: usize) -> Result<()> {
    let (tags, setup, teller) = match told {
        SavedGame::Record(record) => (record.tags(), record.setup(), "the umpire"),
        SavedGame::Transcript(transcript) => {
            (&transcript.tags, &transcript.setup, color_name(transcript.player))
        }
    };
    let name = |tag: &str| tags.get(tag).map_or("?", String::as_str);
    write!(out, "{} – {}", name("White"), name("Black"))?;
    for tag in ["Event", "Date"] {
        if let Some(text) = tags.get(tag) {
            write!(out, ", {text}")?;
        }
    }
    if number > 1 {
        write!(out, " (game {number})")?;
    }
    writeln!(out, "\nRuleset {}, as {teller} tells it.", setup.ruleset)?;
    if setup.start != krieg_core::Position::start() {
        writeln!(out, "From {}", setup.start)?;
    }
    writeln!(out)?;
    Ok(())
}

fn write_story(
    out: &mut impl Write,
    told: &SavedGame,
    last: usize,
    options: &ShowOptions,
) -> Result<()> {
    let side = match told {
        SavedGame::Record(_) => Color::White,
        SavedGame::Transcript(transcript) => transcript.player,
    };
    let (ply, teller) = write_lines(out, told, last, options.ply.is_some())?;
    if let Some(outcome) = ended_elsewhere(told).filter(|_| options.ply.is_none()) {
        writeln!(out, "{:>17}  {outcome}", "")?;
    }
    writeln!(
        out,
        "\nAfter ply {ply}:\n\n{}",
        board::draw(&teller.piece_sets(), side, options.ascii)
    )?;
    if let Some(position) = teller.position() {
        writeln!(out, "{position}")?;
    }
    Ok(())
}

/// A line for everything that was said up to a ply, and, unless it is cut there, for what was tried and refused after it.
pub fn write_lines(
    out: &mut impl Write,
    told: &SavedGame,
    last: usize,
    is_cut: bool,
) -> Result<(usize, Narrator)> {
    let (start, opening) = match told {
        SavedGame::Record(record) => (&record.setup().start, record.opening()),
        SavedGame::Transcript(transcript) => (&transcript.setup.start, &transcript.opening),
    };
    writeln!(out, "{:>17}  {opening}", "")?;
    let mut teller = Narrator::new(told);
    let mut number = start.board().fullmove_number();
    let mut ply = 0;
    for line in &told.observations() {
        if ply == last && (is_cut || line.announcement.verdict == Verdict::Moved) {
            break;
        }
        let dots = if line.announcement.by == Color::White { "." } else { "..." };
        let mark = match line.announcement.verdict {
            Verdict::Refused | Verdict::Nonsense => "✗",
            _ => " ",
        };
        let name = teller.try_text(line);
        writeln!(out, "{:>8} {name:<7} {mark} {}", format!("{number}{dots}"), line.announcement)?;
        teller.advance(line);
        if line.announcement.verdict == Verdict::Moved {
            ply += 1;
            if line.announcement.by == Color::Black {
                number = number.saturating_add(1);
            }
        }
    }
    Ok((ply, teller))
}

/// An ending that no announcement of a move has told.
fn ended_elsewhere(told: &SavedGame) -> Option<Outcome> {
    let outcome = match told {
        SavedGame::Record(record) => record.outcome(),
        SavedGame::Transcript(transcript) => transcript.outcome,
    };
    outcome.filter(|outcome| !outcome.ending.is_decided_by_position())
}

pub fn rulesets() -> Result<()> {
    let mut out = io::stdout().lock();
    for ruleset in Ruleset::ALL {
        writeln!(out, "{:<13} {}", ruleset.name, ruleset.about)?;
    }
    Ok(())
}
