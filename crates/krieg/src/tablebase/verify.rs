//! `krieg tablebase verify`: tables checked by a path of its own.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use anyhow::{Result, bail};
use indicatif::ProgressBar;
use krieg_tablebase::verify::{Defence, Inspection, contest, inspect};

use crate::cli::TablebaseVerifyOptions;
use crate::interrupt::stop_on_interrupt;
use crate::tablebase::{named_or_there, progress_bar};

/// Checks tables, and says what was found.
pub fn verify(options: &TablebaseVerifyOptions) -> Result<()> {
    let tables = options.folder.open();
    let endgames = named_or_there(&options.endgames, &tables)?;
    let stop = stop_on_interrupt("stopping; what was checked so far is told")?;
    let inspection =
        Inspection { sample: options.sample as usize, seed: options.seed, all: options.all };
    let defence =
        Defence { games: options.play as usize, seed: options.seed, all: options.play_starts };
    let mut faulty = Vec::new();
    for endgame in endgames {
        let bar = progress_bar(format!("{endgame}: dispositions"));
        let findings = inspect(&tables, endgame, &inspection, &stop, &mut |done, total| {
            show(&bar, done, total);
        })?;
        bar.finish_and_clear();
        writeln!(io::stdout(), "{findings}")?;
        let mut is_clean = findings.is_clean();
        if (options.play > 0 || options.play_starts) && !is_stopped(&stop) {
            let bar = progress_bar(format!("{endgame}: games"));
            let played = contest(&tables, endgame, &defence, &stop, &mut |done, total| {
                show(&bar, done, total);
            })?;
            bar.finish_and_clear();
            writeln!(io::stdout(), "{played}")?;
            is_clean &= played.faults.is_empty();
        }
        if !is_clean {
            faulty.push(endgame.to_string());
        }
        if is_stopped(&stop) {
            bail!("interrupted");
        }
    }
    if !faulty.is_empty() {
        bail!(
            "faults in {}: `krieg tablebase build {} --anew` makes them again",
            faulty.join(", "),
            faulty.join(" ")
        );
    }
    Ok(())
}

fn is_stopped(stop: &AtomicBool) -> bool {
    stop.load(std::sync::atomic::Ordering::Relaxed)
}

fn show(bar: &ProgressBar, done: usize, total: usize) {
    bar.set_length(total as u64);
    bar.set_position(done as u64);
}
