//! `krieg show` prints a recorded game, try by try, with the board at the end; `krieg rulesets`
//! lists the rulesets.

use std::io::{self, Write};

use anyhow::{Result, bail};
use krieg_core::{Color, Observation, Outcome, Position, Ruleset, Verdict, color_name};
use krieg_notation::{Narrator, SavedGame};

use crate::board;
use crate::cli::ShowOptions;
use crate::files::{from_side, read_game};

pub fn show(options: &ShowOptions) -> Result<()> {
    let mut game = read_game(&options.file, options.game)?;
    if let Some(side) = options.side {
        game = from_side(game, side.player())?;
    }
    let is_move = |observation: &&Observation| observation.announcement.verdict == Verdict::Moved;
    let plies = game.observations().iter().filter(is_move).count();
    let last = options.ply.unwrap_or(plies);
    if last > plies {
        bail!("the game has only {plies} plies, so there is no ply {last}");
    }
    let mut out = io::stdout().lock();
    write_heading(&mut out, &game, options.game)?;
    write_game(&mut out, &game, last, options)
}

fn write_heading(out: &mut impl Write, game: &SavedGame, number: usize) -> Result<()> {
    let (tags, setup, narrator) = match game {
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
    writeln!(out, "\nRuleset {}, as known to {narrator}.", setup.ruleset)?;
    if setup.start != Position::start() {
        writeln!(out, "Start position: {}", setup.start)?;
    }
    writeln!(out)?;
    Ok(())
}

fn write_game(
    out: &mut impl Write,
    game: &SavedGame,
    last: usize,
    options: &ShowOptions,
) -> Result<()> {
    let side = match game {
        SavedGame::Record(_) => Color::White,
        SavedGame::Transcript(transcript) => transcript.player,
    };
    let (ply, narrator) = write_observations(out, game, last, options.ply.is_some())?;
    if let Some(outcome) = unannounced_outcome(game).filter(|_| options.ply.is_none()) {
        writeln!(out, "{:>17}  {outcome}", "")?;
    }
    writeln!(
        out,
        "\nAfter ply {ply}:\n\n{}",
        board::draw(&narrator.piece_sets(), side, options.ascii)
    )?;
    if let Some(position) = narrator.position() {
        writeln!(out, "{position}")?;
    }
    Ok(())
}

/// Writes a line for each observation up to a ply and, unless `is_cut`, for the refused tries after
/// it. Returns the last ply and the narrator after it.
pub fn write_observations(
    out: &mut impl Write,
    game: &SavedGame,
    last: usize,
    is_cut: bool,
) -> Result<(usize, Narrator)> {
    let (start, opening) = match game {
        SavedGame::Record(record) => (&record.setup().start, record.opening()),
        SavedGame::Transcript(transcript) => (&transcript.setup.start, &transcript.opening),
    };
    writeln!(out, "{:>17}  {opening}", "")?;
    let mut narrator = Narrator::new(game);
    let mut number = start.board().fullmove_number();
    let mut ply = 0;
    for observation in &game.observations() {
        let announcement = &observation.announcement;
        if ply == last && (is_cut || announcement.verdict == Verdict::Moved) {
            break;
        }
        let dots = if announcement.by == Color::White { "." } else { "..." };
        let mark = match announcement.verdict {
            Verdict::Refused | Verdict::Nonsense => "✗",
            _ => " ",
        };
        let name = narrator.try_text(observation);
        writeln!(out, "{:>8} {name:<7} {mark} {announcement}", format!("{number}{dots}"))?;
        narrator.advance(observation);
        if announcement.verdict == Verdict::Moved {
            ply += 1;
            if announcement.by == Color::Black {
                number = number.saturating_add(1);
            }
        }
    }
    Ok((ply, narrator))
}

/// The outcome, if the umpire did not announce it with a move: for example a resignation.
fn unannounced_outcome(game: &SavedGame) -> Option<Outcome> {
    let outcome = match game {
        SavedGame::Record(record) => record.outcome(),
        SavedGame::Transcript(transcript) => transcript.outcome,
    };
    outcome.filter(|outcome| !outcome.ending.is_decided_by_position())
}

/// Lists the rulesets.
pub fn list_rulesets() -> Result<()> {
    let mut out = io::stdout().lock();
    for ruleset in Ruleset::ALL {
        writeln!(out, "{:<13} {}", ruleset.name, ruleset.about)?;
    }
    Ok(())
}
