//! `krieg tablebase`: endgame tables for play against a lone king.

mod build;
mod diagram;
mod page;
mod probe;
mod stats;
mod text;
mod verify;

use std::io::{self, Write};

use anyhow::{Result, bail};
use indicatif::ProgressBar;
use krieg_tablebase::{Endgame, Tablebase};

use crate::cli::{TablebaseCommand, TablebaseFolder};
use crate::progress_bar::new_progress_bar;

/// Runs a subcommand.
pub fn run(command: &TablebaseCommand) -> Result<()> {
    match command {
        TablebaseCommand::Build(options) => build::build(options),
        TablebaseCommand::Probe(options) => probe::probe(options),
        TablebaseCommand::List(folder) => list(folder),
        TablebaseCommand::Verify(options) => verify::verify(options),
        TablebaseCommand::Export(options) => text::export(options),
        TablebaseCommand::Import(options) => text::import(options),
        TablebaseCommand::Stats(options) => stats::stats(options),
    }
}

fn list(folder: &TablebaseFolder) -> Result<()> {
    let tables = folder.open();
    if tables.folder().exists() && !tables.folder().is_dir() {
        bail!("{} is not a folder", tables.folder().display());
    }
    let mut out = io::stdout().lock();
    let existing = tables.endgames();
    if existing.is_empty() {
        writeln!(out, "there are no tables in {}", tables.folder().display())?;
        return Ok(());
    }
    writeln!(
        out,
        "{:6} {:>13} {:>12} {:>14} {:>15}",
        "", "entries", "longest mate", "bytes", "bytes per entry"
    )?;
    for endgame in existing {
        match tables.table(endgame) {
            Ok(table) => {
                let header = table.header();
                let bytes_per_entry = table.size() as f64 / header.entries.max(1) as f64;
                writeln!(
                    out,
                    "{:6} {:>13} {:>12} {:>14} {bytes_per_entry:>15.2}",
                    endgame.to_string(),
                    header.entries,
                    header.longest_mate,
                    table.size()
                )?;
            }
            Err(error) => writeln!(out, "{endgame}: {error}")?,
        }
    }
    writeln!(out, "in {}", tables.folder().display())?;
    Ok(())
}

/// The endgames that were named, or all that have a table.
fn named_or_existing(named: &[Endgame], tables: &Tablebase) -> Result<Vec<Endgame>> {
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    let existing = tables.endgames();
    if existing.is_empty() {
        bail!(
            "there are no tables in {}: build one with `krieg tablebase build krk`",
            tables.folder().display()
        );
    }
    Ok(existing)
}

/// A progress bar for a task of known length.
fn progress_bar(message: String) -> ProgressBar {
    let bar = new_progress_bar("{msg} {bar:30} {pos}/{len}, {eta} left", false);
    bar.set_message(message);
    bar
}
