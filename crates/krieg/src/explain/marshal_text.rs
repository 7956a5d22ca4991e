//! What `marshal` says about a decision, as text.

use std::io::Write;

use anyhow::Result;
use krieg_arena::report::align_columns;
use krieg_core::{Try, color_name, piece_name};
use krieg_players::marshal::{Explanation, TryExplanation};

use super::Report;
use super::text::{MAX_TRIES, MENTIONED_FROM, percent, write_marginals};

/// Maximum number of opponent types listed.
const MAX_OPPONENT_TYPES: usize = 3;

pub fn write_belief(
    out: &mut impl Write,
    report: &Report,
    explanation: &Explanation,
) -> Result<()> {
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
    write_marginals(out, report)?;
    let types = explanation.opponent_types.iter().take(MAX_OPPONENT_TYPES);
    let types: Vec<String> =
        types.map(|(name, probability)| format!("{name} {}", percent(*probability))).collect();
    if !types.is_empty() {
        let opponent = color_name(!report.transcript.player);
        writeln!(out, "{opponent} plays like: {}.", types.join(", "))?;
    }
    writeln!(out)?;
    Ok(())
}

pub fn write_tries(out: &mut impl Write, explanation: &Explanation) -> Result<()> {
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
    rows.extend((1..).zip(tries).map(|(rank, known)| row(explanation, rank, known)));
    writeln!(out, "{}", align_columns(&rows))?;
    for reason in explanation.reasons() {
        writeln!(out, "{reason}")?;
    }
    writeln!(out)?;
    Ok(())
}

fn row(explanation: &Explanation, rank: usize, known: &TryExplanation) -> Vec<String> {
    let effects = &known.effects;
    let name = explanation.name(known.mv);
    let victim = effects.victim().filter(|_| effects.captures() >= MENTIONED_FROM);
    let captures = match victim {
        Some(victim) => format!("{} {}", piece_name(victim), percent(effects.captures())),
        None => "–".to_string(),
    };
    // A try that is legal on no board has no effects.
    let if_legal = |text: String| if effects.legal > 0.0 { text } else { "–".to_string() };
    let mark = known.exclusion.map(|why| format!("  excluded: {}", why.name())).unwrap_or_default();
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
        if_legal(format!("{:+.1}", (effects.exchange * 10.0).round() / 10.0 + 0.0)) + &mark,
    ]
}

/// How `marshal` ranks the try that was made.
pub fn rating(report: &Report, explanation: &Explanation, tried: Try) -> String {
    let known = match tried {
        Try::Move(mv) if explanation.preferred == Some(mv) => {
            return "Marshal would try the same.".to_string();
        }
        Try::Move(mv) => explanation.of(mv),
        Try::Any => None,
    };
    let Some((known, rank)) = known.zip(report.explanation.rank(tried)) else {
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
