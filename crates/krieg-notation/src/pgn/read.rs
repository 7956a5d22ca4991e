//! Reading extended PGN, and ordinary PGN.

use std::collections::BTreeMap;

use krieg_core::{
    Announcement, Audience, BitBoard, Capture, Checks, Color, DrawRules, Ending, Game, Line,
    Outcome, PawnInformation, PawnNews, Position, Ruleset, Senseless, Setup, Try, Verdict, View,
    color_name, excerpt,
};

use super::comment::{Code, Comments};
use super::lexer::{ItemText, Lexer, RawGame};
use super::{PgnError, ROSTER, unknown};
use crate::finish::finish;
use crate::{Told, san, telling};

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

fn at<E: ToString>(line: usize) -> impl Fn(E) -> PgnError {
    move |reason| PgnError { line, reason: reason.to_string() }
}

fn interpret(raw: RawGame) -> Result<Told, PgnError> {
    let facts = Facts::read(&raw)?;
    let turns = turns(&raw, facts.is_kriegspiel)?;
    match facts.narrator {
        None => record(&raw, facts, turns),
        Some(player) => transcript(&raw, facts, turns, player),
    }
}

/// What the tags say.
struct Facts {
    is_kriegspiel: bool,
    setup: Setup,
    seed: Option<u64>,
    narrator: Option<Color>,
    ending: Option<(usize, Ending)>,
    /// The result at the end of the moves or in the tag. The inner nothing is a draw.
    winner: Option<Option<Color>>,
    termination: String,
    tags: BTreeMap<String, String>,
}

impl Facts {
    fn read(raw: &RawGame) -> Result<Self, PgnError> {
        let mut tags = raw.tags.clone();
        let mut take = |name: &str| tags.remove(name);
        let ruleset_tag = take("Ruleset");
        let is_kriegspiel = match take("Variant") {
            Some((line, variant)) => match variant.to_ascii_lowercase().as_str() {
                "kriegspiel" | "wild/16" => true,
                "standard" | "chess" | "normal" | "from position" => false,
                _ => {
                    let reason = format!("variant {variant:?} is neither chess nor Kriegspiel");
                    return Err(PgnError { line, reason });
                }
            },
            None => ruleset_tag.is_some(),
        };
        let ruleset = match ruleset_tag {
            Some((line, name)) => name.parse::<Ruleset>().map_err(at(line))?,
            None => Ruleset::default(),
        };
        let draws = match take("DrawRules") {
            Some((line, text)) => read_draws(&text).map_err(at(line))?,
            // Nobody declared draws in a game of which we only have the moves.
            None => DrawRules::NONE,
        };
        let start = match take("FEN") {
            Some((line, fen)) => Position::from_fen(&fen).map_err(at(line))?,
            None => Position::start(),
        };
        take("SetUp");
        let seed = match take("Seed") {
            Some((line, text)) => {
                let error = |_| PgnError { line, reason: format!("{text:?} is no seed") };
                Some(text.parse().map_err(error)?)
            }
            None => None,
        };
        let narrator = match take("Narrator") {
            Some((line, name)) => Some(
                [Color::White, Color::Black]
                    .into_iter()
                    .find(|&color| color_name(color) == name)
                    .ok_or_else(|| at(line)(format!("{name:?} is neither White nor Black")))?,
            ),
            None => None,
        };
        let ending = match take("Ending") {
            Some((line, name)) => {
                let ending = Ending::named(&name);
                Some((line, ending.ok_or_else(|| at(line)(format!("{name:?} is no ending")))?))
            }
            None => None,
        };
        let termination = take("Termination").map(|(_, text)| text).unwrap_or_default();
        let result_tag = take("Result");
        if let (Some(said), Some((line, tag))) = (&raw.result, &result_tag)
            && said != tag
        {
            return Err(at(*line)(format!("result {tag:?}, but the moves end with {said:?}")));
        }
        let (line, result) = result_tag.unwrap_or((raw.line, "*".into()));
        let result = raw.result.clone().unwrap_or(result);
        let winner = match result.as_str() {
            "1-0" => Some(Some(Color::White)),
            "0-1" => Some(Some(Color::Black)),
            "1/2-1/2" => Some(None),
            "*" => None,
            _ => return Err(at(line)(format!("{result:?} is no result"))),
        };
        let known = |name: &str, value: &str| !(ROSTER.contains(&name) && value == unknown(name));
        let tags = tags
            .into_iter()
            .map(|(name, (_, value))| (name, value))
            .filter(|(name, value)| known(name, value))
            .collect();
        let setup = Setup { ruleset, draws, start };
        Ok(Facts { is_kriegspiel, setup, seed, narrator, ending, winner, termination, tags })
    }

