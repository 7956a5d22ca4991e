//! Putting a transcript together from what was read, and checking that a player can tell it.

use std::collections::BTreeMap;

use krieg_core::{
    Color, Game, Line, Outcome, Setup, Square, Transcript, Try, Verdict, View, color_name,
};

/// A transcript, if one player could have lived through it: own tries are his own men's, what the
/// opponent tried is not in it, turns follow each other, men are lost where men stood.
pub(crate) fn transcript(
    player: Color,
    setup: Setup,
    lines: Vec<Line>,
    outcome: Option<Outcome>,
    tags: BTreeMap<String, String>,
) -> Result<Transcript, String> {
    // Whether a tag may stand in a record is for a record to say.
    let mut tagged = Game::new(Setup::default());
    for (name, value) in &tags {
        tagged.record_mut().set_tag(name, value).map_err(|e| e.to_string())?;
    }
    let opening = setup.start.opening(&setup.ruleset, setup.draws);
    let mut view = View::new(setup.ruleset, setup.start.men(player), &opening);
    for (number, line) in lines.iter().enumerate() {
        hear(&mut view, line).map_err(|reason| format!("try {}: {reason}", number + 1))?;
    }
    let heard = view.outcome();
    let ends_elsewhere = outcome.is_some_and(|outcome| !outcome.ending.stands_on_the_board());
    if heard != outcome && !(heard.is_none() && ends_elsewhere) {
        return Err("what was heard last and how the game ended do not agree".into());
    }
    Ok(Transcript { player, setup, opening, lines, outcome, tags })
}

/// Lets the view live through one line.
pub(crate) fn hear(view: &mut View, line: &Line) -> Result<(), String> {
    let said = &line.said;
    if view.outcome().is_some() {
        return Err("the game was over".into());
    }
    if said.by != view.turn() {
        return Err(format!("it is {}'s turn", color_name(view.turn())));
    }
    let is_question = matches!(said.verdict, Verdict::Any(_));
    if matches!(said.verdict, Verdict::Begun | Verdict::Ended) {
        return Err(format!("\"{said}\" answers no try"));
    }
    if said.by != view.player() {
        if line.tried != is_question.then_some(Try::Any) {
            return Err("what the opponent tried is not known to this player".into());
        }
        if let Some(capture) = said.capture {
            // En passant, the square named may be the landing square, where nobody stood.
            if !capture.en_passant && view.men().on(capture.square).is_none() {
                return Err(format!("no own man stood on {} to be captured", capture.square));
            }
        }
        view.heard(said);
        return Ok(());
    }
    match (line.tried, said.verdict) {
        (Some(Try::Move(mv)), Verdict::Moved) if !view.is_sensible(Try::Move(mv)) => {
            return Err(format!("{mv} makes no sense, and yet it stood"));
        }
        (Some(Try::Move(_)), Verdict::Moved | Verdict::Refused | Verdict::Nonsense) => {}
        (Some(Try::Any), Verdict::Any(_)) => {}
        _ => return Err(format!("\"{said}\" is no answer to this try")),
    }
    if let Some(tried) = line.tried {
        view.answered(tried, said);
    }
    Ok(())
}

/// The own man that a capture by the opponent took, if one stood there.
pub(crate) fn own_man_on(view: &View, square: Square) -> Option<krieg_core::Kind> {
    view.men().on(square).map(krieg_core::Kind::of)
}
