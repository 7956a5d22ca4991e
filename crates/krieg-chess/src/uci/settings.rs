//! UCI options.

use std::time::Duration;

use krieg_core::excerpt;

use crate::eval::Evaluation;
use crate::search::{Engine, Method};
use krieg_time::ClockReading;

/// Maximum of the option `Hash`, in MiB.
const MAX_HASH: usize = 4_096;
/// Maximum of the option `Threads`.
const MAX_THREADS: usize = 256;
/// Maximum of the option `MultiPV`: no position has more legal moves.
const MAX_MULTI_PV: usize = 218;

/// Options that the UCI server itself uses.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    /// `Move Overhead`: time reserved for communication per move.
    pub move_overhead: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { move_overhead: ClockReading::OVERHEAD }
    }
}

/// Default of the option `Hash`, in MiB.
pub(super) const DEFAULT_HASH: usize = 16;

/// The `option` lines of the answer to `uci`.
pub(super) fn option_lines() -> String {
    let methods: Vec<String> =
        Method::ALL.into_iter().map(|method| format!("var {}", method.name())).collect();
    format!(
        "option name Hash type spin default {DEFAULT_HASH} min 1 max {MAX_HASH}\n\
         option name Clear Hash type button\n\
         option name Threads type spin default 1 min 1 max {MAX_THREADS}\n\
         option name MultiPV type spin default 1 min 1 max {MAX_MULTI_PV}\n\
         option name Ponder type check default false\n\
         option name Move Overhead type spin default {} min 0 max 10000\n\
         option name Method type combo default {} {}\n\
         option name Selective type check default true\n\
         option name Evaluation type string default network",
        ClockReading::OVERHEAD.as_millis(),
        Method::default().name(),
        methods.join(" "),
    )
}

/// Sets an option. The error is a message for the user.
pub(super) fn set_option(
    engine: &mut Engine<Evaluation>,
    settings: &mut Settings,
    name: &str,
    value: Option<&str>,
) -> Result<(), String> {
    let mut options = engine.options();
    match name.to_ascii_lowercase().as_str() {
        "hash" => {
            let size = spin(name, value, 1, MAX_HASH)?;
            if !engine.set_hash_bytes(size << 20) {
                return Err(format!("cannot allocate a hash table of {size} MiB"));
            }
        }
        "clear hash" => engine.clear(),
        "threads" => options.threads = spin(name, value, 1, MAX_THREADS)?,
        "multipv" => options.multi_pv = spin(name, value, 1, MAX_MULTI_PV)?,
        "ponder" => {
            check(name, value)?; // only announces that the GUI may send `go ponder`
        }
        "move overhead" => {
            settings.move_overhead = Duration::from_millis(spin(name, value, 0, 10_000)? as u64);
        }
        "method" => {
            let names = Method::ALL.map(Method::name).join(", ");
            options.method = value
                .and_then(|value| value.parse().ok())
                .ok_or_else(|| format!("Method must be one of {names}, not {}", quoted(value)))?;
        }
        "selective" => options.selective = check(name, value)?,
        "evaluation" => engine.set_evaluation(evaluation(value)?),
        _ => return Err(format!("unknown option {:?}", excerpt(name))),
    }
    if (options.method, options.selective) != (engine.options().method, engine.options().selective)
    {
        engine.clear(); // results of one algorithm are not valid for another
    }
    engine.set_options(options);
    Ok(())
}

/// The value for an error message.
fn quoted(value: Option<&str>) -> String {
    value.map_or("nothing".to_string(), |value| format!("{:?}", excerpt(value)))
}

/// Parses the value of an option of type `spin`.
fn spin(name: &str, value: Option<&str>, min: usize, max: usize) -> Result<usize, String> {
    value
        .and_then(|value| value.parse().ok())
        .filter(|value| (min..=max).contains(value))
        .ok_or_else(|| {
            format!("{name} must be a number from {min} to {max}, not {}", quoted(value))
        })
}

/// Parses the value of an option of type `check`.
fn check(name: &str, value: Option<&str>) -> Result<bool, String> {
    match value.map(str::to_ascii_lowercase).as_deref() {
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        _ => Err(format!("{name} must be true or false, not {}", quoted(value))),
    }
}

fn evaluation(value: Option<&str>) -> Result<Evaluation, String> {
    match value {
        None | Some("" | "<empty>") => Ok(Evaluation::default()),
        Some(name) => {
            Evaluation::open(name).map_err(|error| format!("{:?}: {error}", excerpt(name)))
        }
    }
}
