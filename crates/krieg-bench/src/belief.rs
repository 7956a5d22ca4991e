//! `krieg bench belief`: how well each belief pictures the other side, and what it costs.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use krieg_arena::report::{Chart, align_columns, chart_page};
use krieg_belief::{BeliefScore, OpponentBoard, OpponentMixture};
use krieg_core::{Color, Game, Observer, Record, Verdict};
use krieg_io::write_atomically;
use krieg_players::{BeliefSpec, Seat};
use krieg_time::TimeControl;
use serde_json::json;

use crate::options::BenchBeliefOptions;
use krieg_arena::read_records as read_all;

/// The stages of a game, by move number.
const STAGES: [(&str, u32); 4] = [("1–10", 1), ("11–20", 11), ("21–40", 21), ("41–", 41)];

/// In plots, so many moves are one point, and the last point is for all after it.
const STEP: u32 = 5;
const POINTS: usize = 16;

/// What was seen in one part of the games.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    turns: u32,
    quality: BeliefScore,
    /// Different boards in mind, added up over turns.
    known: u64,
    /// Sides of games that came to this part, and those in which no board was left at some moment of it.
    sides: u32,
    ran_out: u32,
    updates: u32,
    time: Duration,
    longest: Duration,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.turns += other.turns;
        self.quality.log_loss += other.quality.log_loss;
        self.quality.brier += other.quality.brier;
        self.known += other.known;
        self.sides += other.sides;
        self.ran_out += other.ran_out;
        self.updates += other.updates;
        self.time += other.time;
        self.longest = self.longest.max(other.longest);
    }

    fn per_turn(&self, sum: f64) -> f64 {
        sum / f64::from(self.turns.max(1))
    }

    fn log_loss(&self) -> f64 {
        self.per_turn(self.quality.log_loss)
    }

    fn brier(&self) -> f64 {
        self.per_turn(self.quality.brier)
    }

    fn boards(&self) -> f64 {
        self.per_turn(self.known as f64)
    }

    fn update_ms(&self) -> f64 {
        self.time.as_secs_f64() * 1e3 / f64::from(self.updates.max(1))
    }

    fn longest_ms(&self) -> f64 {
        self.longest.as_secs_f64() * 1e3
    }

    fn ran_out(&self) -> f64 {
        f64::from(self.ran_out) / f64::from(self.sides.max(1))
    }
}

/// What was seen of one belief.
struct Seen {
    name: BeliefSpec,
    whole: Tally,
    stages: [Tally; STAGES.len()],
    points: [Tally; POINTS],
}

/// The opponents of a file, or those in the program.
pub fn opponents(file: Option<&Path>) -> Result<OpponentMixture> {
    let Some(file) = file else { return Ok(OpponentMixture::default()) };
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    OpponentMixture::read(&text).with_context(|| file.display().to_string())
}

/// Measures beliefs on the same games.
pub fn belief(options: &BenchBeliefOptions) -> Result<()> {
    let mut records = read_all(&options.games)?;
    records.truncate(options.most);
    if records.is_empty() {
        bail!("there are no games");
    }
    let opponents = opponents(options.opponents.as_deref())?;
    let all_names = BeliefSpec::all();
    let names = if options.beliefs.is_empty() { &all_names } else { &options.beliefs };
    let mut all = Vec::new();
    for &name in names {
        let mut seen = Seen {
            name,
            whole: Tally::default(),
            stages: Default::default(),
            points: Default::default(),
        };
        for record in &records {
            for color in Color::ALL {
                follow(&mut seen, record, color, options.boards, &opponents);
            }
        }
        all.push(seen);
    }
    let about =
        format!("{} games, both sides, {} boards; nats a turn", records.len(), options.boards);
    if let Some(file) = &options.plots {
        let page = chart_page("Beliefs", &about, &table(&all), &plots(&all));
        write_atomically(file, |out| out.write_all(page.as_bytes()))
            .with_context(|| file.display().to_string())?;
    }
    let mut out = io::stdout().lock();
    if options.json {
        let rows: Vec<_> = all.iter().flat_map(rows).map(|(name, stage, tally)| {
            json!({
                "belief": name, "moves": stage, "turns": tally.turns, "log_loss": tally.log_loss(),
                "brier": tally.brier(), "ran_out": tally.ran_out(), "boards": tally.boards(),
                "update_ms": tally.update_ms(), "longest_ms": tally.longest_ms(),
            })
        }).collect();
        let summary = json!({ "games": records.len(), "boards": options.boards, "rows": rows });
        writeln!(out, "{summary}")?;
        return Ok(());
    }
    writeln!(out, "{about}")?;
    write!(out, "{}", table(&all))?;
    Ok(())
}

