//! The speed of other referees, which run in Python.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::random_games::Work;

/// The Python program that plays random games with another referee.
const SCRIPT: &str = include_str!("referee_speed.py");

#[derive(Deserialize)]
struct Report {
    attempts: u64,
    plies: u64,
    games: u64,
    seconds: f64,
}

/// Plays random games with this referee for a number of seconds.
pub fn measure(python: &Path, referee: &str, seconds: f64, seed: u64) -> Result<Work> {
    let name = || format!("{} with {referee}", python.display());
    let mut child = Command::new(python)
        .args(["-", "--referee", referee])
        .args(["--seconds", &seconds.to_string()])
        .args(["--seed", &seed.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(name)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(SCRIPT.as_bytes()).with_context(name)?;
    }
    let output = child.wait_with_output().with_context(name)?;
    if !output.status.success() {
        bail!("{} failed: {}", name(), output.status);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let Report { attempts, plies, games, seconds } =
        serde_json::from_str(text.trim()).with_context(|| format!("{}: {text:?}", name()))?;
    Ok(Work { games, plies, attempts, seconds })
}
