//! The explanation in words, with a board and a table.

use std::io::Write;

use anyhow::Result;
use krieg_arena::report::aligned;
use krieg_core::{Piece, Square, Try, Verdict, color_name, piece_name};
use krieg_players::marshal::{Explained, NotDone};

use super::Story;
use super::moment::answers;
use crate::board::{draw_signs, figure};

/// A man of the other side is drawn where he stands with this chance at least.
const LIKELY: f64 = 0.4;
/// So many places, kinds of opponents and tries are told.
const PLACES: usize = 4;
const OPPONENTS: usize = 3;
const TRIES: usize = 8;
/// What is less likely than this is not worth a word.
const HARDLY: f64 = 0.005;

pub fn write(out: &mut impl Write, story: &Story, ascii: bool) -> Result<()> {
    write_heading(out, story)?;
    write_belief(out, story, ascii)?;
    write_tries(out, story)?;
    write_really(out, story)
}

fn write_heading(out: &mut impl Write, story: &Story) -> Result<()> {
    let Story { told, moment, game, .. } = story;
    let name = |tag: &str| told.tags.get(tag).map_or("?", String::as_str);
    write!(out, "{} – {}", name("White"), name("Black"))?;
    if *game > 1 {
        write!(out, " (game {game})")?;
    }
    write!(out, ": move {} of {}", moment.number, color_name(told.player))?;
    if moment.answered > 0 {
        write!(out, ", after {}", answers(moment.answered))?;
    }
    writeln!(out, "\nRuleset {}. Heard last: {}\n", told.setup.ruleset, story.heard_last())?;
    Ok(())
}

fn write_belief(out: &mut impl Write, story: &Story, ascii: bool) -> Result<()> {
    let Story { told, explanation, .. } = story;
    writeln!(out, "{}", draw_signs(|square| sign(story, square, ascii), told.player))?;
    let other = color_name(!told.player);
    writeln!(
        out,
        "Letters are men of {other}'s where marshal puts the chance at {} or more.",
        percent(LIKELY)
    )?;
    let count = match explanation.boards {
        0 => "no board".to_string(),
        1 => "1 board".to_string(),
        count => format!("{count} boards"),
    };
    let all = match (explanation.boards, explanation.is_whole) {
        (0, _) => "",
        (1, true) => ", the only one possible",
        (_, true) => ", all that are possible",
        (_, false) => ", not all that are possible",
    };
    writeln!(out, "In mind: {count}{all}.")?;
    if let Some(contradiction) = &explanation.contradiction {
        writeln!(out, "Something was heard that none of them explained: {contradiction}")?;
    }
    for piece in [Piece::King, Piece::Queen] {
        writeln!(out, "{other}'s {}: {}.", piece_name(piece), places(story, piece))?;
    }
    let kinds = explanation.opponents.iter().take(OPPONENTS);
    let kinds: Vec<String> =
        kinds.map(|(name, chance)| format!("{name} {}", percent(*chance))).collect();
    if !kinds.is_empty() {
        writeln!(out, "{other} plays like: {}.", kinds.join(", "))?;
    }
    writeln!(out)?;
    Ok(())
}

/// An own man as he is drawn, or the likeliest man of the other side as a small letter.
fn sign(story: &Story, square: Square, ascii: bool) -> char {
    let explanation = story.explanation;
    if let Some(own) = explanation.men.letter(square) {
        return if ascii { own.to_ascii_uppercase() } else { figure(Some(own)) };
    }
    let chance = |piece: &Piece| explanation.map.chance(*piece, square);
    let likeliest = Piece::ALL.into_iter().max_by(|a, b| chance(a).total_cmp(&chance(b)));
    match likeliest.filter(|piece| chance(piece) >= LIKELY) {
        Some(piece) => char::from(piece),
        None if ascii => '.',
        None => figure(None),
    }
}

/// Where such a man is, the likeliest squares first.
fn places(story: &Story, piece: Piece) -> String {
    let chance = |square: &Square| story.explanation.map.chance(piece, *square);
    let mut squares: Vec<Square> =
        Square::ALL.into_iter().filter(|s| chance(s) >= HARDLY).collect();
    squares.sort_by(|a, b| chance(b).total_cmp(&chance(a)));
    let all: f64 = Square::ALL.iter().map(chance).sum();
    let more = squares.len().saturating_sub(PLACES);
    let mut told: Vec<String> = squares
        .iter()
        .take(PLACES)
        .map(|square| format!("{square} {}", percent(chance(square))))
        .collect();
    if more > 0 {
        told.push(format!("{more} more squares"));
    }
    if all < 1.0 - HARDLY {
        told.push(format!("gone {}", percent(1.0 - all)));
    }
    told.join(", ")
}

