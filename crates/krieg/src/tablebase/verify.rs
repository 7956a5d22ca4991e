//! `krieg tablebase verify`: an independent check of tables.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};
use indicatif::ProgressBar;
use krieg_tablebase::verify::{PlaySettings, VerifySettings, verify_by_play, verify_table};

use crate::cli::TablebaseVerifyOptions;
use crate::interrupt::stop_on_interrupt;
use crate::tablebase::{named_or_existing, progress_bar};

/// Verifies tables and prints the reports.
pub fn verify(options: &TablebaseVerifyOptions) -> Result<()> {
    let tables = options.folder.open();
    let endgames = named_or_existing(&options.endgames, &tables)?;
    let stop = stop_on_interrupt("stopping; the results so far are printed")?;
    let settings =
        VerifySettings { sample: options.sample as usize, seed: options.seed, all: options.all };
    let play_settings =
        PlaySettings { games: options.play as usize, seed: options.seed, all: options.play_all };
    let mut faulty = Vec::new();
    for endgame in endgames {
        let bar = progress_bar(format!("{endgame}: placements"));
        let report = verify_table(&tables, endgame, &settings, &stop, &mut |done, total| {
            show(&bar, done, total);
        })?;
        bar.finish_and_clear();
        writeln!(io::stdout(), "{report}")?;
        let mut is_clean = report.is_clean();
        if (options.play > 0 || options.play_all) && !is_stopped(&stop) {
            let bar = progress_bar(format!("{endgame}: games"));
            let report =
                verify_by_play(&tables, endgame, &play_settings, &stop, &mut |done, total| {
                    show(&bar, done, total);
                })?;
            bar.finish_and_clear();
            writeln!(io::stdout(), "{report}")?;
            is_clean &= report.faults.is_empty();
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
            "faults in {}: build again with `krieg tablebase build {} --rebuild`",
            faulty.join(", "),
            faulty.join(" ")
        );
    }
    Ok(())
}

fn is_stopped(stop: &AtomicBool) -> bool {
    stop.load(Ordering::Relaxed)
}

fn show(bar: &ProgressBar, done: usize, total: usize) {
    bar.set_length(total as u64);
    bar.set_position(done as u64);
}