    /// How the game ended, where the record says so in so many words.
    fn stated_end(&self) -> Result<Option<Outcome>, PgnError> {
        match (self.ending, self.winner) {
            (None, _) => Ok(None),
            (Some((_, ending)), Some(winner)) => Ok(Some(Outcome { ending, winner })),
            (Some((line, ending)), None) => {
                Err(at(line)(format!("ending {:?} without a result", ending.name())))
            }
        }
    }

    /// How it ended as far as a result alone can tell, with nothing decided on the board.
    fn likely_end(&self) -> Option<Outcome> {
        let winner = self.winner?;
        let ending = match (self.termination.as_str(), winner) {
            (_, None) => Ending::Agreement,
            ("time forfeit", _) => Ending::Flag,
            ("abandoned", _) => Ending::Abandonment,
            _ => Ending::Resignation,
        };
        Some(Outcome { ending, winner })
    }
}

fn read_draws(text: &str) -> Result<DrawRules, String> {
    let mut draws = DrawRules::NONE;
    for name in text.split(',').map(str::trim).filter(|name| *name != "none") {
        match Ending::named(name) {
            Some(Ending::FiftyMoves) => draws.fifty_moves = true,
            Some(Ending::Threefold) => draws.threefold = true,
            Some(Ending::InsufficientMaterial) => draws.insufficient_material = true,
            _ => return Err(format!("{:?} is no draw rule", excerpt(name))),
        }
    }
    Ok(draws)
}

/// A move with the comments after it, or a last turn that came to no move.
struct Turn {
    line: usize,
    moved: Option<String>,
    comments: Comments,
}

