//! What `learned` says about a decision, as text.

use std::io::Write;

use anyhow::Result;
use krieg_arena::report::align_columns;
use krieg_core::{Square, Try, color_name};
use krieg_players::learned::{LearnedExplanation, TryProbability};

use super::Report;
use super::text::{MAX_TRIES, percent, write_marginals};
use crate::board::{draw_symbols, piece_symbol};

/// From this probability on, a square counts as occupied in the heat map.
const OCCUPIED_FROM: f64 = 0.95;
/// Squares with a smaller probability are empty in the heat map.
const EMPTY_BELOW: f64 = 0.05;

pub fn write_belief(
    out: &mut impl Write,
    report: &Report,
    explanation: &LearnedExplanation,
    ascii: bool,
) -> Result<()> {
    write_marginals(out, report)?;
    let player = report.transcript.player;
    let opponent = color_name(!player);
    let heat_map = draw_symbols(|square| heat(explanation, square, ascii), player);
    writeln!(out, "\n{heat_map}")?;
    let occupied = percent(OCCUPIED_FROM);
    writeln!(
        out,
        "Digits: the probability in tenths that a piece of {opponent} stands there; # from \
         {occupied}.\n"
    )?;
    Ok(())
}

/// The symbol of an own piece, or the probability of any piece of the opponent.
fn heat(explanation: &LearnedExplanation, square: Square, ascii: bool) -> char {
    if let Some(own) = explanation.own_pieces.letter(square) {
        return if ascii { own.to_ascii_uppercase() } else { piece_symbol(Some(own)) };
    }
    let occupancy = explanation.map.occupancy(square);
    if occupancy >= OCCUPIED_FROM {
        return '#';
    }
    if occupancy < EMPTY_BELOW {
        return if ascii { '.' } else { piece_symbol(None) };
    }
    let tenths = (10.0 * occupancy).round().clamp(1.0, 9.0) as u32;
    char::from_digit(tenths, 10).unwrap_or('#')
}

pub fn write_tries(out: &mut impl Write, explanation: &LearnedExplanation) -> Result<()> {
    let [win, draw, loss] = explanation.value.map(percent);
    let expected = explanation.expected();
    writeln!(out, "Value: win {win}, draw {draw}, loss {loss}. Expected score: {expected:.2}\n")?;
    let mut rows = vec![["", "try", "probability"].map(str::to_string).to_vec()];
    let tries = explanation.tries.iter().take(MAX_TRIES);
    rows.extend((1..).zip(tries).map(|(rank, known)| row(explanation, rank, known)));
    writeln!(out, "{}", align_columns(&rows))?;
    let Some(preferred) = explanation.preferred else { return Ok(()) };
    let name = explanation.name(preferred);
    if explanation.is_sure_mate {
        writeln!(out, "{name} is preferred: it mates on every board that the belief gives.\n")?;
    } else if explanation.tries.first().is_some_and(|first| first.tried != preferred) {
        writeln!(out, "{name} is preferred: more probable tries are excluded while ahead.\n")?;
    }
    Ok(())
}

fn row(explanation: &LearnedExplanation, rank: usize, known: &TryProbability) -> Vec<String> {
    let mark = known.exclusion.map(|why| format!("  excluded: {}", why.name())).unwrap_or_default();
    let probability = percent(known.probability) + &mark;
    vec![rank.to_string(), explanation.name(known.tried), probability]
}

/// How `learned` ranks the try that was made.
pub fn rating(report: &Report, explanation: &LearnedExplanation, tried: Try) -> String {
    if explanation.preferred == Some(tried) {
        return "Learned would try the same.".to_string();
    }
    let Some((known, rank)) = explanation.of(tried).zip(report.explanation.rank(tried)) else {
        return "Learned would not try it: it is not sensible.".to_string();
    };
    let (count, probability) = (explanation.tries.len(), percent(known.probability));
    format!("Learned ranks it {rank} of {count}, with a probability of {probability}.")
}
