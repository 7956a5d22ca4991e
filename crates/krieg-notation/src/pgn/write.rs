//! Writing extended PGN.

use std::collections::BTreeMap;

use krieg_core::{
    Color, Ending, Observation, Outcome, Position, Record, Setup, Transcript, Verdict, color_name,
};

use super::comment::Code;
use super::{TAG_ROSTER, unknown};
use crate::narrator::Narrator;
use crate::saved_game::record_observations;

/// Writes the umpire's record of a game.
///
/// ```
/// use krieg_core::{Game, Setup};
/// use krieg_notation::pgn;
/// let mut game = Game::new(Setup::default());
/// for tried in ["e2e4", "d7d5", "f1b5", "e8d7", "c7c6"] {
///     game.judge(tried.parse()?)?;
/// }
/// let text = pgn::write_record(game.record());
/// let moves = "1. e4 {P0:} 1... d5 {P1:} 2. Bb5+ {P0,CL:} 2... c6 {P1:Kd7} *\n";
/// assert!(text.ends_with(moves), "{text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_record(record: &Record) -> String {
    let setup = record.setup();
    let mut text = String::new();
    write_tags(&mut text, record.tags(), setup, record.outcome(), None, record.seed());
    let narrator = Narrator::for_record(record);
    write_moves(&mut text, &setup.start, &record_observations(record), narrator, record.outcome());
    text
}

/// Writes one player's transcript.
///
/// ```
/// use krieg_core::{Color, Game, Setup};
/// use krieg_notation::pgn;
/// let mut game = Game::new(Setup::default());
/// for tried in ["e2e4", "d7d5", "e4d5"] {
///     game.judge(tried.parse()?)?;
/// }
/// let text = pgn::write_transcript(&game.record().transcript(Color::White));
/// assert!(
///     text.ends_with("1. e4 {P0:} 1... ?? {P1:??} 2. exd5 {P0,Xd5: [%victim pawn]} *\n"),
///     "{text}",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_transcript(transcript: &Transcript) -> String {
    let setup = &transcript.setup;
    let mut text = String::new();
    let narrator = Some(transcript.player);
    write_tags(&mut text, &transcript.tags, setup, transcript.outcome, narrator, None);
    let narrator = Narrator::for_transcript(transcript);
    write_moves(&mut text, &setup.start, &transcript.observations, narrator, transcript.outcome);
    text
}

fn write_tags(
    text: &mut String,
    tags: &BTreeMap<String, String>,
    setup: &Setup,
    outcome: Option<Outcome>,
    narrator: Option<Color>,
    seed: Option<u64>,
) {
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    };
    for name in TAG_ROSTER {
        tag(name, tags.get(name).map_or(unknown(name), String::as_str));
    }
    tag("Result", result(outcome));
    for (name, value) in tags.iter().filter(|(name, _)| !TAG_ROSTER.contains(&name.as_str())) {
        tag(name, value);
    }
    if narrator.is_some() {
        // A transcript contains `??` for unknown moves. Without this tag, a chess program would
        // try to read it as chess.
        tag("Variant", "Kriegspiel");
    }
    tag("Ruleset", setup.ruleset.name);
    let draws: Vec<&str> = [
        (setup.draws.fifty_moves, Ending::FiftyMoves),
        (setup.draws.threefold, Ending::Threefold),
        (setup.draws.insufficient_material, Ending::InsufficientMaterial),
    ]
    .into_iter()
    .filter(|(on, _)| *on)
    .map(|(_, ending)| ending.name())
    .collect();
    tag("DrawRules", &if draws.is_empty() { "none".to_string() } else { draws.join(",") });
    if setup.start != Position::start() {
        tag("SetUp", "1");
        tag("FEN", &setup.start.to_string());
    }
    if let Some(seed) = seed {
        tag("Seed", &seed.to_string());
    }
    if let Some(player) = narrator {
        tag("Narrator", color_name(player));
    }
    if let Some(outcome) = outcome {
        tag("Ending", outcome.ending.name());
    }
    tag(
        "Termination",
        match outcome.map(|outcome| outcome.ending) {
            None => "unterminated",
            Some(Ending::Flag) => "time forfeit",
            Some(Ending::Abandonment) => "abandoned",
            Some(_) => "normal",
        },
    );
    text.push('\n');
}

fn result(outcome: Option<Outcome>) -> &'static str {
    outcome.map_or("*", |outcome| outcome.result())
}

