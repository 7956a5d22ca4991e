//! Referees nobody here wrote, measured by the same clock.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::playouts::Work;

/// The Python program that plays their random games.
const SCRIPT: &str = include_str!("referee_speed.py");

#[derive(Deserialize)]
struct Measured {
    attempts: u64,
    plies: u64,
    games: u64,
    seconds: f64,
}

/// Random games by one of them, for so many seconds.
pub fn measure(python: &Path, judge: &str, seconds: f64, seed: u64) -> Result<Work> {
    let name = || format!("{} with {judge}", python.display());
    let mut child = Command::new(python)
        .args(["-", "--referee", judge])
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
    let Measured { attempts, plies, games, seconds } =
        serde_json::from_str(text.trim()).with_context(|| format!("{}: {text:?}", name()))?;
    Ok(Work { games, plies, attempts, seconds })
}
