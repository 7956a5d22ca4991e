//! `krieg bench belief`: how well each belief pictures the other side, and what it costs.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use krieg_arena::report::aligned;
use krieg_belief::{Belief, Densities, Hidden, Hybrid, LastObservation, Pool, Quality};
use krieg_core::{Color, Ear, Game, Record, Setup, Verdict};
use serde_json::json;

use crate::cli::BenchBeliefOptions;
use crate::learn::read_all;

/// The stages of a game, by move number.
const STAGES: [(&str, u32); 4] = [("1–10", 1), ("11–20", 11), ("21–40", 21), ("41–", 41)];

/// What is measured.
const BELIEFS: [&str; 3] = ["aosp", "los", "hs"];

fn begin(name: &str, setup: &Setup, color: Color, boards: usize) -> Box<dyn Belief> {
    let densities = Densities::default();
    match name {
        "los" => Box::new(LastObservation::new(setup, color, densities)),
        "hs" => Box::new(Hybrid::new(setup, color, boards, densities, 1)),
        _ => Box::new(Pool::new(setup, color, boards, 1)),
    }
}

/// What was seen at one stage.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    turns: u32,
    quality: Quality,
    /// Sides of games that came to this stage, and those in which no board was left at some moment of it.
    sides: u32,
    ran_out: u32,
    updates: u32,
    time: Duration,
}

/// Measures every belief on the same games.
pub fn belief(options: &BenchBeliefOptions) -> Result<()> {
    let mut records = read_all(&options.games)?;
    records.truncate(options.most);
    if records.is_empty() {
        bail!("there are no games");
    }
    let mut lines = vec![
        ["", "belief", "moves", "turns", "log-loss", "Brier", "ran out", "ms an update"]
            .map(str::to_string)
            .to_vec(),
    ];
    let mut rows = Vec::new();
    for name in BELIEFS {
        let mut tallies = [Tally::default(); STAGES.len()];
        for record in &records {
            for color in Color::ALL {
                follow(name, record, color, options.boards, &mut tallies);
            }
        }
        for ((stage, _), tally) in STAGES.iter().zip(tallies) {
            let turns = f64::from(tally.turns.max(1));
            let log_loss = tally.quality.log_loss / turns;
            let brier = tally.quality.brier / turns;
            let ran_out = f64::from(tally.ran_out) / f64::from(tally.sides.max(1));
            let update_ms = tally.time.as_secs_f64() * 1e3 / f64::from(tally.updates.max(1));
            rows.push(json!({
                "belief": name, "moves": stage, "turns": tally.turns, "log_loss": log_loss,
                "brier": brier, "ran_out": ran_out, "update_ms": update_ms,
            }));
            lines.push(vec![
                String::new(),
                name.to_string(),
                stage.to_string(),
                tally.turns.to_string(),
                format!("{log_loss:.2}"),
                format!("{brier:.2}"),
                format!("{:.1}%", ran_out * 100.0),
                format!("{update_ms:.2}"),
            ]);
        }
    }
    let mut out = io::stdout().lock();
    if options.json {
        let summary = json!({ "games": records.len(), "boards": options.boards, "rows": rows });
        writeln!(out, "{summary}")?;
        return Ok(());
    }
    writeln!(out, "{} games, both sides, {} boards; nats a turn", records.len(), options.boards)?;
    write!(out, "{}", aligned(&lines))?;
    Ok(())
}

/// Follows a game from one player's side, and compares his picture with the truth whenever it becomes his turn.
fn follow(
    name: &str,
    record: &Record,
    color: Color,
    boards: usize,
    tallies: &mut [Tally; STAGES.len()],
) {
    let setup = record.setup();
    let mut belief = begin(name, setup, color, boards);
    let mut ear = Ear::new(color);
    let mut game = Game::new(setup.clone());
    let (mut came, mut ran_out) = ([false; STAGES.len()], [false; STAGES.len()]);
    for entry in record.entries() {
        // What a record holds was umpired once, by the same rules.
        let _ = game.judge(entry.tried);
        let Some(line) = ear.hear(entry) else { continue };
        let number = game.umpire().view(color).ply() / 2 + 1;
        let stage = STAGES.iter().rposition(|(_, first)| number >= *first).unwrap_or(0);
        let tally = &mut tallies[stage];
        let begun = Instant::now();
        let heard = belief.hear(&line);
        tally.time += begun.elapsed();
        tally.updates += 1;
        came[stage] = true;
        ran_out[stage] |= heard.is_err();
        let is_over = line.said.end.is_some();
        if is_over || line.said.by == color || line.said.verdict != Verdict::Moved {
            continue;
        }
        let truth = Hidden::of(game.umpire().position(), !color);
        let quality = Quality::of(&belief.map(), &truth, game.umpire().view(color).men());
        tally.quality.log_loss += quality.log_loss;
        tally.quality.brier += quality.brier;
        tally.turns += 1;
    }
    for (tally, (came, ran_out)) in tallies.iter_mut().zip(came.into_iter().zip(ran_out)) {
        tally.sides += u32::from(came);
        tally.ran_out += u32::from(ran_out);
    }
}