fn write_moves(
    text: &mut String,
    start: &Position,
    observations: &[Observation],
    mut narrator: Narrator,
    outcome: Option<Outcome>,
) {
    let mut words = Vec::new();
    let mut number = start.board().fullmove_number();
    let mut number_is_due = true;
    let mut turn = Vec::new();
    for observation in observations {
        turn.push(observation);
        if observation.announcement.verdict != Verdict::Moved {
            continue;
        }
        let by = observation.announcement.by;
        if by == Color::White {
            words.push(format!("{number}."));
        } else if number_is_due {
            words.push(format!("{number}..."));
        }
        if by == Color::Black {
            number = number.saturating_add(1);
        }
        words.push(narrator.try_text(observation));
        let comment = turn_comment(&narrator, &turn);
        number_is_due = !comment.is_empty();
        push_comment(&mut words, comment);
        for observation in turn.drain(..) {
            narrator.advance(observation);
        }
    }
    if !turn.is_empty() {
        push_comment(&mut words, unfinished_turn(&narrator, &turn));
    }
    words.push(result(outcome).into());
    wrap(text, &words);
}

/// Adds a comment, or extends the one before: some PGN readers allow only one after a move.
fn push_comment(words: &mut Vec<String>, parts: Vec<String>) {
    let comment = parts.join(" ");
    if comment.is_empty() {
        return;
    }
    match words.last_mut() {
        Some(before) if before.ends_with('}') => {
            before.pop();
            before.push_str(&format!(" {comment}}}"));
        }
        _ => words.push(format!("{{{comment}}}")),
    }
}

/// The parts of the comment after a move: `messages:refused`, and `[%…]` for information without
/// a code.
fn turn_comment(narrator: &Narrator, turn: &[&Observation]) -> Vec<String> {
    let mut parts = Vec::new();
    let messages = messages(narrator, turn);
    if messages != ":" {
        parts.push(messages);
    }
    parts.extend(commands(turn));
    if let (None, Some(moved)) = (narrator.position(), turn.last()) {
        parts.extend(details_without_a_code(moved));
    }
    parts
}

fn unfinished_turn(narrator: &Narrator, turn: &[&Observation]) -> Vec<String> {
    let mut parts = vec![format!("[%tried {}]", messages(narrator, turn))];
    parts.extend(commands(turn));
    parts
}

fn messages(narrator: &Narrator, turn: &[&Observation]) -> String {
    let mut codes: Vec<String> = turn
        .iter()
        .flat_map(|observation| Code::of(&observation.announcement))
        .map(|code| code.to_string())
        .collect();
    if turn.last().is_some_and(|observation| narrator.is_missing_pawn_tries(observation)) {
        codes.push("??".into());
    }
    let mut refused: Vec<String> = turn
        .iter()
        .filter(|observation| {
            matches!(observation.announcement.verdict, Verdict::Refused | Verdict::Nonsense)
        })
        .map(|observation| narrator.try_text(observation))
        .collect();
    if turn
        .last()
        .is_some_and(|observation| narrator.misses_refusals_of(observation.announcement.by))
    {
        refused.push("??".into());
    }
    format!("{}:{}", codes.join(","), refused.join(","))
}

fn commands(turn: &[&Observation]) -> Vec<String> {
    let mut commands = Vec::new();
    if turn.iter().any(|observation| observation.spent_ms.is_some()) {
        let ms: Vec<String> = turn
            .iter()
            .map(|observation| observation.spent_ms.map_or("-".to_string(), |ms| ms.to_string()))
            .collect();
        commands.push(format!("[%ms {}]", ms.join(",")));
    }
    let asked = turn
        .iter()
        .position(|observation| matches!(observation.announcement.verdict, Verdict::Any(_)));
    if let Some(before @ 1..) = asked {
        commands.push(format!("[%any {before}]"));
    }
    commands
}

fn details_without_a_code(moved: &Observation) -> Vec<String> {
    let mut commands = Vec::new();
    if let Some(capture) = moved.announcement.capture {
        commands.extend(capture.victim.map(|kind| format!("[%victim {}]", kind.name())));
        commands.extend(capture.capturer.map(|kind| format!("[%capturer {}]", kind.name())));
        if capture.en_passant {
            commands.push("[%passant]".into());
        }
    }
    if moved.announcement.promoted {
        commands.push("[%promoted]".into());
    }
    commands
}

fn wrap(text: &mut String, words: &[String]) {
    const WIDTH: usize = 80;
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
}
