//! `krieg explain`: the belief and the preferred try of `marshal` at a decision of a recorded game.

mod decision_point;
mod json;
mod text;

use std::io::{self, Write};

use anyhow::Result;
use krieg_core::{Color, Observation, Transcript, Try};
use krieg_notation::SavedGame;
use krieg_players::marshal::{Explanation, Marshal, MarshalSettings};
use krieg_players::{Player, Seat};
use krieg_time::{Clock, TimeControl};

use crate::cli::ExplainOptions;
use crate::files::{from_side, read_game};
use decision_point::DecisionPoint;

/// Everything that is printed.
struct Report<'a> {
    transcript: &'a Transcript,
    decision_point: &'a DecisionPoint,
    explanation: &'a Explanation,
    /// The number of the game in its file.
    game: usize,
}

pub fn explain(options: &ExplainOptions) -> Result<()> {
    let saved = read_game(&options.file, options.game)?;
    let transcript = transcript_of(saved, options.player.map(Color::from))?;
    let decision_point = decision_point::find(&transcript, options.number, options.answers)?;
    let explanation = search(&transcript, &decision_point, options)?;
    let report = Report {
        transcript: &transcript,
        decision_point: &decision_point,
        explanation: &explanation,
        game: options.game,
    };
    let mut out = io::stdout().lock();
    if options.json {
        writeln!(out, "{}", json::object(&report))?;
        return Ok(());
    }
    text::write(&mut out, &report, options.ascii)
}

/// The transcript of the given player; by default of the player who recorded the game, or White.
fn transcript_of(saved: SavedGame, player: Option<Color>) -> Result<Transcript> {
    let default = match &saved {
        SavedGame::Record(_) => Color::White,
        SavedGame::Transcript(transcript) => transcript.player,
    };
    let player = player.unwrap_or(default);
    Ok(match from_side(saved, Some(player))? {
        SavedGame::Transcript(transcript) => *transcript,
        SavedGame::Record(record) => record.transcript(player),
    })
}

/// Passes the player's observations to `marshal` and lets it search.
fn search(
    transcript: &Transcript,
    decision_point: &DecisionPoint,
    options: &ExplainOptions,
) -> Result<Explanation> {
    let mut settings = MarshalSettings::default();
    if let Some(simulations) = options.simulations {
        settings.simulations = simulations as u64;
    }
    settings.particles = options.particles.unwrap_or(settings.particles);
    settings.opponent_model = options.opponent_model.unwrap_or(settings.opponent_model);
    let mut marshal = Marshal::new(settings);
    let (control, setup) = (TimeControl::Unlimited, transcript.setup.clone());
    marshal.begin(&Seat { color: transcript.player, setup, control, seed: options.seed })?;
    for observation in &transcript.observations[..decision_point.observations] {
        marshal.observe(observation)?;
    }
    Ok(marshal.explain(&decision_point.view, &Clock::new(control)))
}

impl Report<'_> {
    /// The text of the last announcement before the decision.
    fn last_announcement(&self) -> String {
        let last = self.decision_point.observations.checked_sub(1);
        let last = last.and_then(|at| self.transcript.observations.get(at));
        last.map_or(self.transcript.opening, |observation| observation.announcement).to_string()
    }

    /// The try made in the game, with its answer.
    fn played(&self) -> Option<(Try, &Observation)> {
        let observation = self.transcript.observations.get(self.decision_point.observations)?;
        let is_own = observation.announcement.by == self.transcript.player;
        observation.tried.filter(|_| is_own).map(|tried| (tried, observation))
    }

    /// A try in algebraic notation.
    fn name(&self, tried: Try) -> String {
        match tried {
            Try::Any => tried.to_string(),
            Try::Move(mv) => self.explanation.name(mv),
        }
    }

    /// The rank of a try, counted from 1.
    fn rank(&self, tried: Try) -> Option<usize> {
        let Try::Move(mv) = tried else { return None };
        self.explanation.tries.iter().position(|known| known.mv == mv).map(|at| at + 1)
    }
}
