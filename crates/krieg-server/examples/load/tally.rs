//! What is counted while games are played, and how long answers took.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

const SHARES: [(&str, f64); 5] =
    [("50%", 0.5), ("90%", 0.9), ("99%", 0.99), ("99.9%", 0.999), ("all", 1.0)];

/// What is counted while games are played.
#[derive(Debug, Default)]
pub struct Tally {
    /// Microseconds from sending a try to its answer.
    pub from_sent: Vec<u32>,
    /// Microseconds to its answer from when it should have been sent.
    pub from_due: Vec<u32>,
    /// Microseconds from sending a move until both players had heard of it.
    pub to_both: Vec<u32>,
    pub errors: BTreeMap<String, u64>,
    pub games_over: u64,
    /// How many tries the umpire answered, and not with an error.
    pub heard: usize,
}

impl Tally {
    /// A try was answered.
    pub fn answered(&mut self, sent: Duration, due: Duration, result: Result<(), String>) {
        self.from_sent.push(micros(sent));
        self.from_due.push(micros(due));
        self.heard += usize::from(result.is_ok());
        self.count_error(result);
    }

    /// A move had been heard by both.
    pub fn heard_by_both(&mut self, sent: Duration) {
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

    pub fn add(&mut self, other: &Tally) {
        self.from_sent.extend(&other.from_sent);
        self.from_due.extend(&other.from_due);
        self.to_both.extend(&other.to_both);
        for (code, count) in &other.errors {
            *self.errors.entry(code.clone()).or_default() += count;
        }
        self.games_over += other.games_over;
        self.heard += other.heard;
    }
}

/// A while of playing.
#[derive(Debug)]
pub struct Round {
    pub time: Duration,
    pub tally: Tally,
    pub server_processor: Duration,
    pub own_processor: Duration,
}

fn micros(time: Duration) -> u32 {
    u32::try_from(time.as_micros()).unwrap_or(u32::MAX)
}

/// The time within which so large a share was answered, in milliseconds.
fn shares(micros: &[u32]) -> Vec<(&'static str, f64)> {
    let mut sorted = micros.to_vec();
    sorted.sort_unstable();
    let of = |(name, share): (&'static str, f64)| {
        let at = (sorted.len() as f64 * share).ceil() as usize;
        let ms = sorted.get(at.saturating_sub(1)).map_or(0.0, |micros| f64::from(*micros) / 1e3);
        (name, ms)
    };
    SHARES.into_iter().map(of).collect()
}

/// The same for people.
pub fn shares_text(micros: &[u32]) -> String {
    let told: Vec<String> =
        shares(micros).iter().map(|(name, ms)| format!("{name} {ms:.2} ms")).collect();
    told.join(", ")
}

/// The same for programs.
pub fn shares_json(micros: &[u32]) -> Value {
    shares(micros).into_iter().map(|(name, ms)| (name.to_string(), Value::from(ms))).collect()
}
