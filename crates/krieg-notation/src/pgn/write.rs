//! Writing extended PGN.

use std::collections::BTreeMap;

use krieg_core::{
    Color, Ending, Line, Outcome, Position, Record, Setup, Transcript, Verdict, color_name,
};

use super::comment::Code;
use super::{ROSTER, unknown};
use crate::teller::{Teller, lines_of};

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
/// assert!(text.ends_with("1. e4 {P0:} 1... d5 {P1:} 2. Bb5+ {P0,CL:} 2... c6 {P1:Kd7} *\n"), "{text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_record(record: &Record) -> String {
    let setup = record.setup();
    let mut text = String::new();
    write_tags(&mut text, record.tags(), setup, record.outcome(), None, record.seed());
    let teller = Teller::umpire(record);
    write_moves(&mut text, &setup.start, &lines_of(record), teller, record.outcome());
    text
}

/// Writes a game as one player tells it.
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
///     text.ends_with("1. e4 {P0:} 1... ?? {P1:??} 2. exd5 {P0,Xd5:} {[%victim pawn]} *\n"),
///     "{text}",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_transcript(transcript: &Transcript) -> String {
    let setup = &transcript.setup;
    let mut text = String::new();
    let narrator = Some(transcript.player);
    write_tags(&mut text, &transcript.tags, setup, transcript.outcome, narrator, None);
    let teller = Teller::player(transcript);
    write_moves(&mut text, &setup.start, &transcript.lines, teller, transcript.outcome);
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
    for name in ROSTER {
        tag(name, tags.get(name).map_or(unknown(name), String::as_str));
    }
    tag("Result", result(outcome));
    for (name, value) in tags.iter().filter(|(name, _)| !ROSTER.contains(&name.as_str())) {
        tag(name, value);
    }
    tag("Variant", "Kriegspiel");
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
    lines: &[Line],
    mut teller: Teller,
    outcome: Option<Outcome>,
) {
    let mut words = Vec::new();
    let mut number = start.board().fullmove_number();
    let mut number_is_due = true;
    let mut turn = Vec::new();
    for line in lines {
        turn.push(line);
        if line.said.verdict != Verdict::Moved {
            continue;
        }
        let by = line.said.by;
        if by == Color::White {
            words.push(format!("{number}."));
        } else if number_is_due {
            words.push(format!("{number}..."));
        }
        if by == Color::Black {
            number = number.saturating_add(1);
        }
        let comments = turn_comments(&teller, &turn);
        words.push(teller.name(line));
        number_is_due = !comments.is_empty();
        words.extend(comments);
        for line in turn.drain(..) {
            teller.advance(line);
        }
    }
    if !turn.is_empty() {
        words.push(unfinished_comment(&teller, &turn));
    }
    words.push(result(outcome).into());
    wrap(text, &words);
}

/// The comments after a move: `{messages:refused}`, and `{[%…]}` for what has no code.
fn turn_comments(teller: &Teller, turn: &[&Line]) -> Vec<String> {
    let mut comments = Vec::new();
    let messages = messages(teller, turn);
    if messages != ":" {
        comments.push(format!("{{{messages}}}"));
    }
    let mut commands = commands(turn);
    if let (None, Some(moved)) = (teller.position(), turn.last()) {
        commands.extend(heard_without_a_code(moved));
    }
    if !commands.is_empty() {
        comments.push(format!("{{{}}}", commands.join(" ")));
    }
    comments
}

fn unfinished_comment(teller: &Teller, turn: &[&Line]) -> String {
    let mut commands = commands(turn);
    commands.insert(0, format!("[%tried {}]", messages(teller, turn)));
    format!("{{{}}}", commands.join(" "))
}

fn messages(teller: &Teller, turn: &[&Line]) -> String {
    let mut codes: Vec<String> =
        turn.iter().flat_map(|line| Code::of(&line.said)).map(|code| code.to_string()).collect();
    if turn.last().is_some_and(|line| teller.missed_pawns(line)) {
        codes.push("??".into());
    }
    let mut refused: Vec<String> = turn
        .iter()
        .filter(|line| matches!(line.said.verdict, Verdict::Refused | Verdict::Nonsense))
        .map(|line| teller.name(line))
        .collect();
    if turn.last().is_some_and(|line| teller.is_deaf_to(line.said.by)) {
        refused.push("??".into());
    }
    format!("{}:{}", codes.join(","), refused.join(","))
}

fn commands(turn: &[&Line]) -> Vec<String> {
    let mut commands = Vec::new();
    if turn.iter().any(|line| line.spent_ms.is_some()) {
        let ms: Vec<String> = turn
            .iter()
            .map(|line| line.spent_ms.map_or("-".to_string(), |ms| ms.to_string()))
            .collect();
        commands.push(format!("[%ms {}]", ms.join(",")));
    }
    let asked = turn.iter().position(|line| matches!(line.said.verdict, Verdict::Any(_)));
    if let Some(before @ 1..) = asked {
        commands.push(format!("[%any {before}]"));
    }
    commands
}

fn heard_without_a_code(moved: &Line) -> Vec<String> {
    let mut commands = Vec::new();
    if let Some(capture) = moved.said.capture {
        commands.extend(capture.victim.map(|kind| format!("[%victim {}]", kind.name())));
        commands.extend(capture.capturer.map(|kind| format!("[%capturer {}]", kind.name())));
        if capture.en_passant {
            commands.push("[%passant]".into());
        }
    }
    if moved.said.promoted {
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
