//! `krieg tablebase probe`: a forced win as text or JSON.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use anyhow::Result;
use krieg_core::{BitBoard, Checks, Color, Move, Piece, color_name};
use krieg_tablebase::{Metaposition, Plan, PlanBranch, PlannedTry, Tablebase};
use serde_json::json;

use crate::cli::TablebaseProbeOptions;
use crate::tablebase::build::build_if_missing;

/// Probes the tables and prints the result.
pub fn probe(options: &TablebaseProbeOptions) -> Result<()> {
    let asked: Metaposition = options.fen.parse()?;
    let tables = options.folder.open();
    if !options.no_build {
        build_if_missing(&tables, asked.placement().endgame())?;
    }
    let plan = tables.plan(&asked)?;
    let text = match (&plan, options.json) {
        (plan, true) => format!("{}\n", as_json(&asked, plan.as_ref())),
        (Some(plan), false) => board(&asked, options.ascii) + "\n" + &plan_text(&asked, plan),
        (None, false) => board(&asked, options.ascii) + "\n" + &not_won_text(&tables, &asked)?,
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}

fn board(asked: &Metaposition, ascii: bool) -> String {
    crate::board::draw_letters(|square| asked.letter(square), Color::White, ascii)
}

fn plan_text(asked: &Metaposition, plan: &Plan) -> String {
    let win = &plan.win;
    let mut text = format!(
        "{} mates in {}, wherever the king is.\n",
        color_name(asked.attacker()),
        moves(win.distance),
    );
    if win.kings != asked.kings() {
        let more = win.kings - asked.kings();
        let place = match more.len() {
            ..=6 => squares(more),
            many => format!("any of {many} other squares"),
        };
        let _ = writeln!(text, "It would take no longer if the king might be on {place} too.");
    }
    for (number, tried) in plan.tries.iter().enumerate() {
        let start = if number == 0 { "Try" } else { "If that is refused, try" };
        let _ = writeln!(text, "{start} {}:", move_name(asked, tried.mv));
        add_branches(&mut text, tried);
    }
    let others: Vec<String> = plan
        .optimal_tries
        .iter()
        .filter(|mv| !win.tries.contains(mv))
        .map(|&mv| move_name(asked, mv))
        .collect();
    if !others.is_empty() {
        let _ = writeln!(text, "Equally good first tries: {}.", others.join(", "));
    }
    text
}

fn add_branches(text: &mut String, tried: &PlannedTry) {
    for PlanBranch { checks, kings, kings_after, distance, captures } in &tried.branches {
        if !kings_after.is_empty() {
            let announcement =
                if checks.is_empty() { "no check".to_string() } else { check_text(*checks) };
            let place = match kings_after.len() {
                ..=4 => squares(*kings_after),
                many => format!("one of {many} squares"),
            };
            let _ = writeln!(
                text,
                "  {announcement}: the king moves to {place}, mate in {distance} more"
            );
        } else if captures.is_empty() {
            let _ = writeln!(text, "  mate, if the king is on {}", squares(*kings));
        }
        for (square, distance) in captures {
            let _ = writeln!(text, "  the king captures on {square}: mate in {distance} more");
        }
    }
    if !tried.refused.is_empty() {
        let _ = writeln!(text, "  refused: the king is on {}", squares(tried.refused));
    }
}

fn check_text(checks: Checks) -> String {
    let directions: Vec<&str> = checks.iter().map(|direction| direction.name()).collect();
    format!("check ({})", directions.join(", "))
}

/// Says for which squares of the king there is a forced win, if the square were known.
fn not_won_text(tables: &Tablebase, asked: &Metaposition) -> Result<String> {
    let mut won = BitBoard::EMPTY;
    for king in asked.kings() {
        let one = asked.restricted_to(king.bitboard());
        if tables.probe(&one)?.is_some() {
            won |= king.bitboard();
        }
    }
    let mut text = format!("{} has no forced win.\n", color_name(asked.attacker()));
    let _ = match won.len() {
        0 => writeln!(text, "There is none even if the king's square is known."),
        _ if won == asked.kings() => {
            writeln!(text, "There is one if the king's square is known, whichever it is.")
        }
        _ => writeln!(text, "There is one if the king is known to be on {}.", squares(won)),
    };
    Ok(text)
}

fn moves(number: u16) -> String {
    match number {
        1 => "1 move".to_string(),
        number => format!("{number} moves at most"),
    }
}

/// `a1, b2 or c3`.
fn squares(set: BitBoard) -> String {
    let names: Vec<String> = set.into_iter().map(|square| square.to_string()).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => {
            format!("{} or {last}", others.join(", "))
        }
        _ => names.concat(),
    }
}

/// `Kc3-d3`, `e7-e8=Q`.
fn move_name(asked: &Metaposition, mv: Move) -> String {
    let letter = match asked.piece_on(mv.from) {
        Some(Piece::Pawn) | None => String::new(),
        Some(piece) => char::from(piece).to_ascii_uppercase().to_string(),
    };
    let promotion = mv
        .promotion
        .map(|promotion| format!("={}", promotion.letter().to_ascii_uppercase()))
        .unwrap_or_default();
    format!("{letter}{}-{}{promotion}", mv.from, mv.to)
}

fn as_json(asked: &Metaposition, plan: Option<&Plan>) -> serde_json::Value {
    let names = |set: BitBoard| -> Vec<String> { set.into_iter().map(|s| s.to_string()).collect() };
    let moves = |all: &[Move]| -> Vec<String> { all.iter().map(Move::to_string).collect() };
    match plan {
        None => json!({ "fen": asked.to_string(), "won": false }),
        Some(plan) => json!({
            "fen": asked.to_string(),
            "won": true,
            "distance": plan.win.distance,
            "tries": moves(&plan.win.tries),
            "kings": names(plan.win.kings),
            "optimal_tries": moves(&plan.optimal_tries),
        }),
    }
}