fn write_tries(out: &mut impl Write, story: &Story) -> Result<()> {
    let explanation = story.explanation;
    if explanation.asks {
        writeln!(out, "Marshal asks \"any?\" first, and thinks after the answer (--try).\n")?;
        return Ok(());
    }
    let Some(expected) = explanation.expected() else {
        writeln!(out, "Marshal can imagine no board, and plays by simple rules.\n")?;
        return Ok(());
    };
    writeln!(out, "Expected: {expected:.2} of a game.\n")?;
    let heading =
        ["", "try", "looks", "share", "expects", "legal", "takes", "check", "taken", "wins"];
    let mut lines = vec![heading.map(str::to_string).to_vec()];
    let is_told = |known: &&Explained| known.looks > 0 || explanation.preferred == Some(known.mv);
    let tries = explanation.tries.iter().filter(is_told).take(TRIES);
    lines.extend((1..).zip(tries).map(|(place, known)| row(story, place, known)));
    writeln!(out, "{}", aligned(&lines))?;
    for reason in explanation.reasons() {
        writeln!(out, "{reason}")?;
    }
    writeln!(out)?;
    Ok(())
}

fn row(story: &Story, place: usize, known: &Explained) -> Vec<String> {
    let outlook = &known.outlook;
    let name = story.explanation.name(known.mv);
    let victim = outlook.victim().filter(|_| outlook.captures() >= HARDLY);
    let takes = match victim {
        Some(victim) => format!("{} {}", piece_name(victim), percent(outlook.captures())),
        None => "–".to_string(),
    };
    // What is legal nowhere does nothing.
    let where_legal = |text: String| if outlook.legal > 0.0 { text } else { "–".to_string() };
    let mark = match known.not_done {
        None => "",
        Some(NotDone::Repetition) => "  not done: repetition",
        Some(NotDone::Stalemate) => "  not done: stalemate",
    };
    vec![
        place.to_string(),
        name,
        known.looks.to_string(),
        percent(known.share),
        known.expected.map_or("–".to_string(), |score| format!("{score:.2}")),
        percent(outlook.legal),
        takes,
        where_legal(percent(outlook.checks)),
        where_legal(percent(outlook.taken)),
        where_legal(format!("{:+.1}", (outlook.exchange * 10.0).round() / 10.0 + 0.0)) + mark,
    ]
}

/// What was really tried, and what marshal makes of it.
fn write_really(out: &mut impl Write, story: &Story) -> Result<()> {
    let who = color_name(story.told.player);
    let Some((tried, line)) = story.really() else {
        writeln!(out, "{who} tried nothing more.")?;
        return Ok(());
    };
    let answer = match line.said.verdict {
        Verdict::Moved => "stood".to_string(),
        _ => line.said.to_string().trim_end_matches('.').to_string(),
    };
    let verb = if tried == Try::Any { "asked" } else { "tried" };
    write!(out, "{who} {verb} {}", story.name(tried))?;
    match tried {
        Try::Any => writeln!(out, ": {answer}.")?,
        Try::Move(_) if line.said.verdict == Verdict::Moved => {
            writeln!(out, ", and it {answer}. {}", rating(story, tried))?
        }
        Try::Move(_) => writeln!(out, ": {answer}. {}", rating(story, tried))?,
    }
    Ok(())
}

fn rating(story: &Story, tried: Try) -> String {
    let explanation = story.explanation;
    let known = match tried {
        Try::Move(mv) if explanation.preferred == Some(mv) => {
            return "Marshal would try the same.".to_string();
        }
        Try::Move(mv) => explanation.of(mv),
        Try::Any => None,
    };
    let Some((known, place)) = known.zip(story.place(tried)) else {
        return "Marshal has no opinion of that.".to_string();
    };
    let count = explanation.tries.len();
    let Some(score) = known.expected else {
        return format!(
            "Marshal did not look at that; it is legal on {} of its boards.",
            percent(known.outlook.legal)
        );
    };
    let legal = percent(known.outlook.legal);
    let expected = explanation.expected().unwrap_or(score);
    let less = match expected - score {
        less if less >= 0.005 => format!(", {less:.2} less than the best"),
        _ => String::new(),
    };
    format!(
        "Marshal puts it at place {place} of {count}: {score:.2} expected{less}, legal on {legal} of the boards."
    )
}

fn percent(chance: f64) -> String {
    format!("{:.0}%", 100.0 * chance)
}
