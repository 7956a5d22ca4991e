//! `krieg bench engines`: a match of the chess engine against another one.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use krieg_arena::engine_match::{EngineGameResult, EngineMatch};
use krieg_chess::uci::EngineCommand;
use krieg_io::Program;
use krieg_stats::MatchScore;
use krieg_time::TimeControl;

use crate::options::BenchEnginesOptions;

/// Plays the match, or the games of it that are missing, and prints the score.
pub fn engines(options: &BenchEnginesOptions) -> Result<()> {
    if options.control == TimeControl::Unlimited {
        bail!("a match needs a time control");
    }
    let mut opponent: EngineCommand = options.opponent.parse()?;
    opponent.options = name_values(&options.options)?;
    let mut ours = match &options.our_engine {
        Some(command) => command.parse()?,
        None => EngineCommand {
            program: Program {
                name: std::env::current_exe()?.to_string_lossy().into_owned(),
                arguments: vec!["uci".to_string()],
            },
            options: Vec::new(),
        },
    };
    ours.options = name_values(&options.our_options)?;
    let is_per_move = matches!(options.control, TimeControl::Move(_));
    let margin = options.time_margin.unwrap_or(if is_per_move { 1_000 } else { 0 });
    let engine_match = EngineMatch {
        engines: [ours, opponent],
        control: options.control,
        seed: options.seed,
        concurrency: options.concurrency.unwrap_or_else(krieg_chess::cores),
        time_margin: Duration::from_millis(margin),
        adjudicate: !options.no_adjudication,
    };

    let mut score = MatchScore::default();
    let mut endings = BTreeMap::<String, u32>::new();
    let mut log = None;
    if let Some(path) = &options.out {
        let place = || path.display().to_string();
        let heading = format!(
            "# {} {:?} against {} {:?}, {}, seed {}",
            engine_match.engines[0].program,
            engine_match.engines[0].options,
            engine_match.engines[1].program,
            engine_match.engines[1].options,
            engine_match.control,
            engine_match.seed,
        );
        let lines = complete_lines(path)?;
        if let Some(first) = lines.first()
            && *first != heading
        {
            bail!("{} holds another match: {first:?}, not {heading:?}", place());
        }
        for line in lines.iter().skip(1) {
            let Some(EngineGameResult { number, half_points: points, ending: end, .. }) =
                EngineGameResult::read(line)
            else {
                bail!("{}: {:?} is not a game of a match", place(), krieg_core::excerpt(line));
            };
            score.add(number, points);
            *endings.entry(end).or_default() += 1;
        }
        let mut file = open_for_append(path)?;
        if lines.is_empty() {
            writeln!(file, "{heading}").with_context(place)?;
        }
        log = Some(file);
    }
    let numbers: Vec<u64> = (0..options.games).filter(|&number| !score.contains(number)).collect();
    eprintln!(
        "{} games of {} against {}, {}, {} simultaneous",
        numbers.len(),
        engine_match.engines[0].program,
        engine_match.engines[1].program,
        engine_match.control,
        engine_match.concurrency
    );
    let mut failed = Ok(());
    engine_match.play(&numbers, |game| {
        score.add(game.number, game.half_points);
        *endings.entry(game.ending.to_string()).or_default() += 1;
        if let Some(failure) = &game.failure {
            eprintln!("\ngame {}: {failure}", game.number);
        }
        if let (Some(file), Ok(())) = (&mut log, &failed) {
            failed = file.write_all(format!("{game}\n").as_bytes());
        }
        eprint!("\r{score} ");
    })?;
    eprintln!();
    failed.context("the games cannot be written")?;
    let endings: Vec<String> =
        endings.iter().map(|(end, count)| format!("{end} {count}")).collect();
    println!("{score}");
    println!("games ended by: {}", endings.join(", "));
    Ok(())
}

fn name_values(texts: &[String]) -> Result<Vec<(String, String)>> {
    texts
        .iter()
        .map(|text| {
            let (name, value) = text
                .split_once('=')
                .with_context(|| format!("write an option as Name=Value, not {text:?}"))?;
            Ok((name.trim().to_string(), value.trim().to_string()))
        })
        .collect()
}

/// The complete lines of a file that games are appended to; none if the file does not exist yet.
fn complete_lines(path: &Path) -> Result<Vec<String>> {
    let text = krieg_io::read_complete_lines(path).with_context(|| path.display().to_string())?;
    Ok(text.lines().map(str::to_string).collect())
}

/// Opens a file for appending and removes an incomplete last line left by an interrupted run.
fn open_for_append(path: &Path) -> Result<File> {
    let open = || {
        krieg_io::truncate_incomplete_line(path)?;
        OpenOptions::new().create(true).append(true).open(path)
    };
    open().with_context(|| path.display().to_string())
}
