//! `krieg tablebase`: perfect endgames against a lone king.

mod build;
mod diagram;
mod page;
mod probe;
mod stats;
mod text;
mod verify;

use std::io::{self, Write};

use anyhow::Result;
use indicatif::ProgressBar;
use krieg_tablebase::{Endgame, Tablebase};

use crate::cli::{TablebaseCommand, TablebaseFolder};
use crate::progress_bar::new_progress_bar;

/// Does what is asked of the tables.
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
        anyhow::bail!("{} is no folder", tables.folder().display());
    }
    let mut out = io::stdout().lock();
    let there = tables.endgames();
    if there.is_empty() {
        writeln!(out, "no tables in {}", tables.folder().display())?;
        return Ok(());
    }
    writeln!(out, "{:6} {:>13} {:>8} {:>14} {:>7}", "", "entries", "longest", "bytes", "each")?;
    for endgame in there {
        match tables.table(endgame) {
            Ok(table) => {
                let heading = table.heading();
                let each = table.size() as f64 / heading.entries.max(1) as f64;
                writeln!(
                    out,
                    "{:6} {:>13} {:>8} {:>14} {each:>7.2}",
                    endgame.to_string(),
                    heading.entries,
                    heading.longest,
                    table.size()
                )?;
            }
            Err(error) => writeln!(out, "{endgame}: {error}")?,
        }
    }
    writeln!(out, "in {}", tables.folder().display())?;
    Ok(())
}

/// The endgames named, or all whose tables are there.
fn named_or_there(named: &[Endgame], tables: &Tablebase) -> Result<Vec<Endgame>> {
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    let there = tables.endgames();
    if there.is_empty() {
        anyhow::bail!(
            "there are no tables in {}: `krieg tablebase build krk` makes one",
            tables.folder().display()
        );
    }
    Ok(there)
}

/// A bar for something long that is counted, where somebody looks.
fn progress_bar(what: String) -> ProgressBar {
    let bar = new_progress_bar("{msg} {bar:30} {pos}/{len}, {eta} left", false);
    bar.set_message(what);
    bar
}
