//! The report of the test, as text and as JSON.

use std::fmt::Write;
use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Comparison;
use crate::measurements::{Measurements, Phase, percentiles_json, percentiles_text};

/// Number of faults that are listed; further ones are only counted.
const MAX_LISTED_FAULTS: usize = 10;

/// What happened after the kill.
#[derive(Debug)]
pub struct AfterKill {
    /// From the restart until the server answers.
    restart: Duration,
    /// From then until all players are connected.
    pub reconnected: Duration,
    games: usize,
    different: usize,
    observations: usize,
    in_flight: usize,
    in_flight_kept: usize,
    gained_ms: Vec<i64>,
}

impl AfterKill {
    pub fn new(restart: Duration) -> Self {
        AfterKill {
            restart,
            reconnected: Duration::ZERO,
            games: 0,
            different: 0,
            observations: 0,
            in_flight: 0,
            in_flight_kept: 0,
            gained_ms: Vec::new(),
        }
    }

    pub fn add(&mut self, comparison: &Comparison) {
        self.games += 1;
        self.different += usize::from(!comparison.faults.is_empty());
        self.observations += comparison.observations;
        self.in_flight += usize::from(comparison.in_flight.is_some());
        self.in_flight_kept += usize::from(comparison.in_flight == Some(true));
        self.gained_ms.extend(&comparison.gained_ms);
    }

    /// The largest loss and gain of a clock, in milliseconds.
    fn clock_range_ms(&self) -> [i64; 2] {
        let or_zero = |ms: Option<&i64>| ms.copied().unwrap_or_default();
        [or_zero(self.gained_ms.iter().min()), or_zero(self.gained_ms.iter().max())]
    }
}

/// Resident memory of the server, in KiB.
#[derive(Debug, Default)]
pub struct Memory {
    /// With guests, without games.
    pub before: u64,
    /// With all games, without sockets.
    pub without_sockets: u64,
    /// With two sockets for each game that is played.
    pub with_sockets: u64,
    /// After the restart, with all players connected.
    pub after_restart: Option<u64>,
    pub after: u64,
}

/// Everything that was measured.
#[derive(Debug)]
pub struct Report {
    games: u32,
    idle: u32,
    rate: u32,
    phases: Vec<Phase>,
    pub memory: Memory,
    pub games_in_memory: u64,
    pub after_kill: Option<AfterKill>,
    pub mean_server_answer_ms: f64,
    pub faults: Vec<String>,
}

impl Report {
    pub fn new(games: u32, idle: u32, rate: u32) -> Self {
        Report {
            games,
            idle,
            rate,
            phases: Vec::new(),
            memory: Memory::default(),
            games_in_memory: 0,
            after_kill: None,
            mean_server_answer_ms: 0.0,
            faults: Vec::new(),
        }
    }

    pub fn add(&mut self, phase: Phase) {
        self.phases.push(phase);
    }

    pub fn is_good(&self) -> bool {
        self.faults.is_empty()
    }

    fn measurements(&self) -> Measurements {
        let mut all = Measurements::default();
        self.phases.iter().for_each(|phase| all.add(&phase.measurements));
        all
    }

    fn seconds(&self) -> f64 {
        self.phases.iter().map(|phase| phase.duration.as_secs_f64()).sum()
    }

    /// The mean number of processors that the server and this program used.
    fn processors(&self) -> [f64; 2] {
        let mean = |time: fn(&Phase) -> Duration| {
            self.phases.iter().map(|phase| time(phase).as_secs_f64()).sum::<f64>() / self.seconds()
        };
        [mean(|phase| phase.processor_times.server), mean(|phase| phase.processor_times.own)]
    }

    /// Memory of an idle game in KiB: without sockets, and what two sockets add to it.
    fn memory_per_game(&self) -> [f64; 2] {
        let per_game =
            |from: u64, to: u64, games: u64| (to as f64 - from as f64) / games.max(1) as f64;
        let Memory { before, without_sockets, with_sockets, .. } = self.memory;
        [
            per_game(before, without_sockets, self.games_in_memory),
            per_game(without_sockets, with_sockets, self.games.into()),
        ]
    }

