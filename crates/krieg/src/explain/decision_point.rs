//! Finding a decision of a player in the transcript of a game.

use anyhow::{Result, bail};
use krieg_core::{Color, Transcript, Verdict, View, color_name};

/// A point of the game at which the player chooses a try.
#[derive(Debug)]
pub struct DecisionPoint {
    /// The move number.
    pub move_number: u32,
    /// Number of answers to tries and questions earlier in the same move.
    pub answers: usize,
    /// Number of observations of the transcript before the decision.
    pub observations: usize,
    /// The player's view.
    pub view: View,
}

/// The decision in this move after this many answers.
pub fn find(transcript: &Transcript, move_number: u32, answers: usize) -> Result<DecisionPoint> {
    let start = &transcript.setup.start;
    let own = start.pieces(transcript.player);
    let mut view = View::new(transcript.setup.ruleset, own, &transcript.opening);
    let mut current = (u32::from(start.board().fullmove_number()), 0);
    let mut decisions = Vec::new();
    for observations in 0..=transcript.observations.len() {
        if view.is_my_turn() {
            if current == (move_number, answers) {
                return Ok(DecisionPoint { move_number, answers, observations, view });
            }
            decisions.push(current);
        }
        let Some(observation) = transcript.observations.get(observations) else { break };
        view.observe(observation);
        let announcement = &observation.announcement;
        if announcement.verdict == Verdict::Moved {
            current = (current.0 + u32::from(announcement.by == Color::Black), 0);
        } else if announcement.by == transcript.player {
            current.1 += 1;
        }
    }
    let player = color_name(transcript.player);
    let (Some((first, _)), Some((last, _))) = (decisions.first(), decisions.last()) else {
        bail!("{player} has no move in this game");
    };
    let is_in_move = |decision: &&(u32, usize)| decision.0 == move_number;
    if let Some((_, most)) = decisions.iter().rfind(is_in_move) {
        bail!("in move {move_number}, {player} last chose after {}", count_answers(*most));
    }
    let end = if view.outcome().is_some() || transcript.outcome.is_some() {
        ", and then the game was over"
    } else {
        ""
    };
    bail!(
        "there is no move {move_number}: {player} was to move from move {first} to move {last}{end}"
    )
}

/// A number of answers in words.
pub fn count_answers(count: usize) -> String {
    match count {
        0 => "no answer".to_string(),
        1 => "1 answer".to_string(),
        count => format!("{count} answers"),
    }
}
