//! Reading extended PGN, and ordinary PGN.

use super::comment::Comments;
use super::facts::Facts;
use super::lexer::{ItemText, Lexer, RawGame};
use super::{PgnError, at, narrated, played};
use crate::Told;

/// Reads the games of a file, one after the other. A game that cannot be is an error, and the next
/// one is read all the same; text that cannot be taken apart ends the reading.
///
/// ```
/// use krieg_notation::{Told, pgn};
/// let text = "[White \"Ann\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
/// let Some(Ok(Told::Record(record))) = pgn::read(text).next() else { panic!() };
/// assert_eq!(record.outcome().unwrap().to_string(), "Checkmate: Black wins.");
/// ```
pub fn read(text: &str) -> impl Iterator<Item = Result<Told, PgnError>> + '_ {
    let mut lexer = Lexer::new(text);
    let mut broken = false;
    std::iter::from_fn(move || {
        if broken {
            return None;
        }
        match lexer.game() {
            Ok(None) => None,
            Ok(Some(raw)) => Some(interpret(raw)),
            Err(error) => {
                broken = true;
                Some(Err(error))
            }
        }
    })
}

fn interpret(raw: RawGame) -> Result<Told, PgnError> {
    let has_moves = raw.items.iter().any(|item| matches!(item.text, ItemText::Move(_)));
    if raw.tags.is_empty() && raw.result.is_none() && !has_moves {
        return Err(at(raw.line)("there is neither a tag nor a move here"));
    }
    let facts = Facts::read(&raw)?;
    let (before, turns) = turns(&raw, facts.is_kriegspiel)?;
    match facts.narrator {
        None => played::record(&raw, facts, &before, turns),
        Some(player) => narrated::transcript(&raw, facts, turns, player),
    }
}

/// A move with the comments after it, or a last turn that came to no move.
pub(super) struct Turn {
    pub line: usize,
    pub moved: Option<String>,
    pub comments: Comments,
}

/// The turns of a game. What is said before the first move goes to no turn: it comes back apart.
fn turns(raw: &RawGame, is_kriegspiel: bool) -> Result<(Comments, Vec<Turn>), PgnError> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut unfinished = None;
    let mut before = Comments::default();
    for item in &raw.items {
        match &item.text {
            ItemText::Move(text) if is_annotation(text, is_kriegspiel) => {}
            ItemText::Move(text) => {
                if unfinished.is_some() {
                    let reason = format!("{text:?} follows a turn that came to no move");
                    return Err(at(item.line)(reason));
                }
                let moved = Some(text.clone());
                turns.push(Turn { line: item.line, moved, comments: Comments::default() });
            }
            ItemText::Comment(text) if is_kriegspiel => {
                let comments = turns.last_mut().map_or(&mut before, |turn| &mut turn.comments);
                comments.add(text, &mut unfinished).map_err(at(item.line))?;
            }
            ItemText::Comment(_) => {}
        }
    }
    if let Some(comments) = unfinished {
        turns.push(Turn { line: raw.last_line(), moved: None, comments });
    }
    Ok((before, turns))
}

/// `!?` and the like, standing alone. In Kriegspiel `??` is a move that nobody saw.
fn is_annotation(text: &str, is_kriegspiel: bool) -> bool {
    text.chars().all(|c| matches!(c, '!' | '?')) && !(is_kriegspiel && text == "??")
}
