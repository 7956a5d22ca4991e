//! `krieg bench belief`: the accuracy of each belief, and what it costs.

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

use crate::measured_belief::BeliefSource;
use crate::options::BenchBeliefOptions;
use krieg_arena::read_records;

/// The stages of a game, by move number.
const STAGES: [(&str, u32); 4] = [("1–10", 1), ("11–20", 11), ("21–40", 21), ("41–", 41)];

/// Number of moves per point in a plot. The last point also covers all later moves.
const MOVES_PER_POINT: u32 = 5;
/// Number of points in a plot.
const POINTS: usize = 16;

/// The measurements of one part of the games.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    turns: u32,
    score: BeliefScore,
    /// The sum of the number of different boards over the turns.
    boards: u64,
    /// Sides of games that reached this part, and those with a contradiction in it.
    sides: u32,
    contradictions: u32,
    updates: u32,
    time: Duration,
    longest: Duration,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.turns += other.turns;
        self.score.log_loss += other.score.log_loss;
        self.score.brier += other.score.brier;
        self.boards += other.boards;
        self.sides += other.sides;
        self.contradictions += other.contradictions;
        self.updates += other.updates;
        self.time += other.time;
        self.longest = self.longest.max(other.longest);
    }

    fn per_turn(&self, sum: f64) -> f64 {
        sum / f64::from(self.turns.max(1))
    }

    fn log_loss(&self) -> f64 {
        self.per_turn(self.score.log_loss)
    }

    fn brier(&self) -> f64 {
        self.per_turn(self.score.brier)
    }

    fn mean_boards(&self) -> f64 {
        self.per_turn(self.boards as f64)
    }

    fn update_ms(&self) -> f64 {
        self.time.as_secs_f64() * 1e3 / f64::from(self.updates.max(1))
    }

    fn longest_ms(&self) -> f64 {
        self.longest.as_secs_f64() * 1e3
    }

    fn contradiction_rate(&self) -> f64 {
        f64::from(self.contradictions) / f64::from(self.sides.max(1))
    }
}

/// The measurements of one belief.
struct Measured {
    belief: BeliefSource,
    all: Tally,
    stages: [Tally; STAGES.len()],
    points: [Tally; POINTS],
}

/// The opponent model of a file, or the built-in one.
pub fn opponents(file: Option<&Path>) -> Result<OpponentMixture> {
    let Some(file) = file else { return Ok(OpponentMixture::default()) };
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    OpponentMixture::read(&text).with_context(|| file.display().to_string())
}

/// The beliefs that are named, and those of the networks that are named. Without any name, all
/// beliefs of players.
fn sources(options: &BenchBeliefOptions) -> Result<Vec<BeliefSource>> {
    let every_belief = BeliefSpec::all();
    let has_name = !options.beliefs.is_empty() || !options.networks.is_empty();
    let beliefs = if has_name { &options.beliefs } else { &every_belief };
    let boards = beliefs.iter().map(|&belief| Ok(BeliefSource::Boards(belief, options.capacity)));
    let networks = options.networks.iter().map(|file| BeliefSource::read_network(file));
    boards.chain(networks).collect()
}

/// Measures beliefs on the same games, and prints a table.
pub fn belief(options: &BenchBeliefOptions) -> Result<()> {
    let mut records = read_records(&options.files)?;
    records.truncate(options.games);
    if records.is_empty() {
        bail!("there are no games");
    }
    let opponents = opponents(options.opponents.as_deref())?;
    let mut all = Vec::new();
    for belief in sources(options)? {
        let mut measured = Measured {
            belief,
            all: Tally::default(),
            stages: Default::default(),
            points: Default::default(),
        };
        for record in &records {
            for color in Color::ALL {
                follow(&mut measured, record, color, &opponents);
            }
        }
        all.push(measured);
    }
    let about = format!(
        "{} games, both sides, capacity {}; nats per turn",
        records.len(),
        options.capacity
    );
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
                "brier": tally.brier(), "contradictions": tally.contradiction_rate(),
                "boards": tally.mean_boards(), "update_ms": tally.update_ms(),
                "max_update_ms": tally.longest_ms(),
            })
        }).collect();
        let summary = json!({ "games": records.len(), "capacity": options.capacity, "rows": rows });
        writeln!(out, "{summary}")?;
        return Ok(());
    }
    writeln!(out, "{about}")?;
    write!(out, "{}", table(&all))?;
    Ok(())
}

