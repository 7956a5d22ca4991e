//! Finding a moment in a game as one player tells it.

use anyhow::{Result, bail};
use krieg_core::{Color, Transcript, Verdict, View, color_name};

/// A moment at which a player chooses.
#[derive(Debug)]
pub struct Moment {
    /// The number of the move.
    pub number: u32,
    /// How many tries and questions of this move were answered before.
    pub answered: usize,
    /// How many lines of the transcript he had heard.
    pub heard: usize,
    /// What he saw.
    pub view: View,
}

/// The moment before this move, after so many answers within it.
pub fn find(told: &Transcript, number: u32, answered: usize) -> Result<Moment> {
    let start = &told.setup.start;
    let mut view = View::new(told.setup.ruleset, start.men(told.player), &told.opening);
    let mut moment = (u32::from(start.board().fullmove_number()), 0);
    let mut turns = Vec::new();
    for heard in 0..=told.lines.len() {
        if view.is_my_turn() {
            if moment == (number, answered) {
                return Ok(Moment { number, answered, heard, view });
            }
            turns.push(moment);
        }
        let Some(line) = told.lines.get(heard) else { break };
        view.live(line);
        if line.said.verdict == Verdict::Moved {
            moment = (moment.0 + u32::from(line.said.by == Color::Black), 0);
        } else if line.said.by == told.player {
            moment.1 += 1;
        }
    }
    let who = color_name(told.player);
    let (Some((first, _)), Some((last, _))) = (turns.first(), turns.last()) else {
        bail!("{who} has no move in this game");
    };
    let is_that_move = |turn: &&(u32, usize)| turn.0 == number;
    if let Some((_, most)) = turns.iter().rfind(is_that_move) {
        bail!("in move {number}, {who} chose after {} at the most", answers(*most));
    }
    let over = if view.outcome().is_some() || told.outcome.is_some() {
        ", and then the game was over"
    } else {
        ""
    };
    bail!("there is no move {number}: {who} was to move from move {first} to move {last}{over}")
}

/// So many answers, in words.
pub fn answers(count: usize) -> String {
    match count {
        0 => "no answer".to_string(),
        1 => "1 answer".to_string(),
        count => format!("{count} answers"),
    }
}
