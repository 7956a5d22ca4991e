//! `krieg tablebase stats`: statistics of tables as text, JSON or web pages.

use std::io::{self, Write};

use anyhow::Result;
use krieg_tablebase::Statistics;

use crate::cli::TablebaseStatsOptions;
use crate::interrupt::note;
use crate::tablebase::{named_or_existing, page};

/// Computes the statistics and prints them.
pub fn stats(options: &TablebaseStatsOptions) -> Result<()> {
    let tables = options.folder.open();
    let mut all = Vec::new();
    for endgame in named_or_existing(&options.endgames, &tables)? {
        all.push(tables.statistics(endgame)?);
    }
    let mut out = io::stdout().lock();
    if options.json {
        for one in &all {
            writeln!(out, "{}", serde_json::to_string(one)?)?;
        }
    } else {
        write!(out, "{}", table(&all))?;
    }
    if let Some(folder) = &options.html {
        page::write_pages(folder, &all)?;
        note(format!("wrote {}/index.html", folder.display()));
    }
    Ok(())
}

/// Explains the columns.
const NOTE: &str = "\
entries, at longest, one king: counted as in the literature, with mirror images
at longest: entries with the longest mate; one king: entries with a single king square
size: bytes per stored entry; anywhere: placements won with the king on any legal square
";

fn table(all: &[Statistics]) -> String {
    let mut text = format!(
        "{:6} {:>12} {:>12} {:>12} {:>10} {:>9} {:>6} {:>9}\n",
        "", "stored", "entries", "longest mate", "at longest", "one king", "size", "anywhere"
    );
    for one in all {
        text += &format!(
            "{:6} {:>12} {:>12} {:>12} {:>10} {:>9} {:>6.2} {:>8.1}%\n",
            one.endgame.to_string(),
            one.entries.stored,
            one.entries.with_mirrors,
            one.longest_mate,
            one.entries_at_longest().with_mirrors,
            one.one_king.with_mirrors,
            one.bytes_per_entry,
            one.king_anywhere.share * 100.0,
        );
    }
    text + NOTE
}
