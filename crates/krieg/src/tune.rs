//! `krieg tune`: games of the engine against itself, and the weights that foretell them best.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use krieg_chess::{Evaluation, cores};
use krieg_learn::evaluation::{
    Fit, GameLine, Progress, SelfPlay, Training, fit, lessons, samples, self_play, train,
};

use crate::cli::{TuneGamesOptions, TuneNetworkOptions, TuneWeightsOptions};
use crate::files::{open_to_add, whole_lines, write_whole};

/// Plays games into a file, going on where an earlier run left off.
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
            "{} holds something else: it begins with {:?}, not with {heading:?}",
            place(),
            krieg_core::excerpt(first)
        );
    }
    let done = lines.len().saturating_sub(1) as u64;
    if done > 0 {
        eprintln!("{done} games are there already");
    }
    let mut file = open_to_add(&options.out)?;
    if lines.is_empty() {
        writeln!(file, "{heading}").with_context(place)?;
    }
    let how = SelfPlay {
        nodes: options.nodes,
        seed: options.seed,
        random_plies: options.random_plies,
        threads: options.threads.unwrap_or_else(cores),
    };
    let begun = Instant::now();
    let mut failed = Ok(());
    self_play(&evaluation, &how, done..options.games, |number, game| {
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
    check_blend(options.blend)?;
    if !(options.prior.is_finite() && options.prior >= 0.0) {
        bail!("--prior is a number from 0 on, not {}", options.prior);
    }
    check_out(&options.out, &options.games)?;
    let start = match open(&options.start)? {
        Evaluation::Classical(classical) => classical.weights().clone(),
        Evaluation::Network(_) => bail!("{} is a network, not weights", options.start.display()),
    };
    let positions = read_games(&options.games, samples)?;
    let how = Fit {
        epochs: options.epochs,
        blend: options.blend,
        prior: options.prior,
        seed: options.seed,
        ..Fit::default()
    };
    let fitted = fit(&positions, &start, &how, tell);
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

/// Trains a network on files of games.
pub fn network(options: &TuneNetworkOptions) -> Result<()> {
    check_blend(options.blend)?;
    if !(options.rate > 0.0 && options.rate <= 1.0) {
        bail!("--rate is above 0 and at most 1, not {}", options.rate);
    }
    check_out(&options.out, &options.games)?;
    let start = match options.start.as_deref().map(open).transpose()? {
        Some(Evaluation::Network(network)) => Some(network),
        Some(Evaluation::Classical(_)) => bail!("--start needs a network, not weights"),
        None => None,
    };
    let lessons = read_games(&options.games, lessons)?;
    let how = Training {
        epochs: options.epochs,
        blend: options.blend,
        seed: options.seed,
        batch: options.batch,
        rate: options.rate,
        threads: options.threads.unwrap_or_else(cores),
    };
    let mut last = None;
    let network = train(&lessons, start.as_ref(), &how, |progress| {
        tell(progress);
        last = Some(*progress);
    });
    write_whole(&options.out, |out| Ok(out.write_all(&network.write())?))?;
    if let Some(last) = last {
        let (error, kept_apart) = (last.error, last.kept_apart);
        println!("{} positions: error {error:.6}, kept apart {kept_apart:.6}", lessons.len());
    }
    Ok(())
}

fn tell(progress: &Progress) {
    let Progress { epoch, error, kept_apart } = progress;
    eprintln!("epoch {epoch:>3}: error {error:.6}, kept apart {kept_apart:.6}");
}

fn check_blend(blend: f32) -> Result<()> {
    if !(0.0..=1.0).contains(&blend) {
        bail!("--blend is between 0 and 1, not {blend}");
    }
    Ok(())
}

/// Before hours of work: whether there is a place for what comes of it.
fn check_out(out: &Path, games: &[PathBuf]) -> Result<()> {
    let same = |path: &PathBuf| matches!((fs::canonicalize(path), fs::canonicalize(out)), (Ok(a), Ok(b)) if a == b);
    if games.iter().any(same) {
        bail!("{} holds games; the result needs another place", out.display());
    }
    if out.is_dir() {
        bail!("{} is a folder; the result needs the name of a file", out.display());
    }
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder
        && !folder.is_dir()
    {
        bail!("{} is no folder", folder.display());
    }
    Ok(())
}

/// The quiet positions of all games, in the form that `take` gives them.
fn read_games<T>(paths: &[PathBuf], take: impl Fn(&GameLine) -> Vec<T>) -> Result<Vec<T>> {
    let mut positions = Vec::new();
    let mut games = 0;
    for path in paths {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        for (number, line) in BufReader::new(file).lines().enumerate() {
            let place = || format!("{}: line {}", path.display(), number + 1);
            let line = line.with_context(place)?;
            if line.starts_with('#') {
                continue;
            }
            positions.extend(take(&line.parse().with_context(place)?));
            games += 1;
        }
    }
    if positions.is_empty() {
        bail!("no quiet position in {games} games");
    }
    eprintln!("{} quiet positions of {games} games", positions.len());
    Ok(positions)
}

fn open(name: &Path) -> Result<Evaluation> {
    Evaluation::open(name).with_context(|| name.display().to_string())
}
