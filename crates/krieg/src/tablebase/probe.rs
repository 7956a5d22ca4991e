//! `krieg tablebase probe`: a plan in words.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use anyhow::Result;
use krieg_core::{BitBoard, Checks, Color, Move, Piece, color_name};
use krieg_tablebase::{Heard, Metaposition, Plan, Tablebase, Turn};
use serde_json::json;

use crate::cli::TablebaseProbeOptions;
use crate::tablebase::build::build_if_missing;

/// Answers a question.
pub fn probe(options: &TablebaseProbeOptions) -> Result<()> {
    let asked: Metaposition = options.fen.parse()?;
    let tables = options.folder.open();
    if !options.no_build {
        build_if_missing(&tables, asked.disposition().endgame())?;
    }
    let plan = tables.plan(&asked)?;
    let text = match (&plan, options.json) {
        (plan, true) => format!("{}\n", as_json(&asked, plan.as_ref())),
        (Some(plan), false) => board(&asked, options.ascii) + "\n" + &in_words(&asked, plan),
        (None, false) => board(&asked, options.ascii) + "\n" + &not_sure(&tables, &asked)?,
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}

fn board(asked: &Metaposition, ascii: bool) -> String {
    crate::board::draw_letters(|square| asked.letter(square), Color::White, ascii)
}

fn in_words(asked: &Metaposition, plan: &Plan) -> String {
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
        let _ = writeln!(text, "As fast, though he might be on {place} too.");
    }
    for (number, turn) in plan.turns.iter().enumerate() {
        let start = if number == 0 { "Try" } else { "If that is refused, try" };
        let _ = writeln!(text, "{start} {}:", name(asked, turn.mv));
        tell(&mut text, turn);
    }
    let others: Vec<String> = plan
        .as_good
        .iter()
        .filter(|mv| !win.tries.contains(mv))
        .map(|&mv| name(asked, mv))
        .collect();
    if !others.is_empty() {
        let _ = writeln!(text, "As good to begin with: {}.", others.join(", "));
    }
    text
}

fn tell(text: &mut String, turn: &Turn) {
    for Heard { checks, kings, then, distance, taken } in &turn.heard {
        let said = if checks.is_empty() { "silence".to_string() } else { check_words(*checks) };
        let _ = match (then.is_empty(), distance) {
            (true, _) if taken.is_empty() => {
                writeln!(text, "  mate, if he is on {}", squares(*kings))
            }
            (true, _) => Ok(()),
            (false, distance) => {
                let place = match then.len() {
                    ..=4 => squares(*then),
                    many => format!("one of {many} squares"),
                };
                writeln!(text, "  {said}: he is now on {place}, mate in {distance} more")
            }
        };
        for (square, distance) in taken {
            let _ = writeln!(text, "  he takes on {square}: mate in {distance} more");
        }
    }
    if !turn.refused.is_empty() {
        let _ = writeln!(text, "  refused: he is on {}", squares(turn.refused));
    }
}

fn check_words(checks: Checks) -> String {
    let directions: Vec<&str> = checks.iter().map(|direction| direction.name()).collect();
    format!("check ({})", directions.join(", "))
}

fn not_sure(tables: &Tablebase, asked: &Metaposition) -> Result<String> {
    let mut sure = BitBoard::EMPTY;
    for king in asked.kings() {
        let one = asked.with_kings(king.bitboard());
        if tables.probe(&one)?.is_some() {
            sure |= king.bitboard();
        }
    }
    let mut text = format!("Mate is not sure for {}.\n", color_name(asked.attacker()));
    let _ = match sure.len() {
        0 => writeln!(text, "It would not be if one knew where the king is, either."),
        _ if sure == asked.kings() => {
            writeln!(text, "It would be, if one knew where the king is, whichever square it is.")
        }
        _ => writeln!(text, "It would be, if one knew that the king is on {}.", squares(sure)),
    };
    Ok(text)
}

fn moves(number: u16) -> String {
    match number {
        1 => "1 move".to_string(),
        number => format!("{number} moves at most"),
    }
}

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
fn name(asked: &Metaposition, mv: Move) -> String {
    let letter = match asked.piece_on(mv.from) {
        Some(Piece::Pawn) | None => String::new(),
        Some(piece) => char::from(piece).to_ascii_uppercase().to_string(),
    };
    let becomes = mv
        .promotion
        .map(|promotion| format!("={}", promotion.letter().to_ascii_uppercase()))
        .unwrap_or_default();
    format!("{letter}{}-{}{becomes}", mv.from, mv.to)
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
            "as_good": moves(&plan.as_good),
        }),
    }
}
