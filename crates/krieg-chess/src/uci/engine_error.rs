//! Failures of engines that the UCI client runs.

use std::time::Duration;

use thiserror::Error;

/// The failure of an engine. Except after an invalid request, the client has tried to restart it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The engine could not be started.
    #[error("{engine} could not be started: {reason}")]
    NotStarted {
        /// The engine's command.
        engine: String,
        /// The error of the operating system.
        reason: String,
    },
    /// The process exited.
    #[error("{engine} exited while {activity}{}", quote(.stderr_tail))]
    Crashed {
        /// The engine's name.
        engine: String,
        /// What it was expected to do.
        activity: &'static str,
        /// The end of its standard error output.
        stderr_tail: String,
    },
    /// The engine did not answer in time.
    #[error("{engine} did not answer while {activity}, within {:.3} s", .timeout.as_secs_f64())]
    TimedOut {
        /// The engine's name.
        engine: String,
        /// What it was expected to do.
        activity: &'static str,
        /// How long the client waited.
        timeout: Duration,
    },
    /// The request was invalid and was not sent to the engine.
    #[error("invalid request to an engine: {0}")]
    InvalidRequest(String),
    /// The engine answered with something that is not a legal move.
    #[error("{engine} answered {answer:?}, which is not a legal move")]
    IllegalMove {
        /// The engine's name.
        engine: String,
        /// The start of the answer.
        answer: String,
    },
}

fn quote(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!("; its error output ends: {stderr:?}") }
}
