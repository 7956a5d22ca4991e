//! `krieg tablebase build`, and what is seen while tables are built.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use krieg_tablebase::{Endgame, Progress, Tablebase, known_size};

use crate::cli::TablebaseBuildOptions;
use crate::interrupt::{note, stop_on_interrupt};
use crate::progress_bar::new_progress_bar;

/// Builds tables.
pub fn build(options: &TablebaseBuildOptions) -> Result<()> {
    let mut wanted = options.endgames.clone();
    if let Some(men) = options.men {
        wanted.extend((3..=usize::from(men)).flat_map(Endgame::with_men));
    }
    if let Some(jobs) = options.jobs {
        rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(jobs))
            .build_global()
            .context("cannot start the threads")?;
    }
    let tables = options.folder.open();
    let stop =
        stop_on_interrupt("stopping; what is done is kept, interrupt again to leave at once")?;
    if options.anew {
        for &endgame in &wanted {
            tables.remove(endgame)?;
        }
    }
    for endgame in Endgame::with_all_needed(&wanted) {
        build_with_progress(&tables, endgame, &stop, options.quiet)?;
    }
    Ok(())
}

/// Builds one table, unless it is there, and says what it is like.
fn build_with_progress(
    tables: &Tablebase,
    endgame: Endgame,
    stop: &AtomicBool,
    quiet: bool,
) -> Result<()> {
    if tables.has(endgame) {
        // That its heading and index are right is seen at once; blocks are looked at when they are asked.
        tables.table(endgame)?;
        if !quiet {
            note(format!("{endgame}: is there"));
        }
        return Ok(());
    }
    let start = Instant::now();
    let mut screen = Screen::new(quiet);
    let mut most_held = 0;
    tables.build(endgame, stop, &mut |progress| {
        most_held = most_held.max(progress.held);
        screen.show(progress);
    })?;
    screen.bar.finish_and_clear();
    let table = tables.table(endgame)?;
    let heading = table.heading();
    let each = table.size() as f64 / heading.entries.max(1) as f64;
    let counted = match heading.counted {
        same if same == heading.entries => String::new(),
        counted => format!(" ({counted} as the literature counts)"),
    };
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{endgame}: {} entries{counted}, longest mate {}, {} bytes ({each:.2} an entry), {:.2} s, {} MB of sets",
        heading.entries,
        heading.longest,
        table.size(),
        start.elapsed().as_secs_f64(),
        most_held >> 20,
    )?;
    Ok(())
}

/// Builds what a question needs, if it is missing and small enough to wait for.
pub fn build_if_missing(tables: &Tablebase, endgame: Endgame) -> Result<()> {
    if tables.has_all_for(endgame) {
        return Ok(());
    }
    if endgame.men() > 4 {
        bail!(
            "there is no table of {endgame} yet, and it takes long: `krieg tablebase build {endgame}` makes it"
        );
    }
    note(format!("the table of {endgame} is made first; this is done once"));
    let stop = stop_on_interrupt("stopping; what is done is kept")?;
    let mut screen = Screen::new(false);
    tables.build(endgame, &stop, &mut |progress| screen.show(progress))?;
    screen.bar.finish_and_clear();
    Ok(())
}

/// What is seen: a line that changes, or, where nobody looks, a line now and then.
struct Screen {
    bar: ProgressBar,
    is_quiet: bool,
    is_terminal: bool,
    shown: Instant,
}

const EVERY_LINE: Duration = Duration::from_secs(10);

impl Screen {
    fn new(is_quiet: bool) -> Self {
        let is_terminal = io::stderr().is_terminal();
        let bar = new_progress_bar("{spinner} {msg}", is_quiet);
        Screen { bar, is_quiet, is_terminal, shown: Instant::now() }
    }

    fn show(&mut self, progress: &Progress) {
        if self.is_terminal {
            self.bar.set_message(words(progress));
            self.bar.tick();
        } else if !self.is_quiet && self.shown.elapsed() >= EVERY_LINE {
            self.shown = Instant::now();
            note(words(progress));
        }
    }
}

fn words(progress: &Progress) -> String {
    let Progress { endgame, depth, new, entries, held, elapsed, resumed } = progress;
    let again = if *resumed { ", read from before" } else { "" };
    let left = match known_size(*endgame) {
        Some(size) if *entries > 0 && !resumed => {
            let done = *entries as f64 / size.entries.max(1) as f64;
            let left = elapsed.as_secs_f64() * (1.0 / done.clamp(1e-3, 1.0) - 1.0);
            format!(", depth {depth} of {}, about {} left", size.longest, time(left))
        }
        _ => format!(", depth {depth}"),
    };
    format!(
        "{endgame}{left}: {new} new, {entries} entries, {} MB of sets, {}{again}",
        held >> 20,
        time(elapsed.as_secs_f64()),
    )
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s => format!("{:.0} min", s / 60.0),
    }
}
