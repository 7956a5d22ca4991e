//! Reading one player's transcript: each announcement is checked against what is possible.

use krieg_core::{
    Announcement, Audience, BitBoard, Capture, Checks, Color, Ending, Observation, Outcome,
    PawnTryAnnouncement, PawnTryRule, PieceKind, Try, Verdict, View,
};

use super::comment::{Code, Comments};
use super::lexer::RawGame;
use super::read::Turn;
use super::tags::GameTags;
use super::{PgnError, at};
use crate::transcript_builder::{TranscriptBuilder, verdict_on_failed};
use crate::{SavedGame, san};

/// The transcript, if the player can have made these observations.
pub(super) fn transcript(
    raw: &RawGame,
    game_tags: GameTags,
    turns: Vec<Turn>,
    player: Color,
) -> Result<SavedGame, PgnError> {
    let outcome = match game_tags.stated_end()? {
        Some(stated) => Some(stated),
        None => game_tags.likely_end().map(|likely| mate_if_marked(&turns, likely)),
    };
    let end_on_board = outcome.filter(|outcome| outcome.ending.is_decided_by_position());
    let mut builder = TranscriptBuilder::new(game_tags.setup, player);
    let count = turns.len();
    for (number, turn) in turns.iter().enumerate() {
        let end = if number + 1 == count { end_on_board } else { None };
        read_turn(&mut builder, turn, end).map_err(at(turn.line))?;
    }
    let last_line = turns.last().map_or(raw.line, |turn| turn.line);
    let transcript = builder.finish(outcome, game_tags.tags).map_err(at(last_line))?;
    Ok(SavedGame::Transcript(Box::new(transcript)))
}

/// Without an `Ending` tag, a win after a move with `#` is checkmate.
fn mate_if_marked(turns: &[Turn], likely: Outcome) -> Outcome {
    let last = turns.last().and_then(|turn| turn.moved.as_deref()).unwrap_or("");
    match likely.winner {
        Some(_) if last.ends_with('#') => Outcome { ending: Ending::Checkmate, ..likely },
        _ => likely,
    }
}

/// Adds the observations of one turn.
fn read_turn(
    builder: &mut TranscriptBuilder,
    turn: &Turn,
    end: Option<Outcome>,
) -> Result<(), String> {
    let comments = &turn.comments;
    let by = builder.view().turn();
    let is_own = by == builder.view().player();
    let ruleset = *builder.view().ruleset();
    let misses_refusals = !is_own && ruleset.refusals == Audience::Mover;
    let any = comments.any().map(|yes| (comments.any_after, yes));
    let refused: &[String] = if misses_refusals { &[] } else { &comments.refused };
    let (asks, moves) = (usize::from(any.is_some()), usize::from(turn.moved.is_some()));
    comments.check_times(refused.len() + asks + moves)?;
    let mut tries = 0;
    let mut observe = |builder: &mut TranscriptBuilder,
                       tried: Option<Try>,
                       announcement: Announcement| {
        tries += 1;
        builder.observe(Observation { tried, announcement, spent_ms: comments.ms_of(tries - 1) })
    };
    for before in 0..=refused.len() {
        if let Some((after, yes)) = any
            && after == before
        {
            let announcement = Announcement::plain(by, Verdict::Any(yes), Audience::Both);
            observe(builder, Some(Try::Any), announcement)?;
        }
        let Some(text) = refused.get(before) else { break };
        let (tried, verdict) = if is_own {
            let mv = san::read_try(builder.view().pieces(), text).map_err(|e| e.to_string())?;
            let verdict = verdict_on_failed(builder.view(), mv)
                .map_err(|reason| format!("{text:?} was not accepted: {reason}"))?;
            (Some(Try::Move(mv)), verdict)
        } else {
            match text.as_str() {
                "??" => (None, Verdict::Refused),
                "nonsense" => (None, Verdict::Nonsense),
                _ => {
                    return Err(format!(
                        "{text:?} is a try of the opponent, which is not known to the player"
                    ));
                }
            }
        };
        observe(builder, tried, Announcement::plain(by, verdict, ruleset.refusals))?;
    }
    let Some(text) = &turn.moved else { return Ok(()) };
    let tried = match (is_own, text.as_str()) {
        (true, _) => Some(Try::Move(
            san::read_try(builder.view().pieces(), text).map_err(|e| e.to_string())?,
        )),
        (false, "??") => None,
        (false, _) => {
            return Err(format!(
                "{text:?} is a try of the opponent, which is not known to the player"
            ));
        }
    };
    let announcement = read_announcement(builder.view(), by, comments, end)?;
    observe(builder, tried, announcement)
}

/// Builds the announcement of a move from its codes.
fn read_announcement(
    view: &View,
    by: Color,
    comments: &Comments,
    end: Option<Outcome>,
) -> Result<Announcement, String> {
    let ruleset = view.ruleset();
    let mut announcement = Announcement::plain(by, Verdict::Moved, Audience::Both);
    let mut checks = Vec::new();
    let mut count = None;
    let mut squares = BitBoard::EMPTY;
    for code in &comments.codes {
        match *code {
            Code::Pawns(number) => count = Some(number),
            Code::PawnOn(square) => squares |= square.bitboard(),
            Code::Check(direction) => checks.push(direction),
            Code::Capture(square) => {
                let victim = comments.victim.or_else(|| {
                    let is_announced = ruleset.announces_victim && by != view.player();
                    if is_announced {
                        view.pieces().piece_on(square).map(PieceKind::of)
                    } else {
                        None
                    }
                });
                announcement.capture = Some(Capture {
                    square,
                    victim,
                    capturer: comments.capturer,
                    en_passant: comments.en_passant,
                });
            }
            Code::Any(_) | Code::Unknown => {}
        }
    }
    if checks.len() > 2 {
        return Err(format!("{} checks at the same time", checks.len()));
    }
    announcement.checks = Checks::new(checks);
    announcement.promoted = comments.promoted;
    announcement.end = end;
    announcement.pawn_tries = match (ruleset.pawn_tries, end, count) {
        (_, Some(_), _) => PawnTryAnnouncement::Silent,
        (PawnTryRule::Silent | PawnTryRule::Asked(_), ..) => PawnTryAnnouncement::Silent,
        (PawnTryRule::Count, _, Some(count)) => PawnTryAnnouncement::Count(count),
        (PawnTryRule::Whether, _, Some(count)) => PawnTryAnnouncement::Whether(count > 0),
        (PawnTryRule::Squares, _, count) if count == Some(0) || !squares.is_empty() => {
            PawnTryAnnouncement::From(squares)
        }
        _ if comments.codes.contains(&Code::Unknown) => PawnTryAnnouncement::Silent,
        _ => return Err("the announcement of pawn tries (P) is missing".into()),
    };
    Ok(announcement)
}