    /// The report as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut add_line = |line: String| {
            let _ = writeln!(text, "{line}");
        };
        let measurements = self.measurements();
        let tries = measurements.tries() as f64;
        let [server, own] = self.processors();
        let target = if self.rate == 0 {
            "as fast as possible".into()
        } else {
            format!("target {}", self.rate)
        };
        add_line(format!(
            "{} games at once for {:.1} s, and {} idle games",
            self.games,
            self.seconds(),
            self.idle
        ));
        add_line(format!(
            "tries answered     {tries} ({:.0} per second; {target})",
            tries / self.seconds()
        ));
        add_line(format!("answered within    {}", percentiles_text(&measurements.from_sent)));
        add_line(format!("  since due        {}", percentiles_text(&measurements.from_due)));
        add_line(format!("  moves, to both   {}", percentiles_text(&measurements.to_both)));
        add_line(format!(
            "  in the server    {:.2} ms on average, from judging a try to storing it",
            self.mean_server_answer_ms
        ));
        add_line(format!(
            "processors used    {server:.2} by the server ({:.0} µs per try), {own:.2} by the test",
            server * self.seconds() * 1e6 / tries.max(1.0)
        ));
        let errors: Vec<String> =
            measurements.errors.iter().map(|(code, count)| format!("{code} {count}")).collect();
        add_line(format!(
            "errors             {}",
            if errors.is_empty() { "none".into() } else { errors.join(", ") }
        ));
        add_line(format!(
            "games over         {}, each followed by a rematch",
            measurements.games_over
        ));
        self.add_memory(&mut add_line);
        if let Some(after) = &self.after_kill {
            add_kill(after, &mut add_line);
        }
        for fault in self.faults.iter().take(MAX_LISTED_FAULTS) {
            add_line(format!("FAULT              {fault}"));
        }
        add_line(format!("faults             {}", self.faults.len()));
        text
    }

    fn add_memory(&self, add_line: &mut impl FnMut(String)) {
        let mib = |kib: u64| kib as f64 / 1024.0;
        let Memory { before, without_sockets, with_sockets, after_restart, after } = self.memory;
        let [game, sockets] = self.memory_per_game();
        add_line(format!(
            "memory in MiB      {:.1} without games, {:.1} with {} games, {:.1} with {} sockets",
            mib(before),
            mib(without_sockets),
            self.games_in_memory,
            mib(with_sockets),
            2 * self.games
        ));
        let restarted =
            after_restart.map(|kib| format!("{:.1} MiB after the reconnection, ", mib(kib)));
        add_line(format!(
            "                   {}{:.1} MiB at the end",
            restarted.unwrap_or_default(),
            mib(after)
        ));
        add_line(format!(
            "an idle game       {game:.1} KiB without sockets, {:.1} KiB with two",
            game + sockets
        ));
    }

    /// The report as JSON.
    pub fn json(&self) -> Value {
        let measurements = self.measurements();
        let [server, own] = self.processors();
        let [game, sockets] = self.memory_per_game();
        let Memory { before, without_sockets, with_sockets, after_restart, after } = self.memory;
        json!({
            "games": self.games,
            "idle": self.idle,
            "rate": self.rate,
            "seconds": self.seconds(),
            "tries": measurements.tries(),
            "tries_per_second": measurements.tries() as f64 / self.seconds(),
            "answer_ms": percentiles_json(&measurements.from_sent),
            "answer_ms_from_due": percentiles_json(&measurements.from_due),
            "move_heard_by_both_ms": percentiles_json(&measurements.to_both),
            "server_answer_ms_mean": self.mean_server_answer_ms,
            "processors": { "server": server, "load": own },
            "errors": measurements.errors,
            "games_over": measurements.games_over,
            "memory_kib": {
                "before": before, "without_sockets": without_sockets, "with_sockets": with_sockets,
                "after_restart": after_restart, "after": after,
                "idle_game": game, "idle_game_with_sockets": game + sockets,
                "games_in_memory": self.games_in_memory,
            },
            "kill": self.after_kill.as_ref().map(kill_json),
            "faults": self.faults.len(),
            "first_faults": self.faults.iter().take(MAX_LISTED_FAULTS).collect::<Vec<_>>(),
        })
    }
}

fn add_kill(after: &AfterKill, add_line: &mut impl FnMut(String)) {
    let [lost, gained] = after.clock_range_ms();
    add_line(format!(
        "killed             ready {:.2} s after the restart, all reconnected {:.2} s later",
        after.restart.as_secs_f64(),
        after.reconnected.as_secs_f64()
    ));
    add_line(format!(
        "  compared         {} games with {} observations: {} different or lost",
        after.games, after.observations, after.different
    ));
    add_line(format!(
        "  tries in transit {}, of which {} were processed",
        after.in_flight, after.in_flight_kept
    ));
    add_line(format!("  clocks           from {lost} to +{gained} ms"));
}

fn kill_json(after: &AfterKill) -> Value {
    let [lost, gained] = after.clock_range_ms();
    json!({
        "restart_s": after.restart.as_secs_f64(),
        "all_back_s": after.reconnected.as_secs_f64(),
        "games": after.games,
        "different": after.different,
        "lines": after.observations,
        "in_flight": after.in_flight,
        "in_flight_kept": after.in_flight_kept,
        "clock_ms": [lost, gained],
    })
}
