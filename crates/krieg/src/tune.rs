//! `krieg tune`: games of the engine against itself, and the weights that foretell them best.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use krieg_chess::tune::{Fit, GameLine, SelfPlay, fit, samples, self_play};
use krieg_chess::{Classical, Weights};

use crate::cli::{TuneGamesOptions, TuneWeightsOptions};
use crate::files::{keep_whole_lines, write_whole};

/// Plays games into a file, going on where an earlier run left off.
pub fn games(options: &TuneGamesOptions) -> Result<()> {
    let weights = match &options.weights {
        None => Weights::tuned(),
        Some(path) if path == Path::new("first-guess") => Weights::first_guess(),
        Some(path) => read_weights(path)?,
    };
    let place = || options.out.display().to_string();
    let done = keep_whole_lines(&options.out)?.len() as u64;
    if done > 0 {
        eprintln!("{done} games are there already");
    }
    let mut file =
        OpenOptions::new().create(true).append(true).open(&options.out).with_context(place)?;
    let how = SelfPlay {
        nodes: options.nodes,
        seed: options.seed,
        threads: options.threads.unwrap_or_else(cores),
        ..SelfPlay::default()
    };
    let begun = Instant::now();
    let mut failed = Ok(());
    self_play(&Classical::new(weights), &how, done..options.games, |number, game| {
        failed = file.write_all(format!("{game}\n").as_bytes());
        let played = number + 1 - done;
        if played.is_multiple_of(100) {
            let speed = played as f64 / begun.elapsed().as_secs_f64();
            eprint!("\r{} of {} games, {speed:.1} a second ", number + 1, options.games);
        }
        failed.is_ok()
    });
    eprintln!();
    failed.with_context(place)
}

/// Fits the weights to files of games.
pub fn weights(options: &TuneWeightsOptions) -> Result<()> {
    if !(0.0..=1.0).contains(&options.blend) {
        bail!("--blend is between 0 and 1, not {}", options.blend);
    }
    let start = match &options.start {
        None => Weights::first_guess(),
        Some(path) if path == Path::new("built-in") => Weights::tuned(),
        Some(path) => read_weights(path)?,
    };
    let mut positions = Vec::new();
    let mut games = 0;
    for path in &options.games {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        for (number, line) in BufReader::new(file).lines().enumerate() {
            let place = || format!("{}: line {}", path.display(), number + 1);
            let game: GameLine = line.with_context(place)?.parse().with_context(place)?;
            positions.extend(samples(&game));
            games += 1;
        }
    }
    if positions.is_empty() {
        bail!("no quiet position in {games} games");
    }
    eprintln!("{} quiet positions of {games} games", positions.len());
    let how = Fit {
        epochs: options.epochs,
        blend: options.blend,
        prior: options.prior,
        seed: options.seed,
        ..Fit::default()
    };
    let fitted = fit(&positions, &start, &how, |progress| {
        eprintln!(
            "epoch {:>3}: error {:.6}, kept apart {:.6}",
            progress.epoch, progress.error, progress.kept_apart
        );
    });
    write_whole(&options.out, |out| Ok(write!(out, "{}", fitted.weights)?))?;
    println!(
        "{} positions: error {:.6} before, {:.6} after; kept apart {:.6} before, {:.6} after",
        positions.len(),
        fitted.first.error,
        fitted.last.error,
        fitted.first.kept_apart,
        fitted.last.kept_apart,
    );
    Ok(())
}

fn read_weights(path: &Path) -> Result<Weights> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Weights::read(&text).with_context(|| path.display().to_string())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
