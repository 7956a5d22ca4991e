//! `krieg tune`: self-play games of the engine, and the training of its evaluation on them.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use krieg_chess::{Evaluation, cores};
use krieg_learn::evaluation::{
    EpochReport, GameLine, NetworkTraining, SelfPlay, WeightTraining, network_samples, self_play,
    train_network, train_weights, weight_samples,
};

use crate::cli::{TuneGamesOptions, TuneNetworkOptions, TuneWeightsOptions};
use crate::files::{open_to_add, whole_lines, write_whole};

/// Plays games into a file. An interrupted run is continued.
pub fn games(options: &TuneGamesOptions) -> Result<()> {
    let evaluation = open(&options.evaluation)?;
    let place = || options.out.display().to_string();
    let random_plies = match options.random_plies {
        (8, 8) => String::new(),
        (fewest, most) => format!(" --random-plies {fewest}-{most}"),
    };
    let heading = format!(
        "# krieg tune games --nodes {} --seed {}{random_plies}, evaluation {:016x}",
        options.nodes,
        options.seed,
        evaluation.checksum()
    );
    let lines = whole_lines(&options.out)?;
    if let Some(first) = lines.first()
        && *first != heading
    {
        bail!(
            "{} does not belong to this run: it begins with {:?}, not with {heading:?}",
            place(),
            krieg_core::excerpt(first)
        );
    }
    let done = lines.len().saturating_sub(1) as u64;
    if done > 0 {
        eprintln!("the file has {done} games already");
    }
    let mut file = open_to_add(&options.out)?;
    if lines.is_empty() {
        writeln!(file, "{heading}").with_context(place)?;
    }
    let settings = SelfPlay {
        nodes: options.nodes,
        seed: options.seed,
        random_plies: options.random_plies,
        threads: options.threads.unwrap_or_else(cores),
    };
    let start = Instant::now();
    let mut failed = Ok(());
    self_play(&evaluation, &settings, done..options.games, |number, game| {
        failed = file.write_all(format!("{game}\n").as_bytes());
        let played = number + 1 - done;
        if played.is_multiple_of(100) {
            let speed = played as f64 / start.elapsed().as_secs_f64();
            eprint!("\r{} of {} games, {speed:.1} per second ", number + 1, options.games);
        }
        failed.is_ok()
    });
    eprintln!();
    failed.with_context(place)
}

/// Trains the weights of the classical evaluation on files of games.
pub fn weights(options: &TuneWeightsOptions) -> Result<()> {
    check_outcome_weight(options.outcome_weight)?;
    if !(options.regularization.is_finite() && options.regularization >= 0.0) {
        bail!("--regularization must not be negative, but is {}", options.regularization);
    }
    check_out(&options.out, &options.games)?;
    let start = match open(&options.start)? {
        Evaluation::Classical(classical) => classical.weights().clone(),
        Evaluation::Network(_) => bail!("{} is a network, not weights", options.start.display()),
    };
    let samples = read_samples(&options.games, weight_samples)?;
    let settings = WeightTraining {
        epochs: options.epochs,
        outcome_weight: options.outcome_weight,
        regularization: options.regularization,
        seed: options.seed,
        ..WeightTraining::default()
    };
    let trained = train_weights(&samples, &start, &settings, print_epoch);
    write_whole(&options.out, |out| Ok(write!(out, "{}", trained.weights)?))?;
    println!(
        "{} positions: {} before; {} after",
        samples.len(),
        errors(&trained.initial),
        errors(&trained.last),
    );
    Ok(())
}

/// Trains a network on files of games.
pub fn network(options: &TuneNetworkOptions) -> Result<()> {
    check_outcome_weight(options.outcome_weight)?;
    if !(options.learning_rate > 0.0 && options.learning_rate <= 1.0) {
        bail!("--learning-rate must be above 0 and at most 1, but is {}", options.learning_rate);
    }
    check_out(&options.out, &options.games)?;
    let start = match options.start.as_deref().map(open).transpose()? {
        Some(Evaluation::Network(network)) => Some(network),
        Some(Evaluation::Classical(_)) => bail!("--start needs a network, not weights"),
        None => None,
    };
    let samples = read_samples(&options.games, network_samples)?;
    let settings = NetworkTraining {
        epochs: options.epochs,
        outcome_weight: options.outcome_weight,
        seed: options.seed,
        batch_size: options.batch_size,
        learning_rate: options.learning_rate,
        threads: options.threads.unwrap_or_else(cores),
    };
    let mut last = None;
    let network = train_network(&samples, start.as_ref(), &settings, |report| {
        print_epoch(report);
        last = Some(*report);
    });
    write_whole(&options.out, |out| Ok(out.write_all(&network.write())?))?;
    if let Some(last) = last {
        println!("{} positions: {}", samples.len(), errors(&last));
    }
    Ok(())
}

fn print_epoch(report: &EpochReport) {
    eprintln!("epoch {:>3}: {}", report.epoch, errors(report));
}

fn errors(report: &EpochReport) -> String {
    let EpochReport { training_error, validation_error, .. } = report;
    format!("training error {training_error:.6}, validation error {validation_error:.6}")
}

fn check_outcome_weight(weight: f32) -> Result<()> {
    if !(0.0..=1.0).contains(&weight) {
        bail!("--outcome-weight must be between 0 and 1, but is {weight}");
    }
    Ok(())
}

/// Checks the output file before hours of work.
fn check_out(out: &Path, games: &[PathBuf]) -> Result<()> {
    let same = |path: &PathBuf| {
        let paths = (fs::canonicalize(path), fs::canonicalize(out));
        matches!(paths, (Ok(a), Ok(b)) if a == b)
    };
    if games.iter().any(same) {
        bail!("{} is a file of games; the result needs another place", out.display());
    }
    if out.is_dir() {
        bail!("{} is a folder; the result needs a file", out.display());
    }
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder
        && !folder.is_dir()
    {
        bail!("{} is not a folder", folder.display());
    }
    Ok(())
}

/// The samples of all games in these files.
fn read_samples<T>(paths: &[PathBuf], extract: impl Fn(&GameLine) -> Vec<T>) -> Result<Vec<T>> {
    let mut samples = Vec::new();
    let mut games = 0;
    for path in paths {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        for (number, line) in BufReader::new(file).lines().enumerate() {
            let place = || format!("{}: line {}", path.display(), number + 1);
            let line = line.with_context(place)?;
            if line.starts_with('#') {
                continue;
            }
            samples.extend(extract(&line.parse().with_context(place)?));
            games += 1;
        }
    }
    if samples.is_empty() {
        bail!("there is no quiet position in {games} games");
    }
    eprintln!("{} quiet positions of {games} games", samples.len());
    Ok(samples)
}

fn open(name: &Path) -> Result<Evaluation> {
    Evaluation::open(name).with_context(|| name.display().to_string())
}
