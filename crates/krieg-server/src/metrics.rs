//! Metrics in the text format of Prometheus.

use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Counters and durations since the server was started.
#[derive(Debug, Default)]
pub struct Metrics {
    /// By the first digit of the status.
    requests: [AtomicU64; 6],
    sockets: AtomicI64,
    games_created: AtomicU64,
    games_finished: AtomicU64,
    try_durations: Histogram,
    bot_move_durations: Histogram,
}

/// Current values that other parts of the server know.
#[derive(Debug, Clone, Copy)]
pub struct Gauges {
    /// The number of games in memory.
    pub sessions: usize,
    /// The number of jobs that wait for a bot thread.
    pub queued_jobs: usize,
}

#[derive(Debug, Default)]
struct Histogram {
    buckets: [AtomicU64; BOUNDS.len()],
    count: AtomicU64,
    sum_micros: AtomicU64,
}

/// Upper bounds of the buckets, in seconds.
const BOUNDS: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 10.0];

impl Histogram {
    fn record(&self, duration: Duration) {
        self.count.fetch_add(1, Relaxed);
        self.sum_micros.fetch_add(duration.as_micros() as u64, Relaxed);
        for (bound, bucket) in BOUNDS.iter().zip(&self.buckets) {
            if duration.as_secs_f64() <= *bound {
                bucket.fetch_add(1, Relaxed);
            }
        }
    }

    fn write(&self, text: &mut String, name: &str, help: &str) {
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} histogram");
        for (bound, bucket) in BOUNDS.iter().zip(&self.buckets) {
            let _ = writeln!(text, "{name}_bucket{{le=\"{bound}\"}} {}", bucket.load(Relaxed));
        }
        let count = self.count.load(Relaxed);
        let seconds = self.sum_micros.load(Relaxed) as f64 / 1e6;
        let _ = writeln!(
            text,
            "{name}_bucket{{le=\"+Inf\"}} {count}\n{name}_sum {seconds}\n{name}_count {count}"
        );
    }
}

fn write_value(text: &mut String, name: &str, kind: &str, help: &str, value: i64) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}");
}

impl Metrics {
    /// Counts a response with this status.
    pub fn count_request(&self, status: u16) {
        self.requests[usize::from(status / 100).min(5)].fetch_add(1, Relaxed);
    }

    /// Changes the number of open sockets.
    pub fn add_sockets(&self, change: i64) {
        self.sockets.fetch_add(change, Relaxed);
    }

    /// Counts a new game.
    pub fn count_created_game(&self) {
        self.games_created.fetch_add(1, Relaxed);
    }

    /// Counts a finished game.
    pub fn count_finished_game(&self) {
        self.games_finished.fetch_add(1, Relaxed);
    }

    /// Records the time in which a try was judged, stored and applied.
    pub fn record_try(&self, duration: Duration) {
        self.try_durations.record(duration);
    }

    /// Records the time a bot needed for a decision, including its time in the queue.
    pub fn record_bot_move(&self, duration: Duration) {
        self.bot_move_durations.record(duration);
    }

    /// All metrics.
    pub fn text(&self, gauges: Gauges) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "# HELP krieg_requests_total Requests by the first digit of their status.\n\
             # TYPE krieg_requests_total counter"
        );
        for (digit, count) in self.requests.iter().enumerate().skip(1) {
            let count = count.load(Relaxed);
            let _ = writeln!(text, "krieg_requests_total{{status=\"{digit}xx\"}} {count}");
        }
        let sockets = self.sockets.load(Relaxed);
        write_value(&mut text, "krieg_open_sockets", "gauge", "Open sockets.", sockets);
        for (name, help, value) in [
            ("krieg_games_in_memory", "Games in memory.", gauges.sessions),
            ("krieg_bot_jobs_queued", "Jobs waiting for a bot thread.", gauges.queued_jobs),
        ] {
            write_value(&mut text, name, "gauge", help, value as i64);
        }
        for (name, help, value) in [
            ("krieg_games_created_total", "Games created.", &self.games_created),
            ("krieg_games_finished_total", "Games finished.", &self.games_finished),
        ] {
            write_value(&mut text, name, "counter", help, value.load(Relaxed) as i64);
        }
        let help = "Time in which a try is judged, stored and applied.";
        self.try_durations.write(&mut text, "krieg_try_duration_seconds", help);
        let help = "Time of a bot's decision, including the time in the queue.";
        self.bot_move_durations.write(&mut text, "krieg_bot_move_seconds", help);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_counted_in_every_bucket_that_contains_them() {
        let metrics = Metrics::default();
        metrics.record_try(Duration::from_millis(3));
        metrics.record_try(Duration::from_millis(300));
        let text = metrics.text(Gauges { sessions: 7, queued_jobs: 0 });
        assert!(text.contains("krieg_try_duration_seconds_bucket{le=\"0.005\"} 1\n"), "{text}");
        assert!(text.contains("krieg_try_duration_seconds_count 2\n"), "{text}");
        assert!(text.contains("krieg_games_in_memory 7\n"), "{text}");
    }
}
