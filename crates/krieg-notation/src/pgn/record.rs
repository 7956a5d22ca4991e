//! Reading the umpire's record: an umpire replays it try by try.

use krieg_core::{Announcement, Audience, Game, Try, Verdict};

use super::comment::{Code, Comments};
use super::lexer::RawGame;
use super::read::Turn;
use super::tags::GameTags;
use super::{PgnError, at};
use crate::{SavedGame, san};

/// The record, if an umpire makes the same announcements after the same tries.
pub(super) fn record(
    raw: &RawGame,
    game_tags: GameTags,
    before: &Comments,
    turns: Vec<Turn>,
) -> Result<SavedGame, PgnError> {
    let mut game = Game::new(game_tags.setup.clone());
    game.set_seed(game_tags.seed);
    for (name, value) in &game_tags.tags {
        game.set_tag(name, value).map_err(at(raw.line))?;
    }
    compare(&before.codes, game.record().opening(), "the beginning").map_err(at(raw.line))?;
    for turn in &turns {
        play_turn(&mut game, turn).map_err(at(turn.line))?;
    }
    let last_line = turns.last().map_or(raw.line, |turn| turn.line);
    let declared = game.umpire().outcome();
    let end = match (game_tags.stated_end()?, declared) {
        (Some(stated), _) => Some(stated),
        (None, Some(declared)) => match game_tags.winner {
            Some(winner) if winner != declared.winner => {
                let reason = format!("the result is not that of \"{declared}\"");
                return Err(at(last_line)(reason));
            }
            _ => Some(declared),
        },
        (None, None) => game_tags.likely_end(),
    };
    if let Some(end) = end {
        game.claim_outcome(end).map_err(at(last_line))?;
    }
    Ok(SavedGame::Record(Box::new(game.into_record())))
}

fn play_turn(game: &mut Game, turn: &Turn) -> Result<(), String> {
    let comments = &turn.comments;
    let any_after = comments.any().map(|_| comments.any_after);
    let asks = usize::from(any_after.is_some());
    let moves = usize::from(turn.moved.is_some());
    comments.check_times(comments.refused.len() + asks + moves)?;
    let mut tries = 0;
    let mut next_ms = || {
        tries += 1;
        comments.ms_of(tries - 1)
    };
    for (before, text) in comments.refused.iter().enumerate() {
        if any_after == Some(before) {
            ask(game, comments, next_ms())?;
        }
        let mv = san::read_refused(game.umpire().position(), text).map_err(|e| e.to_string())?;
        let announcement = game
            .judge_timed(mv.into(), next_ms())
            .map_err(|reason| format!("{text:?} was not accepted: {reason}"))?;
        if announcement.verdict == Verdict::Moved {
            return Err(format!("{text:?} is among the refused tries, but it is legal"));
        }
    }
    match any_after {
        Some(after) if after == comments.refused.len() => ask(game, comments, next_ms())?,
        Some(after) if after > comments.refused.len() => {
            return Err(format!("\"any?\" cannot come after {after} refused tries"));
        }
        _ => {}
    }
    let Some(text) = &turn.moved else {
        // A turn without a move: the only possible message is the answer to "any?".
        let nothing = Announcement::plain(game.umpire().turn(), Verdict::Refused, Audience::Mover);
        return compare(&comments.codes, &nothing, "the last move");
    };
    let mv = san::read_legal(game.umpire().position(), text).map_err(|e| e.to_string())?;
    let announcement = game
        .judge_timed(mv.into(), next_ms())
        .map_err(|reason| format!("{text:?} was not accepted: {reason}"))?;
    compare(&comments.codes, &announcement, &format!("{text:?}"))
}

/// Checks that the umpire made these announcements. The file may leave some out.
fn compare(codes: &[Code], announcement: &Announcement, after: &str) -> Result<(), String> {
    let mut announced = Code::of(announcement);
    for code in codes.iter().filter(|code| !matches!(code, Code::Any(_) | Code::Unknown)) {
        match announced.iter().position(|actual| actual == code) {
            Some(place) => drop(announced.remove(place)),
            None => {
                return Err(format!(
                    "{code} after {after}, but the umpire announced \"{announcement}\""
                ));
            }
        }
    }
    Ok(())
}

fn ask(game: &mut Game, comments: &Comments, ms: Option<u32>) -> Result<(), String> {
    let announcement = game.judge_timed(Try::Any, ms).map_err(|reason| reason.to_string())?;
    let claimed = comments.any().map(Verdict::Any);
    if claimed != Some(announcement.verdict) {
        return Err(format!("the umpire's answer is \"{announcement}\""));
    }
    Ok(())
}
