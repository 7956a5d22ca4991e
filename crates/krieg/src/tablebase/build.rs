//! `krieg tablebase build`, and the progress of builds.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use krieg_tablebase::{BuildProgress, Endgame, Tablebase, known_size};

use crate::cli::TablebaseBuildOptions;
use crate::interrupt::{note, stop_on_interrupt};
use crate::progress_bar::new_progress_bar;

/// Builds tables.
pub fn build(options: &TablebaseBuildOptions) -> Result<()> {
    let mut wanted = options.endgames.clone();
    if let Some(pieces) = options.pieces {
        wanted.extend((3..=usize::from(pieces)).flat_map(Endgame::with_pieces));
    }
    if let Some(jobs) = options.jobs {
        rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(jobs))
            .build_global()
            .context("cannot start the threads")?;
    }
    let tables = options.folder.open();
    let stop =
        stop_on_interrupt("stopping; completed work is kept; interrupt again to stop immediately")?;
    if options.rebuild {
        for &endgame in &wanted {
            tables.remove(endgame)?;
        }
    }
    for endgame in Endgame::with_dependencies(&wanted) {
        build_with_progress(&tables, endgame, &stop, options.quiet)?;
    }
    Ok(())
}

/// Builds one table, unless it exists, and prints its size.
fn build_with_progress(
    tables: &Tablebase,
    endgame: Endgame,
    stop: &AtomicBool,
    quiet: bool,
) -> Result<()> {
    if tables.has(endgame) {
        // Opening the table verifies its header and index.
        tables.table(endgame)?;
        if !quiet {
            note(format!("{endgame}: the table exists"));
        }
        return Ok(());
    }
    let start = Instant::now();
    let mut display = ProgressDisplay::new(quiet);
    let mut peak_memory = 0;
    tables.build(endgame, stop, &mut |progress| {
        peak_memory = peak_memory.max(progress.memory_bytes);
        display.update(progress);
    })?;
    display.bar.finish_and_clear();
    let table = tables.table(endgame)?;
    let header = table.header();
    let bytes_per_entry = table.size() as f64 / header.entries.max(1) as f64;
    let with_mirrors = match header.entries_with_mirrors {
        same if same == header.entries => String::new(),
        more => format!(" ({more} as the literature counts)"),
    };
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{endgame}: {} entries{with_mirrors}, longest mate {}, {} bytes ({bytes_per_entry:.2} per \
         entry), {:.2} s, {} MB of sets in memory",
        header.entries,
        header.longest_mate,
        table.size(),
        start.elapsed().as_secs_f64(),
        peak_memory >> 20,
    )?;
    Ok(())
}

/// Builds the table for a probe if it is missing and has at most four pieces.
pub fn build_if_missing(tables: &Tablebase, endgame: Endgame) -> Result<()> {
    if tables.has_with_dependencies(endgame) {
        return Ok(());
    }
    if endgame.piece_count() > 4 {
        bail!(
            "there is no table of {endgame} yet, and building it takes long: \
             use `krieg tablebase build {endgame}`"
        );
    }
    note(format!("Building the table of {endgame}. This happens only once."));
    let stop = stop_on_interrupt("stopping; completed work is kept")?;
    let mut display = ProgressDisplay::new(false);
    tables.build(endgame, &stop, &mut |progress| display.update(progress))?;
    display.bar.finish_and_clear();
    Ok(())
}

/// Shows progress as a line that changes, or, without a terminal, as a new line now and then.
struct ProgressDisplay {
    bar: ProgressBar,
    is_quiet: bool,
    is_terminal: bool,
    last_line: Instant,
}

/// Interval between lines without a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

impl ProgressDisplay {
    fn new(is_quiet: bool) -> Self {
        let is_terminal = io::stderr().is_terminal();
        let bar = new_progress_bar("{spinner} {msg}", is_quiet);
        ProgressDisplay { bar, is_quiet, is_terminal, last_line: Instant::now() }
    }

    fn update(&mut self, progress: &BuildProgress) {
        if self.is_terminal {
            self.bar.set_message(message(progress));
            self.bar.tick();
        } else if !self.is_quiet && self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            note(message(progress));
        }
    }
}

fn message(progress: &BuildProgress) -> String {
    let BuildProgress {
        endgame,
        depth,
        new_entries,
        entries,
        memory_bytes,
        elapsed,
        from_checkpoint,
        ..
    } = progress;
    let source = if *from_checkpoint { ", read from a checkpoint" } else { "" };
    let estimate = match known_size(*endgame) {
        Some(size) if *entries > 0 && !from_checkpoint => {
            let done = *entries as f64 / size.entries.max(1) as f64;
            let left = elapsed.as_secs_f64() * (1.0 / done.clamp(1e-3, 1.0) - 1.0);
            format!(", depth {depth} of {}, about {} left", size.longest_mate, duration(left))
        }
        _ => format!(", depth {depth}"),
    };
    format!(
        "{endgame}{estimate}: {new_entries} new, {entries} entries, {} MB of sets, {}{source}",
        memory_bytes >> 20,
        duration(elapsed.as_secs_f64()),
    )
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s => format!("{:.0} min", s / 60.0),
    }
}
