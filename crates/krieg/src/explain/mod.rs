//! `krieg explain`: the belief and the preferred try of a player at a decision of a recorded game.

mod decision_point;
mod json;
mod learned_text;
mod marshal_text;
mod text;

use std::io::{self, Write};

use anyhow::{Result, bail};
use krieg_core::{Color, Observation, Piece, PieceSet, Square, Transcript, Try};
use krieg_notation::{SavedGame, san};
use krieg_players::learned::{Learned, LearnedExplanation, LearnedSettings};
use krieg_players::marshal::{self, Marshal, MarshalSettings};
use krieg_players::{Player, PlayerSpec, Seat};
use krieg_time::{Clock, TimeControl};
use serde_json::{Map, Value};

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
    /// The player that explains.
    by: &'a PlayerSpec,
}

/// What a player says about the decision.
enum Explanation {
    Marshal(marshal::Explanation),
    Learned(LearnedExplanation),
}

pub fn explain(options: &ExplainOptions) -> Result<()> {
    let saved = read_game(&options.file, options.game)?;
    let transcript = transcript_of(saved, options.color.map(Color::from))?;
    let decision_point = decision_point::find(&transcript, options.number, options.answers)?;
    let explanation = match options.by.name() {
        "marshal" => by_marshal(&transcript, &decision_point, options)?,
        "learned" => by_learned(&transcript, &decision_point, options)?,
        name => bail!("{name} cannot explain its tries: use --player marshal or learned"),
    };
    let report = Report {
        transcript: &transcript,
        decision_point: &decision_point,
        explanation: &explanation,
        game: options.game,
        by: &options.by,
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

/// Lets `marshal` search after the player's observations.
fn by_marshal(
    transcript: &Transcript,
    decision_point: &DecisionPoint,
    options: &ExplainOptions,
) -> Result<Explanation> {
    let mut settings = MarshalSettings::from_parameters(&options.by.settings())?;
    if let Some(simulations) = options.simulations {
        settings.simulations = simulations as u64;
    }
    settings.particles = options.particles.unwrap_or(settings.particles);
    settings.opponent_model = options.opponent_model.unwrap_or(settings.opponent_model);
    let mut marshal = Marshal::new(settings);
    replay(&mut marshal, transcript, decision_point, options.seed)?;
    let clock = Clock::new(TimeControl::Unlimited);
    Ok(Explanation::Marshal(marshal.explain(&decision_point.view, &clock)))
}

/// Asks the network of `learned` after the player's observations.
fn by_learned(
    transcript: &Transcript,
    decision_point: &DecisionPoint,
    options: &ExplainOptions,
) -> Result<Explanation> {
    let of_marshal = [
        ("--simulations", options.simulations.is_some()),
        ("--particles", options.particles.is_some()),
        ("--opponent-model", options.opponent_model.is_some()),
    ];
    if let Some((name, _)) = of_marshal.iter().find(|(_, is_given)| *is_given) {
        bail!("learned does not search: leave {name} out, or use --player marshal");
    }
    let mut learned = Learned::new(LearnedSettings::from_parameters(&options.by.settings())?);
    replay(&mut learned, transcript, decision_point, options.seed)?;
    Ok(Explanation::Learned(learned.explain(&decision_point.view)))
}

/// Passes the player's observations before the decision to another player.
fn replay(
    player: &mut dyn Player,
    transcript: &Transcript,
    decision_point: &DecisionPoint,
    seed: u64,
) -> Result<()> {
    let (control, setup) = (TimeControl::Unlimited, transcript.setup.clone());
    player.begin(&Seat { color: transcript.player, setup, control, seed })?;
    for observation in &transcript.observations[..decision_point.observations] {
        player.observe(observation)?;
    }
    Ok(())
}

impl Explanation {
    /// The probability of a piece of the opponent on a square.
    fn probability(&self, piece: Piece, square: Square) -> f64 {
        match self {
            Explanation::Marshal(explanation) => explanation.map.probability(piece, square),
            Explanation::Learned(explanation) => explanation.map.probability(piece, square),
        }
    }

    /// The rank of a try, counted from 1.
    fn rank(&self, tried: Try) -> Option<usize> {
        let at = match self {
            Explanation::Marshal(explanation) => {
                explanation.tries.iter().position(|known| Try::Move(known.mv) == tried)
            }
            Explanation::Learned(explanation) => {
                explanation.tries.iter().position(|known| known.tried == tried)
            }
        };
        at.map(|at| at + 1)
    }

    fn to_json(&self) -> Map<String, Value> {
        match self {
            Explanation::Marshal(explanation) => explanation.to_json(),
            Explanation::Learned(explanation) => explanation.to_json(),
        }
    }
}

impl Report<'_> {
    /// The pieces of the player whose decision is explained.
    fn own_pieces(&self) -> &PieceSet {
        self.decision_point.view.pieces()
    }

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
            Try::Move(mv) => san::write_try(self.own_pieces(), mv),
        }
    }
}