fn turns(raw: &RawGame, is_kriegspiel: bool) -> Result<Vec<Turn>, PgnError> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut unfinished = None;
    // Comments before the first move are about no move.
    let mut before = Comments::default();
    for item in &raw.items {
        match &item.text {
            ItemText::Move(text) => {
                if unfinished.is_some() {
                    let reason = format!("{text:?} follows a turn that came to no move");
                    return Err(PgnError { line: item.line, reason });
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
        let line = raw.items.last().map_or(raw.line, |item| item.line);
        turns.push(Turn { line, moved: None, comments });
    }
    Ok(turns)
}

fn record(raw: &RawGame, facts: Facts, turns: Vec<Turn>) -> Result<Told, PgnError> {
    let mut game = Game::new(facts.setup.clone());
    game.record_mut().set_seed(facts.seed);
    for (name, value) in &facts.tags {
        game.record_mut().set_tag(name, value).map_err(at(raw.line))?;
    }
    for turn in &turns {
        play_turn(&mut game, turn).map_err(at(turn.line))?;
    }
    let last_line = turns.last().map_or(raw.line, |turn| turn.line);
    let declared = game.umpire().outcome();
    let end = match (facts.stated_end()?, declared) {
        (Some(stated), _) => Some(stated),
        (None, Some(declared)) => match facts.winner {
            Some(winner) if winner != declared.winner => {
                let reason = format!("the result is not that of \"{declared}\"");
                return Err(PgnError { line: last_line, reason });
            }
            _ => Some(declared),
        },
        (None, None) => facts.likely_end(),
    };
    finish(&mut game, end).map_err(at(last_line))?;
    Ok(Told::Record(Box::new(game.into_record())))
}

fn play_turn(game: &mut Game, turn: &Turn) -> Result<(), String> {
    let comments = &turn.comments;
    let any_after = comments.any().map(|_| comments.any_after);
    let mut tries = 0;
    let mut ms = || {
        tries += 1;
        comments.ms_of(tries - 1)
    };
    for (before, text) in comments.refused.iter().enumerate() {
        if any_after == Some(before) {
            ask(game, comments, ms())?;
        }
        let mv = san::read_refused(game.umpire().position(), text).map_err(|e| e.to_string())?;
        let said = game
            .judge_timed(mv.into(), ms())
            .map_err(|reason| format!("{text:?} was not accepted: {reason}"))?;
        if said.verdict == Verdict::Moved {
            return Err(format!("{text:?} stands among the refused tries, but it is legal"));
        }
    }
    match any_after {
        Some(after) if after == comments.refused.len() => ask(game, comments, ms())?,
        Some(after) if after > comments.refused.len() => {
            return Err(format!("\"any?\" cannot come after {after} refused tries"));
        }
        _ => {}
    }
    let Some(text) = &turn.moved else { return Ok(()) };
    let mv = san::read_legal(game.umpire().position(), text).map_err(|e| e.to_string())?;
    let said = game
        .judge_timed(mv.into(), ms())
        .map_err(|reason| format!("{text:?} was not accepted: {reason}"))?;
    let mut truth = Code::of(&said);
    for code in comments.codes.iter().filter(|c| !matches!(c, Code::Any(_) | Code::Unknown)) {
        match truth.iter().position(|true_code| true_code == code) {
            Some(place) => drop(truth.remove(place)),
            None => return Err(format!("{code} after {text:?}, but the umpire said \"{said}\"")),
        }
    }
    Ok(())
}

fn ask(game: &mut Game, comments: &Comments, ms: Option<u32>) -> Result<(), String> {
    let said = game.judge_timed(Try::Any, ms).map_err(|reason| reason.to_string())?;
    let claimed = comments.any().map(Verdict::Any);
    if claimed != Some(said.verdict) {
        return Err(format!("the umpire's answer was \"{said}\""));
    }
    Ok(())
}

fn transcript(
    raw: &RawGame,
    facts: Facts,
    turns: Vec<Turn>,
    player: Color,
) -> Result<Told, PgnError> {
    let Setup { ruleset, draws, start } = &facts.setup;
    let opening = start.opening(ruleset, *draws);
    let mut view = View::new(*ruleset, start.men(player), &opening);
    let outcome = match (facts.stated_end()?, facts.winner) {
        (Some(stated), _) => Some(stated),
        (None, _) => facts.likely_end(),
    };
    let on_the_board = outcome.filter(|outcome| outcome.ending.stands_on_the_board());
    let mut lines = Vec::new();
    let count = turns.len();
    for (number, turn) in turns.iter().enumerate() {
        let end = if number + 1 == count { on_the_board } else { None };
        tell_turn(&mut view, turn, end, &mut lines).map_err(at(turn.line))?;
    }
    let last_line = turns.last().map_or(raw.line, |turn| turn.line);
    let told = telling::transcript(player, facts.setup, lines, outcome, facts.tags);
    Ok(Told::Transcript(Box::new(told.map_err(at(last_line))?)))
}

/// Lives through one turn as the narrator did.
fn tell_turn(
    view: &mut View,
    turn: &Turn,
    end: Option<Outcome>,
    lines: &mut Vec<Line>,
) -> Result<(), String> {
    let comments = &turn.comments;
    let by = view.turn();
    let is_own = by == view.player();
    let ruleset = *view.ruleset();
    let is_deaf = !is_own && ruleset.refusals == Audience::Mover;
    let any = comments.any().map(|yes| (comments.any_after, yes));
    let refused: &[String] = if is_deaf { &[] } else { &comments.refused };
    let mut tries = 0;
    let mut live = |view: &mut View, tried: Option<Try>, said: Announcement| {
        let line = Line { tried, said, spent_ms: comments.ms_of(tries) };
        tries += 1;
        lines.push(line);
        telling::hear(view, &line)
    };
    for before in 0..=refused.len() {
        if let Some((after, yes)) = any
            && after == before
        {
            let said = Announcement::plain(by, Verdict::Any(yes), Audience::Both);
            live(view, Some(Try::Any), said)?;
        }
        let Some(text) = refused.get(before) else { break };
        let (tried, verdict) = if is_own {
            let mv = san::read_try(view.men(), text).map_err(|e| e.to_string())?;
            let senseless = !view.is_sensible(Try::Move(mv));
            let verdict = match ruleset.senseless {
                Senseless::NotAccepted if senseless => {
                    return Err(format!("{text:?} makes no sense and was not accepted"));
                }
                Senseless::Nonsense if senseless => Verdict::Nonsense,
                _ => Verdict::Refused,
            };
            (Some(Try::Move(mv)), verdict)
        } else {
            match text.as_str() {
                "??" => (None, Verdict::Refused),
                "nonsense" => (None, Verdict::Nonsense),
                _ => return Err(format!("{text:?} was the opponent's, and is not known")),
            }
        };
        live(view, tried, Announcement::plain(by, verdict, ruleset.refusals))?;
    }
    let Some(text) = &turn.moved else { return Ok(()) };
    let tried = match (is_own, text.as_str()) {
        (true, _) => Some(Try::Move(san::read_try(view.men(), text).map_err(|e| e.to_string())?)),
        (false, "??") => None,
        (false, _) => return Err(format!("{text:?} was the opponent's, and is not known")),
    };
    let said = heard_of_a_move(view, by, comments, end)?;
    live(view, tried, said)
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
                    if told { telling::own_man_on(view, square) } else { None }
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
        _ => return Err("what the umpire said of pawn tries (P) is missing".into()),
    };
    Ok(said)
}
