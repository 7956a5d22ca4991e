//! What is counted, in the text format that Prometheus reads.

use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Numbers since the server was started.
#[derive(Debug, Default)]
pub struct Metrics {
    requests: [AtomicU64; 6],
    sockets: AtomicI64,
    begun: AtomicU64,
    over: AtomicU64,
    answers: Times,
    thoughts: Times,
}

/// How often something took how long.
#[derive(Debug, Default)]
struct Times {
    within: [AtomicU64; BOUNDS.len()],
    count: AtomicU64,
    micros: AtomicU64,
}

/// In seconds.
const BOUNDS: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 10.0];

impl Times {
    fn note(&self, took: Duration) {
        self.count.fetch_add(1, Relaxed);
        self.micros.fetch_add(took.as_micros() as u64, Relaxed);
        for (bound, within) in BOUNDS.iter().zip(&self.within) {
            if took.as_secs_f64() <= *bound {
                within.fetch_add(1, Relaxed);
            }
        }
    }

    fn write(&self, text: &mut String, name: &str, about: &str) {
        let _ = writeln!(text, "# HELP {name} {about}\n# TYPE {name} histogram");
        for (bound, within) in BOUNDS.iter().zip(&self.within) {
            let _ = writeln!(text, "{name}_bucket{{le=\"{bound}\"}} {}", within.load(Relaxed));
        }
        let count = self.count.load(Relaxed);
        let seconds = self.micros.load(Relaxed) as f64 / 1e6;
        let _ = writeln!(
            text,
            "{name}_bucket{{le=\"+Inf\"}} {count}\n{name}_sum {seconds}\n{name}_count {count}"
        );
    }
}

impl Metrics {
    /// A request was answered with this status.
    pub fn request(&self, status: u16) {
        self.requests[usize::from(status / 100).min(5)].fetch_add(1, Relaxed);
    }

    /// A socket was opened, or closed.
    pub fn socket(&self, change: i64) {
        self.sockets.fetch_add(change, Relaxed);
    }

    /// A game was offered or begun.
    pub fn game_begun(&self) {
        self.begun.fetch_add(1, Relaxed);
    }

    /// A game is over.
    pub fn game_over(&self) {
        self.over.fetch_add(1, Relaxed);
    }

    /// A try was answered, this long after it was heard.
    pub fn answered(&self, took: Duration) {
        self.answers.note(took);
    }

    /// A bot has thought, waiting for its turn included.
    pub fn thought(&self, took: Duration) {
        self.thoughts.note(took);
    }

    /// All of it.
    pub fn text(&self, tables: usize, waiting: usize) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "# HELP krieg_requests_total Requests by the first digit of their status.\n# TYPE krieg_requests_total counter"
        );
        for (digit, count) in self.requests.iter().enumerate().skip(1) {
            let _ = writeln!(
                text,
                "krieg_requests_total{{status=\"{digit}xx\"}} {}",
                count.load(Relaxed)
            );
        }
        for (name, kind, about, number) in [
            ("krieg_open_sockets", "gauge", "Open sockets.", self.sockets.load(Relaxed)),
            ("krieg_games_in_memory", "gauge", "Games in memory.", tables as i64),
            ("krieg_bot_jobs_queued", "gauge", "Thoughts that wait for a thread.", waiting as i64),
            (
                "krieg_games_created_total",
                "counter",
                "Games offered or begun.",
                self.begun.load(Relaxed) as i64,
            ),
            (
                "krieg_games_finished_total",
                "counter",
                "Games that ended.",
                self.over.load(Relaxed) as i64,
            ),
        ] {
            let _ = writeln!(text, "# HELP {name} {about}\n# TYPE {name} {kind}\n{name} {number}");
        }
        self.answers.write(
            &mut text,
            "krieg_try_duration_seconds",
            "From hearing a try to answering it.",
        );
        self.thoughts.write(
            &mut text,
            "krieg_bot_move_seconds",
            "A bot's thought, with its wait for a thread.",
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_long_is_not_among_the_quick() {
        let metrics = Metrics::default();
        metrics.answered(Duration::from_millis(3));
        metrics.answered(Duration::from_millis(300));
        let text = metrics.text(7, 0);
        assert!(text.contains("krieg_try_duration_seconds_bucket{le=\"0.005\"} 1\n"), "{text}");
        assert!(text.contains("krieg_try_duration_seconds_count 2\n"), "{text}");
        assert!(text.contains("krieg_games_in_memory 7\n"), "{text}");
    }
}
