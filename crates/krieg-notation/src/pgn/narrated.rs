//! A game as one player tells it: lived through again, word by word.

use krieg_core::{
    Announcement, Audience, BitBoard, Capture, Checks, Color, Ending, Kind, Line, Outcome,
    PawnInformation, PawnNews, Try, Verdict, View,
};

use super::comment::{Code, Comments};
use super::facts::Facts;
use super::lexer::RawGame;
use super::read::Turn;
use super::{PgnError, at};
use crate::telling::{Telling, verdict_on_failed};
use crate::{Told, san};

/// A transcript, if a player could have lived through it.
pub(super) fn transcript(
    raw: &RawGame,
    facts: Facts,
    turns: Vec<Turn>,
    player: Color,
) -> Result<Told, PgnError> {
    let outcome = match facts.stated_end()? {
        Some(stated) => Some(stated),
        None => facts.likely_end().map(|likely| mate_if_marked(&turns, likely)),
    };
    let on_the_board = outcome.filter(|outcome| outcome.ending.stands_on_the_board());
    let mut telling = Telling::new(facts.setup, player);
    let count = turns.len();
    for (number, turn) in turns.iter().enumerate() {
        let end = if number + 1 == count { on_the_board } else { None };
        tell_turn(&mut telling, turn, end).map_err(at(turn.line))?;
    }
    let last_line = turns.last().map_or(raw.line, |turn| turn.line);
    let told = telling.end(outcome, facts.tags).map_err(at(last_line))?;
    Ok(Told::Transcript(Box::new(told)))
}

/// A win after a move with `#` is mate, where no tag says so.
fn mate_if_marked(turns: &[Turn], likely: Outcome) -> Outcome {
    let last = turns.last().and_then(|turn| turn.moved.as_deref()).unwrap_or("");
    match likely.winner {
        Some(_) if last.ends_with('#') => Outcome { ending: Ending::Checkmate, ..likely },
        _ => likely,
    }
}

/// Lives through one turn as the narrator did.
fn tell_turn(telling: &mut Telling, turn: &Turn, end: Option<Outcome>) -> Result<(), String> {
    let comments = &turn.comments;
    let by = telling.view().turn();
    let is_own = by == telling.view().player();
    let ruleset = *telling.view().ruleset();
    let is_deaf = !is_own && ruleset.refusals == Audience::Mover;
    let any = comments.any().map(|yes| (comments.any_after, yes));
    let refused: &[String] = if is_deaf { &[] } else { &comments.refused };
    let (asked, moved) = (usize::from(any.is_some()), usize::from(turn.moved.is_some()));
    comments.check_times(refused.len() + asked + moved)?;
    let mut tries = 0;
    let mut live = |telling: &mut Telling, tried: Option<Try>, said: Announcement| {
        tries += 1;
        telling.hear(Line { tried, said, spent_ms: comments.ms_of(tries - 1) })
    };
    for before in 0..=refused.len() {
        if let Some((after, yes)) = any
            && after == before
        {
            let said = Announcement::plain(by, Verdict::Any(yes), Audience::Both);
            live(telling, Some(Try::Any), said)?;
        }
        let Some(text) = refused.get(before) else { break };
        let (tried, verdict) = if is_own {
            let mv = san::read_try(telling.view().men(), text).map_err(|e| e.to_string())?;
            let verdict = verdict_on_failed(telling.view(), mv)
                .map_err(|reason| format!("{text:?} was not accepted: {reason}"))?;
            (Some(Try::Move(mv)), verdict)
        } else {
            match text.as_str() {
                "??" => (None, Verdict::Refused),
                "nonsense" => (None, Verdict::Nonsense),
                _ => return Err(format!("{text:?} was the opponent's, and is not known")),
            }
        };
        live(telling, tried, Announcement::plain(by, verdict, ruleset.refusals))?;
    }
    let Some(text) = &turn.moved else { return Ok(()) };
    let tried = match (is_own, text.as_str()) {
        (true, _) => {
            Some(Try::Move(san::read_try(telling.view().men(), text).map_err(|e| e.to_string())?))
        }
        (false, "??") => None,
        (false, _) => return Err(format!("{text:?} was the opponent's, and is not known")),
    };
    let said = heard_of_a_move(telling.view(), by, comments, end)?;
    live(telling, tried, said)
}

/// Puts the announcement of a move together from its codes.
fn heard_of_a_move(
    view: &View,
    by: Color,
    comments: &Comments,
    end: Option<Outcome>,
) -> Result<Announcement, String> {
    let ruleset = view.ruleset();
    let mut said = Announcement::plain(by, Verdict::Moved, Audience::Both);
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
                    let told = ruleset.victim_told && by != view.player();
                    if told { view.men().on(square).map(Kind::of) } else { None }
                });
                said.capture = Some(Capture {
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
        return Err(format!("{} checks at once", checks.len()));
    }
    said.checks = Checks::new(checks);
    said.promoted = comments.promoted;
    said.end = end;
    said.pawns = match (ruleset.pawns, end, count) {
        (_, Some(_), _) => PawnNews::Silent,
        (PawnInformation::Silent | PawnInformation::Asked(_), ..) => PawnNews::Silent,
        (PawnInformation::Count, _, Some(count)) => PawnNews::Count(count),
        (PawnInformation::Whether, _, Some(count)) => PawnNews::Whether(count > 0),
        (PawnInformation::Squares, _, count) if count == Some(0) || !squares.is_empty() => {
            PawnNews::From(squares)
        }
        _ if comments.codes.contains(&Code::Unknown) => PawnNews::Silent,
        _ => return Err("what the umpire said of pawn tries (P) is missing".into()),
    };
    Ok(said)
}
