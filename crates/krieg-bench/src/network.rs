//! `krieg bench network`: the time of one pass of the learned network.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use krieg_core::{Color, Setup};
use krieg_net::{Encoder, InstructionSet, Network, Workspace};

use crate::options::BenchNetworkOptions;

/// Number of passes before the measurement, which fill the caches.
const WARM_UP: usize = 3;

/// Measures passes on one thread with each instruction set of this processor, and prints a table.
pub fn network(options: &BenchNetworkOptions) -> Result<()> {
    ensure!((0.01..=3600.0).contains(&options.seconds), "--seconds must be from 0.01 to 3600");
    let network = match &options.network {
        None => Network::embedded(),
        Some(file) => Arc::new(read(file).with_context(|| file.display().to_string())?),
    };
    let shape = network.shape();
    let mut out = io::stdout().lock();
    writeln!(out, "{shape}, {} weights; one thread, milliseconds per pass", shape.weights())?;
    writeln!(
        out,
        "{:12} {:>8} {:>8} {:>8} {:>8} {:>9}",
        "instructions", "passes", "median", "5%", "95%", "passes/s"
    )?;
    for set in InstructionSet::ALL.into_iter().rev().filter(|set| set.is_available()) {
        let times = pass_times(&network, set, Duration::from_secs_f64(options.seconds));
        let share = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
        writeln!(
            out,
            "{set:12} {:>8} {:>8.3} {:>8.3} {:>8.3} {:>9.0}",
            times.len(),
            share(0.5),
            share(0.05),
            share(0.95),
            1e3 * times.len() as f64 / times.iter().sum::<f64>(),
        )?;
    }
    Ok(())
}

fn read(file: &Path) -> Result<Network> {
    Ok(Network::read(&fs::read(file)?)?)
}

/// The milliseconds of each pass within this time, in increasing order. The time of a pass does not
/// depend on the input, so all passes evaluate the start of a game.
fn pass_times(network: &Network, set: InstructionSet, time: Duration) -> Vec<f64> {
    let input = Encoder::new(Color::White, &Setup::default()).encode(None);
    let mut workspace = Workspace::default();
    for _ in 0..WARM_UP {
        network.evaluate_with(set, &input, &mut workspace);
    }
    let start = Instant::now();
    let mut times = Vec::new();
    while times.is_empty() || start.elapsed() < time {
        let pass = Instant::now();
        std::hint::black_box(network.evaluate_with(set, &input, &mut workspace));
        times.push(pass.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    times
}
