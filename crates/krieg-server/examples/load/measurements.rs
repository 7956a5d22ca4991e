//! Counts and response times that are measured during a phase of the test.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

const PERCENTILES: [(&str, f64); 5] =
    [("50%", 0.5), ("90%", 0.9), ("99%", 0.99), ("99.9%", 0.999), ("all", 1.0)];

/// Counts and response times.
#[derive(Debug, Default)]
pub struct Measurements {
    /// Microseconds from sending a try to the answer.
    pub from_sent: Vec<u32>,
    /// Microseconds from the time at which a try was due to the answer.
    pub from_due: Vec<u32>,
    /// Microseconds from sending a move until both players had received it.
    pub to_both: Vec<u32>,
    pub errors: BTreeMap<String, u64>,
    pub games_over: u64,
    /// Number of tries that the umpire answered without an error.
    pub umpire_answers: usize,
}

impl Measurements {
    /// Records the answer to a try.
    pub fn add_answer(&mut self, sent: Duration, due: Duration, result: Result<(), String>) {
        self.from_sent.push(micros(sent));
        self.from_due.push(micros(due));
        self.umpire_answers += usize::from(result.is_ok());
        self.count_error(result);
    }

    /// Records that both players have received a move.
    pub fn add_received_by_both(&mut self, sent: Duration) {
        self.to_both.push(micros(sent));
    }

    pub fn count_error(&mut self, result: Result<(), String>) {
        if let Err(code) = result {
            *self.errors.entry(code).or_default() += 1;
        }
    }

    pub fn tries(&self) -> usize {
        self.from_sent.len()
    }

    pub fn add(&mut self, other: &Measurements) {
        self.from_sent.extend(&other.from_sent);
        self.from_due.extend(&other.from_due);
        self.to_both.extend(&other.to_both);
        for (code, count) in &other.errors {
            *self.errors.entry(code.clone()).or_default() += count;
        }
        self.games_over += other.games_over;
        self.umpire_answers += other.umpire_answers;
    }
}

/// The measurements of a period of playing.
#[derive(Debug)]
pub struct Phase {
    pub duration: Duration,
    pub measurements: Measurements,
    /// Processor time of the server and of this program.
    pub processor_times: ProcessorTimes,
}

#[derive(Debug, Clone, Copy)]
pub struct ProcessorTimes {
    pub server: Duration,
    pub own: Duration,
}

impl ProcessorTimes {
    pub fn since(self, earlier: ProcessorTimes) -> ProcessorTimes {
        ProcessorTimes { server: self.server - earlier.server, own: self.own - earlier.own }
    }
}

fn micros(time: Duration) -> u32 {
    u32::try_from(time.as_micros()).unwrap_or(u32::MAX)
}

/// The percentiles of response times, in milliseconds.
fn percentiles(micros: &[u32]) -> Vec<(&'static str, f64)> {
    let mut sorted = micros.to_vec();
    sorted.sort_unstable();
    let percentile = |(name, share): (&'static str, f64)| {
        let rank = (sorted.len() as f64 * share).ceil() as usize;
        let ms = sorted.get(rank.saturating_sub(1)).map_or(0.0, |micros| f64::from(*micros) / 1e3);
        (name, ms)
    };
    PERCENTILES.into_iter().map(percentile).collect()
}

pub fn percentiles_text(micros: &[u32]) -> String {
    let texts: Vec<String> =
        percentiles(micros).iter().map(|(name, ms)| format!("{name} {ms:.2} ms")).collect();
    texts.join(", ")
}

pub fn percentiles_json(micros: &[u32]) -> Value {
    percentiles(micros).into_iter().map(|(name, ms)| (name.to_string(), Value::from(ms))).collect()
}
