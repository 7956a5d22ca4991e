//! `krieg tune`: games of the engine against itself, and the weights that foretell them best.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use krieg_chess::tune::{Fit, GameLine, SelfPlay, fit, samples, self_play};
use krieg_chess::{Classical, Weights, cores};

use crate::cli::{TuneGamesOptions, TuneWeightsOptions};
use crate::files::{keep_whole_lines, write_whole};

/// Plays games into a file, going on where an earlier run left off.
pub fn games(options: &TuneGamesOptions) -> Result<()> {
    let weights = read_weights(options.weights.as_deref().unwrap_or(Path::new("built-in")))?;
    let place = || options.out.display().to_string();
    let heading = format!(
        "# krieg tune games --nodes {} --seed {}, weights {:016x}",
        options.nodes,
        options.seed,
        checksum(&weights.to_string())
    );
    let lines = keep_whole_lines(&options.out)?;
    if let Some(first) = lines.first()
        && *first != heading
    {
        bail!(
            "{} holds something else: it begins with {:?}, not with {heading:?}",
            place(),
            krieg_core::excerpt(first)
        );
    }
    let done = lines.len().saturating_sub(1) as u64;
    if done > 0 {
        eprintln!("{done} games are there already");
    }
    let mut file =
        OpenOptions::new().create(true).append(true).open(&options.out).with_context(place)?;
    if lines.is_empty() {
        writeln!(file, "{heading}").with_context(place)?;
    }
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
    if !(options.prior.is_finite() && options.prior >= 0.0) {
        bail!("--prior is a number from 0 on, not {}", options.prior);
    }
    let same = |path: &std::path::PathBuf| matches!((fs::canonicalize(path), fs::canonicalize(&options.out)), (Ok(a), Ok(b)) if a == b);
    if options.games.iter().any(same) {
        bail!("{} holds games; the weights need another place", options.out.display());
    }
    let folder = options.out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder
        && !folder.is_dir()
    {
        bail!("{} is no folder", folder.display());
    }
    let start = read_weights(options.start.as_deref().unwrap_or(Path::new("first-guess")))?;
    let mut positions = Vec::new();
    let mut games = 0;
    for path in &options.games {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        for (number, line) in BufReader::new(file).lines().enumerate() {
            let place = || format!("{}: line {}", path.display(), number + 1);
            let line = line.with_context(place)?;
            if line.starts_with('#') {
                continue;
            }
            let game: GameLine = line.parse().with_context(place)?;
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

/// Weights by name, or from a file.
fn read_weights(path: &Path) -> Result<Weights> {
    match path.to_str() {
        Some("first-guess") => return Ok(Weights::first_guess()),
        Some("built-in") => return Ok(Weights::tuned()),
        _ => {}
    }
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Weights::read(&text).with_context(|| path.display().to_string())
}

/// A number that tells texts apart (FNV-1a).
fn checksum(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
