//! The explanation as text, with a board and a table.

use std::io::Write;

use anyhow::Result;
use krieg_arena::report::align_columns;
use krieg_core::{Piece, Square, Try, Verdict, color_name, piece_name};
use krieg_players::Exclusion;
use krieg_players::marshal::TryExplanation;

use super::Report;
use super::decision_point::count_answers;
use crate::board::{draw_symbols, piece_symbol};

/// Minimum probability with which a piece of the opponent is drawn on a square.
const DRAWN_FROM: f64 = 0.4;
/// Maximum number of squares listed for a piece.
const MAX_SQUARES: usize = 4;
/// Maximum number of opponent types listed.
const MAX_OPPONENT_TYPES: usize = 3;
/// Maximum number of tries listed.
const MAX_TRIES: usize = 8;
/// Minimum probability that is mentioned.
const MENTIONED_FROM: f64 = 0.005;

pub fn write(out: &mut impl Write, report: &Report, ascii: bool) -> Result<()> {
    write_heading(out, report)?;
    write_belief(out, report, ascii)?;
    write_tries(out, report)?;
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

fn write_belief(out: &mut impl Write, report: &Report, ascii: bool) -> Result<()> {
    let Report { transcript, explanation, .. } = report;
    let drawing = draw_symbols(|square| symbol(report, square, ascii), transcript.player);
    writeln!(out, "{drawing}")?;
    let opponent = color_name(!transcript.player);
    let from = percent(DRAWN_FROM);
    writeln!(out, "Letters: pieces of {opponent} with a probability of at least {from}.")?;
    let count = match explanation.boards {
        0 => "no board".to_string(),
        1 => "1 board".to_string(),
        count => format!("{count} boards"),
    };
    let extent = match (explanation.boards, explanation.is_exact) {
        (0, _) => "",
        (1, true) => " (the only one possible)",
        (_, true) => " (all that are possible)",
        (_, false) => " (a sample)",
    };
    writeln!(out, "Belief: {count}{extent}.")?;
    if let Some(contradiction) = &explanation.contradiction {
        writeln!(out, "An observation contradicted all boards: {contradiction}")?;
    }
    for piece in [Piece::King, Piece::Queen] {
        writeln!(out, "{opponent}'s {}: {}.", piece_name(piece), marginal(report, piece))?;
    }
    let types = explanation.opponent_types.iter().take(MAX_OPPONENT_TYPES);
    let types: Vec<String> =
        types.map(|(name, probability)| format!("{name} {}", percent(*probability))).collect();
    if !types.is_empty() {
        writeln!(out, "{opponent} plays like: {}.", types.join(", "))?;
    }
    writeln!(out)?;
    Ok(())
}

/// The symbol of an own piece, or the most probable piece of the opponent as a small letter.
fn symbol(report: &Report, square: Square, ascii: bool) -> char {
    let explanation = report.explanation;
    if let Some(own) = explanation.own_pieces.letter(square) {
        return if ascii { own.to_ascii_uppercase() } else { piece_symbol(Some(own)) };
    }
    let probability = |piece: &Piece| explanation.map.probability(*piece, square);
    let likeliest = Piece::ALL.into_iter().max_by(|a, b| probability(a).total_cmp(&probability(b)));
    match likeliest.filter(|piece| probability(piece) >= DRAWN_FROM) {
        Some(piece) => char::from(piece),
        None if ascii => '.',
        None => piece_symbol(None),
    }
}

/// The most probable squares of a piece of the opponent.
fn marginal(report: &Report, piece: Piece) -> String {
    let probability = |square: &Square| report.explanation.map.probability(piece, *square);
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

fn write_tries(out: &mut impl Write, report: &Report) -> Result<()> {
    let explanation = report.explanation;
    if explanation.should_ask {
        writeln!(out, "Marshal asks \"any?\" first and searches after the answer (--try).\n")?;
        return Ok(());
    }
    let Some(expected) = explanation.expected() else {
        writeln!(out, "Marshal has no possible board and plays by simple rules.\n")?;
        return Ok(());
    };
    writeln!(out, "Expected score: {expected:.2}\n")?;
    let heading = [
        "",
        "try",
        "visits",
        "share",
        "score",
        "legal",
        "captures",
        "check",
        "recaptured",
        "exchange",
    ];
    let mut rows = vec![heading.map(str::to_string).to_vec()];
    let is_listed =
        |known: &&TryExplanation| known.visits > 0 || explanation.preferred == Some(known.mv);
    let tries = explanation.tries.iter().filter(is_listed).take(MAX_TRIES);
    rows.extend((1..).zip(tries).map(|(rank, known)| row(report, rank, known)));
    writeln!(out, "{}", align_columns(&rows))?;
    for reason in explanation.reasons() {
        writeln!(out, "{reason}")?;
    }
    writeln!(out)?;
    Ok(())
}

fn row(report: &Report, rank: usize, known: &TryExplanation) -> Vec<String> {
    let effects = &known.effects;
    let name = report.explanation.name(known.mv);
    let victim = effects.victim().filter(|_| effects.captures() >= MENTIONED_FROM);
    let captures = match victim {
        Some(victim) => format!("{} {}", piece_name(victim), percent(effects.captures())),
        None => "–".to_string(),
    };
    // A try that is legal on no board has no effects.
    let if_legal = |text: String| if effects.legal > 0.0 { text } else { "–".to_string() };
    let mark = match known.exclusion {
        None => "",
        Some(Exclusion::Repetition) => "  excluded: repetition",
        Some(Exclusion::Stalemate) => "  excluded: stalemate",
        Some(_) => "  excluded",
    };
    vec![
        rank.to_string(),
        name,
        known.visits.to_string(),
        percent(known.visit_share),
        known.expected.map_or("–".to_string(), |score| format!("{score:.2}")),
        percent(effects.legal),
        captures,
        if_legal(percent(effects.checks)),
        if_legal(percent(effects.recaptured)),
        if_legal(format!("{:+.1}", (effects.exchange * 10.0).round() / 10.0 + 0.0)) + mark,
    ]
}

/// The try made in the game, and how `marshal` ranks it.
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
    let explanation = report.explanation;
    let known = match tried {
        Try::Move(mv) if explanation.preferred == Some(mv) => {
            return "Marshal would try the same.".to_string();
        }
        Try::Move(mv) => explanation.of(mv),
        Try::Any => None,
    };
    let Some((known, rank)) = known.zip(report.rank(tried)) else {
        return "Marshal did not rank it.".to_string();
    };
    let count = explanation.tries.len();
    let legal = percent(known.effects.legal);
    let Some(score) = known.expected else {
        return format!("Marshal did not search it; it is legal on {legal} of the boards.");
    };
    let expected = explanation.expected().unwrap_or(score);
    let less = match expected - score {
        less if less >= 0.005 => format!(", {less:.2} less than the best"),
        _ => String::new(),
    };
    format!(
        "Marshal ranks it {rank} of {count}: \
         expected score {score:.2}{less}, legal on {legal} of the boards."
    )
}

fn percent(probability: f64) -> String {
    format!("{:.0}%", 100.0 * probability)
}