/// A belief's stages, and all of them together.
fn rows(seen: &Seen) -> Vec<(String, &'static str, Tally)> {
    let name = seen.name.to_string();
    let stages = STAGES.iter().zip(seen.stages).map(|((stage, _), tally)| (*stage, tally));
    let all = stages.chain([("all", seen.whole)]);
    all.map(|(stage, tally)| (name.clone(), stage, tally)).collect()
}

fn table(all: &[Seen]) -> String {
    let heads = [
        "",
        "belief",
        "moves",
        "turns",
        "log-loss",
        "Brier",
        "ran out",
        "boards",
        "ms an update",
        "longest",
    ];
    let mut lines = vec![heads.map(str::to_string).to_vec()];
    for (name, stage, tally) in all.iter().flat_map(rows) {
        lines.push(vec![
            String::new(),
            name,
            stage.to_string(),
            tally.turns.to_string(),
            format!("{:.2}", tally.log_loss()),
            format!("{:.2}", tally.brier()),
            format!("{:.1}%", tally.ran_out() * 100.0),
            format!("{:.0}", tally.boards()),
            format!("{:.2}", tally.update_ms()),
            format!("{:.1}", tally.longest_ms()),
        ]);
    }
    align_columns(&lines)
}

/// The same over the moves of the games.
fn plots(all: &[Seen]) -> Vec<Chart> {
    let chart = |title: &str, caption: &str, of: fn(&Tally) -> f64| {
        let line = |seen: &Seen| {
            let points = seen.points.iter().zip(1..).filter(|(tally, _)| tally.turns > 0);
            let points = points.map(|(tally, number)| (f64::from(number * STEP), of(tally)));
            (seen.name.to_string(), points.collect())
        };
        Chart {
            title: title.to_string(),
            caption: caption.to_string(),
            x_label: "moves".to_string(),
            series: all.iter().map(line).collect(),
        }
    };
    vec![
        chart("Log-loss", "Nats a turn, by move; less is better.", Tally::log_loss),
        chart("Brier score", "By move; less is better.", Tally::brier),
        chart("Ran out", "The share of sides of games in which no board was left.", Tally::ran_out),
        chart("Different boards", "In mind as a turn begins.", Tally::boards),
        chart("Time", "Milliseconds for everything heard, on the average.", Tally::update_ms),
    ]
}

/// Follows a game from one player's side, and compares his picture with the truth whenever it becomes his turn.
fn follow(
    seen: &mut Seen,
    record: &Record,
    color: Color,
    boards: usize,
    opponents: &OpponentMixture,
) {
    let setup = record.setup();
    let control = TimeControl::Unlimited;
    let seat = Seat { color, setup: setup.clone(), control, seed: 1 };
    let mut belief = seen.name.make(&seat, boards, opponents);
    let mut ear = Observer::new(color);
    let mut game = Game::new(setup.clone());
    let mut whole = Tally::default();
    let (mut stages, mut points) = ([Tally::default(); STAGES.len()], [Tally::default(); POINTS]);
    for entry in record.entries() {
        // What a record holds was umpired once, by the same rules.
        let _ = game.judge(entry.tried);
        let Some(line) = ear.observe(entry) else { continue };
        let number = game.umpire().view(color).ply() / 2 + 1;
        let stage = STAGES.iter().rposition(|(_, first)| number >= *first).unwrap_or(0);
        let point = ((number - 1) / STEP).min(POINTS as u32 - 1) as usize;
        let begun = Instant::now();
        let heard = belief.observe(&line);
        let time = begun.elapsed();
        let mut tally = Tally { updates: 1, time, longest: time, ..Tally::default() };
        let is_over = line.announcement.end.is_some();
        if !is_over && line.announcement.by != color && line.announcement.verdict == Verdict::Moved
        {
            let truth = OpponentBoard::of(game.umpire().position(), !color);
            tally.quality =
                BeliefScore::new(&belief.marginals(), &truth, game.umpire().view(color).pieces());
            tally.known = belief.board_count().unwrap_or(0) as u64;
            tally.turns = 1;
        }
        for part in [&mut whole, &mut stages[stage], &mut points[point]] {
            part.add(&tally);
            part.sides = 1;
            part.ran_out |= u32::from(heard.is_err());
        }
    }
    seen.whole.add(&whole);
    seen.stages.iter_mut().zip(&stages).for_each(|(all, one)| all.add(one));
    seen.points.iter_mut().zip(&points).for_each(|(all, one)| all.add(one));
}
