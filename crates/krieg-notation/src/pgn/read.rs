//! Reading extended PGN, and ordinary PGN.

use super::comment::Comments;
use super::lexer::{ItemText, Lexer, RawGame};
use super::tags::GameTags;
use super::{PgnError, at, record, transcript};
use crate::SavedGame;

/// Reads the games of a file one after the other. After an invalid game, which is an error, reading
/// goes on with the next one; a syntax error ends the file.
///
/// ```
/// use krieg_notation::{SavedGame, pgn};
/// let text = "[White \"Ann\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
/// let Some(Ok(SavedGame::Record(record))) = pgn::read(text).next() else { panic!() };
/// assert_eq!(record.outcome().unwrap().to_string(), "Checkmate: Black wins.");
/// ```
pub fn read(text: &str) -> impl Iterator<Item = Result<SavedGame, PgnError>> + '_ {
    let mut lexer = Lexer::new(text);
    let mut has_failed = false;
    std::iter::from_fn(move || {
        if has_failed {
            return None;
        }
        match lexer.game() {
            Ok(None) => None,
            Ok(Some(raw)) => Some(interpret(raw)),
            Err(error) => {
                has_failed = true;
                Some(Err(error))
            }
        }
    })
}

fn interpret(raw: RawGame) -> Result<SavedGame, PgnError> {
    let has_moves = raw.items.iter().any(|item| matches!(item.text, ItemText::Move(_)));
    if raw.tags.is_empty() && raw.result.is_none() && !has_moves {
        return Err(at(raw.line)("there is neither a tag nor a move here"));
    }
    let game_tags = GameTags::read(&raw)?;
    let (before, turns) = turns(&raw, game_tags.is_kriegspiel)?;
    match game_tags.narrator {
        None => record::record(&raw, game_tags, &before, turns),
        Some(player) => transcript::transcript(&raw, game_tags, turns, player),
    }
}

/// A move with the comments after it, or the last turn, without a move.
pub(super) struct Turn {
    pub line: usize,
    pub moved: Option<String>,
    pub comments: Comments,
}

/// The turns of a game, and separately the comments before the first move.
fn turns(raw: &RawGame, is_kriegspiel: bool) -> Result<(Comments, Vec<Turn>), PgnError> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut unfinished = None;
    let mut before = Comments::default();
    for item in &raw.items {
        match &item.text {
            ItemText::Move(text) if is_annotation(text, is_kriegspiel) => {}
            ItemText::Move(text) => {
                if unfinished.is_some() {
                    let reason = format!("{text:?} follows a turn without a move");
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

/// Whether the word is an annotation such as `!?`. In Kriegspiel `??` is an unknown move.
fn is_annotation(text: &str, is_kriegspiel: bool) -> bool {
    text.chars().all(|c| matches!(c, '!' | '?')) && !(is_kriegspiel && text == "??")
}
