//! The explanation as text: a board, and what the player says about the tries.

use std::io::Write;

use anyhow::Result;
use krieg_core::{Piece, Square, Try, Verdict, color_name, piece_name};

use super::decision_point::count_answers;
use super::{Explanation, Report, learned_text, marshal_text};
use crate::board::{draw_symbols, piece_symbol};

/// Minimum probability with which a piece of the opponent is drawn on a square.
const DRAWN_FROM: f64 = 0.4;
/// Maximum number of squares listed for a piece.
const MAX_SQUARES: usize = 4;
/// Minimum probability that is mentioned.
pub(super) const MENTIONED_FROM: f64 = 0.005;
/// Maximum number of tries listed.
pub(super) const MAX_TRIES: usize = 8;

pub fn write(out: &mut impl Write, report: &Report, ascii: bool) -> Result<()> {
    write_heading(out, report)?;
    write_board(out, report, ascii)?;
    match report.explanation {
        Explanation::Marshal(explanation) => {
            marshal_text::write_belief(out, report, explanation)?;
            marshal_text::write_tries(out, explanation)?;
        }
        Explanation::Learned(explanation) => {
            learned_text::write_belief(out, report, explanation, ascii)?;
            learned_text::write_tries(out, explanation)?;
        }
    }
    write_played(out, report)
}

fn write_heading(out: &mut impl Write, report: &Report) -> Result<()> {
    let Report { transcript, decision_point, game, .. } = report;
    let name = |tag: &str| transcript.tags.get(tag).map_or("?", String::as_str);
    write!(out, "{} – {}", name("White"), name("Black"))?;
    if *game > 1 {
        write!(out, " (game {game})")?;
    }
    let player = color_name(transcript.player);
    write!(out, ": move {} of {player}", decision_point.move_number)?;
    if decision_point.answers > 0 {
        write!(out, ", after {}", count_answers(decision_point.answers))?;
    }
    let ruleset = &transcript.setup.ruleset;
    let last = report.last_announcement();
    writeln!(out, "\nRuleset {ruleset}. Last announcement: {last}\n")?;
    Ok(())
}

/// Draws the own pieces and the likely pieces of the opponent.
fn write_board(out: &mut impl Write, report: &Report, ascii: bool) -> Result<()> {
    let player = report.transcript.player;
    writeln!(out, "{}", draw_symbols(|square| symbol(report, square, ascii), player))?;
    let (opponent, from) = (color_name(!player), percent(DRAWN_FROM));
    writeln!(out, "Letters: pieces of {opponent} with a probability of at least {from}.")?;
    Ok(())
}

/// The symbol of an own piece, or the most probable piece of the opponent as a small letter.
fn symbol(report: &Report, square: Square, ascii: bool) -> char {
    if let Some(own) = report.own_pieces().letter(square) {
        return if ascii { own.to_ascii_uppercase() } else { piece_symbol(Some(own)) };
    }
    let probability = |piece: &Piece| report.explanation.probability(*piece, square);
    let likeliest = Piece::ALL.into_iter().max_by(|a, b| probability(a).total_cmp(&probability(b)));
    match likeliest.filter(|piece| probability(piece) >= DRAWN_FROM) {
        Some(piece) => char::from(piece),
        None if ascii => '.',
        None => piece_symbol(None),
    }
}

/// The probable squares of the opponent's king and queen.
pub(super) fn write_marginals(out: &mut impl Write, report: &Report) -> Result<()> {
    let opponent = color_name(!report.transcript.player);
    for piece in [Piece::King, Piece::Queen] {
        writeln!(out, "{opponent}'s {}: {}.", piece_name(piece), marginal(report, piece))?;
    }
    Ok(())
}

/// The most probable squares of a piece of the opponent.
fn marginal(report: &Report, piece: Piece) -> String {
    let probability = |square: &Square| report.explanation.probability(piece, *square);
    let mut squares: Vec<Square> =
        Square::ALL.into_iter().filter(|square| probability(square) >= MENTIONED_FROM).collect();
    squares.sort_by(|a, b| probability(b).total_cmp(&probability(a)));
    let total: f64 = Square::ALL.iter().map(probability).sum();
    let more = squares.len().saturating_sub(MAX_SQUARES);
    let mut parts: Vec<String> = squares
        .iter()
        .take(MAX_SQUARES)
        .map(|square| format!("{square} {}", percent(probability(square))))
        .collect();
    if more > 0 {
        parts.push(format!("{more} more squares"));
    }
    if total < 1.0 - MENTIONED_FROM {
        parts.push(format!("captured {}", percent(1.0 - total)));
    }
    parts.join(", ")
}

/// The try made in the game, and how the explaining player rates it.
fn write_played(out: &mut impl Write, report: &Report) -> Result<()> {
    let player = color_name(report.transcript.player);
    let Some((tried, observation)) = report.played() else {
        writeln!(out, "{player} made no further try.")?;
        return Ok(());
    };
    let name = report.name(tried);
    let announcement = observation.announcement.to_string();
    let answer = announcement.trim_end_matches('.');
    match tried {
        Try::Any => writeln!(out, "{player} asked {name}: {answer}.")?,
        Try::Move(_) if observation.announcement.verdict == Verdict::Moved => {
            writeln!(out, "{player} tried {name}: accepted. {}", rating(report, tried))?
        }
        Try::Move(_) => {
            writeln!(out, "{player} tried {name}: {answer}. {}", rating(report, tried))?
        }
    }
    Ok(())
}

fn rating(report: &Report, tried: Try) -> String {
    match report.explanation {
        Explanation::Marshal(explanation) => marshal_text::rating(report, explanation, tried),
        Explanation::Learned(explanation) => learned_text::rating(report, explanation, tried),
    }
}

pub(super) fn percent(probability: f64) -> String {
    format!("{:.0}%", 100.0 * probability)
}
