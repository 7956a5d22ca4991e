//! `krieg explain`: what the player marshal believes at a moment of a recorded game, and what it would try and why.

mod data;
mod moment;
mod words;

use std::io::{self, Write};

use anyhow::Result;
use krieg_chess::clock::{Clock, TimeControl};
use krieg_core::{Color, Line, Transcript, Try};
use krieg_notation::Told;
use krieg_players::marshal::{Explanation, Marshal, MarshalSettings};
use krieg_players::{Player, Seat};

use crate::cli::ExplainOptions;
use crate::files::{GameFile, from_side};
use moment::Moment;

/// All that is to be told.
struct Story<'a> {
    told: &'a Transcript,
    moment: &'a Moment,
    explanation: &'a Explanation,
    /// Which game of the file it is.
    game: usize,
}

pub fn explain(options: &ExplainOptions) -> Result<()> {
    let told = GameFile::read(&options.file)?.game(options.game)?;
    let told = transcript(told, options.player.map(Color::from))?;
    let moment = moment::find(&told, options.number, options.tries)?;
    let explanation = think(&told, &moment, options)?;
    let story =
        Story { told: &told, moment: &moment, explanation: &explanation, game: options.game };
    let mut out = io::stdout().lock();
    if options.json {
        writeln!(out, "{}", data::of(&story))?;
        return Ok(());
    }
    words::write(&mut out, &story, options.ascii)
}

/// The game as the player knows it of whom it is asked.
fn transcript(told: Told, player: Option<Color>) -> Result<Transcript> {
    let teller = match &told {
        Told::Record(_) => Color::White,
        Told::Transcript(transcript) => transcript.player,
    };
    let player = player.unwrap_or(teller);
    Ok(match from_side(told, Some(player))? {
        Told::Transcript(transcript) => *transcript,
        Told::Record(record) => record.transcript(player),
    })
}

/// Lets marshal hear all that the player had heard, and think.
fn think(told: &Transcript, moment: &Moment, options: &ExplainOptions) -> Result<Explanation> {
    let mut settings = MarshalSettings::default();
    if let Some(simulations) = options.simulations {
        settings.simulations = simulations as u64;
    }
    settings.boards = options.boards.unwrap_or(settings.boards);
    settings.model = options.model.unwrap_or(settings.model);
    let mut marshal = Marshal::new(settings);
    let (control, setup) = (TimeControl::Unlimited, told.setup.clone());
    marshal.begin(&Seat { color: told.player, setup, control, seed: options.seed })?;
    for line in &told.lines[..moment.heard] {
        marshal.hear(line)?;
    }
    Ok(marshal.explain(&moment.view, &Clock::new(control)))
}

impl Story<'_> {
    /// What the player heard last.
    fn heard_last(&self) -> String {
        let last = self.moment.heard.checked_sub(1).and_then(|at| self.told.lines.get(at));
        last.map_or(self.told.opening, |line| line.said).to_string()
    }

    /// What was really tried, with the answer.
    fn really(&self) -> Option<(Try, &Line)> {
        let line = self.told.lines.get(self.moment.heard)?;
        let is_own = line.said.by == self.told.player;
        line.tried.filter(|_| is_own).map(|tried| (tried, line))
    }

    /// What marshal calls a try.
    fn name(&self, tried: Try) -> String {
        match tried {
            Try::Any => tried.to_string(),
            Try::Move(mv) => self.explanation.name(mv),
        }
    }

    /// At which place a try stands in marshal's list, counted from 1.
    fn place(&self, tried: Try) -> Option<usize> {
        let Try::Move(mv) = tried else { return None };
        self.explanation.tries.iter().position(|known| known.mv == mv).map(|at| at + 1)
    }
}