/// The stages of a belief, and all of them together.
fn rows(measured: &Measured) -> Vec<(String, &'static str, Tally)> {
    let name = measured.belief.name();
    let stages = STAGES.iter().zip(measured.stages).map(|((stage, _), tally)| (*stage, tally));
    let all = stages.chain([("all", measured.all)]);
    all.map(|(stage, tally)| (name.clone(), stage, tally)).collect()
}

fn table(all: &[Measured]) -> String {
    let heads = [
        "",
        "belief",
        "moves",
        "turns",
        "log-loss",
        "Brier",
        "contradictions",
        "boards",
        "ms/update",
        "max ms",
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
            format!("{:.1}%", tally.contradiction_rate() * 100.0),
            format!("{:.0}", tally.mean_boards()),
            format!("{:.2}", tally.update_ms()),
            format!("{:.1}", tally.longest_ms()),
        ]);
    }
    align_columns(&lines)
}

/// The same over the course of the games.
fn plots(all: &[Measured]) -> Vec<Chart> {
    let chart = |title: &str, caption: &str, of: fn(&Tally) -> f64| {
        let line = |measured: &Measured| {
            let points = measured.points.iter().zip(1..).filter(|(tally, _)| tally.turns > 0);
            let points =
                points.map(|(tally, number)| (f64::from(number * MOVES_PER_POINT), of(tally)));
            (measured.belief.name(), points.collect())
        };
        Chart {
            title: title.to_string(),
            caption: caption.to_string(),
            x_label: "moves".to_string(),
            series: all.iter().map(line).collect(),
        }
    };
    vec![
        chart("Log-loss", "Nats per turn, by move; lower is better.", Tally::log_loss),
        chart("Brier score", "By move; lower is better.", Tally::brier),
        chart(
            "Contradictions",
            "The share of sides of games in which no board fitted.",
            Tally::contradiction_rate,
        ),
        chart("Different boards", "Number of boards at the start of a turn.", Tally::mean_boards),
        chart("Time", "Mean milliseconds per update.", Tally::update_ms),
    ]
}

/// Follows a game from one side, and compares the belief with the true board at the start of each
/// turn of that side.
fn follow(measured: &mut Measured, record: &Record, color: Color, opponents: &OpponentMixture) {
    let setup = record.setup();
    let control = TimeControl::Unlimited;
    let seat = Seat { color, setup: setup.clone(), control, seed: 1 };
    let mut belief = measured.belief.start(&seat, opponents);
    let mut observer = Observer::new(color);
    let mut game = Game::new(setup.clone());
    let mut all = Tally::default();
    let (mut stages, mut points) = ([Tally::default(); STAGES.len()], [Tally::default(); POINTS]);
    for entry in record.entries() {
        // The record was umpired by the same rules, so this does not fail.
        let _ = game.judge(entry.tried);
        let Some(observation) = observer.observe(entry) else { continue };
        let number = game.umpire().view(color).ply() / 2 + 1;
        let stage = STAGES.iter().rposition(|(_, first)| number >= *first).unwrap_or(0);
        let point = ((number - 1) / MOVES_PER_POINT).min(POINTS as u32 - 1) as usize;
        let start = Instant::now();
        let is_contradiction = belief.observe(&observation);
        let time = start.elapsed();
        let mut tally = Tally { updates: 1, time, longest: time, ..Tally::default() };
        let is_over = observation.announcement.end.is_some();
        if !is_over
            && observation.announcement.by != color
            && observation.announcement.verdict == Verdict::Moved
        {
            let truth = OpponentBoard::of(game.umpire().position(), !color);
            tally.score =
                BeliefScore::new(&belief.marginals(), &truth, game.umpire().view(color).pieces());
            tally.boards = belief.board_count().unwrap_or(0) as u64;
            tally.turns = 1;
        }
        for part in [&mut all, &mut stages[stage], &mut points[point]] {
            part.add(&tally);
            part.sides = 1;
            part.contradictions |= u32::from(is_contradiction);
        }
    }
    measured.all.add(&all);
    measured.stages.iter_mut().zip(&stages).for_each(|(sum, tally)| sum.add(tally));
    measured.points.iter_mut().zip(&points).for_each(|(sum, tally)| sum.add(tally));
}
