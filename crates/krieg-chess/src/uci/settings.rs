//! The options of the engine over UCI.

use std::time::Duration;

use krieg_core::excerpt;

use crate::eval::Evaluation;
use crate::search::{Engine, Method};
use krieg_time::ClockReading;

/// The largest table, in MiB.
const MOST_HASH: usize = 4_096;
const MOST_THREADS: usize = 256;
const MOST_LINES: usize = 218;

/// What can be set from outside and is not the engine's own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    pub overhead: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { overhead: ClockReading::OVERHEAD }
    }
}

/// The table's size before anybody sets it, in MiB.
pub(super) const HASH: usize = 16;

/// How the options are announced.
pub(super) fn announce() -> String {
    let methods: Vec<String> =
        Method::ALL.into_iter().map(|method| format!("var {}", method.name())).collect();
    format!(
        "option name Hash type spin default {HASH} min 1 max {MOST_HASH}\n\
         option name Clear Hash type button\n\
         option name Threads type spin default 1 min 1 max {MOST_THREADS}\n\
         option name MultiPV type spin default 1 min 1 max {MOST_LINES}\n\
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

/// Sets one option. The error says what is wrong.
pub(super) fn set(
    engine: &mut Engine<Evaluation>,
    settings: &mut Settings,
    name: &str,
    value: Option<&str>,
) -> Result<(), String> {
    let mut options = engine.options();
    match name.to_ascii_lowercase().as_str() {
        "hash" => {
            let size = spin(name, value, 1, MOST_HASH)?;
            if !engine.set_hash_bytes(size << 20) {
                return Err(format!("there is no room for a table of {size} MiB"));
            }
        }
        "clear hash" => engine.clear(),
        "threads" => options.threads = spin(name, value, 1, MOST_THREADS)?,
        "multipv" => options.multi_pv = spin(name, value, 1, MOST_LINES)?,
        "ponder" => {
            check(name, value)?; // whether to ponder is decided by whoever sends `go ponder`
        }
        "move overhead" => {
            settings.overhead = Duration::from_millis(spin(name, value, 0, 10_000)? as u64);
        }
        "method" => {
            let names = Method::ALL.map(Method::name).join(", ");
            options.method = value
                .and_then(|value| value.parse().ok())
                .ok_or_else(|| format!("Method is one of {names}, not {}", quoted(value)))?;
        }
        "selective" => options.selective = check(name, value)?,
        "evaluation" => engine.set_evaluation(evaluation(value)?),
        _ => return Err(format!("there is no option {:?}", excerpt(name))),
    }
    if (options.method, options.selective) != (engine.options().method, engine.options().selective)
    {
        engine.clear(); // what one way of searching found does not hold for another
    }
    engine.set_options(options);
    Ok(())
}

fn quoted(value: Option<&str>) -> String {
    value.map_or("nothing".to_string(), |value| format!("{:?}", excerpt(value)))
}

fn spin(name: &str, value: Option<&str>, min: usize, max: usize) -> Result<usize, String> {
    value
        .and_then(|value| value.parse().ok())
        .filter(|value| (min..=max).contains(value))
        .ok_or_else(|| format!("{name} is a number from {min} to {max}, not {}", quoted(value)))
}

fn check(name: &str, value: Option<&str>) -> Result<bool, String> {
    match value.map(str::to_ascii_lowercase).as_deref() {
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        _ => Err(format!("{name} is true or false, not {}", quoted(value))),
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
